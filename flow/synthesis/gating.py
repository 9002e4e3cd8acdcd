"""Tell what came of clock gates in a netlist."""

from collections import Counter
from collections.abc import Mapping

from flow.netlist import Netlist
from flow.results.netlist import Gating
from flow.technologies.technology import ClockGate


def gating_figures(
    netlist: Netlist, least: int, gate: ClockGate, registers: Mapping[str, str]
) -> Gating:
    """Count the clock gates of a netlist of one module, its registers, and those behind gates.
    `registers` has the clock pin of each cell that is one."""
    cells = netlist.instances
    clocks = Counter(
        cell.pins[registers[cell.master]] for cell in cells if cell.master in registers
    )
    gated = [cell.pins[gate.output] for cell in cells if cell.master == gate.cell]
    return Gating(least, len(gated), sum(clocks[net] for net in gated), clocks.total())
