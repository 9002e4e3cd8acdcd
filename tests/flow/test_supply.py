"""Paths in ngspice: made-up cells of switches and capacitors, whose delays and charges are worked
out, and what is chosen for the other pins of cells."""

from collections.abc import Mapping
from math import log
from pathlib import Path
from random import Random
from types import MappingProxyType
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


PIN_FF = 25.0  # that an input is said to have, if nothing else is


def cell(
    inputs: str,
    functions: Mapping[str, str],
    clock: str = "",
    following: str = "",
    ff: Mapping[str, float] = MappingProxyType({}),
) -> Cell:
    pins = {p: Pin(p, False, p == clock, ff.get(p, PIN_FF), "", (), ()) for p in inputs.split()}
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


OHM, WEAK_OHM, FF = 10_000, 30_000, 1e-15
# Switches to either rail, an input that takes no current: an inverter, a buffer of three times the
# resistance.
INVERTER = f"""
.subckt inv A VGND VPWR Y
S1 VPWR Y VPWR A on
S2 Y VGND A VGND on
.model on sw vt=HALF vh=0 ron={OHM} roff=1e15
.ends
"""
BUFFER = f"""
.subckt weak VPWR Y A VGND
S1 VPWR Y A VGND on
S2 Y VGND VPWR A on
.model on sw vt=HALF vh=0 ron={WEAK_OHM} roff=1e15
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
    (tmp_path / "weak.spice").write_text(BUFFER)
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
    "weak": cell("A", {"Y": "A"}, ff={"A": 9.0}),
    "dff": cell("CK D", {"Q": "IQ"}, "CK", "D"),
}


def test_models_are_those_of_the_process_and_those_that_all_have() -> None:
    said = replace(SAID, models={"always": ("a", "b"), "ss": ("c",), "ff": ("d", "e")})
    assert said.of_process("ss") == ("a", "b", "c")
    assert said.of_process("ff") == ("a", "b", "d", "e")


def slow_path(folder: Path, *found: Stage) -> SlowPath:
    return SlowPath(found, cast(Library, LIBRARY), SAID, folder)


@pytest.mark.parametrize("rises", [True, False])
@pytest.mark.parametrize("masters", [("inv", "weak", "inv"), ("weak", "inv")])
def test_cells_take_the_time_of_their_capacitors(
    folder: Path, rises: bool, masters: tuple[str, ...]
) -> None:
    """Nets of 100, 70 and 40 fF, without what the next cell's pin is said to have, but has not:
    R C ln 2 to the middle of each. An edge and the one back fill each capacitor once: V^2 C."""
    ohms, pins = {"inv": OHM, "weak": WEAK_OHM}, {"inv": PIN_FF, "weak": 9.0}
    nets, edge, stages, total = (100.0, 70.0, 40.0)[: len(masters)], rises, [], 0.0
    for own, load, behind in zip(masters, nets, (*masters[1:], None), strict=True):
        leaves = edge != (own == "inv")
        more = pins[behind] if behind else 0.0
        stages.append(Stage(own, "A", edge, "Y", leaves, load + more))
        edge, total = leaves, total + ohms[own] * load * FF * 1e9
    way = slow_path(folder, *stages)
    for process, volt in (("low", 1.0), ("high", 2.0)):
        found = way.simulated(Conditions(process, volt, 25.0), 12.0, folder)
        assert found.delay_ns == pytest.approx(total * log(2), rel=0.02)
        assert found.energy_pj == pytest.approx(sum(nets) * FF * volt**2 * 1e12, rel=0.02)


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


# What cells compute of their inputs, as Liberty and Python have it.
FUNCTIONS = {
    "buf": ("A", "A", "A"),
    "not": ("D", "!D", "1 - D"),
    "nand": ("A B", "!(A & B)", "1 - A * B"),
    "nor": ("B C", "!(B | C)", "(1 - B) * (1 - C)"),
    "and_or": ("A B C", "(A & B) | C", "max(A * B, C)"),
    "three": ("C A B", "!(A & B & C)", "1 - A * B * C"),
    "parity": ("B A", "A ^ B", "(A + B) % 2"),
}


@pytest.mark.parametrize("seed", range(8))
def test_a_deck_is_the_path_that_is_told(tmp_path: Path, seed: int) -> None:
    """A random path of different cells, each pin with a capacitance of its own: every cell is on
    the nets before and behind it, its other pins let the edge through, and on each net is what the
    next cell's pin leaves of its load, if anything."""
    rng = Random(seed)
    masters = rng.sample([*FUNCTIONS], rng.randrange(2, 6))
    (tmp_path / "all.spice").write_text(".param ALL=1\n")
    (tmp_path / "low.spice").write_text(".param LOW=1\n")
    (tmp_path / "high.spice").write_text(".param HIGH=1\n")
    library, stages, ports = {}, [], {}
    edge = first = rng.random() < 0.5
    for master in masters:
        inputs, function, value = FUNCTIONS[master]
        ff = {pin: rng.uniform(1, 30) for pin in inputs.split()}
        library[master] = cell(inputs, {"Y": function}, ff=ff)
        ports[master] = rng.sample([*ff, "Y", "VPWR", "VGND"], len(ff) + 3)
        text = f".subckt {master} {' '.join(ports[master])}\n.ends\n"
        (tmp_path / f"{master}.spice").write_text(text)
        inverts = rng.random() < 0.5 if master == "parity" else "!" in function
        stage = Stage(master, rng.choice([*ff]), edge, "Y", edge != inverts, rng.uniform(0, 60))
        stages.append(stage)
        edge = stage.leaves_rising
    models = {"always": ("all.spice",), "low": ("low.spice",), "high": ("high.spice",)}
    way = SlowPath(stages, cast(Library, library), replace(SAID, models=models), tmp_path)
    process, volt, celsius = rng.choice(["low", "high"]), rng.randrange(3, 9), rng.randrange(90)
    lines = "\n".join(way.deck(Conditions(process, volt, -celsius), 10.0)).splitlines()
    for line in (f".temp -{celsius}", f"Vdd vdd 0 {volt}", ".param ALL=1", SAID.settings[0]):
        assert line in lines
    assert [f".param {one.upper()}=1" in lines for one in ("low", "high")] == [
        process == one for one in ("low", "high")
    ]
    said = {line.split()[0]: line.split()[1:] for line in lines if line[:1] in ("C", "X", "V")}
    for number, stage in enumerate(stages):
        behind = stages[number + 1] if number + 1 < len(stages) else None
        pin = library[behind.master].pins[behind.enters].capacitance if behind else 0.0
        *nodes, load = said[f"C{number}"]
        assert nodes == [f"n{number}", "0"]
        assert 1e15 * float(load) == pytest.approx(max(0.0, stage.load_ff - pin), rel=1e-3)
        *nodes, master = said[f"X{number}"]
        at = dict(zip(ports[master], nodes, strict=True))
        assert master == stage.master
        before = f"n{number - 1}" if number else "begin"
        assert (at.pop("VPWR"), at.pop("VGND"), at.pop("Y")) == ("vdd", "0", f"n{number}")
        assert at.pop(stage.enters) == before
        side = {pin: ("0", "vdd").index(node) for pin, node in at.items()}
        for level in (False, True):
            out = eval(FUNCTIONS[master][2], {"max": max, stage.enters: int(level), **side})
            assert bool(out) == (stage.leaves_rising == (level == stage.enters_rising))
    [measured] = [line for line in lines if line.startswith(".meas tran delay")]
    edges, last = {True: "RISE", False: "FALL"}, len(stages) - 1
    half = f"VAL={volt / 2:g}"
    assert f"TRIG v(begin) {half} {edges[first]}=1" in measured
    assert f"TARG v(n{last}) {half} {edges[edge]}=1" in measured
    begins = [float(at.strip("nPWL()")) for at in said["Vbegin"][2:]]
    assert begins[1::2] == [volt * (level == first) for level in (0, 0, 1, 1, 0)]


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
