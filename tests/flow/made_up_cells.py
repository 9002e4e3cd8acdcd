"""Layouts of SKY130's cells that are not the foundry's: as wide as these, a bar of li1 for each pin
and the rails, so that a layout can be made without a download; and a wheel that has them."""

import hashlib
import re
import shutil
import zipfile
from collections.abc import Sequence
from pathlib import Path

import klayout.db as kdb

from flow.gates.liberty import Library
from flow.technologies import cells as fetching
from flow.technologies.kit import view
from flow.technologies.rules import FILE, Wheel, rules_of
from flow.technologies.technology import folders
from flow.technologies.transistors import FILE as TRANSISTORS_FILE

HEIGHT, SITE, RAIL = 2.72, 0.46, 0.24  # um
BAR = (0.7, 2.0)  # from where to where a pin is
GATE_UM2 = 0.126
NAME = "made_up"  # of the technology
WHEEL = "made_up-1.0-py3-none-any.whl"
FOLDER, LICENCE = "made_up/cells", "made_up/LICENSE"


def columns(count: int) -> list[float]:
    """The middles of the bars of so many pins, um."""
    return [round(SITE / 2 + SITE * number, 3) for number in range(count)]


def lef_of(name: str, sites: int, pins: dict[str, str]) -> str:
    """The LEF of a cell, of pins by their directions."""
    width = f"{sites * SITE:.3f}"
    lines = ["VERSION 5.5 ;", f"MACRO {name}", "  CLASS CORE ;", f"  SIZE {width} BY {HEIGHT} ;"]
    for x, (pin, way) in zip(columns(len(pins)), pins.items(), strict=True):
        lines += [f"  PIN {pin}", f"    DIRECTION {way.upper()} ;", "    USE SIGNAL ;"]
        if way == "input":
            lines.append(f"    ANTENNAGATEAREA {GATE_UM2} ;")
        box = f"{x - 0.085:.3f} {BAR[0]} {x + 0.085:.3f} {BAR[1]}"
        lines += [
            "    PORT",
            "      LAYER li1 ;",
            f"        RECT {box} ;",
            "    END",
            f"  END {pin}",
        ]
    for pin, use, y in (("VGND", "GROUND", 0), ("VPWR", "POWER", HEIGHT)):
        box = f"0 {y - RAIL:.2f} {width} {y + RAIL:.2f}"
        lines += [f"  PIN {pin}", f"    USE {use} ;", "    PORT", "      LAYER met1 ;"]
        lines += [f"        RECT {box} ;", "    END", f"  END {pin}"]
    return "\n".join([*lines, f"END {name}", "END LIBRARY", ""])


def write_gds(path: Path, name: str, sites: int, pins: Sequence[str]) -> None:
    """The same as GDS, with labels as the foundry's cells have them."""
    layout = kdb.Layout()
    layout.dbu = 0.001
    cell = layout.create_cell(name)

    def box(layer: tuple[int, int], *um: float) -> None:
        cell.shapes(layout.layer(*layer)).insert(kdb.Box(*(round(1000 * at) for at in um)))

    def label(layer: tuple[int, int], text: str, *um: float) -> None:
        place = kdb.Trans(*(round(1000 * at) for at in um))
        cell.shapes(layout.layer(*layer)).insert(kdb.Text(text, place))

    for x, pin in zip(columns(len(pins)), pins, strict=True):
        box((67, 20), x - 0.085, BAR[0], x + 0.085, BAR[1])
        label((67, 5), pin, x, BAR[0])
    for y, supply in ((0.0, "VGND"), (HEIGHT, "VPWR")):
        box((68, 20), 0, y - RAIL, sites * SITE, y + RAIL)
        label((68, 5), supply, SITE / 2, y)
    box((81, 4), 0, 0, sites * SITE, HEIGHT)
    options = kdb.SaveLayoutOptions()
    options.gds2_write_timestamps = False
    layout.write(str(path), options)


def contents(folder: Path) -> dict[str, bytes]:
    """The files of all cells that layouts may have, by their names."""
    library, rules = Library(view("sky130") / "stdcells.lib"), rules_of("sky130")
    found: dict[str, bytes] = {fetching.LICENCE: b"Take them.\n"}
    cells = {
        name: (
            round(library[name].area / HEIGHT / SITE),
            {p: "output" if pin.output else "input" for p, pin in library[name].pins.items()},
        )
        for name in library.names
    }
    assert rules.cells
    assert rules.taps
    cells |= {name: (sites, {}) for sites, name in rules.cells.fillers.items()}
    cells[rules.taps.cell] = (rules.taps.sites, {})
    for name, (sites, pins) in cells.items():
        assert len(pins) <= sites, name
        found[f"{name}.lef"] = lef_of(name, sites, pins).encode()
        write_gds(folder / "cell.gds", name, sites, [*pins])
        found[f"{name}.gds"] = (folder / "cell.gds").read_bytes()
    return found


TRANSISTORS = {"all.spice": b".param mult=1\n", "inv.spice": b".subckt inv A Y\n.ends\n"}


def hash_of(contents: dict[str, bytes]) -> str:
    """What pins files that are taken out of a wheel."""
    lines = [f"{name} {hashlib.sha256(contents[name]).hexdigest()}\n" for name in sorted(contents)]
    return hashlib.sha256("".join(lines).encode()).hexdigest()


def write_wheel(folder: Path) -> Path:
    """A wheel with the files of all cells, and with others."""
    path, files = folder / WHEEL, contents(folder)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files.items():
            inside = LICENCE if name == fetching.LICENCE else f"{FOLDER}/{name[:-4]}/{name}"
            archive.writestr(inside, content)
        archive.writestr(f"{FOLDER}/a/a.magic.lef", "of another program")
        archive.writestr("made_up/other/b.gds", "of other cells")
        for name, content in TRANSISTORS.items():
            archive.writestr(f"made_up/models/{name}", content)
        archive.writestr("made_up/other/c.spice", "of other cells")
        archive.writestr("made_up/__init__.py", "")
    return path


def write_technology(folder: Path, wheel: Path) -> Path:
    """A technology like SKY130 whose cells are in such a wheel; its layout.toml."""
    shutil.copytree(folders()["sky130"], folder / NAME)
    with zipfile.ZipFile(wheel) as archive:
        short = {
            fetching.LICENCE if name == LICENCE else Path(name).name: archive.read(name)
            for name in archive.namelist()
            if name == LICENCE or (name.startswith(FOLDER) and "magic" not in name)
        }
    said = Wheel(
        package="made-up",
        version="1.0",
        file=WHEEL,
        sha256=hashlib.sha256(wheel.read_bytes()).hexdigest(),
        mb=1,
        folder=FOLDER,
        licence=LICENCE,
        licence_name="no licence",
        fetched=hash_of(short),
    )
    transistors = folder / NAME / TRANSISTORS_FILE
    pinned = re.sub(
        'fetched = ".*"', f'fetched = "{hash_of(TRANSISTORS)}"', transistors.read_text()
    )
    taken = re.compile(r"taken = \[.*?\]", re.DOTALL)
    transistors.write_text(taken.sub('taken = ["made_up/models/*.spice"]', pinned))
    file = folder / NAME / FILE
    before, _, after = file.read_text().partition("[wheel]\n")
    fields = [
        f'{name} = "{getattr(said, name)}"' for name in said.__struct_fields__ if name != "mb"
    ]
    rest = after[after.index("[[metals]]") :]
    file.write_text("\n".join([f"{before}[wheel]", *fields, "mb = 1", "", rest]))
    return file
