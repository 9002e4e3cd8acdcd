"""What a design's time tells of a request: by experiment at RTL, beside what it declares.

A design of constant time is asked through its port, on its bus and by a C program, too.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from cl.exponentiator import FACTORS
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.catalog.workloads import Request
from eval.contract.timing import Timed, experiment, tell
from eval.tasks.exponentiation import Answer, simulate_xcel
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.keyed import program
from eval.tasks.peripheral import simulate_peripheral
from eval.tasks.section import Section, measured
from eval.tasks.task import SHORT, OnStep, Result, Task
from eval.tasks.traced import traced_digest
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, PERIPHERAL, verilog_digest
from eval.tasks.versions import processor_tools
from fl.peripheral_map import LEAST_BITS
from proc.rsa_private import powers
from proc.systems import make_system
from sim.errors import RunError

REQUESTS = 100_000
PORT, BUS, PROGRAM = "port", "peripheral", "C program"
AROUND = {PORT: 2000, BUS: 50, PROGRAM: 20}  # requests at most through what is around it
WIDEST_PROGRAM = 1024  # bits up to which the processor runs with it


class Told(Result):
    """What the cycles depend on, of FACTORS: as declared, and as found, with two requests each
    whose cycles differ. Of what is around a design of constant time: its least and most cycles."""

    requests: int
    declared: list[str]
    found: dict[str, list[Timed]]
    around: dict[str, list[int]]

    @property
    def undeclared(self) -> list[str]:
        """What the experiment finds and the design does not declare."""
        return [factor for factor in self.found if factor not in self.declared]

    @property
    def moved(self) -> list[str]:
        """What is around the design where its constant time is none."""
        return [name for name, (least, most) in self.around.items() if least != most]

    @property
    def broken(self) -> str:
        """Say what is not as declared; empty if all is."""
        said = [f"its cycles tell the {factor}, undeclared" for factor in self.undeclared]
        return "; ".join(said + [f"its cycles differ through the {name}" for name in self.moved])


@dataclass(frozen=True)
class TimeTells(Task[Told]):
    """An experiment on a point's exponentiator, of so many requests."""

    point: Point
    requests: int = REQUESTS
    kind = "timing"
    Result = Told
    text = "{0.point} timing"
    shell = "timing {0.point.arguments} --requests {0.requests}"
    unit = EXPONENTIATOR
    rank = SHORT
    by_entry = True

    def tools(self) -> dict[str, str]:
        """Name what simulates, and what compiles the program."""
        return processor_tools()

    def uses(self) -> Iterable[str]:
        """Name the program."""
        return program("power.c")

    def verilog(self) -> str:
        """Hash that of the exponentiator, and of all that is around one of constant time."""
        point, found = self.point, [super().verilog()]
        ways = ways_around(point)
        if PORT in ways:
            found.append(verilog_digest(point, ACCELERATOR))
        if BUS in ways:
            found.append(verilog_digest(point, PERIPHERAL))
        if PROGRAM in ways:
            found.append(traced_digest(Processor(point.design, point.nbits)))
        return " ".join(found)

    def compute(self, on_step: OnStep) -> Told:
        """Send the requests; RunError if an answer is wrong."""
        on_step(f"{self.requests} requests")
        found = tell(self.point.entry, self.point.nbits, self.requests)
        exponentiator = self.point.entry.at(self.point.nbits)
        around = around_it(self.point, self.requests, on_step)
        declared = list(exponentiator.time_tells)
        return Told(self.tools(), self.requests, declared, found, around)


def ways_around(point: Point) -> list[str]:
    """List through what a design is asked, too, if it is of constant time."""
    if not point.entry.at(point.nbits).constant_time:
        return []
    narrow = [PROGRAM] if point.nbits <= WIDEST_PROGRAM else []
    return [PORT, *([BUS] if point.nbits >= LEAST_BITS else []), *narrow]


