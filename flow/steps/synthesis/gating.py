"""Clock gating: the passes that put it in, and what came of it in a netlist."""

import re
from collections import Counter

GATE = "CLKGATE_X1"
ENABLE, CLOCK, GATED = "E", "CK", "GCK"
OUTPUT = re.compile(rf"^  {GATE} .*?\.{GATED}\((.*?)\)", re.MULTILINE | re.DOTALL)
CLOCKED = re.compile(r"^  DFF\w* .*?\.CK\((.*?)\)", re.MULTILINE | re.DOTALL)
# What registers may be when gates are put in; each must take what the library has afterwards.
REGISTERS = ("$_DFF_P_", "$_DFFE_PP_", "$_SDFF_PP?_", "$_SDFFCE_PP?P_")


def gating_passes(least: int) -> list[str]:
    """The passes that let a gate clock registers with one enable, `least` of them or more.

    A register that is reset whatever its enable is becomes one enabled by either; yosys gates
    none else. Merging makes enables that are equal one net, which is what it goes by.
    """
    cells = " ".join(f"-cell {kind} x" for kind in REGISTERS)
    pins = f"{ENABLE}:{CLOCK}:{GATED}"
    return [
        f"dfflegalize {cells}",
        "opt_merge; opt_clean",
        f"clockgate -pos {GATE} {pins} -min_net_size {least}",
    ]


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
