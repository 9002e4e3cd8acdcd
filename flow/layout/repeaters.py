"""Relieve cells that drive too much, and break up long wires: larger drivers, and buffers.

Each net is a tree of the shortest lines between its pins (estimate.py). From its ends to its
driver, a buffer goes where the way to an end gets too long, or the load more than the largest
buffer may drive. A driver that is still left with more than it may drive gets a larger size, or a
buffer beside it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf, sqrt

from flow.layout.buffering import CLOCK_PREFIX, REPEATER_PREFIX, Buffering, Sink, called
from flow.layout.design import Design
from flow.layout.estimate import spanning_tree
from flow.layout.lef import UNITS_PER_UM
from flow.layout.limits import MARGIN, Limits, driver_of
from flow.layout.routes import pins_of
from flow.layout.sizing import by_name

EASY = 0.5  # of the greatest load, for buffers that are added
MOST_LARGER = 3.0  # times the area of a driver, instead of a buffer
NS_PER_OHM_FF = 1e-6

Place = tuple[float, float]


@dataclass
class Branch:
    """What hangs at a place of a net: its sinks, the load with the wires, fF, and the longest way
    to an end, um. Outputs of the design stay on the net that has their name."""

    at: Place
    ff: float = 0.0
    um: float = 0.0
    sinks: list[Sink] = field(default_factory=list)
    has_output: bool = False

    def join(self, other: "Branch") -> None:
        """Add a branch that reaches the same place."""
        self.ff += other.ff
        self.um = max(self.um, other.um)
        self.sinks += other.sinks
        self.has_output |= other.has_output


class Repeaters:
    """Relieves the nets of a placed design, whose placement must be made legal afterwards."""

    def __init__(self, design: Design, limits: Limits, sizes: list[list[str]]) -> None:
        self.design, self.limits = design, limits
        self.buffering, told = Buffering(design), design.stack.rules.estimate
        # Those of an earlier time keep their names.
        self.buffering.added[REPEATER_PREFIX] = called(design, REPEATER_PREFIX)
        self.sizes, cells = by_name(sizes), design.stack.cells
        # The technology may keep its buffers out of logic, and so out of these.
        self.buffers, self.output = self.sizes.get(cells.fanout, [cells.fanout]), cells.output
        of_buffers = {name: limits.most(name).get(self.output, inf) for name in self.buffers}
        self.largest, self.most = max(of_buffers.items(), key=lambda one: one[::-1])
        # A wire so long and the buffer after it take as long.
        delay = told.ff_per_um * told.ohm_per_um * NS_PER_OHM_FF / 2
        self.longest = sqrt(design.stack.rules.buffer_ns / delay)
        self.ff_per_um, self.ff_per_pin = told.ff_per_um, told.ff_per_pin

    def net(self, name: str, slower: float = 1.0) -> None:
        """Relieve a net, whose edges are so many times as long as they may be."""
        design, cells = self.design, self.design.cells
        driver = driver_of(design, design.nets[name])
        if driver is None:
            return
        most = self.limits.most_of(cells[driver[0]], driver[1])
        if most == inf or cells[driver[0]].name.startswith(CLOCK_PREFIX):
            return
        pins = [driver, *(at for at in design.nets[name] if at != driver)]
        places = pins_of(design, pins)
        branches = [Branch((at.access.x, at.access.via)) for at in places]
        for branch, (cell, pin) in zip(branches[1:], pins[1:], strict=True):
            branch.ff = self.limits.input_ff(cells[cell], pin) + self.ff_per_pin
            branch.sinks = [(branch.at, (cell, pin))]
            branch.has_output = cells[cell].is_port
        for near, far, length in reversed(spanning_tree(places)):
            reached = self._along(branches[far], branches[near].at, length / UNITS_PER_UM)
            if branches[near].ff + reached.ff > MARGIN * self.most:
                reached = self._behind(reached)
            branches[near].join(reached)
        root = branches[0]
        # Edges are as much shorter as a driver may drive more.
        wanted = max(root.ff, slower * most if slower > 1 else 0.0) / MARGIN
        if wanted > most and not self._enlarged(driver, root, wanted):
            root = self._behind(root)
        left = dict.fromkeys(at for _, at in root.sinks)
        own = [at for at in design.nets[name] if at == driver or at in left]
        design.nets[name] = [*own, *(at for at in left if at not in pins)]

    def _along(self, branch: Branch, to: Place, um: float) -> Branch:
        """Go along a line to a place, with a buffer wherever the way gets too long."""
        whole = um or 1.0
        start = branch.at
        left = um
        while branch.um + left > self.longest and not branch.has_output:
            step = max(0.0, self.longest - branch.um)
            left -= step
            share = (um - left) / whole
            at = (start[0] + share * (to[0] - start[0]), start[1] + share * (to[1] - start[1]))
            branch = self._behind(self._moved(branch, at, step))
        if branch.ff + left * self.ff_per_um > MARGIN * self.most:
            branch = self._behind(branch)
        return self._moved(branch, to, left)

    def _moved(self, branch: Branch, at: Place, um: float) -> Branch:
        return Branch(
            at, branch.ff + um * self.ff_per_um, branch.um + um, branch.sinks, branch.has_output
        )

    def _behind(self, branch: Branch) -> Branch:
        """Put a branch behind a buffer, large enough, where it is."""
        if branch.has_output:
            return branch
        fitting = self.limits.enough(self.buffers, self.output, branch.ff / EASY)
        master = fitting or self.largest
        sink = self.buffering.buffer(master, REPEATER_PREFIX, branch.sinks, at=branch.at)
        cell, pin = sink[1]
        own = self.limits.input_ff(self.design.cells[cell], pin) + self.ff_per_pin
        return Branch(branch.at, own, 0.0, [sink])

    def _enlarged(self, driver: tuple[int, str], root: Branch, wanted: float) -> bool:
        """Give a driver a size that may drive so much, fF, if that is not much larger; or, where no
        buffer can be, the best there is."""
        number, pin = driver
        cell, library = self.design.cells[number], self.limits.library
        most = inf if root.has_output else MOST_LARGER
        larger = [
            name
            for name in self.sizes.get(cell.master, ())
            if 1 < library[name].area / library[cell.master].area <= most
        ]
        master = self.limits.enough(larger, pin, wanted)
        if root.has_output and larger:
            master = master or larger[-1]
        if master:
            self.design.cells[number] = cell._replace(master=master)
        return bool(master)


def relieve(
    design: Design,
    limits: Limits,
    sizes: list[list[str]],
    clock: str,
    slow: Mapping[str, float] | None = None,
) -> None:
    """Relieve all nets but the clock's; or only those that are slow, whose edges are so many times
    as long as they may be."""
    work = Repeaters(design, limits, sizes)
    kept = {clock, *work.buffering.gated.values()}
    for net in [name for name, _ in design.routable() if name not in kept]:
        if slow is None:
            work.net(net)
        elif net in slow:
            work.net(net, slow[net])