def around_it(point: Point, count: int, on_step: OnStep) -> dict[str, list[int]]:
    """Find the least and the most cycles through the port, on the bus and by a C program, of at
    most a tenth as many requests; none of a design whose time is not constant."""
    drawn = experiment(point.entry, point.nbits, AROUND[PORT]).requests
    requests = [Request(*one) for one in Random(1).sample(drawn, len(drawn))]
    ask: dict[str, Callable[[Sequence[Request]], list[int]]] = {
        PORT: lambda some: _cycles(simulate_xcel(point, some, "batch")),
        BUS: lambda some: _cycles(simulate_peripheral(point, some, "batch")),
        PROGRAM: lambda some: by_program(point, some),
    }
    found = {}
    for name in ways_around(point):
        on_step(name)
        cycles = ask[name](requests[: min(AROUND[name], count // 10)])
        found[name] = [min(cycles), max(cycles)]
    return found


def _cycles(answers: Sequence[Answer]) -> list[int]:
    return [answer.cycles for answer in answers]


def by_program(point: Point, requests: Sequence[Request]) -> list[int]:
    """Count the cycles of a C program's calls; RunError if an answer is wrong. Its operands are in
    the processor's memory, and it takes odd moduli above 1 only."""
    system = make_system("batch", lambda: point.entry.xcel("rtl", point.nbits))
    cycles = []
    try:
        for request in requests:
            mod = request.mod if request.mod % 2 and request.mod > 1 else 3
            [done] = powers(system, request.base, request.exp, mod, "xcel", point.nbits, 1)
            if done.result != pow(request.base, request.exp, mod):
                raise RunError(f"{point} on the processor: a call of {request} was wrong")
            cycles.append(done.cycles)
    finally:
        system.close()
    return cycles


def timing_grid(rows: Mapping[TimeTells, Told | None]) -> Grid | None:
    """Show what the cycles of every point depend on; None if nothing was measured."""
    lines = []
    for task, told in measured(rows).items():
        cells = (
            *(task.point.design, task.point.nbits, told.requests),
            *(_mark(factor, told) for factor in FACTORS),
            *(
                "-".join(map(str, dict.fromkeys(told.around[name])))
                if name in told.around
                else None
                for name in AROUND
            ),
        )
        lines.append(line(*cells, commands=(task.command,)))
    return grid(
        "What time tells",
        (
            words("design")
            + numbers(0, "bits", "requests")
            + words("base", "length", "bits", "mod-\nulus", "one\nbefore")
            + words("cycles:\nport", "peri-\npheral", "C pro-\ngram")
        ),
        lines,
        "Whether cycles differ between two requests that differ in the base alone, in the length "
        "of the exponent, in its other bits, in the modulus, or in whether the request before had "
        "the same modulus: at RTL (level batch), answers checked. A yes is declared by the design, "
        "too; ?: not declared; (no): declared, not seen. Of what no yes is at, cycles also through "
        "the accelerator's port, on the peripheral's bus and of a C program's call: one figure "
        "where all requests took as many.",
    )


def _mark(factor: str, told: Told) -> str:
    declared, found = factor in told.declared, factor in told.found
    return {(0, 0): "-", (1, 1): "yes", (0, 1): "yes?", (1, 0): "(no)"}[declared, found]


def pairs_grid(rows: Mapping[TimeTells, Told | None]) -> Grid | None:
    """Show for each yes two requests that differ in it alone, and their cycles."""
    return grid(
        "Two requests each",
        (
            words("design")
            + numbers(0, "bits")
            + words("they differ in", "base", "exponent", "modulus")
            + numbers(0, "cycles")
        ),
        (
            line(
                *(task.point.design, task.point.nbits, factor),
                *(_short(value) for value in operands),
                cycles,
                commands=(_command(task, operands),),
            )
            for task, told in measured(rows).items()
            for factor, pair in told.found.items()
            for *operands, cycles in pair
        ),
    )


def _short(value: int) -> str:
    text = f"{value:#x}"
    return text if len(text) <= 14 else f"{text[:8]}..{text[-4:]}"


def _command(task: TimeTells, operands: Sequence[int]) -> str:
    base, exp, mod = operands
    asked = f"--base {base} --exp {exp} --mod {mod}"
    return f"modexplorer simulate {task.point.arguments} {asked} --level batch"


def findings(rows: Mapping[TimeTells, Told | None]) -> list[str]:
    """Say which designs' time tells something that they do not declare."""
    return [
        f"{task.point} tells {', '.join(told.undeclared)} by its time, and does not declare it."
        for task, told in measured(rows).items()
        if told.undeclared
    ]


SECTION = Section(
    findings=findings,
    results=lambda rows: [timing_grid(rows)],
    details=lambda rows: [pairs_grid(rows)],
    alone=lambda rows: [timing_grid(rows), pairs_grid(rows)],
)
