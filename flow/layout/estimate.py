"""Estimate the wires of nets that are placed and not routed: a spanning tree of the pins.

Capacitance and resistance go with its length, by figures of the technology that fit those of routed
layouts.
"""

from collections.abc import Sequence
from pathlib import Path

from flow.layout.connected import pin_node
from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.parasitics import NetRC, Parasitics, write_spef
from flow.layout.routes import pins_of
from flow.layout.technology import Stack
from flow.layout.wires import PinAt, Wires
from flow.opensta import Timed


def spanning_tree(pins: Sequence[PinAt]) -> list[tuple[int, int, int]]:
    """Join pins by the shortest lines along x and y: pairs of their numbers, and the length."""
    first, *others = ((pin.access.x, pin.access.via) for pin in pins)
    nearest = {
        number: (abs(x - first[0]) + abs(y - first[1]), 0)
        for number, (x, y) in enumerate(others, 1)
    }
    found = []
    while nearest:
        number = min(nearest, key=lambda one: (nearest[one], one))
        length, to = nearest.pop(number)
        found.append((to, number, length))
        x, y = others[number - 1]
        for other, known in nearest.items():
            far_x, far_y = others[other - 1]
            nearest[other] = min(known, (abs(x - far_x) + abs(y - far_y), number))
    return found


def _net(stack: Stack, wires: Wires) -> NetRC:
    """Estimate a net: a share of the vias at each pin, half of each line's capacitance at either
    end."""
    rc, told = NetRC({}, []), stack.rules.estimate
    for pin in wires.pins:
        node = pin_node(stack, pin)
        rc.ground[node] = rc.ground.get(node, 0.0) + told.ff_per_pin
    for one, other, length in spanning_tree(wires.pins):
        um = length / UNITS_PER_UM
        near, far = (pin_node(stack, wires.pins[number]) for number in (one, other))
        for node in (near, far):
            rc.ground[node] += told.ff_per_um * um / 2
        if near != far:
            rc.resistors.append((near, far, told.ohm_per_um * um + told.ohm_per_pin))
    return rc


def estimate(design: Design) -> tuple[dict[str, Wires], Parasitics]:
    """Estimate all nets of a placed design; the nets are pins without wires."""
    nets = {name: Wires(pins_of(design, pins)) for name, pins in design.routable()}
    return nets, Parasitics({name: _net(design.stack, wires) for name, wires in nets.items()}, {})


def estimated(
    design: Design, liberty: Path, period: float, clock_port: str, folder: Path
) -> tuple[Timed, Parasitics]:
    """Leave a placed design's netlist and estimated wires in a folder, for OpenSTA; and those."""
    netlist, spef = folder / "estimated.v", folder / "estimated.spef"
    design.netlist().write_verilog(netlist)
    nets, wires = estimate(design)
    write_spef(spef, design, nets, wires)
    return Timed(netlist, design.top, liberty, period, clock_port, spef), wires
