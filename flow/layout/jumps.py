"""Mend antennas by jumps: near a gate, a wire goes up to a metal above that of the antenna.

While the antenna's metal is etched, what is behind the jump is not yet on the gate. In a box around
the pin of the gate, the net's wires on this metal and below are taken away, and a maze search
connects the net again, to which these metals are dear within the box.
"""

from collections.abc import Iterator
from functools import cached_property
from itertools import product
from typing import NamedTuple

from flow.layout.antenna import Antenna, GateAreas, of_net, ratios_of, too_large
from flow.layout.checks import open_nets
from flow.layout.connected import Edge, graph
from flow.layout.design import Design
from flow.layout.maze import Dear, Window, sevenths
from flow.layout.repair import Repair
from flow.layout.technology import Stack
from flow.layout.wires import Wires

# From a pin to the sides of its box, in sevenths of the height of a row: the next where the one
# before does not help.
BOXES = (10, 20, 40)


class Mended(NamedTuple):
    """How many antennas were beyond their metals' ratios before, and are now."""

    before: int
    after: int


class Jumper:
    """What mends the antennas of a routed design, by changing its nets."""

    def __init__(
        self, stack: Stack, design: Design, areas: GateAreas, nets: dict[str, Wires]
    ) -> None:
        self.stack, self.design, self.areas, self.nets = stack, design, areas, nets
        self.ratios = ratios_of(stack)

    @cached_property
    def work(self) -> Repair:
        """The nets by place, which takes a while for many."""
        return Repair(self.stack, self.design, self.nets)

    def mend_all(self) -> Mended:
        """Mend all antennas: where there is room for jumps, then by pushing other nets away."""
        before = left = [net for net in self.nets for _ in self.too_large(net)]
        for net in dict.fromkeys(left):
            self.mend(net, pushing=False)
        left = [net for net in before if self.too_large(net)]
        if not left:
            return Mended(len(before), 0)
        self._push(left)
        return Mended(len(before), sum(len(self.too_large(net)) for net in self.nets))

    def _push(self, names: list[str]) -> None:
        """Mend these nets at the cost of others, if less is wrong then."""
        nets, wrong = dict(self.nets), self._wrong()
        for net in dict.fromkeys(names):
            self.mend(net, pushing=True)
        self.work.settle_all(self.work.conflicts.pairs(self.nets))
        if self._wrong() >= wrong:
            self.nets.update(nets)

    def _wrong(self) -> tuple[int, float]:
        """Count what is open or too close, then by how much antennas are beyond their ratios."""
        close = self.work.conflicts.pairs(self.nets)
        faults = len(open_nets(self.stack, self.nets)) + len(close)
        return faults, sum(self._excess(net) for net in self.nets)

    def too_large(self, net: str) -> list[Antenna]:
        """List the antennas of a net that are beyond their metals' ratios."""
        found = of_net(self.stack, self.design, self.areas, net, self.nets[net])
        return too_large(found, self.ratios)

    def _excess(self, net: str) -> float:
        return sum(one.ratio / self.ratios[one.metal] for one in self.too_large(net))

    def mend(self, net: str, pushing: bool) -> None:
        """Put jumps before the gates of a net's antennas, if these are smaller for it: before all
        gates of a metal's, or before one."""
        boxes = [sevenths(self.stack, box) for box in BOXES]
        for metal, box in product(self.stack.routed, boxes):  # a jump is on the metals above
            pins = [pin for one in self.too_large(net) if one.metal == metal for pin in one.pins]
            alone = [[pin] for pin in pins]
            for group in [pins, *alone] if len(pins) > 1 else alone:
                if self._mended(net, metal, group, box, pushing):
                    break

    def _mended(
        self, net: str, metal: str, pins: list[tuple[int, str]], box: int, pushing: bool
    ) -> bool:
        """Put jumps over a metal before these gates; False, and nothing done, if no antenna of the
        net is smaller for it."""
        wires, before = self.nets[net], self._excess(net)
        for pin in pins:
            self._jump(net, metal, pin, box, pushing)
        if self._excess(net) < before:
            return True
        if self.nets[net] is not wires:
            self.work.install(net, wires)
        return False

    def _jump(self, net: str, metal: str, pin: tuple[int, str], reach: int, pushing: bool) -> None:
        """Let the wire of a net to a gate jump over a metal, if that can be done."""
        stack, wires = self.stack, self.nets[net]
        [at] = [one.access for one in wires.pins if (one.cell, one.pin) == pin]
        box = (at.x - reach, at.via - reach, at.x + reach, at.via + reach)
        layer = stack.routed.index(metal)
        low = {*stack.routed[: layer + 1], *stack.cuts[1 : layer + 2]}
        _, edges = graph(stack, wires)
        kept = [
            part for edge in edges for part in (outside(edge, box) if edge.layer in low else [edge])
        ]
        self.work.jump(net, kept, Dear(layer, box), pushing)


def outside(edge: Edge, box: Window) -> Iterator[Edge]:
    """List what a box leaves of a piece of wire, or of a cut."""
    left, low, right, high = box
    (metal, *begin), (_, *end) = sorted((edge.a, edge.b))
    if begin[0] > right or end[0] < left or begin[1] > high or end[1] < low:
        yield edge
        return
    for axis, (first, last) in enumerate(((left, right), (low, high))):
        for a, b in ((begin[axis], first), (last, end[axis])):
            if a < b and edge.length:
                (x0, y0), (x1, y1) = (
                    (at, begin[1]) if axis == 0 else (begin[0], at) for at in (a, b)
                )
                yield Edge((metal, x0, y0), (metal, x1, y1), edge.layer, b - a)
