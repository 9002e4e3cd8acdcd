"""Name the clock gate, and tell what came of it in a netlist."""

from collections import Counter

from flow.netlist import Netlist
from flow.results.netlist import Gating

GATE = "CLKGATE_X1"
ENABLE, CLOCK, GATED = "E", "CK", "GCK"
MOST = 32  # registers of a gate: 54 fF with the wire load, of the 60.73 fF that it may drive
REGISTER = "DFF"


def gating_figures(netlist: Netlist, least: int) -> Gating:
    """Count the clock gates of a netlist of one module, its registers, and those behind gates."""
    cells = netlist.instances
    clocks = Counter(cell.pins[CLOCK] for cell in cells if cell.master.startswith(REGISTER))
    gated = [cell.pins[GATED] for cell in cells if cell.master == GATE]
    return Gating(least, len(gated), sum(clocks[net] for net in gated), clocks.total())
