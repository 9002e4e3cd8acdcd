"""Mapped multipliers of every form, their cells as the library describes them, on all operands."""

from pathlib import Path

from flow.run import run_flow
from sim.paths import build_dir
from sim.translate import Translation, translate
from tests.cases.moduli import one_of_each
from tests.cells import verilog_cells
from tests.sweep import TreesSideBySide, wrong_of

N = 4


def test_netlists_of_every_form_multiply():
    moduli = tuple(one_of_each(N))
    design = translate(TreesSideBySide(moduli, "document"), "mapped_trees")
    result = run_flow(
        "test-mapped-trees",
        design.text,
        design.top,
        build_dir("flow"),
        clock_period=1.0,
        to="synthesis",
        recipes=("area+flat",),
    )
    (folder,) = (step["folder"] for step in result["run"] if step["step"] == "synthesis")
    netlist = (Path(folder) / "outputs" / "netlist.v").read_text()
    assert "NAND2" in netlist
    cells = verilog_cells((Path(folder) / "inputs" / "adk" / "stdcells.lib").read_text())
    values = range(max(modulus.value for modulus in moduli))
    pairs = [(a, b) for a in values for b in values]
    mapped = Translation(design.top, f"{cells}\n{netlist}", design.ports)
    assert wrong_of(mapped, moduli, pairs) == []
    # The comparison sees a gate that is another one.
    swapped = netlist.replace(" NAND2_X1 ", " NOR2_X1 ", 1)
    assert swapped != netlist
    assert wrong_of(Translation(design.top, f"{cells}\n{swapped}", design.ports), moduli, pairs)
