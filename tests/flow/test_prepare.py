"""Designs that are brought as far as ABC once, for other recipes and clocks, too."""

import re
import shutil
import zlib
from itertools import product
from types import SimpleNamespace

import pytest
from msgspec import json
from msgspec.structs import replace

from flow import elaborate as rtl
from flow import opensta
from flow.gates.liberty import Library
from flow.gates.logic import Logic
from flow.synthesis import adders, prepare, recipes
from flow.technologies.asked import DEFAULT
from flow.technologies.files import SAYS
from flow.technologies.technology import technology
from sim.paths import build_dir, unspaced
from sim.translate import translate
from tests.flow.runs import folder_of, kept_run, said
from tests.flow.toys import LIBERTY, CarrySaveToy, FlowToy

GZIP = 31  # of zlib: with a header, and as far as it goes
TEXT = "module Top ( input a, output y ); assign y = a; endmodule"


def key(recipe="area", text=TEXT, top="Top", library=LIBERTY, flatten=(), seed=0, gate=0):
    """Under what it is kept."""
    given = prepare.Given(text, top, library, [*flatten], seed, gate)
    return given.key(recipes.parse(recipe))


@pytest.mark.quick
def test_what_abc_does_makes_no_difference_and_all_else_does(tmp_path):
    library = tmp_path / "some.lib"
    library.write_text("library")
    shutil.copy(LIBERTY.with_name(SAYS), tmp_path)
    assert key() == key("fast") == key("tight") == key("restructured")
    assert key("area+booth+fa") == key("fast+booth+fa")
    others = [
        *(key(f"area+{part}") for part in ("booth", "ripple", "fa", "generic", "flat")),
        *(key(text=TEXT.replace("= a", "= ~a")), key(top=""), key(flatten=["Step"])),
        *(key(seed=1), key(gate=3), key(library=library)),
    ]
    assert len({key(), *others}) == 1 + len(others)


@pytest.mark.quick
def test_tools_code_and_what_cells_are_decide_what_is_prepared(tmp_path, monkeypatch):
    library = tmp_path / "some.lib"
    library.write_text("library")
    shutil.copy(LIBERTY.with_name(SAYS), tmp_path)
    keys = [key(library=library)]
    other = SimpleNamespace(digest=lambda stages: "another")
    for name, value in (("version", lambda of: "another"), ("stages", lambda: other)):
        with monkeypatch.context() as patch:
            patch.setattr(prepare, name, value)
            keys.append(key(library=library))
    found = technology(DEFAULT)
    for cells in (replace(found.cells, unused=()), replace(found.cells, clock_gate=None)):
        (tmp_path / SAYS).write_bytes(json.encode(replace(found, cells=cells)))
        keys.append(key(library=library))
    assert len({*keys}) == len(keys) == 5


@pytest.mark.quick
def test_only_what_reads_as_full_adders_is_taken_for_full_adders():
    text = translate(CarrySaveToy(5), "CarrySaveToy").text
    instances = adders.as_instances(text)
    assert instances.count(f"  {adders.ADDER} adder_") == 5
    assert "half" not in instances
    for sound, faulty in (("x & y", "x | y"), ("half ^ z", "half ^ x"), ("half & z", "half")):
        other = text.replace(sound, faulty)
        assert other != text
        assert adders.as_instances(other) == other


def prepared_anew(run):
    """What yosys read the Verilog of for a run, and by which recipes."""
    return {(*line["mapped"], line["by"]) for line in said(run) if line.get("anew")}


