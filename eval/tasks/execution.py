"""The benchmark on the processor: what a call of each of its functions takes, in software or on an
accelerator, beside document 001's table 1."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from hashlib import sha256
from shlex import quote
from typing import Any

from eval.catalog.processor import WORD, Processor
from eval.catalog.workloads import WORKLOADS
from eval.tasks.grid import Grid, Line, grid, line, numbers, words
from eval.tasks.keyed import program
from eval.tasks.section import Section
from eval.tasks.systems import ALL_SYSTEMS, NAIVE, OF_TABLE_1, SYSTEMS, System
from eval.tasks.task import SHORT, MetricsResult, OnStep, Task
from eval.tasks.traced import traced, traced_digest
from eval.tasks.versions import processor_tools
from flow.results.record import Record
from proc.batch_system import BatchSystem
from proc.build import build_benchmark
from proc.csr import STATS_EN
from proc.elf import load_elf
from proc.image import Image
from proc.isa import decode
from proc.manager import Manager
from proc.retire import Retire
from proc.systems import DIVIDERS
from sim.errors import RunError

BENCHMARK = "proc/app/benchmark.c"


class Call(Record):
    """What a call took."""

    cycles: int
    instructions: int
    divisions: int

    def less(self, other: "Call") -> "Call":
        """Subtract what another call took."""
        names = self.__struct_fields__
        return Call(**{name: getattr(self, name) - getattr(other, name) for name in names})


class ExecutionResult(MetricsResult):
    """A call that returns a constant, and by workload what the function takes more than that."""

    call: Call
    normalised: dict[str, Call]


@dataclass(frozen=True)
class Execution(Task[ExecutionResult]):
    """A variant of the benchmark on a processor, at level batch."""

    point: Processor
    variant: str
    kind = "run"
    Result = ExecutionResult
    text = "{0.point} {0.variant}"
    shell = f"run {BENCHMARK} --define {{0.macro}} --divider {{0.point.divider}}{{0.attached}}"
    rank = SHORT
    place = "systems"

    @property
    def runs(self) -> str:
        """The function of the benchmark."""
        return self.variant

    @property
    def macro(self) -> str:
        """The macro with which the benchmark is compiled."""
        return self.variant.upper()

    @property
    def attached(self) -> str:
        """The accelerator on a command line."""
        point = self.point
        return f" --xcel {quote(point.attached)} --nbits {point.nbits}" if point.has_width else ""

    def parameters(self) -> dict[str, Any]:
        """The level, the divider, and the program as the compiler made it."""
        program = digest(_image(self.variant))
        return {"level": "batch", "divider": self.point.divider, "program": program}

    def verilog(self) -> str:
        """That of the processor with what is attached."""
        return traced_digest(self.point)

    def tools(self) -> dict[str, str]:
        """What simulates the processor."""
        return processor_tools()

    def uses(self) -> Iterable[str]:
        """The program."""
        return program("benchmark.c")

    def compute(self, on_step: OnStep) -> ExecutionResult:
        """Run the program; RunError unless it has found every answer right."""
        on_step("compiling the processor")
        system, divisions = BatchSystem(traced(self.point)), _Divisions()
        on_step("running")
        run = system.run(_image(self.variant), Manager(), on_retire=divisions)
        system.close()
        if run.exit_code:
            raise RunError(f"{self}: {run.reason}")
        constant, *calls = (
            Call(cycles=window.cycles, instructions=window.instructions, divisions=count)
            for window, count in zip(run.windows, divisions.windows, strict=True)
        )
        normalised = {
            workload: call.less(constant) for workload, call in zip(WORKLOADS, calls, strict=True)
        }
        return ExecutionResult(
            metrics={f"system_cycles_{w}": call.cycles for w, call in normalised.items()},
            call=constant,
            normalised=normalised,
            tools=self.tools(),
        )

    def as_json(self, result: ExecutionResult) -> dict[str, Any]:
        """The result with the processor."""
        return vars(self.point) | {"variant": self.variant} | self.shown(result)


class _Divisions:
    """Counts the divisions of each part between writes to stats_en, which switch it on and off."""

    def __init__(self) -> None:
        self.windows: list[int] = []
        self._inside = False

    def __call__(self, retired: Retire) -> None:
        ins = decode(retired.word)
        if ins.spec.kind == "csr" and ins.imm == STATS_EN:
            self._inside = not self._inside
            if self._inside:
                self.windows.append(0)
        elif self._inside and ins.spec.kind == "div":
            self.windows[-1] += 1


def _image(variant: str) -> Image:
    return load_elf(build_benchmark(variant))


def digest(image: Image) -> str:
    """Hash what the processor sees of a program."""
    return sha256(repr((image.entry, image.segments)).encode()).hexdigest()[:16]


Rows = Mapping[Execution, ExecutionResult | None]


def on_system(system: System, divider: str) -> Execution:
    """Name what is measured of a system."""
    return Execution(system.on(divider), system.variant)


def call_of(rows: Rows, system: System, divider: str, workload: str) -> Call | None:
    """Find what a call on a system takes, if it was measured."""
    result = rows.get(on_system(system, divider))
    return result and result.normalised[workload]


def systems_grid(rows: Rows) -> Grid | None:
    """Show the cycles of every system with either divider; a dash for what was not measured."""
    return grid(
        "Document 001's systems: the processor with ..., 32 bits",
        (
            words("system", "divider", "work-\nload")
            + numbers(0, "instruc-\ntions", "cycles")
            + numbers(1, "speed-\nup")
            + numbers(0, "001:\ncycles")
            + numbers(1, "001:\nspeed-up")
            + numbers(2, "ours /\n001")
        ),
        (
            _line(rows, system, divider, workload)
            for system in ALL_SYSTEMS
            if system in SYSTEMS or _measured(rows, system)
            for divider in DIVIDERS
            for workload in WORKLOADS
        ),
        "Cycles and instructions of one call, normalised: less the same call returning a "
        "constant. Simulated (level batch, memory answers in one cycle), every answer checked; "
        "the commands print the same numbers. Speed-up: against the naive program with the same "
        "divider. Document 001 has one processor; both of ours stand beside it.",
    )


def _line(rows: Rows, system: System, divider: str, workload: str) -> Line:
    ours, naive = (call_of(rows, s, divider, workload) for s in (system, NAIVE))
    printed, printed_naive = (s.printed.calls[workload].cycles for s in (system, NAIVE))
    cells = (
        *(system.title, divider, workload),
        *(ours and ours.instructions, ours and ours.cycles),
        ours and naive and naive.cycles / ours.cycles,
        *(printed, printed_naive / printed, ours and ours.cycles / printed),
    )
    return line(*cells, commands=(on_system(system, divider).command,))


def _measured(rows: Rows, system: System) -> bool:
    return any(rows.get(on_system(system, divider)) for divider in DIVIDERS)


PRINTED_DIVIDER = "seed"  # a quotient bit per cycle, as in the document's processor
DUMMY = 9  # cycles of the document's call that returns a constant


def table_1_grid(rows: Rows) -> Grid | None:
    """Show document 001's table 1 row by row, of the systems that are as it says; None unless they
    all were measured."""
    if not all(_measured(rows, system) for system in OF_TABLE_1):
        return None
    return grid(
        "Table 1 of document 001: cycles, and speed-ups of normalised cycles",
        (
            words("system", "work-\nload")
            + numbers(0, "001:\ncycles", "ours")
            + numbers(0, "001:\nnormalised", "ours")
            + numbers(2, "001: from\nnaive C", "ours", "001: from\nMont. C", "ours")
        ),
        (_table_1_line(rows, system, workload) for workload in WORKLOADS for system in OF_TABLE_1),
        f"With the divider that takes {WORD} steps, as the document's. Not "
        f"normalised, a call holds {DUMMY} cycles there, more here. Naive C waits for the same "
        "divisions. The Montgomery program is the document's algorithm 3; it prints neither how "
        "that finds its constants nor the compiler's options, on which cycles depend; ours: -O2.",
    )


def _table_1_line(rows: Rows, system: System, workload: str) -> Line:
    result = rows[on_system(system, PRINTED_DIVIDER)]
    call, printed = result.normalised[workload], system.printed.calls[workload].cycles
    speed_ups = []
    for other in OF_TABLE_1[:2]:
        theirs = call_of(rows, other, PRINTED_DIVIDER, workload).cycles
        speed_ups += [other.printed.calls[workload].cycles / printed, theirs / call.cycles]
    return line(
        *(system.title, workload, printed + DUMMY, call.cycles + result.call.cycles),
        *(printed, call.cycles, *speed_ups),
        commands=(on_system(system, PRINTED_DIVIDER).command,),
    )


SECTION = Section(results=lambda rows: [systems_grid(rows), table_1_grid(rows)])
