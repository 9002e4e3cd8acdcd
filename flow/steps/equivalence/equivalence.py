"""Prove the netlist equal to the RTL if that finishes in time: outputs/equivalence.json."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pyosys

from flow.gates.blif import Circuit, common_registers, of_bits, of_netlist, twins_of
from flow.gates.liberty import LibertyError, Library
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.netlist import read_netlist
from flow.step import IN, LIBERTY, leave, run_script, taken
from flow.yosys_json import read_module

ABC = Path(pyosys.__file__).with_name("yosys-abc")
PROVEN, DIFFERENT = "proven", "different"
MIXED = "mixed"  # a netlist of modules by several recipes
TRUSTED = ["fsm: how a state machine's states are coded"]
GATED = (
    "gated clocks: a register behind a gate is one that takes its input if enabled; proved of the "
    "state table of the gate, for enables that are in time"
)
BOOTH = "booth: how a multiplier is built of adders"
ALONE = "start: a register that only one of the two has begins at 0, or as its twin does"


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
    return of_bits(read_module(Path("rtl.json"), top))


def prove(rtl: Circuit, netlist: Circuit, seconds: float) -> tuple[str, dict]:
    """Compare the circuits: the outcome, and what else is known; exit 1 if they differ."""
    cut = common_registers(rtl, netlist)
    own, taken_out = netlist.unpaired(cut), rtl.unpaired(cut)
    # yosys reads the RTL as one module, and so finds more registers to be alike, or constant.
    twins = twins_of(cut, rtl, netlist)
    still = taken_out + [name for name in own if name in rtl.constant]
    counts = {"registers": len(rtl.registers), "registers_paired": len(cut)}
    if set(own) - set(still) - set(twins):
        return "not proven: the netlist has registers of its own", counts
    counts["registers_always_0"], counts["registers_twins"] = len(still), len(twins)
    if rtl.interface(cut) != netlist.interface(cut):
        sys.exit("ERROR: the netlist has other ports than the RTL")
    counts["outputs_compared"] = len(rtl.interface(cut)[1])
    said = compare([circuit.text(cut, still, twins) for circuit in (rtl, netlist)], seconds)
    if said == DIFFERENT and (still or twins):
        # What such registers do may differ from what they are taken for, with no fault elsewhere.
        texts = [circuit.text(cut, still, twins, unpaired_only=True) for circuit in (rtl, netlist)]
        if compare(texts, seconds) != PROVEN:
            return "not proven: a register that only one of the two has stays no 0 or twin", counts
    if said == DIFFERENT:
        sys.exit("ERROR: the netlist is not equivalent to the RTL")
    return said, counts


def compare(texts: list[str], seconds: float) -> str:
    """Compare two circuits without registers by abc."""
    files = ["rtl.blif", "netlist.blif"]
    for file, text in zip(files, texts, strict=True):
        Path(file).write_text(text)
    command = [ABC, "-c", f"cec -n -T {seconds:.0f} {' '.join(files)}"]
    text = subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    Path("abc.log").write_text(text)
    if "Networks are equivalent" in text:
        return PROVEN
    return DIFFERENT if "NOT EQUIVALENT" in text else f"not finished in {seconds:g} s"


def main() -> None:
    """Prove what the step's parameters name."""
    env = os.environ
    top, seconds = env["design_name"], float(env["proof_seconds"])
    options = options_for(taken("synthesis"))
    start = time.monotonic()
    counts: dict = {}
    gates = 0
    try:
        mapped = MappedNetlist(read_netlist(IN / "flat.json"), Library(LIBERTY))
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
        "trusted": TRUSTED
        + [BOOTH] * ("--booth" in options)
        + [GATED] * (gates > 0)
        + [ALONE] * (counts.get("registers_always_0", 0) + counts.get("registers_twins", 0) > 0),
        "seconds": round(time.monotonic() - start, 1),
    }
    leave("equivalence", data)


if __name__ == "__main__":
    main()
