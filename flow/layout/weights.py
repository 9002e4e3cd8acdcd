"""Weigh the nets of slow paths, so that placement makes them shorter than others.

A placement is timed as it will be: with its buffers, and wires estimated. Nets with less slack than
is enough get heavier from round to round, those of the slowest path most.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from flow.layout.buffering import PREFIXES, sources
from flow.layout.design import Design
from flow.opensta import Timed, run_script

SCRIPT = Path(__file__).with_name("weights.tcl")
SLACK = re.compile(r"^SLACK (\S+) (\S+) (\S+)$", re.MULTILINE)
PATHS = 2000
MOST = 16.0  # a net's weight


def slacks(design: Design, timed: Timed) -> dict[str, float]:
    """Tell the slacks of nets on slow paths, ns; those of a buffer are of the net that it is on."""
    text = run_script(SCRIPT, timed, {"PATHS": PATHS})
    netlist = design.netlist()
    source = sources(design.stack, netlist, *PREFIXES)
    cells = {cell.name: cell for cell in netlist.instances}
    found: dict[str, float] = {}
    for pin, direction, slack in SLACK.findall(text):
        name, _, output = pin.rpartition("/")
        if direction != ("output" if name in cells else "input"):  # it does not drive its net
            continue
        net = cells[name].pins[output] if name in cells else netlist.names[pin]
        origin = netlist.name_of[source.get(net, net)]
        found[origin] = min(found.get(origin, float(slack)), float(slack))
    return found


def heavier(
    weights: Mapping[str, float], found: Mapping[str, float], enough: float
) -> dict[str, float]:
    """Make nets without enough slack heavier: those with the least by the double."""
    worst = min(found.values())
    more = {
        net: min(MOST, weights.get(net, 1.0) * (1 + (enough - slack) / (enough - worst)))
        for net, slack in found.items()
        if slack < enough
    }
    return {**weights, **more}