@pytest.fixture
def empty_build(tmp_path, monkeypatch):
    """A build folder in which nothing is prepared yet."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))


@pytest.mark.usefixtures("empty_build")
def test_a_design_is_prepared_once_for_all_clocks():
    design = translate(FlowToy(15))
    first, second = (kept_run(design.text, design.top, clock_period=ns) for ns in (3.2, 2.9))
    assert prepared_anew(first)
    assert not prepared_anew(second)
    modules = [run["steps"]["synthesis"]["modules"] for run in (first, second)]
    assert modules[0] == modules[1]


@pytest.mark.usefixtures("empty_build")
def test_what_is_damaged_is_prepared_again():
    design = translate(FlowToy(17))
    first = kept_run(design.text, design.top, clock_period=3.2)
    kept = [
        path
        for path in build_dir("prepared").glob("*.il.gz")
        if design.top.encode() in zlib.decompressobj(GZIP).decompress(path.read_bytes())
    ]
    assert kept
    for path in kept:
        path.write_bytes(path.read_bytes()[:-20])
    second = kept_run(design.text, design.top, clock_period=2.9)
    assert prepared_anew(second) == {made for made in prepared_anew(first) if design.top in made}
    assert first["steps"]["synthesis"]["modules"] == second["steps"]["synthesis"]["modules"]


def test_a_rough_delay_is_nearly_that_of_the_report():
    design = translate(FlowToy(15))
    run = kept_run(design.text, design.top, clock_period=3.2)
    step = folder_of(run, "synthesis")
    netlist, latest = step / "outputs" / "netlist.v", step / "candidates" / "latest.lib"

    def slack(library, rough=False):
        said = opensta.run_sta(netlist, design.top, unspaced(library), 3.2, "clk", rough=rough)
        return opensta.summary(said, 3.2).setup_slack_ns

    true = slack(LIBERTY)
    assert slack(LIBERTY, rough=True) != true
    assert slack(LIBERTY, rough=True) == pytest.approx(true, abs=0.01)
    assert true - 0.001 <= slack(latest) <= true


@pytest.mark.quick
@pytest.mark.parametrize(
    "ports", [("A[i]", "B[i]", "C[i]", "Y[i]", "X[i]"), ("x", "y", "z", "sum", "carry")]
)
def test_the_cell_of_a_full_adder_adds_three_bits(ports):
    """By the library's functions of its pins: found among gates, of which X is the carry, or one of
    the RTL."""
    adder = technology(DEFAULT).cells.full_adder
    text = adders.as_cell(adder)
    pin_at = {port: pin for pin, port in re.findall(r"\.(\w+)\(([^()]+)\)", text)}
    assert text.count(f"{adder.cell} adder (") == 2
    *inputs, total, carry = (pin_at[port] for port in ports)
    pins = Library(LIBERTY)[adder.cell].pins
    for bits in product((0, 1), repeat=3):
        given = dict(zip(inputs, bits, strict=True))
        high, low = (Logic(pins[pin].function).value(given) for pin in (carry, total))
        assert 2 * high + low == sum(bits)


@pytest.mark.quick
def test_carries_that_cannot_be_in_time_do_not_ripple():
    cells = ["$add_9", "$sub_1026", "$mux_4096", "$dff_2048", "$logic_not_3", "$pmux_32_2"]
    assert rtl.widest(cells, rtl.ADDERS) == 1026
    assert rtl.widest(["$mux_8", "Module"], rtl.ADDERS) == 0
    ripple, other = recipes.parse("fast+ripple"), recipes.parse("fast")
    assert recipes.too_long(ripple, 1026, 3.0)
    assert not recipes.too_long(ripple, 64, 3.0)
    assert recipes.too_long(ripple, 64, 1.5)
    assert not recipes.too_long(other, 1026, 3.0)
    # Where everything takes twice as long, a carry does.
    assert recipes.too_long(ripple, 64, 3.0, pace=2.0)
    assert not recipes.too_long(ripple, 64, 3.3, pace=2.0)
    assert not recipes.too_long(ripple, 64, 1.5, pace=0.9)


@pytest.mark.parametrize(("bits", "booth"), [(6, False), (8, True)])
def test_the_bits_of_a_factor_decide_whether_booth_is_tried(bits, booth):
    text = f"""module Product{bits}
(
  input  logic clk,
  input  logic [11:0] a,
  input  logic [{bits - 1}:0] b,
  output logic [{bits + 11}:0] y
);
  always_ff @(posedge clk)
    y <= {{ {bits}'d0, a }} * {{ 12'd0, b }};
endmodule
"""
    steps = kept_run(text, f"Product{bits}", clock_period=3.2)["steps"]
    assert steps["rtl"]["factor_bits"] == bits
    tried = [row["recipe"] for row in steps["synthesis"]["front"]]
    assert any("booth" in recipe for recipe in tried) == booth
