"""Compare a netlist with the RTL that it was made of, register by register."""

import subprocess
from pathlib import Path

import pyosys

from flow.child import run_script
from flow.gates.blif import Circuit, common_registers, of_bits, twins_of
from flow.results.netlist import COMPOSED, MIXED, Synthesis
from flow.yosys_json import read_module
from sim.errors import RunError

MODEL = Path(__file__).with_name("model.py")
ABC = Path(pyosys.__file__).with_name("yosys-abc")
PROVEN, DIFFERENT = "proven", "different"


def options_for(synthesis: Synthesis) -> list[str]:
    """Choose what to do to the RTL as synthesis has, by the recipe of the netlist or its
    modules."""
    parts = synthesis.recipe.split("+")
    if synthesis.recipe not in (MIXED, COMPOSED):
        return [f"--{part}" for part in ("flat", "booth") if part in parts]
    rows = synthesis.modules
    others = [row.module for row in rows if "booth" not in row.by.split("+")]
    return ["--booth", "--but", *others] if len(others) < len(rows) else []


def read_rtl(verilog: Path, top: str, options: list[str], seconds: float) -> Circuit:
    """Read the design as a circuit; TimeoutExpired if that takes too long."""
    arguments = [verilog, top, "rtl.json", *options]
    if error := run_script(MODEL, arguments, Path("model.log"), seconds):
        raise RunError(f"the RTL cannot be read: {error}")
    return of_bits(read_module(Path("rtl.json"), top))


def prove(rtl: Circuit, netlist: Circuit, seconds: float) -> tuple[str, dict[str, int]]:
    """Compare the circuits: the outcome, and what else is known; RunError if they differ."""
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
        raise RunError("the netlist has other ports than the RTL")
    counts["outputs_compared"] = len(rtl.interface(cut)[1])
    said = compare([circuit.text(cut, still, twins) for circuit in (rtl, netlist)], seconds)
    if said == DIFFERENT and (still or twins):
        # What such registers do may differ from what they are taken for, with no fault elsewhere.
        texts = [circuit.text(cut, still, twins, unpaired_only=True) for circuit in (rtl, netlist)]
        if compare(texts, seconds) != PROVEN:
            return "not proven: a register that only one of the two has stays no 0 or twin", counts
    if said == DIFFERENT:
        raise RunError("the netlist is not equivalent to the RTL")
    return said, counts


def compare(texts: list[str], seconds: float) -> str:
    """Compare two circuits without registers by abc."""
    files = ["rtl.blif", "netlist.blif"]
    for file, text in zip(files, texts, strict=True):
        Path(file).write_text(text)
    command: list[str | Path] = [ABC, "-c", f"cec -n -T {seconds:.0f} {' '.join(files)}"]
    text = subprocess.run(command, capture_output=True, text=True, timeout=seconds).stdout
    Path("abc.log").write_text(text)
    if "Networks are equivalent" in text:
        return PROVEN
    return DIFFERENT if "NOT EQUIVALENT" in text else f"not finished in {seconds:g} s"
