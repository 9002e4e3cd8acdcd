"""Paths in ngspice: made-up cells of switches and capacitors, whose delays and charges are worked
out, and what is chosen for the other pins of cells."""

from collections.abc import Mapping
from math import log
from pathlib import Path
from typing import cast

import pytest
from msgspec.structs import replace

from flow.gates.cells import Cell, Pin
from flow.gates.liberty import Library
from flow.opensta import Timed
from flow.supply import deck, path
from flow.supply.conditions import Conditions, Found
from flow.supply.deck import SlowPath
from flow.supply.models import models_of, sizes_in
from flow.supply.path import Stage, stages
from flow.supply.side import register_data, side_inputs
from flow.technologies.transistors import Transistors
from sim.errors import RunError

pytestmark = pytest.mark.quick
REPORT = """Startpoint: a_reg (rising edge-triggered flip-flop clocked by clk)
       Cap       Slew      Delay       Time   Description
-----------------------------------------------------------------------------------
              0.00000    0.00000    0.00000   clock clk (rise edge)
                         0.00000    0.00000   clock network delay (ideal)
              0.00000    0.00000    0.00000 ^ top/a_reg/CLK (dff)
   0.00690    0.05017    0.36000    0.36000 v top/a_reg/Q (dff)
              0.05017    0.00001    0.36001 v top/_1_/B1 (o21ai)
   0.00835    0.29117    0.12576    0.48577 ^ top/_1_/Y (o21ai)
              0.29117    0.00001    0.48578 ^ top/b_reg/D (dff)
                                    0.48578   data arrival time

              0.00000   30.00000   30.00000   clock clk (rise edge)
                                   30.00000 ^ top/b_reg/CLK (dff)
"""


def test_stages_are_read_from_a_report() -> None:
    """Each cell by the pins and edges at which the path enters and leaves it."""
    assert stages(REPORT, 1000.0) == [
        Stage("dff", "CLK", True, "Q", False, pytest.approx(6.9)),
        Stage("o21ai", "B1", False, "Y", True, pytest.approx(8.35)),
    ]


@pytest.mark.parametrize(("unit", "ff"), [("1,pf", 1000), ("0.1, pf", 100), ("2 , FF", 2)])
def test_loads_are_told_in_the_unit_of_the_library(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, unit: str, ff: float
) -> None:
    liberty = tmp_path / "made.lib"
    liberty.write_text(
        f'library (made) {{\n  time_unit : "1ns";\n  capacitive_load_unit ({unit});\n}}\n'
    )
    monkeypatch.setattr(path, "run_script", lambda *_: REPORT)
    found = path.slowest_path(Timed(tmp_path / "a.v", "Top", liberty, 1.0, "clk"))
    assert [stage.load_ff for stage in found] == pytest.approx([0.0069 * ff, 0.00835 * ff])


def test_a_path_through_no_cell_is_none() -> None:
    with pytest.raises(RunError, match="no path through a cell"):
        stages("0.0 0.0 ^ a (in)\n", 1.0)


PIN_FF = 25.0  # that each input is said to have


def cell(inputs: str, functions: Mapping[str, str], clock: str = "", following: str = "") -> Cell:
    pins = {p: Pin(p, False, p == clock, PIN_FF, "", (), ()) for p in inputs.split()}
    pins |= {p: Pin(p, True, False, 0.0, text, (), ()) for p, text in functions.items()}
    return Cell("one", 1.0, pins, (), 0.0, following, ("IQ", "IQN") if following else ())


@pytest.mark.parametrize("rises", [False, True])
@pytest.mark.parametrize(
    ("function", "pin", "inverts", "sides"),
    [
        ("!(A & B & C)", "A", True, [{"B": 1, "C": 1}]),
        ("A | B | C", "B", False, [{"A": 0, "C": 0}]),
        ("!((A | B) & C)", "A", True, [{"B": 0, "C": 1}]),
        ("A ^ B ^ C", "A", False, [{"B": 0, "C": 0}, {"B": 1, "C": 1}]),
        ("A ^ B ^ C", "A", True, [{"B": 0, "C": 1}, {"B": 1, "C": 0}]),
    ],
)
def test_other_inputs_let_the_edge_through(
    function: str, pin: str, inverts: bool, sides: list[dict], rises: bool
) -> None:
    stage = Stage("one", pin, rises, "Y", rises != inverts, 1.0)
    assert side_inputs(cell("A B C", {"Y": function}), stage) in sides


def test_an_edge_that_a_gate_does_not_make_is_refused() -> None:
    with pytest.raises(RunError, match="no edge at A makes this one at Y"):
        side_inputs(cell("A B", {"Y": "A & B"}), Stage("one", "A", True, "Y", False, 1.0))


