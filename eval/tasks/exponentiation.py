"""Exponentiations on a design point at any level: the answers with their cycles."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from pymtl3 import Component

from cl.xcel import xcel_cycles
from eval.catalog.design import MODEL_LEVELS
from eval.catalog.point import Point, check_output, shorten
from eval.catalog.workloads import Request
from fl.messages import READ
from fl.xcel import RESULT, from_words, requests_for
from sim.errors import UserError
from sim.stream import LEVELS, StreamRunner
from sim.trace_key import trace_key


@dataclass(frozen=True)
class Answer:
    """What a design answered, and the cycles from the request to it."""

    result: int
    status: int
    cycles: int


def check_level(level: str) -> None:
    """Raise UserError unless there is such a level."""
    if level not in LEVELS:
        raise UserError(f"--level: no level {level!r}; choose from {', '.join(LEVELS)}")


def check_vcd(level: str, vcd: Path | None) -> None:
    """Raise UserError if waveforms are wanted that the level does not write to that file."""
    if vcd is None:
        return
    if level == "verilog":
        raise UserError(
            "--vcd: level verilog writes no waveforms; give --level batch, which runs the same"
        )
    if vcd.suffix != ".vcd":
        raise UserError(f"--vcd: {vcd} does not end in .vcd; name it {vcd.with_suffix('.vcd')}")
    check_output("--vcd", vcd)


def check_request(point: Point, request: Request) -> None:
    """Raise UserError unless the operands fit the point and the design takes the modulus."""
    moduli = point.entry.moduli
    if not point.entry.at(point.nbits).takes(request.mod):
        remedy = f"give a modulus of these: {moduli.text}"
        if moduli.only:
            remedy = f"give {moduli.only(point.nbits)}, the only one at {point.nbits} bits"
        raise UserError(
            f"--mod: {point.design} does not take {shorten(str(request.mod))}; {remedy}"
        )
    for argument in ("mod", "base", "exp"):
        value = getattr(request, argument)
        if value >> point.nbits:
            remedy = "reduce it modulo --mod, or raise" if argument == "base" else "raise"
            raise UserError(
                f"--{argument}: {shorten(str(value))} has {value.bit_length()} bits, "
                f"but --nbits is {point.nbits}; {remedy} --nbits"
            )


def simulate(
    point: Point,
    requests: Sequence[Request],
    level: str = "rtl",
    trace: Callable[[str], None] | None = None,
    vcd: Path | None = None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
) -> list[Answer]:
    """Ask the exponentiator; cycles count from a request's acceptance to its response.

    `on_cycles` is told how many cycles that will be in all, by the formulas.
    """
    n = point.nbits
    packed = [(r.base << n | r.exp) << n | r.mod for r in requests]
    component = point.entry.component(_model_level(level), n)
    limit = _limit(point, requests, on_cycles)
    with StreamRunner(component, level, vcd=vcd, name=str(point)) as runner:
        _show_key(component, level, trace)
        transfers = runner.run(packed, max_cycles=limit, trace=trace)
    return [Answer(t.response >> 1, t.response & 1, t.cycles) for t in transfers]


def simulate_xcel(
    point: Point,
    requests: Sequence[Request],
    level: str = "rtl",
    trace: Callable[[str], None] | None = None,
    vcd: Path | None = None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
) -> list[Answer]:
    """Ask through the accelerator's port; cycles count from the first push to the last pop."""
    sent = [requests_for(point.nbits, r.base, r.exp, r.mod) for r in requests]
    packed = [(type_ << 5 | addr) << 32 | data for one in sent for type_, addr, data in one]
    component = point.entry.xcel(_model_level(level), point.nbits)
    limit = _limit(point, requests, on_cycles) + 4 * len(packed)
    with StreamRunner(
        component, level, "xcel.req", "xcel.resp", vcd=vcd, name=f"{point} accelerator"
    ) as runner:
        _show_key(component, level, trace)
        transfers = iter(runner.run(packed, max_cycles=limit, trace=trace))
    answers = []
    for one in sent:
        shares = [next(transfers) for _ in one]
        pops = [
            share
            for share, (type_, addr, _) in zip(shares, one, strict=True)
            if (type_, addr) == (READ, RESULT)
        ]
        result = from_words([pop.response & 0xFFFFFFFF for pop in pops])
        status = shares[-1].response >> 1 & 1
        answers.append(Answer(result, status, pops[-1].arrived - shares[0].accepted))
    return answers


def _show_key(component: Component, level: str, trace: Callable[[str], None] | None) -> None:
    """Say what the columns of the trace mean; levels that run Verilog name every port."""
    for line in trace_key(component) if trace and level in MODEL_LEVELS else ():
        trace(line)


def _model_level(level: str) -> str:
    """Name the level of the component: batch and verilog run the translated rtl."""
    return level if level in MODEL_LEVELS else "rtl"


def _limit(point: Point, requests: Sequence[Request], on_cycles: Callable[[int], None]) -> int:
    """Say after how many cycles a run has failed: twice what it should take, and some."""
    cycles = sum(point.entry.cycles(point.nbits, r.base, r.exp, r.mod) for r in requests)
    on_cycles(cycles)
    return 2 * xcel_cycles(point.nbits, cycles) + 100 * len(requests)
