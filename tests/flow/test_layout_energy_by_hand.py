"""What the clock tree adds to windows, and which currents the supply rails carry: the step's parts,
of an inverter in the library of planes."""

import importlib.util
from pathlib import Path
from types import ModuleType, SimpleNamespace

import msgspec
import numpy as np
import pytest

from flow.layout.design import Cell
from flow.netlist import Netlist
from flow.results.closing import ClockTreeOf
from flow.results.energy import Energy, Power, Window
from flow.results.layers import Layers
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
STEP = Path(__file__).parents[2] / "flow/steps/layout_energy/layout_energy.py"
PERIOD = 4.0
GIVEN = netlist_of("One", "a -> y", "INV gate A=a ZN=y")
# By window and piece: cycles, and toggles and cycles at 1 of the nets.
DID = {
    "busy": [
        (40, {"a": 4, "y": 4}, {"a": 10, "y": 30}),
        (60, {"a": 6, "y": 6}, {"a": 15, "y": 45}),
    ],
    "idle": [(50, {"a": 2, "y": 0}, {"a": 0, "y": 50})],
}


def window(total: float, energy: float, with_glitches: float) -> Window:
    power = Power(internal=total, switching=0.0, clock=0.0, leakage=0.0, total=total)
    return Window(100, power, energy, with_glitches, [], None)


ENERGY = Energy(
    windows={"idle": window(1.0, 0.5, 0.5), "busy": window(3.0, 2.0, 3.0)},
    operations={},
    clock_period_ns=PERIOD,
    voltage_v=made.VOLTAGE,
    wires="those of the layout",
    method={},
)
SIMULATION = SimpleNamespace(
    windows={
        name: SimpleNamespace(pieces=[SimpleNamespace(cycles=cycles) for cycles, _, _ in pieces])
        for name, pieces in DID.items()
    }
)


@pytest.fixture
def step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The step's script in a folder with what it takes."""
    spec = importlib.util.spec_from_file_location("layout_energy_by_hand", STEP)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "inputs").mkdir()
    monkeypatch.chdir(tmp_path)
    arrays = {}
    nets = 1 + max(GIVEN.names.values())
    for name, pieces in DID.items():
        for number, (_, toggles, high) in enumerate(pieces):
            for what, values in (("toggles", toggles), ("high", high)):
                row = arrays.setdefault(f"{name}.{number}.{what}", np.zeros(nets))
                for net, value in values.items():
                    row[GIVEN.names[net]] = value
    np.savez(tmp_path / "inputs/activity.npz", **arrays)

    def read_netlist(path: Path) -> Netlist:
        assert path == Path("inputs/flat.json")
        return GIVEN

    buffers = [Cell("clock_buffer_0", "B"), Cell("gate", "INV"), Cell("clock_buffer_1", "B")]
    placed = SimpleNamespace(instances=lambda: buffers)
    recorded = SimpleNamespace(operations={"busy": "idle"})
    monkeypatch.setattr(module, "read_netlist", read_netlist)
    monkeypatch.setattr(module, "Design", SimpleNamespace(load=lambda path: placed))
    monkeypatch.setattr(module, "Recording", SimpleNamespace(from_json=lambda path: recorded))
    monkeypatch.setattr(module, "taken", lambda name, kind: {"a": 2.0, "y": 2.0})
    monkeypatch.setattr(module, "Library", lambda path: made.library(tmp_path))
    return module


def test_the_tree_is_added_to_windows_and_operations(step: ModuleType) -> None:
    """2 fJ always, and 8 behind a gate whose net toggles 10 times in 100 cycles, or 2 in 50: 0.4
    fJ or 0.16 more. A fJ in a cycle of 4 ns is 0.25 uW; 2000 nW leak."""
    tree = ClockTreeOf(2.0, {"a": 8.0}, 2000.0, 0.0, port="clk")
    found = step.with_clock_tree(ENERGY, SIMULATION, tree)
    for name, before, fj in (("busy", 3.0, 2.4), ("idle", 1.0, 2.16)):
        power = found.windows[name].power_mw
        assert power.clock == pytest.approx(fj * 0.25e-3)
        assert power.leakage == pytest.approx(2e-3)
        assert power.total == pytest.approx(before + fj * 0.25e-3 + 2e-3)
    # Each window has 100 cycles of 4 ns: leakage is the same in both.
    more = (2.4 - 2.16) * 100 * 1e-6
    assert found.operations["busy"].energy_nj == pytest.approx(1.5 + more)
    assert found.operations["busy"].energy_with_glitches_nj == pytest.approx(2.5 + more)


def test_currents_of_cells_and_buffers(step: ModuleType) -> None:
    """All that a cell takes, half as much more for glitches, over the time and the voltage; what
    the tree takes is of its two buffers."""
    tree = ClockTreeOf(30.0, {"a": 6.0}, 0.0, 0.0, port="clk")
    found = step.currents("busy", ENERGY, SIMULATION, tree)
    slew = (0.044 + 0.0305) / 2
    rise, fall = 3 + 2 * slew + 0.1 * 9, 1 + 4 * slew + 0.2 * 9
    switching = 0.5 * made.VOLTAGE**2 * 9 * 10
    leakage = (0.75 * 10 + 0.25 * 30) * 100 * PERIOD * 1e-3
    fj = 10 * (rise + fall) / 2 + switching + leakage
    each = tree.all_fj / PERIOD / made.VOLTAGE / 2
    assert tree.all_fj == 36
    assert found == pytest.approx(
        {
            "gate": 1.5 * fj / (100 * PERIOD * made.VOLTAGE),
            "clock_buffer_0": each,
            "clock_buffer_1": each,
        }
    )


def test_the_rails_carry_the_window_of_the_greatest_power(
    step: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def currents(name: str, *_: object) -> dict[str, float]:
        asked.append(name)
        return {"gate": 5.0}

    monkeypatch.setattr(step, "currents", currents)
    design = SimpleNamespace(stack="stack")
    monkeypatch.setattr(step.Design, "load", lambda path: design)
    monkeypatch.setattr(step, "supply_drop", lambda *told: told)
    monkeypatch.setattr(step, "power_of_cells", lambda *told: told)
    drawn = Layers((9.0, 8.0), (0.2, 1.4), [], "", [], 2.8, [])
    monkeypatch.setattr(step, "taken", lambda name, kind: drawn)
    tree = ClockTreeOf(0.0, {}, 0.0, 0.0, port="clk")
    found, layers = step.supply(ENERGY, SIMULATION, tree)
    assert found == (design, "stack", {"gate": 5.0}, made.VOLTAGE)
    assert layers == msgspec.structs.replace(drawn, nw=(design, {"gate": 5.0}, made.VOLTAGE))
    assert asked == ["busy"]