@pytest.mark.parametrize(
    ("following", "output", "rises", "data", "before", "side"),
    [
        ("D", "IQ", True, "D", False, {}),
        ("D", "IQ", False, "D", True, {}),
        ("D", "IQN", True, "D", True, {}),
        ("!D", "IQ", True, "D", True, {}),
        ("(D & E) | (IQ & !E)", "IQ", True, "D", False, {"E": 1}),
    ],
)
def test_data_of_a_register_makes_the_edge(
    following: str, output: str, rises: bool, data: str, before: bool, side: dict
) -> None:
    """What is data before the clock's edge is the opposite of what the output becomes."""
    pins = "CK D E" if side else "CK D"
    register = cell(pins, {"Q": output}, "CK", following)
    stage = Stage("one", "CK", True, "Q", rises, 1.0)
    assert register_data(register, stage) == (data, before, side)


MODELS = """.param l = 1 w = 1
.model n.0 nmos
* Flags
+ lmin = 1.5e-07 lmax = 1.8e-07 wmin = 3.6e-07 wmax = 5.0e-07
+ level = 54
.model n.1 nmos
+ lmin = 1.5e-07 lmax = 1.8e-07 wmin = 5.0e-07 wmax = 9.0e-07
.model n.2 nmos
+ lmin = 1.8e-07 lmax = 1.0e-06 wmin = 3.6e-07 wmax = 5.0e-07
.model d.0 diode
+ is = 1
.ends
"""


def test_models_of_other_sizes_are_left_out(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "inner.spice").write_text(MODELS)
    (inside / "between.spice").write_text('.include "inner.spice"\n')
    (tmp_path / "outer.spice").write_text('* begin\n.include "inside/between.spice"\n* end\n')
    sizes = sizes_in(["X0 a b c d n w=420000u l=150000u\nX1 a b c d n w=360000u l=150000u"])
    assert sorted(sizes) == [pytest.approx((0.36, 0.15)), pytest.approx((0.42, 0.15))]
    found = models_of([tmp_path / "outer.spice"], sizes)
    assert [name in found for name in ("n.0", "n.1", "n.2", "d.0")] == [True, False, False, True]
    assert [line for line in found.splitlines() if line][:2] == ["* begin", ".param l = 1 w = 1"]
    assert "n.1" in models_of([tmp_path / "outer.spice"], {(0.6, 0.15)})
    # A size at an end of two bins may be of either.
    for size, bins in (((0.4, 0.18), "02"), ((0.5, 0.16), "01")):
        found = models_of([tmp_path / "outer.spice"], {size})
        assert [number for number in "012" if f"n.{number}" in found] == [*bins], size


