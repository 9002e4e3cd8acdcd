"""Sign-off of what the flow lays out."""

from pathlib import Path

import klayout.db as kdb
import pytest

from flow.signoff.rulefile import read_rules, rules_path
from flow.signoff.signed import Signed, sign_off
from tests.flow.runs import folder_of, kept_run
from tests.flow.signoff_toy import LIBRARY
from tests.flow.test_layout import TINY, recorded


@pytest.fixture(scope="module")
def files() -> Path:
    """The files of the layout that test_layout.py looks at."""
    run = kept_run(TINY, "Mac", recorded(), to="layout_energy", recipes=["area+booth"])
    return folder_of(run, "layout") / "outputs"


def signed(gds: Path, files: Path) -> Signed:
    """What sign-off says of a GDS file, beside the netlist that the flow left."""
    return sign_off(gds, files / "layout.v", LIBRARY, read_rules(rules_path("nangate45")))


def test_the_flow_lays_out_what_its_netlist_says(files: Path) -> None:
    found = signed(files / "layout.gds", files)
    assert found.compared.mismatches == found.connections == found.cells == ()
    layout, netlist, matched = found.compared.cells
    assert layout == netlist == matched > 100
    assert not [one for one in found.rules if one.violations]


def test_the_layout_is_clean_once_fillers_fill_their_sites(files: Path, tmp_path: Path) -> None:
    """FILLCELL_X2 of the library is one site wide; where two are free, a site stays without it."""
    layout, gds = kdb.Layout(), tmp_path / "layout.gds"
    layout.read(str(files / "layout.gds"))
    top, one = layout.top_cell(), layout.cell("FILLCELL_X1")
    for placed in [i for i in top.each_inst() if i.cell.name == "FILLCELL_X2"]:
        for site in (0, 1):
            at = kdb.Trans(site * 1900, 0) * placed.trans
            top.insert(kdb.CellInstArray(one.cell_index(), at))
        placed.delete()
    for cell in [cell for cell in layout.top_cells() if cell.cell_index() != top.cell_index()]:
        cell.delete()
    layout.write(str(gds))
    assert [*signed(gds, files).wrong()] == []
