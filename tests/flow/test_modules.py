"""Modules that are mapped once: what one depends on, and that what was kept of it is used."""

import json
import re
from collections import defaultdict
from types import SimpleNamespace

import pytest
from msgspec.structs import replace

from flow.synthesis import modules, recipes
from flow.technologies.technology import technology
from sim.paths import build_dir
from sim.translate import translate
from tests.flow.runs import folder_of, kept_run, said
from tests.flow.toys import FlowToy, ToyAdder

LEAF = """
module Leaf__nbits_8 ( input logic [7:0] a, output Pair y );
  assign y = { a, a }; // twice
endmodule
"""
TEXT = """
// a file
typedef struct packed {
  logic [7:0] low;
} Half;
typedef struct packed {
  Half first;
  Half second;
} Pair;
typedef struct packed {
  logic [7:0] other;
} Unused;
module Step_noparam (
  input logic [7:0] a,
  output logic [7:0] y
);
  assign y = a + 1;
endmodule
LEAF
module Mid__nbits_8 ( input logic [7:0] a, output Pair y );
  logic [7:0] next;
  Step_noparam step ( .a( a ), .y( next ) );
  Leaf__nbits_8 leaf ( .a( next ), .y( y ) );
endmodule
module Top ( input logic [7:0] a, output Pair y );
  Mid__nbits_8 mid ( .a( a ), .y( y ) );
endmodule
module Spare ( input logic a ); endmodule
""".replace("LEAF", LEAF)
AREA = recipes.parse("area+booth+ripple")


def source(text=TEXT, flatten=("Step",)):
    """The modules of a text."""
    return modules.Source(text, "Top", flatten)


def kept_files(text, tmp_path, recipe=AREA, period=3.0, gate=0, flatten=("Step",)):
    """Where each module is kept."""
    library = tmp_path / "some.lib"
    if not library.exists():
        library.write_text("library")
    kept = modules.Kept(source(text, flatten), recipe, period, gate, [library], technology())
    return {name: kept._place(name)[0] for name in kept._source.names}


def changed(before, after):
    """The names of modules that are kept elsewhere."""
    return {name for name in before if before[name] != after[name]}


@pytest.mark.quick
def test_a_part_has_what_its_modules_need_and_nothing_else():
    assert source().names == ["Leaf__nbits_8", "Mid__nbits_8", "Top"]
    part = source().part(["Mid__nbits_8"])
    assert "module Step_noparam" in part
    assert re.search(r"blackbox \*\)\s+module Leaf__nbits_8 [^;]*;\s+endmodule", part)
    assert "Unused" not in part
    assert "module Top" not in part
    assert part.index("} Half;") < part.index("} Pair;")
    assert "Half" not in source().part(["Step_noparam"])


@pytest.mark.quick
def test_a_part_has_the_ports_of_what_is_held_by_what_is_flattened_in_it():
    """Top holds Mid, which is flattened in it and holds two others."""
    part = source(flatten=("Mid",)).part(["Top"])
    assert {name: f"module {name} " in part for name in ("Top", "Mid__nbits_8", "Spare")} == {
        **{"Top": True, "Mid__nbits_8": True, "Spare": False},
    }
    boxes = re.findall(r"\(\* blackbox \*\)\nmodule (\w+)", part)
    assert sorted(boxes) == ["Leaf__nbits_8", "Step_noparam"]
    assert "assign y = a + 1" not in part


def test_a_module_is_kept_under_all_that_it_depends_on(tmp_path):
    before = kept_files(TEXT, tmp_path)

    def moved(text=TEXT, **more):
        return changed(before, kept_files(text, tmp_path, **more))

    every = set(before)
    assert moved() == set()
    assert moved(TEXT.replace("// twice", "").replace("// a file", "/* two\n lines */")) == set()
    assert moved(TEXT.replace("assign y = { a, a };", "assign y = { a, ~a };")) == {"Leaf__nbits_8"}
    assert moved(TEXT.replace("a + 1", "a + 2")) == {"Mid__nbits_8"}
    assert moved(TEXT.replace("other;", "other;\n logic more;")) == set()
    half = TEXT.replace("[7:0] low", "[8:0] low")
    assert moved(half) == every
    ports = TEXT.replace(
        "module Leaf__nbits_8 ( input", "module Leaf__nbits_8 ( input logic b, input"
    )
    assert moved(ports) == {"Leaf__nbits_8", "Mid__nbits_8"}
    assert moved(period=2.0) == moved(gate=3) == moved(recipe=recipes.parse("fast")) == every
    # The adder matters where something is added, Booth nowhere.
    assert moved(recipe=recipes.parse("area")) == {"Mid__nbits_8"}
    assert moved(recipe=recipes.parse("area+ripple")) == set()
    (tmp_path / "some.lib").write_text("another")
    assert moved() == every


@pytest.mark.quick
def test_tools_code_and_what_cells_are_decide_what_is_kept(tmp_path, monkeypatch):
    every = [kept_files(TEXT, tmp_path)]
    other = SimpleNamespace(digest=lambda stages: "another")
    for name, value in (("version", lambda of: "another"), ("stages", lambda: other)):
        with monkeypatch.context() as patch:
            patch.setattr(modules, name, value)
            every.append(kept_files(TEXT, tmp_path))
    known = technology()
    loaded = replace(known, outside=replace(known.outside, load_ff=9.0))
    monkeypatch.setitem(globals(), "technology", lambda: loaded)
    every.append(kept_files(TEXT, tmp_path))
    for name in every[0]:
        assert len({files[name] for files in every}) == len(every), name


