"""Prove the netlist equal to the RTL if that finishes in time: outputs/equivalence.json."""

import subprocess
import time

from flow.equivalence.prove import options_for, prove, read_rtl
from flow.gates.blif import of_netlist
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.netlist import read_netlist
from flow.results.netlist import Equivalence, Synthesis
from flow.step import IN, LIBERTY, leave, step, taken

TRUSTED = ["fsm: how a state machine's states are coded"]
GATED = (
    "gated clocks: a register behind a gate is one that takes its input if enabled; proved of the "
    "state table of the gate, for enables that are in time"
)
BOOTH = "booth: how a multiplier is built of adders"
ALONE = "start: a register that only one of the two has begins at 0, or as its twin does"


@step
def main(design_name: str, clock_port: str, proof_seconds: float) -> None:
    """Prove what the step's parameters name."""
    options = options_for(taken("synthesis", Synthesis))
    start = time.monotonic()
    counts: dict[str, int] = {}
    gates = 0
    try:
        mapped = MappedNetlist(read_netlist(IN / "flat.json"), Library(LIBERTY))
        gates = sum(len(kind.cells) for kind in mapped.clock_gates())
        netlist = of_netlist(mapped, clock_port)
        rtl = read_rtl(IN / "design.v", design_name, options, proof_seconds)
        outcome, counts = prove(rtl, netlist, proof_seconds)
    except subprocess.TimeoutExpired:
        outcome = f"not finished in {proof_seconds:g} s"
    found = Equivalence(
        outcome=outcome,
        **counts,
        trusted=TRUSTED
        + [BOOTH] * ("--booth" in options)
        + [GATED] * (gates > 0)
        + [ALONE] * (counts.get("registers_always_0", 0) + counts.get("registers_twins", 0) > 0),
        seconds=round(time.monotonic() - start, 1),
    )
    leave("equivalence", found)
