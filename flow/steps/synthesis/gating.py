"""Clock gating: the gate, and what came of it in a netlist."""

import re
from collections import Counter

GATE = "CLKGATE_X1"
ENABLE, CLOCK, GATED = "E", "CK", "GCK"
MOST = 32  # registers of a gate: 54 fF with the wire load, of the 60.73 fF that it may drive
OUTPUT = re.compile(rf"^  {GATE} .*?\.{GATED}\((.*?)\)", re.MULTILINE | re.DOTALL)
CLOCKED = re.compile(r"^  DFF\w* .*?\.CK\((.*?)\)", re.MULTILINE | re.DOTALL)


def gating_figures(flat: str, least: int) -> dict[str, int]:
    """How many clock gates a netlist of one module has, and registers, behind them and in all."""
    clocks = Counter(net.strip() for net in CLOCKED.findall(flat))
    gated = [net.strip() for net in OUTPUT.findall(flat)]
    return {
        "least_registers": least,
        "clock_gates": len(gated),
        "gated_registers": sum(clocks[net] for net in gated),
        "registers": clocks.total(),
    }
