"""Mapped multipliers of every form, their cells as the library describes them."""

from pathlib import Path

import pytest

from fl.modulus import Modulus
from flow.run import run_flow
from sim.paths import build_dir
from sim.translate import Translation, translate
from tests.cases.moduli import one_of_each, random_pairs
from tests.cells import verilog_cells
from tests.sweep import TreesSideBySide, wrong_of


def mapped(moduli: tuple[Modulus, ...], swap: tuple[str, str] | None = None) -> Translation:
    """The netlist of multipliers side by side; with `swap`, one gate replaced by another."""
    name = f"mapped_trees_{moduli[0].n}"
    design = translate(TreesSideBySide(moduli, "document"), name)
    result = run_flow(
        f"test-{name}",
        design.text,
        design.top,
        build_dir("flow"),
        clock_period=1.0,
        to="synthesis",
        recipes=("area+flat",),
    )
    (folder,) = (step["folder"] for step in result["run"] if step["step"] == "synthesis")
    netlist = (Path(folder) / "outputs" / "netlist.v").read_text()
    if swap:
        assert f" {swap[0]} " in netlist
        netlist = netlist.replace(*(f" {gate} " for gate in swap), 1)
    cells = verilog_cells((Path(folder) / "inputs" / "adk" / "stdcells.lib").read_text())
    return Translation(design.top, f"{cells}\n{netlist}", design.ports)


def test_netlists_of_every_form_multiply():
    moduli = tuple(one_of_each(4))
    values = range(max(modulus.value for modulus in moduli))
    pairs = [(a, b) for a in values for b in values]
    assert wrong_of(mapped(moduli), moduli, pairs) == []
    # The comparison sees a gate that is another one.
    assert wrong_of(mapped(moduli, swap=("NAND2_X1", "NOR2_X1")), moduli, pairs)


@pytest.mark.long
def test_10000_products_of_netlists_of_16_bits():
    moduli = tuple(one_of_each(16))
    assert wrong_of(mapped(moduli), moduli, random_pairs(moduli, 10_000)) == []
