"""Large modules are mapped without what would take too long, the others beside them with it."""

import re
import shutil
from pathlib import Path

import pytest

import flow
from flow.synthesis import recipes
from tests.flow.scripts import map_design
from tests.flow.toys import LIBERTY
from tests.yosys import run_yosys

FLOW = Path(flow.__file__).parent
NAMES = ("Product", "Sum", "Top")
VERILOG = """
module Product(input [4:0] a, b, output [9:0] y); assign y = a * b; endmodule
module Sum(input [9:0] a, b, output [9:0] y); assign y = a + b; endmodule
module Top(input [4:0] a, b, input [9:0] c, output [9:0] y);
  wire [9:0] p;
  Product product(.a(a), .b(b), .y(p));
  Sum sum(.a(p), .b(c), .y(y));
endmodule
"""


@pytest.mark.quick
@pytest.mark.parametrize("mapping", recipes.MAPPING)
def test_nothing_slow_is_done_to_a_large_module(mapping):
    usual = recipes.Recipe(mapping).abc_script(3.0).splitlines()
    large = recipes.Recipe(mapping).abc_script(3.0, large=True).splitlines()
    assert "dch" in usual
    assert large == [line for line in usual if line not in ("ifraig", "scorr", "dc2", "dch")]
    assert any(re.match("a?map ", line) for line in large)


@pytest.fixture
def mapped(tmp_path):
    """Map the design where modules of more gates than so many are large; what abc did by module."""
    changed, out = tmp_path / "packages/flow", tmp_path / "out"
    verilog = tmp_path / "top.v"
    verilog.write_text(VERILOG)

    def run(most, recipe="area"):
        shutil.copytree(FLOW, changed, dirs_exist_ok=True)
        text = (FLOW / "synthesis/recipes.py").read_text()
        shorter = text.replace("MOST_GATES = 20_000", f"MOST_GATES = {most}")
        assert shorter != text
        (changed / "synthesis/recipes.py").write_text(shorter)
        said = map_design(verilog, recipe, out, changed.parent, top="Top")
        _, *passes = said.split("Executing ABC pass")
        return {
            name: "large" if ".large.abc" in done else "usual"
            for done in passes
            for name in re.findall(r"Extracting gate netlist of module `\\(\w+)'", done)
        }

    run.out = out
    return run


@pytest.mark.parametrize(
    ("most", "recipe", "large"),
    [
        (20_000, "area", set()),
        (60, "area", {"Product"}),
        (60, "area+flat", set()),
        (20, "area", {"Product", "Sum"}),
        (20, "fast", {"Product", "Sum"}),
        (0, "area", {"Product", "Sum", "Top"}),
    ],
)
def test_only_large_modules_are_spared(mapped, most, recipe, large):
    how = mapped(most, recipe)
    assert {name for name in how if how[name] == "large"} == large
    if "flat" not in recipe:
        assert how.keys() >= {"Product", "Sum"}
    run_yosys(
        f"read_verilog {mapped.out}.v; read_liberty -ignore_miss_func {LIBERTY}",
        "hierarchy -top Top; proc; flatten; rename Top gate; design -stash gate",
        f"read_verilog {mapped.out.with_name('top.v')}; hierarchy -top Top; proc; flatten",
        "rename Top gold; design -stash gold",
        "design -copy-from gold gold; design -copy-from gate gate",
        "miter -equiv -flatten -make_outputs gold gate miter",
        "sat -verify -prove trigger 0 miter",
    )
