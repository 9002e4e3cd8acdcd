"""What an entry says of a technology: its library of cells, its corners, and what it lacks.

An entry is a folder with `technology.toml`, here or in one of the folders that the environment
variable MODEXPLORER_TECHNOLOGIES names. What is asked for is a technology, `sky130`, which is timed
and measured in the corners that it is signed off in, or one in a single corner, `sky130@ff`.
"""

import os
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

import msgspec

from flow.results.record import Record
from flow.technologies.asked import DEFAULT, split
from flow.technologies.files import SAYS
from sim.errors import UserError

MORE = "MODEXPLORER_TECHNOLOGIES"  # folders of further entries
FILE = "technology.toml"
USUAL_NS = 3.0
FO4_NS = 0.02198  # of NanGate 45: the delay of an inverter that drives four like it


class Part(Record, frozen=True, forbid_unknown_fields=True):
    """A part of an entry: a misspelt name in it is an error."""


class Gate(Part):
    """A gate of one output."""

    cell: str
    inputs: tuple[str, ...]
    output: str


class Flop(Part):
    """A register that takes its data with each rising edge."""

    cell: str
    data: str
    clock: str
    output: str


class FullAdder(Part):
    """A full adder; from the last of its inputs it is the fastest."""

    cell: str
    inputs: tuple[str, str, str]
    carry: str
    sum: str


class ClockGate(Part):
    """A clock gate, and how many registers it may drive."""

    cell: str
    clock: str
    enable: str
    output: str
    most: int


class Tie(Part):
    """A cell that holds a net at 0 or 1."""

    cell: str
    output: str


class Cells(Part):
    """The cells by their roles, None for a role that none has. `unused` are patterns of those that
    no logic is mapped to; `further` names those of roles that the flow has no use for yet."""

    inverter: Gate
    nand: Gate
    flop: Flop
    unused: tuple[str, ...]
    buffer: Gate | None = None
    full_adder: FullAdder | None = None
    clock_gate: ClockGate | None = None
    high: Tie | None = None
    low: Tie | None = None
    further: dict[str, str] = {}


class Outside(Part):
    """What is around a design: a cell that drives its inputs, and a load on its outputs; how long
    after the clock edge inputs come, and how long before the next one outputs are due."""

    driving_cell: str
    load_ff: float
    input_delay_ns: float = 0.0
    output_delay_ns: float = 0.0


class Corner(Part):
    """The Liberty file of a corner; `pace` is how many times as long as in the typical corner of
    NanGate 45 an inverter takes that drives four like it."""

    liberty: str
    process: str
    volt: float
    celsius: float
    pace: float = 1.0


class Signoff(Part):
    """The corners in which setup, hold and power are told."""

    setup: str
    hold: str
    power: str


class Source(Part):
    """Where files are that the entry's folder has not: in a folder of a Python package or of
    Debian's `package`, whose name says all that is needed to install it."""

    package: str
    folder: str
    files: tuple[str, ...]
    debian: bool = False


class Site(Part):
    """A place for cells in a row."""

    width_um: float
    height_um: float


class Layer(Part):
    """A layer of wires: its capacitance to what is below, and that of either edge of a wire."""

    pitch_um: float
    width_um: float
    ohm_per_square: float
    ff_per_um2: float
    ff_per_um: float
    wires: str  # which way they go

    @property
    def ff(self) -> float:
        """The capacitance of a um of wire."""
        return self.width_um * self.ff_per_um2 + 2 * self.ff_per_um

    @property
    def kohm(self) -> float:
        """The resistance of a um of wire."""
        return self.ohm_per_square / self.width_um / 1000


class Wires(Part):
    """What is taken for the wires of a net where the library has no model of them: its length by
    the number of its loads, what each further load adds, and the layer that it is on."""

    layer: str
    lengths_um: tuple[float, ...]
    slope_um: float


class LayoutCells(Part):
    """The cells that only a layout has: fillers by the sites that they are wide, and buffers."""

    site: str
    fillers: dict[int, str]
    clock_leaf: str
    clock_trunk: str
    fanout: str
    port: str
    input: str  # the pins of buffers
    output: str


