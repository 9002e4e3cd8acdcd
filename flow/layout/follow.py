"""Let the wires of a routed design follow cells that were exchanged, moved or added.

Wires stay where they are. Where a pin is no longer below its via, the via is taken away, and a maze
search joins the pin and the wires again.
"""

from collections.abc import Iterable
from typing import NamedTuple

from flow.layout.connected import is_open
from flow.layout.design import Design
from flow.layout.notches import drawn
from flow.layout.repair import Repair
from flow.layout.routes import pins_of
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Tidier, Wires


class Followed(NamedTuple):
    """How many nets were joined to pins that moved, and which are open or too close after it."""

    nets: int
    open_nets: list[str]
    conflicts: int


def reattached(tidier: Tidier, wires: Wires, pins: list[PinAt]) -> Wires:
    """Keep the wires of a net that has other pins now, and of the vias on pins those that are."""

    def on_pin(x: int, y: int) -> bool:
        return any(p.access.x == x and p.access.bottom <= y <= p.access.top for p in pins)

    stack = tidier.stack
    segments = [segment for segment in wires.segments() if segment[0] != stack.pin_metal]
    cuts = [
        (cut, x, y)
        for cut, x, y in wires.cuts
        if cut != stack.pin_cut and (cut != stack.first_cut or on_pin(x, y))
    ]
    return tidier.tidy(segments, cuts, pins)


def follow(stack: Stack, design: Design, nets: dict[str, Wires], cells: Iterable[int]) -> Followed:
    """Change `nets` so that they reach the pins of cells, by their numbers, where these are now."""
    moved = set(cells)
    routable = dict(design.routable())
    for gone in nets.keys() - routable.keys():
        del nets[gone]
    work = Repair(stack, design, nets)
    touched = []
    for net, connected in routable.items():
        if net in nets and not any(cell in moved for cell, _ in connected):
            continue
        touched.append(net)
        pins = pins_of(design, connected)
        nets[net] = reattached(work.tidier, nets.get(net, Wires([])), pins)
        work.conflicts.remove(net)
        work.conflicts.add(net, drawn(stack, nets[net]))
    touched.sort(key=lambda net: len(nets[net].pins))
    loose = [net for net in touched if not work.attach(net)]
    work.settle_all(work.conflicts.pairs(touched))
    loose = [net for net in loose if not work.attach(net)]
    work.prune(touched)
    open_nets = [net for net in loose if is_open(stack, nets[net])]
    return Followed(len(touched), open_nets, len(work.conflicts.pairs(touched)))
