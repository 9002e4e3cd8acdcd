"""Proofs of small components against a Verilog expression: by yosys' SAT solver, or where several
cycles are looked at, by abc."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from pymtl3 import Component

from sim.translate import Translation, translate
from tests import bmc
from tests.yosys import run_yosys, started

# What makes the design Claim, read, flat, and then logic.
FLAT = ("hierarchy -check -top Claim", "proc", "flatten")
LOGIC = ("memory", "opt -full -noff", "chformal -lower", "opt_clean")
PROVEN, BROKEN = (
    f"SAT proof finished - {what}" for what in ("no model found: SUCCESS!", "model found: FAIL!")
)
TIME_LIMIT = 300


@dataclass(frozen=True)
class Claim:
    """What is claimed of a design: the assertions of a module's body, in each of so many cycles."""

    design: Translation
    body: str
    cycles: int = 1
    reset: str = "1'b0"

    def module(self) -> str:
        """The Verilog of the design, and of a module around it."""
        ports = [p for p in self.design.ports if p.name not in ("clk", "reset")]
        inputs = ", ".join(
            ["input clk"]
            + [f"input [{p.nbits - 1}:0] {p.name}" for p in ports if p.direction == "input"]
        )
        wires = "\n".join(
            f"wire [{p.nbits - 1}:0] {p.name};" for p in ports if p.direction == "output"
        )
        named = ", ".join(f".{p.name}({p.name})" for p in ports)
        unit = f"Unit unit(.clk(clk), .reset({self.reset}), {named});"
        lines = [f"module Claim({inputs});", wires, unit, self.body, "endmodule\n"]
        return self.design.text + "\n".join(lines)


class Asserted(NamedTuple):
    """A component, the body of assertions about its ports, and for how many cycles they stand."""

    component: Component
    body: str
    cycles: int


def holds(component: Component, assumptions: str, claim: str) -> Claim:
    """The claim holds for all inputs that are as assumed.

    Both are Verilog expressions over the ports' names.
    """
    body = f"always @* begin assume ({assumptions}); assert ({claim}); end"
    return Claim(translate(component, "Unit"), body)


def equation(component: Component, assumptions: str, spec: dict[str, str]) -> Claim:
    """The same of every output, by an expression over the inputs."""
    design = translate(component, "Unit")
    outputs = [p for p in design.ports if p.direction == "output"]
    claims = " ".join(f"assert ({p.name} == ({spec[p.name]}));" for p in outputs)
    return Claim(design, f"always @* begin assume ({assumptions}); {claims} end")


def in_time(component: Component, assumptions: str, claim: str, cycles: int) -> Claim:
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
    return Claim(design, "\n".join(body), cycles + 1)


def from_reset(component: Component, body: str, cycles: int) -> Claim:
    """The same of assertions in a module's body, in each of so many cycles; t = 0 is a reset."""
    counter = "reg [7:0] t = 0; always @(posedge clk) t <= t + 1;\n"
    return Claim(translate(component, "Unit"), counter + body, cycles, "t == 0")


def prove_all(folder: Path, claims: Mapping[str, Claim]) -> str:
    """ "proven", or the first claim that is not, in which cycle it is broken and by what."""
    at_once = {name: claim for name, claim in claims.items() if claim.cycles == 1}
    in_cycles = {name: claim for name, claim in claims.items() if claim.cycles != 1}
    broken = _broken_at_once(folder, at_once) if at_once else ""
    if in_cycles and not broken:
        broken = _broken_in_cycles(folder, in_cycles)
    return broken or "proven"


def _read(folder: Path, number: int, claim: Claim) -> list[str]:
    """The commands that begin with a claim."""
    source = folder / f"claim_{number}.sv"
    source.write_text(claim.module())
    return ["design -reset", f"read_verilog -sv -formal {source}", *FLAT]


def _broken_at_once(folder: Path, claims: Mapping[str, Claim]) -> str:
    commands = []
    for i, claim in enumerate(claims.values()):
        prove = f"sat -verify -prove-asserts -set-assumes -timeout {TIME_LIMIT} Claim"
        commands += [*_read(folder, i, claim), *LOGIC, prove]
    run = started(*commands, seconds=2 * TIME_LIMIT)
    proven = run.stdout.count(PROVEN)
    if run.returncode == 0 and proven == len(claims):
        return ""
    cycle = "broken in cycle 0: " if BROKEN in run.stdout else ""
    return f"{list(claims)[proven]}: {cycle}{run.stdout[-2000:]}{run.stderr[-500:]}"


def _broken_in_cycles(folder: Path, claims: Mapping[str, Claim]) -> str:
    commands, files = [], {}
    for i, (name, claim) in enumerate(claims.items()):
        files[name] = folder / f"claim_{i}.aig"
        commands += [*_read(folder, i, claim), bmc.FREE, *LOGIC, *bmc.mapped(files[name])]
    run_yosys(*commands)
    for name, claim in claims.items():
        if (said := bmc.holds(files[name], claim.cycles)) != bmc.HOLDS:
            return f"{name}: {said}"
    return ""


def prove_in_time(
    folder: Path, component: Component, assumptions: str, claim: str, cycles: int
) -> str:
    """The same of a claim in_time."""
    return prove_all(folder, {"claim": in_time(component, assumptions, claim, cycles)})


def prove_from_reset(folder: Path, component: Component, body: str, cycles: int) -> str:
    """The same of assertions from_reset."""
    return prove_all(folder, {"assertions": from_reset(component, body, cycles)})
