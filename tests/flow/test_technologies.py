"""A technology is an entry: what it says holds in its library, and nothing else names a cell."""

import json
import lzma
import re
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

from flow.gates.fo4 import fo4_ns
from flow.gates.liberty import Library
from flow.gates.logic import Logic
from flow.request import Request
from flow.technologies import figures
from flow.technologies import kit as kits
from flow.technologies.files import LIBRARIES
from flow.technologies.kit import kit_hash, view
from flow.technologies.technology import (
    FO4_NS,
    MORE,
    ClockGate,
    Corner,
    Layer,
    LayoutCells,
    Outside,
    Signoff,
    Site,
    Technology,
    Wires,
    folders,
    technology,
)
from sim.errors import RunError, UserError
from sim.translate import translate
from tests.flow import five_cells
from tests.flow.runs import folder_of, kept_run
from tests.flow.toys import CarrySaveToy, PowerToy
from tests.places import ROOT

ENTRIES = ("nangate45", "sky130", "osu018")
XOR, MAJORITY = 0b10010110, 0b11101000  # of three inputs
AND, NOT, NAND, SAME = 0b1000, 0b01, 0b0111, 0b10
NAMES = re.compile(r"\b(sky130_fd_sc_hd__\w+|[A-Z][A-Z0-9]*_?X\d+|LOGIC[01]\w*|DFFPOS\w*)\b")
NAMED = re.compile(r"NangateOpenCellLibrary|freepdk|osu018_stdcells|view-tiny")
NO_CELL = {"L6MUX21"}  # of an FPGA


@pytest.fixture(scope="module")
def libraries() -> dict[str, Library]:
    """The library of each entry, in the corner in which setup is told."""
    return {name: Library(view(name) / "stdcells.lib") for name in ENTRIES}


@pytest.mark.quick
def test_nothing_but_an_entry_names_a_cell_or_a_library() -> None:
    found = []
    for folder in ("flow", "eval", "fl", "cl", "rtl", "sim", "proc", "modexplorer"):
        for file in (ROOT / folder).rglob("*"):
            if file.is_file() and file.suffix in (".py", ".v", ".tcl", ".ys", ".toml", ".yml"):
                inside = file.relative_to(ROOT).parts
                if inside[:2] != ("flow", "technologies") or file.suffix == ".py":
                    text = file.read_text()
                    said = [*NAMES.findall(text), *NAMED.findall(text)]
                    found += [(str(file.relative_to(ROOT)), name) for name in said]
    assert not [where for where in found if where[1] not in NO_CELL]


def test_the_names_that_are_looked_for_are_those_of_cells(libraries: dict[str, Library]) -> None:
    """A test that looks for none would find none."""
    for name, library in libraries.items():
        cells = library.technology.cells
        roles = [cells.inverter.cell, cells.nand.cell, cells.flop.cell, cells.full_adder.cell]
        assert all(NAMES.fullmatch(cell) for cell in roles), name


@pytest.mark.parametrize("name", ENTRIES)
def test_cells_are_what_their_roles_say(name: str, libraries: dict[str, Library]) -> None:
    library = libraries[name]
    cells, outside = library.technology.cells, library.technology.outside

    def table(cell: str, output: str, inputs: tuple[str, ...]) -> int:
        return Logic(library[cell].pins[output].function).table([*inputs])

    assert table(cells.inverter.cell, cells.inverter.output, cells.inverter.inputs) == NOT
    assert table(cells.nand.cell, cells.nand.output, cells.nand.inputs) == NAND
    assert table(cells.buffer.cell, cells.buffer.output, cells.buffer.inputs) == SAME
    adder = cells.full_adder
    assert table(adder.cell, adder.sum, adder.inputs) == XOR
    assert table(adder.cell, adder.carry, adder.inputs) == MAJORITY
    flop = library[cells.flop.cell]
    assert (flop.next_state, flop.clock_pin) == (cells.flop.data, cells.flop.clock)
    assert flop.pins[cells.flop.output].function == flop.states[0]
    for tie, value in ((cells.high, 1), (cells.low, 0)):
        assert tie is None or table(tie.cell, tie.output, ()) == value
    if gate := cells.clock_gate:
        assert library[gate.cell].enable == gate.enable  # which is proved of its state table
        assert library[gate.cell].clock_pin == gate.clock
        load = gate.most * flop.pins[cells.flop.clock].capacitance
        limit = re.search(
            rf"cell \(\"?{gate.cell}\"?\).*?pin \({gate.output}\).*?max_capacitance\s*:\s*([\d.]+)",
            library.text,
            re.DOTALL,
        )
        assert load < float(limit[1]) * library._ff
    assert library[outside.driving_cell].outputs
    assert library[cells.nand.cell].area == library.technology.gate_um2
    pin = library[cells.inverter.cell].pins[cells.inverter.inputs[0]]
    assert outside.load_ff == pytest.approx(4 * pin.capacitance, rel=0.05)


