"""The netlist of a layout with the clock tree taken out again, for what simulates cycles.

The tree's wires and the input pins of its buffers are put on the clock net, so that what it takes
to move them is counted; what its buffers take within themselves is not.
"""

from flow.layout.buffering import BUFFER_INPUT, BUFFER_OUTPUT, CLOCK_PREFIX
from flow.layout.netlist import Instance, Netlist


def without_clock_tree(netlist: Netlist) -> tuple[Netlist, dict[str, str]]:
    """The netlist with its registers on the clock port; and the net that each net of the tree
    now is."""
    source = {
        i.pins[BUFFER_OUTPUT]: i.pins[BUFFER_INPUT]
        for i in netlist.instances
        if i.name.startswith(CLOCK_PREFIX)
    }

    def root(net: str) -> str:
        while net in source:
            net = source[net]
        return net

    instances = [
        Instance(i.name, i.master, {pin: root(net) for pin, net in i.pins.items()})
        for i in netlist.instances
        if not i.name.startswith(CLOCK_PREFIX)
    ]
    joined = {net: root(net) for net in source}
    return Netlist(netlist.top, netlist.ports, instances, dict(netlist.joined)), joined


def joined_wires(
    netlist: Netlist, wires: dict[str, float], joined: dict[str, str], pin_ff: dict[str, float]
) -> dict[str, float]:
    """fF of each net's wires, those of the tree on the clock net with its buffers' input pins;
    `pin_ff` is the input pin's of each buffer of the library."""
    found: dict[str, float] = {}
    for net, value in wires.items():
        net = joined.get(net, net)
        found[net] = found.get(net, 0.0) + value
    for instance in netlist.instances:
        if instance.name.startswith(CLOCK_PREFIX):
            net = instance.pins[BUFFER_INPUT]
            net = joined.get(net, net)
            found[net] = found.get(net, 0.0) + pin_ff[instance.master]
    return found
