"""Bounded model checking by abc, of an AIGER file: an output at 1 breaks a claim."""

import re
import subprocess
from pathlib import Path

import pyosys

ABC = Path(pyosys.__file__).with_name("yosys-abc")
TIME_LIMIT = 3600
HOLDS = "holds"
FREE = "setundef -undriven -anyseq"  # of flat hardware: what drives nothing, or X, is any value


def mapped(to: Path) -> list[str]:
    """The commands of Yosys that write logic as such a file, its outputs named in one beside it; a
    register without an initial value begins with any, and one that nothing loads is kept."""
    return [
        "techmap; dffunmap; opt -noff",
        f"{FREE}; aigmap; opt_clean",
        f"write_aiger -zinit -symbols -map {to.with_suffix('.map')} {to}",
    ]


def holds(aiger: Path, cycles: int, output: int | None = None) -> str:
    """HOLDS if no output is 1 in the first cycles, or the one of that number; or in which cycle one
    is, and the inputs until then, as name@cycle."""
    of_one = "" if output is None else f"cone -O {output} -R 1; scleanup; "
    inputs = aiger.with_suffix(".inputs")
    check = f"bmc3 -F {cycles} -T {TIME_LIMIT}; write_cex -n {inputs.name}"
    run = subprocess.run(
        [ABC, "-c", f"read_aiger {aiger.name}; fold; {of_one}{check}"],
        cwd=aiger.parent,
        capture_output=True,
        text=True,
        timeout=2 * TIME_LIMIT,
    )
    if f"No output asserted in {cycles} frames." in run.stdout and "timeout" not in run.stdout:
        return HOLDS
    if found := re.search(r"asserted in frame (\d+)", run.stdout):
        return f"broken in cycle {found[1]}: {inputs.read_text()[-2000:]}"
    raise ValueError(run.stdout[-2000:] + run.stderr[-500:])