class Technology(Part):
    """A technology; `corner` is the only one that was asked for, if one was."""

    title: str
    kit: str  # what results call it
    node_nm: float
    gate_um2: float  # the area of a gate, where areas are counted in gates
    origin: str
    licence: str
    lacks: tuple[str, ...]
    cells: Cells
    outside: Outside
    corners: dict[str, Corner]
    signoff: Signoff
    site: Site
    layers: dict[str, Layer] = {}
    source: Source | None = None
    wires: Wires | None = None
    layout: LayoutCells | None = None
    name: str = ""  # of the folder
    corner: str = ""

    @property
    def pace(self) -> float:
        """How much slower than NanGate 45 the cells are when setup is checked."""
        return self.corners[self.signoff.setup].pace

    @property
    def fo4_ns(self) -> float:
        """The delay of an inverter that drives four like it, when setup is checked."""
        return FO4_NS * self.pace

    @property
    def clock_ns(self) -> float:
        """The usual clock: 3 ns at NanGate 45's pace."""
        return round(USUAL_NS * self.pace, 1)

    @property
    def timed(self) -> dict[str, Corner]:
        """The corners in which netlists are timed."""
        return {self.corner: self.corners[self.corner]} if self.corner else self.corners

    @property
    def decides(self) -> dict[str, object]:
        """What decides figures, apart from the files, as plain data."""
        names = ("cells", "outside", "corners", "signoff", "site", "layers", "wires")
        found: dict[str, object] = msgspec.to_builtins(
            {name: getattr(self, name) for name in names}
        )
        return found

    @property
    def called(self) -> str:
        """What results call it: with the corners, unless there is but one."""
        if len(self.corners) == 1:
            return self.kit
        if self.corner:
            return f"{self.kit}, {self.corner}"
        said = msgspec.structs.asdict(self.signoff)
        return f"{self.kit}, {', '.join(f'{use} {corner}' for use, corner in said.items())}"

    def without_prose(self) -> "Technology":
        """Leave out what only people read."""
        return msgspec.structs.replace(self, title="", origin="", licence="", lacks=())


def folders() -> dict[str, Path]:
    """Find the folder of each entry, by its name."""
    places = [Path(__file__).parent, *map(Path, filter(None, os.environ.get(MORE, "").split(":")))]
    files = (file for place in places for file in sorted(place.glob(f"*/{FILE}")))
    return {file.parent.name: file.parent for file in files}


def technology(asked: str = DEFAULT) -> Technology:
    """Read the entry of a technology; UserError names those that there are, or its corners."""
    name, corner = split(asked)
    known = folders()
    if name not in known:
        raise UserError(f"tech: no technology {name!r}; choose from {', '.join(sorted(known))}")
    found = _read(known[name])
    if not corner:
        return found
    if corner not in found.corners:
        raise UserError(
            f"corner: {found.name} has no corner {corner!r}; choose from {', '.join(found.corners)}"
        )
    return msgspec.structs.replace(found, corner=corner, signoff=Signoff(corner, corner, corner))


@cache
def _read(folder: Path) -> Technology:
    said: Mapping[str, object] = tomllib.loads((folder / FILE).read_text())
    try:
        return msgspec.convert({**said, "name": folder.name}, Technology, strict=False)
    except msgspec.ValidationError as error:
        raise UserError(f"tech: {folder / FILE}: {error}; mend it") from None


def beside(liberty: Path) -> Technology:
    """Read what the kit says in which a Liberty file is, or from which it was copied."""
    return msgspec.json.decode(liberty.with_name(SAYS).read_bytes(), type=Technology)


def wrong(asked: str) -> str | None:
    """Say what is wrong with what is asked for; None if nothing is."""
    try:
        technology(asked)
    except UserError as error:
        return str(error)
    return None


def no_gates(asked: str) -> str | None:
    """Say that a technology has no clock gate; None if it has one."""
    found = technology(asked)
    if found.cells.clock_gate:
        return None
    return f"gated: {found.name} has no clock gate; leave it out, or take another technology"


def no_layout(asked: str) -> str | None:
    """Say that a technology has no layout; None if it has one."""
    found = technology(asked)
    if found.layout:
        return None
    others = [name for name in folders() if technology(name).layout]
    return (
        f"tech: {found.name} has no layout: the placer and the router know the sites, layers and "
        f"rules of {', '.join(others)} only; take that for layouts, or go to power"
    )