@pytest.mark.parametrize("name", ENTRIES)
def test_the_pace_is_that_of_an_inverter_that_drives_four(
    name: str, libraries: dict[str, Library]
) -> None:
    unit = fo4_ns(libraries["nangate45"])
    assert unit == pytest.approx(FO4_NS, rel=0.001)
    found = technology(name)
    for corner, said in found.corners.items():
        measured = fo4_ns(Library(view(f"{name}@{corner}") / "stdcells.lib")) / unit
        assert said.pace == pytest.approx(measured, rel=0.005), corner
    assert found.pace == found.corners[found.signoff.setup].pace


@pytest.mark.parametrize("name", ["sky130", "osu018"])
def test_wires_are_as_long_as_nangates_in_heights_of_rows(
    name: str, libraries: dict[str, Library]
) -> None:
    known, found = libraries["nangate45"], libraries[name]
    ratio = found.technology.site.height_um / known.technology.site.height_um
    lengths = dict(known.wire_load.lengths)
    for loads, length in found.wire_load.lengths:
        assert length == pytest.approx(ratio * lengths[loads], abs=0.01)
    assert found.wire_load.slope == pytest.approx(ratio * known.wire_load.slope, abs=0.01)
    layer = found.technology.layers[found.technology.wires.layer]
    assert found.wire_load.capacitance == pytest.approx(layer.ff, rel=1e-5)
    sides = 2 * layer.ff_per_um
    assert layer.ff == pytest.approx(sides + layer.width_um * layer.ff_per_um2)


def test_figures_are_written_as_they_are() -> None:
    """A table of the foundry, as its own file has it, and an energy that is negative."""
    library = Library(view("sky130@tt") / "stdcells.lib")
    nand = library["sky130_fd_sc_hd__nand2_1"]
    assert (nand.area, library.voltage) == (3.7536, 1.8)
    assert nand.pins["A"].capacitance == pytest.approx(2.315)
    arc = next(arc for arc in nand.pins["Y"].arcs if arc.related == "A")
    assert arc.delay[1].values[0, :3].tolist() == [0.0206305, 0.0250594, 0.0363371]
    assert arc.delay[1].loads[1] == pytest.approx(1.31655)
    energy = next(one for one in nand.pins["Y"].energies if one.related == "A")
    assert energy.tables[1].values[0, -1] == pytest.approx(-266.552)
    assert nand.mean_leakage == pytest.approx(0.00211796)


CORNERS = [(name, corner) for name in ENTRIES for corner in technology(name).corners]


@pytest.mark.quick
def test_corners_are_told_by_name() -> None:
    signed = technology("sky130").signoff
    assert (signed.setup, signed.hold, signed.power) == ("ss", "ff", "tt")
    asked = [*ENTRIES, *(f"{name}@{corner}" for name, corner in CORNERS)]
    for tells in (kit_hash, lambda one: technology(one).called):
        assert len({tells(one) for one in asked}) == len(asked) - 2  # which have a single corner