OHM, FF = 10_000, 1e-15
# A switch to either rail of 10 kOhm, an input that takes no current.
INVERTER = f"""
.subckt inv A VGND VPWR Y
S1 VPWR Y VPWR A on
S2 Y VGND A VGND on
.model on sw vt=HALF vh=0 ron={OHM} roff=1e15
.ends
"""
# Two latches, one behind the other, without resistance to speak of; its ports are on two lines.
REGISTER = """
.subckt dff CK D
+ VGND VPWR Q
S1 first D VPWR CK on
C1 first VGND 0.01f
B1 between VGND V = V(first) > HALF ? 2*HALF : 0
S2 second between CK VGND on
C2 second VGND 0.01f
B2 out VGND V = V(second) > HALF ? 2*HALF : 0
R2 out Q 1
.model on sw vt=HALF vh=0 ron=10 roff=1e15
.ends
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inv.spice").write_text(INVERTER)
    (tmp_path / "dff.spice").write_text(REGISTER)
    (tmp_path / "low.spice").write_text(".param HALF=0.5\n")
    (tmp_path / "high.spice").write_text(".param HALF=1\n")
    return tmp_path


SAID = Transistors(
    taken=(),
    fetched="",
    least_volt=1.0,
    high=("VPWR",),
    low=("VGND",),
    settings=(".options reltol=1e-4",),
    models={"always": (), "low": ("low.spice",), "high": ("high.spice",)},
)
LIBRARY = {
    "inv": cell("A", {"Y": "!A"}),
    "dff": cell("CK D", {"Q": "IQ"}, "CK", "D"),
}


def test_models_are_those_of_the_process_and_those_that_all_have() -> None:
    said = replace(SAID, models={"always": ("a", "b"), "ss": ("c",), "ff": ("d", "e")})
    assert said.of_process("ss") == ("a", "b", "c")
    assert said.of_process("ff") == ("a", "b", "d", "e")


def slow_path(folder: Path, *found: Stage) -> SlowPath:
    return SlowPath(found, cast(Library, LIBRARY), SAID, folder)


@pytest.mark.parametrize("rises", [True, False])
def test_inverters_take_the_time_of_their_capacitors(folder: Path, rises: bool) -> None:
    """Each net of 100 fF, without what its next cell's pin is said to have, but has not: R C ln 2
    to the middle. An edge and the one back fill each capacitor once: V^2 C."""
    way = slow_path(
        folder,
        Stage("inv", "A", rises, "Y", not rises, 100.0 + PIN_FF),
        Stage("inv", "A", not rises, "Y", rises, 100.0 + PIN_FF),
        Stage("inv", "A", rises, "Y", not rises, 100.0),
    )
    for process, volt in (("low", 1.0), ("high", 2.0)):
        found = way.simulated(Conditions(process, volt, 25.0), 4.0, folder)
        each = OHM * 100 * FF * 1e9
        # The middle switches at once when its input is in the middle.
        assert found.delay_ns == pytest.approx(3 * each * log(2), rel=0.02)
        assert found.energy_pj == pytest.approx(3 * 100 * FF * volt**2 * 1e12, rel=0.02)


@pytest.mark.parametrize("rises", [True, False])
def test_a_path_begins_at_a_register(folder: Path, rises: bool) -> None:
    """The register answers at once; so short a guess is doubled until the edge gets through."""
    way = slow_path(
        folder,
        Stage("dff", "CK", True, "Q", rises, PIN_FF + 1),
        Stage("inv", "A", rises, "Y", not rises, 100.0),
    )
    for guess_ns in (2.0, 0.3):
        found = way.simulated(Conditions("low", 1.0, 25.0), guess_ns, folder)
        assert found.delay_ns == pytest.approx(OHM * 100 * FF * 1e9 * log(2), rel=0.06)


def test_a_deck_has_its_conditions_and_what_is_beside_the_next_cell(folder: Path) -> None:
    """Nothing is beside a pin that is said to have more than the whole net. All models of a process
    are in it, and what comes before them."""
    (folder / "all.spice").write_text(".param ALL=1\n")
    models = {"always": ("all.spice",), "low": ("low.spice",), "high": ("high.spice",)}
    way = SlowPath(
        [
            Stage("inv", "A", True, "Y", False, PIN_FF + 75.0),
            Stage("inv", "A", False, "Y", True, PIN_FF - 1.0),
            Stage("inv", "A", True, "Y", False, 30.0),
        ],
        cast(Library, LIBRARY),
        replace(SAID, models=models),
        folder,
    )
    lines = "\n".join(way.deck(Conditions("low", 1.25, -40.0), 10.0)).splitlines()
    assert ".temp -40" in lines
    assert "Vdd vdd 0 1.25" in lines
    capacitors = {line.split()[0]: float(line.split()[-1]) for line in lines if line[:1] == "C"}
    assert {name: capacitors[f"C{name}"] for name in range(3)} == pytest.approx(
        {0: 75e-15, 1: 0.0, 2: 30e-15}, abs=1e-20
    )
    for line in (".options reltol=1e-4", ".param ALL=1", ".param HALF=0.5"):
        assert line in lines
    assert ".param HALF=1" not in lines


@pytest.mark.parametrize(
    ("first", "is_enough"),
    [(None, False), (-1.0, False), (7.99, True), (8.0, False), (9.5, False)],
)
def test_a_path_is_done_well_before_the_next_edge(
    folder: Path, monkeypatch: pytest.MonkeyPatch, first: float | None, is_enough: bool
) -> None:
    """Within 8 ns of 10 between two edges: else there are 20."""
    answers = [None if first is None else Found(first, 1.0), Found(9.0, 2.0)]
    asked: list[float] = []
    monkeypatch.setattr(deck, "_run", lambda *_: answers[len(asked) - 1])
    monkeypatch.setattr(SlowPath, "deck", lambda self, at, between: asked.append(between) or [])
    way = slow_path(folder, Stage("inv", "A", True, "Y", False, 100.0))
    found = way.simulated(Conditions("low", 1.0, 25.0), 5.0, folder)
    assert found == (answers[0] if is_enough else answers[1])
    assert asked == [10.0, 20.0][: 1 if is_enough else 2]


def test_what_ngspice_cannot_read_is_said(folder: Path) -> None:
    (folder / "inv.spice").write_text(".subckt inv A VGND VPWR Y\nX1 A Y missing\n.ends\n")
    way = slow_path(folder, Stage("inv", "A", True, "Y", False, 100.0))
    with pytest.raises(RunError, match="ngspice"):
        way.simulated(Conditions("low", 1.0, 25.0), 4.0, folder)
