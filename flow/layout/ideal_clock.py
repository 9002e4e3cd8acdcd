"""Take the clock tree out of the netlist of a layout again, for what simulates cycles.

The tree's wires and the input pins of its buffers are put on the clock net, so that what it takes
to move them is counted; what its buffers take within themselves is told by clock_tree.py.
"""

from collections import defaultdict
from collections.abc import Mapping

from flow.layout.buffering import CLOCK_PREFIX, sources
from flow.layout.technology import Stack
from flow.netlist import Instance, Netlist


def with_ideal_clock(
    stack: Stack, netlist: Netlist, wires: Mapping[str, float], pin_ff: Mapping[str, float]
) -> tuple[Netlist, dict[str, float]]:
    """Put the registers of a netlist on the clock port; the fF of the wires of its nets then.

    `wires` are those of the layout, by net; `pin_ff` is what the input pin of each buffer of the
    library has.
    """
    source, names = sources(stack, netlist, CLOCK_PREFIX), netlist.names
    tree = [cell for cell in netlist.instances if cell.name.startswith(CLOCK_PREFIX)]
    others = [cell for cell in netlist.instances if not cell.name.startswith(CLOCK_PREFIX)]
    found: dict[str, float] = defaultdict(float)
    loads = [(names[name], value) for name, value in wires.items()]
    loads += [(buffer.pins[stack.cells.input], pin_ff[buffer.master]) for buffer in tree]
    for net, value in loads:
        found[netlist.name_of[source.get(net, net)]] += value
    ideal = Netlist(
        netlist.top,
        netlist.ports,
        [
            Instance(cell.name, cell.master, {p: source.get(n, n) for p, n in cell.pins.items()})
            for cell in others
        ],
        {name: net for name, net in names.items() if net not in source},
    )
    return ideal, dict(found)