@pytest.mark.quick
@pytest.mark.parametrize(("name", "corner"), CORNERS)
def test_a_corner_that_is_asked_for_is_that_of_all_uses(name: str, corner: str) -> None:
    whole, one = technology(name), technology(f"{name}@{corner}")
    assert one.corner == corner
    assert one.signoff == Signoff(corner, corner, corner)
    assert one.pace == whole.corners[corner].pace
    assert one == replace(whole, corner=corner, signoff=one.signoff)
    said = whole.corners[corner]
    for file in LIBRARIES.values():
        text = (view(f"{name}@{corner}") / file).read_text()
        volt, celsius = (
            float(re.search(rf"nom_{what}\s*:\s*([\d.]+)", text)[1])
            for what in ("voltage", "temperature")
        )
        assert (volt, celsius) == (said.volt, said.celsius), file


USES = (*LIBRARIES,)


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(4))
def test_each_use_has_the_library_of_its_corner(
    seed: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of four corners whose figures differ, random ones for setup, hold and power, or one for
    all; two uses may have the same."""
    rng = Random(seed)
    names = rng.sample(["slow", "typical", "fast", "cold"], 4)
    paces = dict(zip(names, rng.sample(range(2, 40), 4), strict=True))
    entry, rest = five_cells.ENTRY.split("[corners.typical]")
    _, rest = rest.split("[site]")
    signed = dict(zip(USES, rng.choices(names, k=3), strict=True))
    for name in names:
        entry += f'[corners.{name}]\nliberty = "{name}.lib"\nprocess = "{name}"\nvolt = 1.0\n'
        entry += f"celsius = 25\npace = {paces[name]}\n"
    entry += "[signoff]\n" + "".join(f'{use} = "{name}"\n' for use, name in signed.items())
    folder = tmp_path / "made"
    folder.mkdir()
    (folder / "technology.toml").write_text(f"{entry}[site]{rest}")
    for name in names:
        (folder / f"{name}.lib").write_text(f"library ({name}) {{\n  cell (NOT) {{ }}\n}}\n")
    monkeypatch.setenv(MORE, str(tmp_path))
    monkeypatch.setattr(kits, "build_dir", lambda name: tmp_path)
    kits._hashes.cache_clear()
    for corner in ("", *names):
        asked = f"made@{corner}" if corner else "made"
        for use, file in LIBRARIES.items():
            of = corner or signed[use]
            assert (view(asked) / file).read_text() == (folder / f"{of}.lib").read_text()
        assert technology(asked).pace == paces[corner or signed["setup"]]


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(3))
def test_tables_of_figures_keep_their_axes(seed: int, tmp_path: Path) -> None:
    """Random tables of two rows and three columns, or of one axis; and the nominal conditions."""
    rng = Random(seed)

    def numbers(count: int) -> list[float]:
        return sorted(round(rng.uniform(0.001, 90), 5) for _ in range(count))

    rows = [numbers(3) for _ in range(2)]
    tables = {
        "cell_fall one": [numbers(2), numbers(3), rows],
        "rise_transition other": [numbers(4), numbers(4)],
    }
    nominal = dict(zip(("process", "temperature", "voltage"), numbers(3), strict=True))
    rng.shuffle(rows)
    pin = {"direction": "output", "timing": [{"related_pin": "A", **tables}]}
    said = {
        "library": "made",
        "capacitive_load_unit": [rng.randrange(2, 90), "ff"],
        "head": {f"nom_{name}": value for name, value in nominal.items()},
        "templates": {},
        "cells": {"ONE": {"area": numbers(1)[0], "pins": {"Y": pin}}},
    }
    path = tmp_path / f"made{figures.SUFFIX}"
    path.write_bytes(lzma.compress(json.dumps(said).encode()))
    text = figures.liberty(path)
    for name, (*axes, values) in tables.items():
        kind, template = name.split()
        group = re.search(rf"{kind} \({template}\) {{(.*?)}}", text, re.DOTALL)[1]
        found = [
            [float(number) for number in row.split(",")] for row in re.findall(r'"(.*?)"', group)
        ]
        assert found == [*axes, *(values if len(axes) == 2 else [values])]
        assert re.findall(r"index_(\d)", group) == ["1", "2"][: len(axes)]
    for name, value in nominal.items():
        assert text.count(f"{name} : {value};") == 2  # one of them in the operating conditions
    assert f"capacitive_load_unit ({said['capacitive_load_unit'][0]}, ff);" in text


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(3))
def test_what_a_cell_leaks_keeps_its_state(seed: int, tmp_path: Path) -> None:
    """Drawn figures of states of two inputs, and of none; of several cells."""
    rng = Random(seed)
    states = ["A & B", "A & !B", "!A & B", "!A & !B"]
    leaks = {
        name: [(when, round(rng.uniform(0.001, 9), 5)) for when in (*rng.sample(states, 3), "")]
        for name in ("ONE", "TWO")
    }
    said = {
        "library": "made",
        "capacitive_load_unit": [1, "ff"],
        "head": dict.fromkeys(("nom_process", "nom_temperature", "nom_voltage"), 1.0),
        "templates": {},
        "cells": {
            name: {"area": 1.0, "leakage_power": of, "pins": {}} for name, of in leaks.items()
        },
    }
    path = tmp_path / f"made{figures.SUFFIX}"
    path.write_bytes(lzma.compress(json.dumps(said).encode()))
    for text in figures.liberty(path).split("cell (")[1:]:
        name = text.partition(")")[0]
        found = []
        for inside in re.findall(r"leakage_power \(\) \{(.*?)\}", text):
            when = re.search(r'when : "(.*?)";', inside)
            value = re.search(r"value : (\S+);", inside)
            assert value, inside
            found.append((when[1] if when else "", float(value[1])))
            assert inside.count("when") == bool(when)
        assert found == leaks.pop(name)
    assert not leaks


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(3))
def test_a_model_of_wires_has_the_figures_of_its_layer(seed: int, tmp_path: Path) -> None:
    """Capacitance in the library's unit: of the bottom, and of both sides."""
    rng = Random(seed)
    width, ohm, bottom, side, slope = (round(rng.uniform(0.1, 9), 3) for _ in range(5))
    scale, (unit, ff) = rng.randrange(2, 9), rng.choice([("pf", 1000), ("ff", 1), ("fF", 1)])
    lengths = tuple(sorted(round(rng.uniform(1, 90), 2) for _ in range(3)))
    layers = {"one": Layer(1, 2, 3, 4, 5, "up"), "two": Layer(9, width, ohm, bottom, side, "up")}
    source = tmp_path / "made.lib"
    head = f"library (made) {{\n  capacitive_load_unit ({scale}, {unit});\n"
    source.write_text(head + "  cell (A) { }\n}\n")
    given = replace(GIVEN, layers=layers, wires=Wires("two", lengths, slope))
    text = kits.liberty_text(source, given)
    assert text.startswith(head)
    model = dict(re.findall(r"(\w+) : ([^;]+);", text.split("wire_load")[1]))
    assert float(model["capacitance"]) == pytest.approx(
        (width * bottom + side + side) / scale / ff, rel=1e-5
    )
    assert float(model["resistance"]) == pytest.approx(ohm / width / 1000, rel=1e-5)
    assert float(model["slope"]) == slope
    found = re.findall(r"fanout_length \((\d+), ([\d.]+)\)", text)
    assert [(int(loads), float(um)) for loads, um in found] == [*enumerate(lengths, 1)]


GIVEN = technology("sky130")
OTHERS = {
    "cells": replace(GIVEN.cells, clock_gate=ClockGate("A", "B", "C", "D", 9)),
    "outside": replace(GIVEN.outside, load_ff=GIVEN.outside.load_ff + 1),
    "driving cell": Outside("another", GIVEN.outside.load_ff),
    "corners": {**GIVEN.corners, "ss": replace(GIVEN.corners["ss"], volt=1.61)},
    "signoff": Signoff("tt", "ff", "tt"),
    "site": Site(0.46, 2.73),
    "layers": {"met2": replace(GIVEN.layers["met2"], ff_per_um=0.04)},
    "wires": Wires("met2", (3.4,), 9.0),
    "layout": LayoutCells("s", {1: "f"}, *"abcdef"),
}


@pytest.mark.quick
@pytest.mark.parametrize("what", OTHERS)
def test_all_that_decides_figures_is_in_the_hash_of_a_kit(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kit_hash("sky130")
    name = {"driving cell": "outside"}.get(what, what)
    other = replace(GIVEN, **{name: OTHERS[what]})
    monkeypatch.setattr(kits, "technology", lambda asked: other)
    assert kit_hash("sky130") not in ("", before)


@pytest.mark.quick
def test_what_only_people_read_is_not_in_the_hash_of_a_kit(monkeypatch: pytest.MonkeyPatch) -> None:
    before = kit_hash("sky130")
    other = replace(GIVEN, title="another", origin="another", licence="another", lacks=())
    monkeypatch.setattr(kits, "technology", lambda asked: other)
    assert kit_hash("sky130") == before


@pytest.mark.quick
def test_a_kit_is_made_anew_by_other_code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That which lays it out, and that which writes its Liberty files."""
    (tmp_path / "code.py").write_text("another")
    before = kits._code()
    for module in (kits, kits.figures):
        with monkeypatch.context() as patch:
            patch.setattr(module, "__file__", str(tmp_path / "code.py"))
            kits._code.cache_clear()
            assert kits._code() != before
    kits._code.cache_clear()
    monkeypatch.setattr(kits, "build_dir", lambda name: tmp_path)
    monkeypatch.setattr(kits, "_make", lambda made, found: made.mkdir())
    folder = kits.kit("nangate45")
    assert kits.kit("nangate45") == folder
    monkeypatch.setattr(kits, "_code", lambda: "another")
    assert kits.kit("nangate45") != folder


@pytest.mark.quick
def test_a_wire_has_its_resistance_in_kiloohms() -> None:
    """met2 has 0.125 ohms a square and is 0.14 um wide: 0.893 ohms a um."""
    layer = Layer(0.46, 0.14, 0.125, 0.0169, 0.0378, "vertical")
    assert layer.kohm == pytest.approx(0.893e-3, rel=1e-3)
    said = (view("sky130") / "stdcells.lib").read_text()
    found = re.search(r'wire_load \("assumed"\) \{[^}]*resistance : ([\d.e-]+);', said)
    assert float(found[1]) == pytest.approx(0.893e-3, rel=1e-3)
    assert 'pulling_resistance_unit : "1kohm"' in said


@pytest.mark.quick
def test_a_technology_is_as_slow_as_the_corner_of_setup() -> None:
    """At a pace of 6.24 the usual clock of 3 ns is 18.72 ns, in tenths."""
    corners = {
        name: Corner("a.lib", "p", 1.0, 25.0, pace)
        for name, pace in (("slow", 6.24), ("fast", 2.0), ("usual", 4.0))
    }
    found: Technology = replace(GIVEN, corners=corners, signoff=Signoff("slow", "fast", "usual"))
    assert found.pace == 6.24
    assert found.clock_ns == 18.7
    assert found.fo4_ns == pytest.approx(6.24 * 0.02198)
    assert found.called == f"{GIVEN.kit}, setup slow, hold fast, power usual"
    assert replace(found, corner="fast").called == f"{GIVEN.kit}, fast"
    assert replace(found, corners={"one": corners["slow"]}).called == GIVEN.kit


@pytest.mark.quick
@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("sky13", "tech: no technology 'sky13'; choose from nangate45, osu018, sky130"),
        ("sky130@hot", "corner: sky130 has no corner 'hot'; choose from ss, tt, ff"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(asked: str, said: str) -> None:
    with pytest.raises(UserError, match=re.escape(said)):
        Request("Top", tech=asked)


@pytest.mark.quick
def test_no_layout_is_made_where_layers_are_not_known() -> None:
    Request("Top", tech="sky130", to="power")
    Request("Top", tech="nangate45@typical", to="layout")
    for step in ("place", "layout_energy"):
        with pytest.raises(UserError, match="sky130 has no layout: .* of nangate45 only"):
            Request("Top", tech="sky130", to=step)


@pytest.mark.quick
def test_a_missing_package_is_named_with_the_command_that_brings_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(kits, "_place", lambda source: None)
    with pytest.raises(RunError, match="sudo apt-get install -y qflow-tech-osu018"):
        kits.files_of(technology("osu018"))


@pytest.fixture
def five(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The technology of five cells."""
    five_cells.write(tmp_path)
    monkeypatch.setenv(MORE, str(tmp_path))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("flop = {", "flip = {", "unknown field `flip`"),
        ('cell = "NOT", ', "", "missing required field `cell`"),
        ("load_ff = 4.0", 'load_ff = "much"', "Expected `float`, got `str`"),
    ],
)
def test_a_slip_in_an_entry_is_named(was: str, now: str, said: str, five, tmp_path: Path) -> None:
    file = tmp_path / "five/technology.toml"
    assert was in file.read_text()
    file.write_text(file.read_text().replace(was, now))
    with pytest.raises(UserError, match=f"technology.toml: .*{said}"):
        technology("five")


