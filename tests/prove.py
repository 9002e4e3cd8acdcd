"""Proofs of small components against a Verilog expression, by yosys' SAT solver.

`python -m tests.prove <file> <top> <cycles>` proves every assertion of a module in each of its
first cycles; yosys ends the process when it meets an error, so proofs run in one of their own.
"""

import subprocess
import sys
from pathlib import Path

from pymtl3 import Component

from sim.translate import Translation, translate
from tests.places import ROOT

TIME_LIMIT = 300


def prove(folder: Path, component: Component, assumptions: str, spec: dict[str, str]) -> str:
    """ "proven", or what the solver said of outputs that differ from spec[output] somewhere.

    assumptions and the specification are Verilog expressions over the input ports' names.
    """
    design = translate(component, "Unit")
    outputs = [p for p in design.ports if p.direction == "output"]
    claims = " ".join(f"assert ({p.name} == ({spec[p.name]}));" for p in outputs)
    return _proof(folder, design, f"always @* begin assume ({assumptions}); {claims} end")


def prove_in_time(
    folder: Path, component: Component, assumptions: str, claim: str, cycles: int
) -> str:
    """The same of registers, which may begin with any value: the claim holds in cycle `cycles`.

    Both are Verilog expressions: over the ports' names and the cycle `t`, from 0; in the claim
    port_3 is what stood at the port in cycle 3.
    """
    design = translate(component, "Unit")
    seen = [
        f"reg [{p.nbits - 1}:0] {p.name}_{i}; "
        f"always @(posedge clk) if (t == {i}) {p.name}_{i} <= {p.name};"
        for p in design.ports
        for i in range(cycles)
        if p.name not in ("clk", "reset")
    ]
    body = [
        "reg [7:0] t = 0; always @(posedge clk) t <= t + 1;",
        *seen,
        f"always @* begin assume ({assumptions}); assert (t != {cycles} || ({claim})); end",
    ]
    return _proof(folder, design, "\n".join(body), cycles + 1)


def prove_from_reset(folder: Path, component: Component, body: str, cycles: int) -> str:
    """The same of assertions in a module's body, in each of so many cycles; t = 0 is a reset."""
    counter = "reg [7:0] t = 0; always @(posedge clk) t <= t + 1;\n"
    return _proof(folder, translate(component, "Unit"), counter + body, cycles, "t == 0")


def _proof(
    folder: Path, design: Translation, body: str, cycles: int = 1, reset: str = "1'b0"
) -> str:
    """What the solver says of the assertions in a module around the design."""
    inputs = [p for p in design.ports if p.direction == "input" and p.name not in ("clk", "reset")]
    outputs = [p for p in design.ports if p.direction == "output"]
    ports = ", ".join(f"input [{p.nbits - 1}:0] {p.name}" for p in inputs)
    wires = "\n".join(f"wire [{p.nbits - 1}:0] {p.name};" for p in outputs)
    named = ", ".join(f".{p.name}({p.name})" for p in (*inputs, *outputs))
    source = folder / "claim.sv"
    source.write_text(
        f"{design.text}module Claim(input clk, {ports});\n{wires}\n"
        f"Unit unit(.clk(clk), .reset({reset}), {named});\n{body}\nendmodule\n"
    )
    run = subprocess.run(
        [sys.executable, "-m", "tests.prove", str(source), "Claim", str(cycles)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=2 * TIME_LIMIT,
    )
    if run.returncode == 0 and "SAT proof finished - no model found: SUCCESS!" in run.stdout:
        return "proven"
    return run.stdout[-2000:] + run.stderr[-500:]


def main(source: str, top: str, cycles: str) -> None:
    """Lower the module's assertions and hand them to `sat`; exits non-zero unless proven."""
    in_time = f"-seq {cycles}" if cycles != "1" else ""
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
        f"sat -verify -prove-asserts -set-assumes {in_time} -timeout {TIME_LIMIT} {top}",
    ):
        libyosys.run_pass(command, design)


if __name__ == "__main__":
    main(*sys.argv[1:])
