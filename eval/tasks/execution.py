"""The benchmark on the processor: what a call of each of its functions takes, in software or on an
accelerator."""

from dataclasses import dataclass
from hashlib import sha256
from shlex import quote
from typing import Any

from eval.catalog.processor import Processor
from eval.catalog.workloads import WORKLOADS
from eval.tasks.task import SHORT, MetricsResult, Task
from eval.tasks.traced import traced, traced_digest
from eval.tasks.unit import OnStep
from eval.tasks.versions import processor_tools
from flow.results.record import Record
from proc.csr import STATS_EN
from proc.isa import decode
from proc.manager import Manager
from proc.programs.build import build_benchmark
from proc.programs.image import Image
from proc.retire import Retire
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

    def compute(self, on_step: OnStep) -> ExecutionResult:
        """Run the program; RunError unless it has found every answer right."""
        from proc.run.batch_system import BatchSystem

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
        assert ins is not None, retired
        if ins.spec.kind == "csr" and ins.imm == STATS_EN:
            self._inside = not self._inside
            if self._inside:
                self.windows.append(0)
        elif self._inside and ins.spec.kind == "div":
            self.windows[-1] += 1


def _image(variant: str) -> Image:
    from proc.programs.elf import load_elf

    return load_elf(build_benchmark(variant))


def digest(image: Image) -> str:
    """Hash what the processor sees of a program."""
    return sha256(repr((image.entry, image.segments)).encode()).hexdigest()[:16]
