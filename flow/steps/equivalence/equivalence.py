"""Prove the netlist equal to the RTL if that finishes in time: outputs/equivalence.json."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pyosys

from flow.gates.blif import Circuit, common_registers, of_bits, of_netlist
from flow.gates.liberty import LibertyError, Library
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.netlist import read_netlist
from flow.step import IN, LIBERTY, leave, run_script, taken

ABC = Path(pyosys.__file__).with_name("yosys-abc")
PROVEN = "proven"
MIXED = "mixed"  # a netlist of modules by several recipes
TRUSTED = ["fsm: how a state machine's states are coded"]
GATED = (
    "gated clocks: a register behind a gate is one that takes its input if enabled; proved of the "
    "state table of the gate, for enables that are in time"
)
BOOTH = "booth: how a multiplier is built of adders"


def options_for(synthesis: dict) -> list[str]:
    """Choose what to do to the RTL as synthesis has, by the recipe of the netlist or its
    modules."""
    parts = synthesis["recipe"].split("+")
    if synthesis["recipe"] != MIXED:
        return [f"--{part}" for part in ("flat", "booth") if part in parts]
    rows = synthesis["modules"]
    others = [row["module"] for row in rows if "booth" not in row["recipe"].split("+")]
    return ["--booth", "--but", *others] if len(others) < len(rows) else []


def read_rtl(top: str, options: list[str], seconds: float) -> Circuit:
    """Read the design as a circuit; TimeoutExpired if that takes too long."""
    command = ["model.py", IN / "design.v", top, "rtl.json", *options]
    if error := run_script(command, Path("model.log"), seconds):
        sys.exit(f"ERROR: the RTL cannot be read: {error}")
    return of_bits(read_netlist(Path("rtl.json"), top))


def prove(rtl: Circuit, netlist: Circuit, seconds: float) -> tuple[str, dict]:
    """Compare the circuits: the outcome, and what else is known; exit 1 if they differ."""
    cut = common_registers(rtl, netlist)
    counts = {"registers": len(rtl.registers), "registers_paired": len(cut)}
    if netlist.unpaired(cut):
        return "not proven: the netlist has registers of its own", counts
    # Registers that synthesis has taken out start at 0, and must stay so.
    still = rtl.unpaired(cut)
    counts["registers_always_0"] = len(still)
    if rtl.interface(cut) != netlist.interface(cut):
        sys.exit("ERROR: the netlist has other ports than the RTL")
    counts["outputs_compared"] = len(rtl.interface(cut)[1])
    Path("rtl.blif").write_text(rtl.text(cut, still))
    Path("netlist.blif").write_text(netlist.text(cut, still))
    command = [ABC, "-c", f"cec -n -T {seconds:.0f} rtl.blif netlist.blif"]
    text = subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    Path("abc.log").write_text(text)
    if "Networks are equivalent" in text:
        return PROVEN, counts
    if "NOT EQUIVALENT" in text and still:
        return "not proven: the RTL has registers that the netlist lacks", counts
    if "NOT EQUIVALENT" in text:
        sys.exit("ERROR: the netlist is not equivalent to the RTL")
    return f"not finished in {seconds:g} s", counts


def main() -> None:
    """Prove what the step's parameters name."""
    env = os.environ
    top, seconds = env["design_name"], float(env["proof_seconds"])
    options = options_for(taken("synthesis"))
    start = time.monotonic()
    counts: dict = {}
    gates = 0
    try:
        mapped = MappedNetlist(read_netlist(IN / "flat.json", top), Library(LIBERTY))
        gates = sum(len(kind.cells) for kind in mapped.clock_gates())
        netlist = of_netlist(mapped, env["clock_port"])
        outcome, counts = prove(read_rtl(top, options, seconds), netlist, seconds)
    except (LibertyError, NetlistError) as error:
        sys.exit(f"ERROR: {error}")
    except subprocess.TimeoutExpired:
        outcome = f"not finished in {seconds:g} s"
    data = {
        "metrics": {},
        "outcome": outcome,
        **counts,
        "trusted": TRUSTED + [BOOTH] * ("--booth" in options) + [GATED] * (gates > 0),
        "seconds": round(time.monotonic() - start, 1),
    }
    leave("equivalence", data)


if __name__ == "__main__":
    main()
