"""An operation on a design in every system, each part at every level: result, cycles, speed."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from time import process_time
from typing import Any

from cl.exponentiator import ExponentiatorOfParts
from cl.xcel import xcel_cycles
from eval.catalog.design import model_level
from eval.catalog.mixed import MixedPoint
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.exponentiation import check_request
from eval.tasks.port import PORTS, messages, popped
from fl.xcel import requests_for
from proc.run.levels import make_system
from proc.run.rsa_private import power
from sim.stream import LEVELS, StreamRunner

EXPONENTIATOR, ACCELERATOR, PROCESSOR = "exponentiator", "accelerator", "processor"
MIXED = (("cl", "rtl"), ("cl", "verilog"), ("rtl", "fl"), ("rtl", "cl"), ("rtl", "verilog"))
ON_PROCESSOR = (
    *(("fl", "fl"), ("fl", "cl"), ("fl", "rtl"), ("cl", "fl"), ("cl", "cl"), ("cl", "rtl")),
    *(("rtl", "fl"), ("rtl", "cl"), ("rtl", "rtl"), ("batch", "rtl")),
)
FAR = 1 << 40


@dataclass(frozen=True)
class Way:
    """A system, and the level of each of its parts; "" for a part that it has not, or whose level
    is that of what it is in."""

    system: str
    processor: str = ""
    accelerator: str = ""
    exponentiator: str = ""
    unit: str = ""

    @property
    def levels(self) -> tuple[str, ...]:
        """Return the levels in it."""
        parts = (self.processor, self.accelerator, self.exponentiator, self.unit)
        return tuple(level for level in parts if level)

    @property
    def is_timed(self) -> bool:
        """Return whether all of it has a clock."""
        return "fl" not in self.levels


@dataclass(frozen=True)
class Ran:
    """What came of a way: the result, the cycles where all has a clock, those that are right, and
    how many were simulated in a second of CPU time."""

    way: Way
    result: int
    cycles: int | None
    right: bool
    speed: float | None

    def as_dict(self) -> dict[str, Any]:
        """Return all of it by name."""
        own = {"result": self.result, "cycles": self.cycles, "right": self.right}
        return vars(self.way) | own | {"cycles_per_s": self.speed}


def ways(point: Point, levels: tuple[str, ...]) -> list[Way]:
    """List the systems with each part at each level, of those that are wanted and there are."""
    entry = point.entry
    found = [Way(EXPONENTIATOR, exponentiator=level) for level in LEVELS]
    model = entry.at(point.nbits)
    if isinstance(model, ExponentiatorOfParts) and not model.measured:
        found += [Way(EXPONENTIATOR, exponentiator=level, unit=unit) for level, unit in MIXED]
    found += [Way(ACCELERATOR, accelerator=level) for level in LEVELS]
    found += [Way(PROCESSOR, processor=level, accelerator=xcel) for level, xcel in ON_PROCESSOR]
    translated = {"verilog", "batch"} if entry.assumed else set()
    wanted = {*levels} - translated
    return [way for way in found if wanted.issuperset(way.levels)]


def run_ways(
    point: Point,
    request: Request,
    chosen: list[Way],
    on_step: Callable[[Way, int], None] = lambda way, done: None,
) -> Iterator[Ran]:
    """Run the operation in each way; right is what Python's pow says and, where all has a clock,
    the formula, on the processor the cycles of the first such way."""
    check_request(point, request)
    latency = point.entry.cycles(point.nbits, request.base, request.exp, request.mod)
    cycles: dict[str, int] = {
        EXPONENTIATOR: latency,
        ACCELERATOR: xcel_cycles(point.nbits, latency),
    }
    for done, way in enumerate(chosen):
        on_step(way, done)
        run = {EXPONENTIATOR: _alone, ACCELERATOR: _at_port, PROCESSOR: _on_processor}[way.system]
        result, taken, seconds = run(point, request, way)
        right = result == request.result
        if way.is_timed:
            right = right and taken == cycles.setdefault(way.system, taken)
        speed = taken / seconds if way.is_timed and seconds > 0 else None
        yield Ran(way, result, taken if way.is_timed else None, right, speed)


def _alone(point: Point, request: Request, way: Way) -> tuple[int, int, float]:
    n, level = point.nbits, way.exponentiator
    if way.unit:
        point = MixedPoint(point.design, n, (f"unit={way.unit}",))
    component = point.entry.component(model_level(level), n)
    packed = [(request.base << n | request.exp) << n | request.mod]
    with StreamRunner(component, level) as runner:
        start = process_time()
        (transfer,) = runner.run(packed, max_cycles=FAR)
        return transfer.response >> 1, transfer.cycles, process_time() - start


def _at_port(point: Point, request: Request, way: Way) -> tuple[int, int, float]:
    level = way.accelerator
    component = point.entry.xcel(model_level(level), point.nbits)
    sent = requests_for(point.nbits, request.base, request.exp, request.mod)
    packed = messages(sent)
    with StreamRunner(component, level, *PORTS) as runner:
        start = process_time()
        shares = runner.run(packed, max_cycles=FAR)
        seconds = process_time() - start
    found = popped(sent, shares)
    return found.result, found.cycles, seconds


def _on_processor(point: Point, request: Request, way: Way) -> tuple[int, int, float]:
    xcel = partial(point.entry.xcel, way.accelerator, point.nbits)
    system: Any = make_system(way.processor, xcel)
    operands = request.base, request.exp, request.mod
    try:
        start = process_time()
        done = power(system, *operands, "xcel", point.nbits)
        return done.result, done.cycles, process_time() - start
    finally:
        system.close()