@pytest.mark.parametrize(
    "line",
    ["`define A 1", "module P #(parameter N = 1) (input a); endmodule", "package p; endpackage"],
)
@pytest.mark.quick
def test_texts_that_cannot_be_told_apart_are_mapped_whole(line):
    assert source().usual
    assert source(f"{TEXT} // {line}").usual
    assert not source(TEXT + line).usual
    assert not modules.Source(TEXT, "Missing", ()).usual


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("q <= d;", "area"),
        ("q[3:0] <= d << 2;", "area"),
        ("y = a <= b;", "area+ripple"),
        ("if ( a <= b )", "area+ripple"),
        ("y = a - b;", "area+ripple"),
        ("y = a + b;", "area+ripple"),
        ("y = a > b;", "area+ripple"),
        ("y = a < b;", "area+ripple"),
        ("y = a >> 2;", "area"),
        ("q <= a * b;", "area+booth+ripple"),
        ("q <= a % 5;", "area+ripple"),
        ("y = a / b;", "area+ripple"),
    ],
)
def test_what_makes_no_difference_is_left_out_of_a_recipe(text, name):
    assert AREA.that_matters(*modules.operators(f"    {text}\n")).name == name


@pytest.mark.quick
def test_a_netlist_splits_into_its_modules():
    first, second = "module Top(a);\n  Leaf l (\n  );\nendmodule\n", "module Leaf ();\nendmodule\n"
    assert modules.split(f"/* made */\n\n{first}\n{second}") == {"Top": first, "Leaf": second}


class OtherToy(FlowToy):
    """The same parts in another top."""


def mapped_now(run):
    """By recipe, the modules that were mapped for a run."""
    found = defaultdict(set)
    for line in said(run):
        if "mapped" in line:
            found[line["by"]].update(line["mapped"])
    return found


def forget(name):
    """Lose what was kept of a module by other versions of the step."""
    for path in build_dir("mapped").glob("*.json"):
        if f"module {name}(" in json.loads(path.read_text())["text"]:
            path.unlink()


def test_a_module_of_another_design_is_not_mapped_again():
    nbits = 13
    first = translate(FlowToy(nbits))
    kept_run(first.text, first.top)
    second = translate(OtherToy(nbits))
    forget(second.top)
    run = kept_run(second.text, second.top)
    adder = f"{ToyAdder.__name__}__nbits_{nbits}"
    assert adder in first.text
    assert adder in second.text
    now = mapped_now(run)
    assert now
    assert all(names == {second.top} for names in now.values())
    areas = {row["module"]: row for row in run["steps"]["synthesis"]["modules"]}
    assert areas[adder]["instances"] == 2
    assert areas[second.top]["submodules"] == {adder: 2}
    assert areas[adder]["cells_each"] > nbits


def test_a_file_that_is_damaged_is_made_again():
    nbits = 14
    design = translate(FlowToy(nbits))
    before = kept_run(design.text, design.top, clock_period=3.1)
    adder = f"ToyAdder__nbits_{nbits}"
    for path in build_dir("mapped").glob("*.json"):
        if f"module {adder}" in json.loads(path.read_text())["text"]:
            path.write_text(path.read_text().replace("INV", "BUF"))
    other = translate(OtherToy(nbits))
    after = kept_run(other.text, other.top, clock_period=3.1)
    assert any(adder in names for names in mapped_now(after).values())
    rows = [run["steps"]["synthesis"]["modules"] for run in (before, after)]
    areas = [{row["module"]: row["area_um2"] for row in of_run} for of_run in rows]
    assert areas[0][adder] == areas[1][adder]


def test_a_module_that_is_mapped_to_drive_many_does():
    """What it drives stands in other modules, of which it sees nothing; the whole netlist is sized
    afterwards, which leaves it what it needs."""
    text = """
    module Driver(input a, input b, output y); assign y = ~(a & b); endmodule
    module Sinks(input y, input [99:0] d, output [99:0] q); assign q = d ^ {100{y}}; endmodule
    module Drives(input clk, input a, input b, input [99:0] d, output reg [99:0] q);
      reg ra, rb; wire y; wire [99:0] x;
      Driver driver(.a(ra), .b(rb), .y(y));
      Sinks sinks(.y(y), .d(d), .q(x));
      always @(posedge clk) begin ra <= a; rb <= b; q <= x; end
    endmodule
    """
    strength = {}
    for recipe in ("hurried", "driving"):
        found = kept_run(text, "Drives", to="synthesis", recipes=[recipe])
        netlist = (folder_of(found, "synthesis") / "outputs/netlist.v").read_text()
        driver = netlist[netlist.index("module Driver") :].partition("endmodule")[0]
        strength[recipe] = max(int(number) for number in re.findall(r"_X(\d+) ", driver))
    assert strength["hurried"] == 1 < strength["driving"]
