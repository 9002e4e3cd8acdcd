"""What closing the timing of a layout changed, and what its supply rails lose."""

from flow.results.clock_tree import ClockTree
from flow.results.layout import Layout, LayoutEnergy
from flow.results.record import Record


class Closing(Record):
    """What was changed after routing: the slacks before it, and what is wrong with places and
    netlist after it."""

    rounds: int
    illegal: list[str]
    differences: list[str]
    setup_slack_before_ns: float | None
    hold_slack_before_ns: float | None


class ClosedLayout(Layout):
    """A layout, and how its timing was closed."""

    closing: Closing


class ClockTreeOf(ClockTree):
    """A clock tree, and the port that it is behind."""

    port: str


class SupplyDrop(Record):
    """What the supply rails lose on the way to the cell that they leave the least, of all of the
    voltage; the most that rails of each kind lose, and the current of all cells."""

    worst_mv: float
    worst_percent: float
    cell: str | None
    rails_mv: dict[str, float]
    current_ma: float


class SuppliedEnergy(LayoutEnergy):
    """Energies, and what supply rails lose in the window that takes the most power."""

    supply: SupplyDrop