def test_one_folder_makes_a_technology(five) -> None:
    """Five cells: full adders are used, constants stay what they are, and the netlist is proven."""
    assert "five" in folders()
    text = translate(CarrySaveToy(4), "CarrySaveToy").text
    asked = {"tech": "five", "carry_save": True, "recipes": ["area+fa", "then", "fast+fa"]}
    result = kept_run(text, "CarrySaveToy", to="equivalence", clock_period=20, **asked)
    netlist = (folder_of(result, "synthesis") / "outputs/netlist.v").read_text()
    used = re.findall(r"^  ([A-Z]+) \S+ *\($", netlist, re.MULTILINE)
    assert set(used) <= set(five_cells.AREAS)
    assert used.count("ADD") >= 3  # that of bit 0 has a constant
    area = sum(five_cells.AREAS[cell] for cell in used)
    assert result["metrics"]["area_um2"] == area
    assert result["metrics"]["sequential_area_um2"] == used.count("REG") * five_cells.AREAS["REG"]
    assert result["steps"]["equivalence"]["outcome"] == "proven"
    assert result["metrics"]["setup_slack_ns"] > 0
    assert result["kit"]["name"] == "five"


def test_clock_gates_of_another_library_are_proven() -> None:
    """A register behind a gate of SKY130 is one that takes its input if enabled."""
    text = translate(PowerToy(4), "PowerToy").text
    asked = {"tech": "sky130", "gated": True, "recipes": ["area"], "clock_period": 18.8}
    result = kept_run(text, "PowerToy", to="equivalence", **asked)
    assert result["steps"]["synthesis"]["gating"]["clock_gates"] == 1
    assert result["steps"]["synthesis"]["gating"]["gated_registers"] == 4
    assert result["steps"]["equivalence"]["outcome"] == "proven"
    assert result["steps"]["timing"]["enable_slack_ns"] > 0
    # Setup where it is slow, hold where it is fast.
    alone = kept_run(text, "PowerToy", **asked | {"tech": "sky130@ff"})
    assert result["metrics"]["setup_slack_ns"] < alone["metrics"]["setup_slack_ns"]
    assert result["kit"]["name"] == "sky130_fd_sc_hd, setup ss, hold ff, power tt"


@pytest.mark.quick
def test_gated_clocks_are_refused_where_no_cell_gates(five) -> None:
    Request("Top", tech="five")
    with pytest.raises(UserError, match="gated: five has no clock gate; leave it out"):
        Request("Top", tech="five", gated=True)
