"""Exponentiations on a design point at any level: the answers with their cycles, both checked.

A wrong answer is a RunError that names the request, so that nothing is printed or measured of it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pymtl3 import Component

from cl.exponentiator import Exponentiator
from cl.xcel import xcel_cycles
from eval.catalog.design import MODEL_LEVELS, model_level
from eval.catalog.inputs import check_output, shorten
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.port import PORTS, messages, popped
from fl.exponentiator import BAD_MODULUS, OK
from fl.xcel import STATUS_BAD_MODULUS, requests_for
from sim.errors import ArgumentError, RunError, UserError
from sim.stream import LEVELS, StreamRunner
from sim.trace_key import trace_key

STATUS = {OK: "ok", BAD_MODULUS: "bad modulus"}
FORMULA = "formula"  # nothing runs: what every level with a clock must answer, and when


@dataclass(frozen=True)
class Answer:
    """What a design answers, and the cycles from the request to it, if the level has a clock."""

    result: int
    status: int
    cycles: Any  # an int, or None of a level without a clock

    def __str__(self) -> str:
        after = "" if self.cycles is None else f" after {self.cycles} cycles"
        return f"{shorten(self.result)} ({STATUS[self.status]}){after}"


def check_level(level: str) -> None:
    """Raise UserError unless there is such a level."""
    if level not in (*LEVELS, FORMULA):
        levels = ", ".join((*LEVELS, FORMULA))
        raise UserError(f"--level: no level {level!r}; choose from {levels}")


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
    """Raise UserError unless the design takes the modulus and the operands fit its width."""
    moduli = point.entry.moduli
    if not point.entry.at(point.nbits).takes(request.mod):
        remedy = f"give a modulus of these: {moduli.text}"
        if moduli.only:
            remedy = f"give {moduli.only(point.nbits)}, the only one at {point.nbits} bits"
        raise UserError(f"--mod: {point.design} does not take {shorten(request.mod)}; {remedy}")
    check_width(point, request)


def check_width(point: Point, request: Request) -> None:
    """Raise ArgumentError unless the operands fit the point's width."""
    for argument in ("mod", "base", "exp"):
        value = getattr(request, argument)
        if value >> point.nbits:
            remedy = "reduce it modulo --mod, or raise" if argument == "base" else "raise"
            raise ArgumentError(
                f"--{argument}: {shorten(value)} has {value.bit_length()} bits, "
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
    units = point.entry.at(n).through(tuple(vars(request).values()) for request in requests)
    right = [_right(point, request, unit) for request, unit in zip(requests, units, strict=True)]
    packed = [(r.base << n | r.exp) << n | r.mod for r in requests]
    component = point.entry.component(model_level(level), n)
    limit = _limit(n, right, on_cycles)
    with StreamRunner(component, level, vcd=vcd, name=_first(str(point), requests)) as runner:
        show_key(component, level, trace)
        transfers = runner.run(packed, max_cycles=limit, trace=trace)
    answers = [Answer(t.response >> 1, t.response & 1, t.cycles) for t in transfers]
    return _checked(str(point), point, level, requests, answers, right)


def simulate_xcel(
    point: Point,
    requests: Sequence[Request],
    level: str = "rtl",
    trace: Callable[[str], None] | None = None,
    vcd: Path | None = None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
) -> list[Answer]:
    """Ask through the accelerator's port; cycles count from the first push to the last pop."""
    unit = point.entry.at(point.nbits)  # moduli are pushed: nothing is kept
    right = [_right(point, request, unit) for request in requests]
    sent = [requests_for(point.nbits, r.base, r.exp, r.mod) for r in requests]
    packed = messages(request for one in sent for request in one)
    component = point.entry.xcel(model_level(level), point.nbits)
    limit = _limit(point.nbits, right, on_cycles) + 4 * len(packed)
    name = f"{point} accelerator"
    with StreamRunner(component, level, *PORTS, vcd, _first(name, requests)) as runner:
        show_key(component, level, trace)
        transfers = iter(runner.run(packed, max_cycles=limit, trace=trace))
    answers = []
    for one in sent:
        found = popped(one, [next(transfers) for _ in one])
        status = BAD_MODULUS if found.status & STATUS_BAD_MODULUS else OK
        answers.append(Answer(found.result, status, found.cycles))
    right = [replace(one, cycles=xcel_cycles(point.nbits, one.cycles)) for one in right]
    return _checked(name, point, level, requests, answers, right)


def by_formula(
    point: Point, requests: Sequence[Request], *_run: object, through_port: bool
) -> list[Answer]:
    """Say what the exponentiator, or the accelerator's port, must answer, and when."""
    unit = point.entry.at(point.nbits)
    right = [_right(point, request, unit) for request in requests]
    if through_port:
        right = [replace(one, cycles=xcel_cycles(point.nbits, one.cycles)) for one in right]
    return right


def _first(name: str, requests: Sequence[Request]) -> str:
    """Name a run by its first request, for what is said if no answer comes."""
    return ", ".join([name, *map(str, requests[:1])])


def _right(point: Point, request: Request, unit: Exponentiator) -> Answer:
    """Say what the exponentiator must answer, by Python's pow and its formula."""
    check_width(point, request)
    cycles = unit.latency(**vars(request))
    if unit.takes(request.mod):
        return Answer(request.result, OK, cycles)
    return Answer(0, BAD_MODULUS, cycles)


def _checked(
    name: str,
    point: Point,
    level: str,
    requests: Sequence[Request],
    answers: Sequence[Answer],
    right: Sequence[Answer],
) -> list[Answer]:
    """Return the answers; RunError names the first request whose answer is wrong or mistimed."""
    if level == "fl":  # has no clock
        answers, right = ([replace(a, cycles=None) for a in both] for both in (answers, right))
    if point.entry.at(point.nbits).measured:  # each by itself, after a reset
        right = [replace(r, cycles=a.cycles) for r, a in zip(right, answers, strict=True)]
    for request, answer, expected in zip(requests, answers, right, strict=True):
        if answer != expected:
            raise RunError(
                f"{name} at level {level}: {request} was answered {answer}, right is {expected}"
            )
    return list(answers)


def show_key(component: Component, level: str, trace: Callable[[str], None] | None) -> None:
    """Say what the columns of the trace mean; levels that run Verilog name every port."""
    if trace and level in MODEL_LEVELS:
        for line in trace_key(component):
            trace(line)


def _limit(nbits: int, right: Sequence[Answer], on_cycles: Callable[[int], None]) -> int:
    """Say after how many cycles a run has failed: twice what it should take, and some."""
    cycles = sum(answer.cycles for answer in right)
    on_cycles(cycles)
    return 2 * xcel_cycles(nbits, cycles) + 100 * len(right)
