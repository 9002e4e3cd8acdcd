"""What a design's time tells of a request: by experiment at RTL, beside what it declares.

A design of constant time is asked through its port, on its bus and by a C program, too.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random

from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.catalog.workloads import Request
from eval.contract.timing import Timed, experiment, tell
from eval.tasks.exponentiation import Answer, simulate_xcel
from eval.tasks.task import SHORT, Result, Task
from eval.tasks.traced import traced_digest
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, PERIPHERAL, OnStep, verilog_digest
from eval.tasks.versions import processor_tools
from fl.peripheral_map import LEAST_BITS
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
    from eval.tasks.peripheral import simulate_peripheral

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
    from proc.run.rsa_private import powers
    from proc.run.systems import make_system

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
