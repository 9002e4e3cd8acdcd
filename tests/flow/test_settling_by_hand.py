"""When the last net settles, of registers with both outputs and over several cycles; and the sums
of a layout's areas and wires."""

import importlib.util
from pathlib import Path
from types import ModuleType

import pytest

from flow.gates.liberty import Library
from flow.gates.simulator import TICKS
from flow.layout.design import Cell, Design
from flow.layout.parasitics import Coupling, NetRC, OnMetal, Parasitics
from flow.layout.strips import CellShape
from tests.flow import made_up_library as made
from tests.flow.test_simulator_by_hand import INVERTED, Played, port

pytestmark = pytest.mark.quick
STEP = Path(__file__).parents[2] / "flow/steps/layout/layout.py"
BOTH = ("Both", "clk d -> q n", "DFF one_reg CK=clk D=d Q=q QN=n")
LOAD = made.PORT_LOAD + 2.0


@pytest.mark.parametrize(
    ("cycle", "settled"),
    [
        (3, 0.47 + 0.05 * LOAD),  # QN falls after Q has risen
        (5, 0.50 + 0.04 * LOAD),  # it rises after Q has fallen
    ],
)
def test_each_output_of_a_register_has_its_delays(
    made_up: Library, cycle: int, settled: float
) -> None:
    d, q = [0, 0, 1, 1, 0, 0], [0, 0, 0, 1, 1, 0]
    ports = port("d", d), port("q", q, True), port("n", [1 - value for value in q], True)
    found = Played(made_up, BOTH, ports, {"one": (cycle, cycle + 1)}, 9, ((0, 1),))
    assert found.counts("delayed_toggles", "q", "n") == [[1, 1]]
    assert found.found.latest == pytest.approx(settled, abs=1 / TICKS)


@pytest.mark.parametrize("a", [[1, 0, 1, 0, 1], [1, 0, 1, 1, 1], [0, 0, 1, 0, 0]])
def test_the_latest_of_all_cycles_is_told(made_up: Library, a: list[int]) -> None:
    """y rises later than it falls, whichever comes last."""
    ports = port("a", a), port("y", [1 - value for value in a], True)
    found = Played(made_up, INVERTED, ports, {"all": (1, 5)}, 9)
    rise = 0.035 + 0.1 + 0.5 * 0.0305 + 0.02 * 9
    assert found.found.latest == pytest.approx(rise, abs=2 / TICKS)


@pytest.fixture(scope="module")
def step() -> ModuleType:
    """The script of the step."""
    spec = importlib.util.spec_from_file_location("layout_by_hand", STEP)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_areas_of_a_layout(step: ModuleType) -> None:
    """Cells of 3 and 5 sites of 0.19 um and 1.4 um, on two rows of 20 sites; a port has no area."""
    shapes = {"A": CellShape(3 * 380, {}, {}), "B": CellShape(5 * 380, {}, {})}
    shapes["IOPORT_I"] = CellShape(760, {}, {"P": "output"})
    cells = [Cell("a", "A"), Cell("b", "B"), Cell("c", "B"), Cell("p", "IOPORT_I")]
    design = Design("Top", 20, 2, {}, cells, {}, shapes)
    assert step.area_metrics(design) == {
        "layout_cells": 3,
        "layout_area_um2": pytest.approx(13 * 0.19 * 1.4, abs=1e-3),
        "core_utilisation": pytest.approx(13 / 40),
    }


def test_wires_of_a_layout(step: ModuleType) -> None:
    """Nets of 600 and 900 fF, a third of which is to each other's; of metal3 10 um with 2 fF."""
    node = ("metal3", 0, 0)
    nets = {
        "a": NetRC({node: 300.0, ("metal3", 9, 0): 100.0}, [], [Coupling(node, "b", node, 200.0)]),
        "b": NetRC({node: 700.0}, [], [Coupling(node, "a", node, 200.0)]),
    }
    metals = {
        "metal2": OnMetal(),
        "metal3": OnMetal(10.0, 1.5, 0.5),
        "metal4": OnMetal(4, 0.5, 0.5),
    }
    assert step.wire_metrics(Parasitics(nets, metals)) == {
        "wire_capacitance_pf": 1.5,
        "wire_coupling_share": pytest.approx(1.0 / 3.0, abs=1e-4),
        "wire_ff_per_um_metal2": 0.0,
        "wire_ff_per_um_metal3": 0.2,
        "wire_ff_per_um_metal4": 0.25,
    }
    empty = step.wire_metrics(Parasitics({}, {"metal2": OnMetal()}))
    assert set(empty.values()) == {0.0}
