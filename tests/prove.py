"""Proofs of small combinational components against a Verilog expression, by yosys' SAT solver.

`python -m tests.prove <file> <top>` proves every assertion of a module; yosys ends the process
when it meets an error, so proofs run in one of their own.
"""

import subprocess
import sys
from pathlib import Path

from pymtl3 import Component

from sim.translate import translate
from tests.places import ROOT

TIME_LIMIT = 300


def prove(folder: Path, component: Component, assumptions: str, spec: dict[str, str]) -> str:
    """ "proven", or what the solver said of outputs that differ from spec[output] somewhere.

    assumptions and the specification are Verilog expressions over the input ports' names.
    """
    design = translate(component, "Unit")
    inputs = [p for p in design.ports if p.direction == "input" and p.name not in ("clk", "reset")]
    outputs = [p for p in design.ports if p.direction == "output"]
    ports = ", ".join(f"input [{p.nbits - 1}:0] {p.name}" for p in inputs)
    wires = "\n".join(f"wire [{p.nbits - 1}:0] {p.name};" for p in outputs)
    named = ", ".join(f".{p.name}({p.name})" for p in (*inputs, *outputs))
    claims = " ".join(f"assert ({p.name} == ({spec[p.name]}));" for p in outputs)
    text = (
        f"module Claim({ports});\n{wires}\nUnit unit(.clk(1'b0), .reset(1'b0), {named});\n"
        f"always @* begin assume ({assumptions}); {claims} end\nendmodule\n"
    )
    source = folder / "claim.sv"
    source.write_text(design.text + text)
    run = subprocess.run(
        [sys.executable, "-m", "tests.prove", str(source), "Claim"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * TIME_LIMIT,
    )
    if run.returncode == 0 and "SAT proof finished - no model found: SUCCESS!" in run.stdout:
        return "proven"
    return run.stdout[-2000:] + run.stderr[-500:]


def main(source: str, top: str) -> None:
    """Lower the module's assertions and hand them to `sat`; exits non-zero unless proven."""
    from pyosys import libyosys

    design = libyosys.Design()
    for command in (
        f"read_verilog -sv -formal {source}",
        f"hierarchy -check -top {top}",
        "proc",
        "flatten",
        "opt -full",
        "chformal -lower",
        "opt_clean",
        f"sat -verify -prove-asserts -set-assumes -timeout {TIME_LIMIT} {top}",
    ):
        libyosys.run_pass(command, design)


if __name__ == "__main__":
    main(*sys.argv[1:])
