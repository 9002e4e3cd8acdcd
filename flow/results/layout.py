"""What placement, routing, the checks of the layout and its energies say."""

from typing import Any

from flow.results.energy import Operation
from flow.results.netlist import InCorner
from flow.results.record import Record


class Buffers(Record):
    """The buffers that placement added."""

    clock_buffers: int
    clock_levels: int
    fanout_buffers: int
    port_buffers: int

    @property
    def others(self) -> int:
        """Those that are not the clock's."""
        return self.fanout_buffers + self.port_buffers


class Placement(Record):
    """The core and its buffers."""

    core_um: tuple[float, float]
    rows: int
    half_perimeter_um: float
    buffers: Buffers
    illegal: list[str]
    differences: list[str]


class Routing(Record):
    """How the router fared, and what was left to repair."""

    nets: int
    complete_by_katana: bool
    conflicts_of_router: int
    conflicts: int
    rounds: int
    seconds: dict[str, float]


class GroupArea(Record):
    """The area of a colour in the picture."""

    group: str
    area_um2: float


class Layout(Record):
    """What the checks of the layout found, its timing in each corner, endpoints that are
    not timed, though they are not constant, and what was drawn."""

    label: str
    violations: dict[str, int]
    read_back: dict[str, Any]
    wire_um_by_metal: dict[str, float]
    modules: list[GroupArea]
    corners: list[InCorner]
    untimed: list[str]


class LayoutEnergy(Record):
    """Energies with the layout's wires, and before it."""

    operations: dict[str, Operation]
    outputs_compared: int
    before: dict[str, Operation]
