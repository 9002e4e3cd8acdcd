"""The leakage of an accelerator by its power: what is measured, and the row of it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import numpy as np

from cl.xcel import xcel_cycles
from eval.catalog.point import Point
from eval.tasks.leakage.keys import stages_at, tools_of
from eval.tasks.leakage.levels import AT_ONCE, GATES, GLITCHES, LAYOUT, RTL
from eval.tasks.leakage.operations import AGAINST, Operations, pushes_of
from eval.tasks.task import SHORT, Result, Task
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.results.record import Record

if TYPE_CHECKING:
    from eval.tasks.leakage.gates import GateTraces
    from eval.tasks.leakage.rtl import RtlTraces

TRACES = {RTL: 100_000, GATES: 2000, GLITCHES: 2000, LAYOUT: 2000}  # of a test, if not given
CHECKPOINTS = (100, 200, 500, 1000, 2000, 5000, 10_000, 20_000, 50_000)  # looked at on the way
MOST_CYCLES = 4096  # recorded of an operation
MEAN_OF = 500  # traces of the simple attack's mean
PARTS_SHOWN = 5


class Part(Record):
    """A register or net, the largest |t| of its toggles, and the cycle in which that is."""

    name: str
    t: float
    cycle: int


class Test(Record):
    """A t-test: t by cycle, for either order; of the cycles from the last push on, in how many both
    halves leak; after how many traces that is first seen; noise, in bits or fJ, that hides it; the
    parts that leak most."""

    t: list[list[float]]
    leaking: list[int]
    seen: list[int | None]
    parts: list[Part]
    hiding: float | None = None

    def most(self, begin: int = 0, order: int = 1) -> float:
        """Return the largest |t| from a cycle on."""
        return max((abs(t) for t in self.t[order - 1][begin:]), default=0.0)


class Read(Record):
    """What the simple attack reads of the exponent, right bits of how many, and its mean trace."""

    right: int
    bits: int
    mean: list[float]


class LeakageResult(Result):
    """The tests by what is fixed and random, from which cycle on the operands are there, and what
    can be read off a mean trace, in designs that square and multiply side by side."""

    work: int
    tests: dict[str, Test]
    read: Read | None = None


@dataclass(frozen=True)
class Leakage(Task[LeakageResult]):
    """T-tests of a point's accelerator by so many traces, plain or blinded: of the toggles of its
    registers at RTL, or of the energy of its nets at gates, without or with glitches, or after
    layout."""

    point: Point
    traces: Any = None  # an int: of TRACES, if it is not given
    blind_base: bool = False
    mask_bits: int = 0
    level: str = RTL
    kind = "leakage"
    Result = LeakageResult
    text = "{0.point} leakage{0.options}"
    shell = "leakage {0.point.arguments}{0.options}"
    unit = ACCELERATOR
    rank = SHORT
    by_entry = True

    def __post_init__(self) -> None:
        if self.traces is None:
            object.__setattr__(self, "traces", TRACES[self.level])
        self.operations  # refuses what does not go together

    @property
    def operations(self) -> Operations:
        """What is computed."""
        return Operations(self.point, self.blind_base, self.mask_bits)

    @property
    def options(self) -> str:
        """The options of a command line."""
        mask = f" --blind-exponent {self.mask_bits}" if self.mask_bits else ""
        traces = f" --traces {self.traces}" if self.traces != TRACES[self.level] else ""
        level = f" --level {self.level}" if self.level != RTL else ""
        return level + " --blind-base" * self.blind_base + mask + traces

    @property
    def blinding(self) -> str:
        """Say in words what is blinded."""
        mask = f"exponent {self.mask_bits}" if self.mask_bits else ""
        return ", ".join(filter(None, ("base" * self.blind_base, mask))) or "-"

    def tools(self) -> dict[str, str]:
        """Name what the traces are made with."""
        return tools_of(self.level)

    def stages(self) -> Iterable[str]:
        """List the stages that map, lay out and simulate gates."""
        return stages_at(self.level)

    def shown(self, result: LeakageResult) -> dict[str, Any]:
        """Add the largest |t| of each test, as the table has it."""
        shown = super().shown(result)
        for name, test in result.tests.items():
            shown["tests"][name]["most"] = test.most(result.work)
        return shown

    def compute(self, on_step: OnStep) -> LeakageResult:
        """Measure the traces, and compare them; RunError if an answer is wrong."""
        from eval.tasks.leakage.welch import ORDERS, TTest

        pushes = pushes_of(self.point)
        cycles = min(self.operations.cycles(*AGAINST), MOST_CYCLES)
        source = source_of(self.point, self.level, cycles, on_step)
        tests = {}
        try:
            for against in AGAINST:
                source.clear()
                drawn, test = self.operations.draw(against, self.traces), TTest(cycles, pushes)
                for count in chunks(self.traces, self.level):
                    on_step(f"{against}, {test.count} of {self.traces} traces")
                    test.add(*source.measure(islice(drawn, count)))
                tests[against] = Test(
                    [[round(float(t), 3) for t in test.t(order)] for order in ORDERS],
                    [int(test.leaks(order).sum()) for order in ORDERS],
                    [test.seen(order) for order in ORDERS],
                    _parts(source, pushes),
                    test.hiding(),
                )
            read = self._read(source, cycles)
        finally:
            source.close()
        return LeakageResult(self.tools(), pushes, tests, read)

    def _read(self, source: "RtlTraces | GateTraces", cycles: int) -> Read | None:
        """Attack the mean of traces with the fixed exponent."""
        from eval.tasks.leakage.attack import read_exponent, rounds_of

        exponent = self.operations.key.d
        rounds = rounds_of(self.point, exponent)
        if rounds is None or cycles == MOST_CYCLES or self.mask_bits:
            return None
        drawn = list(self.operations.fixed_exponent(min(self.traces, MEAN_OF)))
        traces, _ = source.measure(drawn)
        mean, (_, operands) = traces.mean(axis=0), drawn[0]
        latency = self.point.entry.cycles(self.point.nbits, *operands)
        guessed = read_exponent(mean[: xcel_cycles(self.point.nbits, latency)], rounds)
        right = rounds.count - (guessed ^ exponent).bit_count()
        return Read(right, rounds.count, [round(float(value), 2) for value in mean])


def source_of(point: Point, level: str, cycles: int, on_step: OnStep, by_part: bool = True) -> Any:
    """Make what measures traces of so many cycles at a level; sums by register or net are large."""
    if level != RTL:
        from eval.tasks.leakage.gates import GateTraces

        return GateTraces(point, cycles, on_step, level, by_part)
    from eval.tasks.leakage.rtl import RtlTraces

    return RtlTraces(point, cycles, by_part)


def chunks(traces: int, level: str = RTL) -> Iterator[int]:
    """Part the traces: at the checkpoints, and so that few are held at once."""
    done = 0
    for end in (*(c for c in CHECKPOINTS if c < traces), traces):
        while done < end:
            yield (count := min(AT_ONCE[level], end - done))
            done += count


def _parts(source: "RtlTraces | GateTraces", begin: int) -> list[Part]:
    """Name the registers that leak most from a cycle on, each by the one in which it does so."""
    t = np.abs(source.parts.t()[begin:])
    order = np.argsort(-t.max(axis=0), kind="stable")[:PARTS_SHOWN]
    return [
        Part(source.names[i], round(float(t[:, i].max()), 3), begin + int(t[:, i].argmax()))
        for i in order
    ]
