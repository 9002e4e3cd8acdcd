"""Programs on the processor: one at any level, or the benchmark of a system, measured once."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from eval.catalog.design import MODEL_LEVELS
from eval.catalog.point import Point
from eval.catalog.processor import BENCHMARK, Processor, check_divider
from eval.tasks.run import check_vcd
from eval.tasks.store import Key, as_text
from eval.tasks.versions import processor_tools
from proc.batch_system import BatchSystem
from proc.build import build_benchmark, compiler
from proc.csr import STATS_EN
from proc.elf import load_elf
from proc.image import DEFAULT_MEMORY, Image
from proc.isa import decode
from proc.manager import Manager
from proc.retire import Retire
from proc.rtl.system import ProcessorSystem
from proc.system_run import DEFAULT_LIMIT, SystemRun
from proc.systems import LEVELS, make_system
from proc.timing import FAST, Timing
from rtl.port.xcel import NullXcelRTL
from sim.errors import RunError, UserError
from sim.translate import Translation, translate

COUNTS = ("cycles", "instructions", "divisions")


@dataclass(frozen=True)
class Setup:
    """On what a program runs: the processor's level and divider, the accelerator and its level,
    when memory answers; check() finds what does not go together."""

    level: str = "batch"
    divider: str = "seed"
    xcel: Point | None = None
    xcel_level: str | None = None  # None: that of the processor, rtl for batch
    timing: Timing = FAST
    vcd: Path | None = None

    def check(self) -> "Setup":
        """The set-up itself; UserError names the option that is wrong."""
        if self.level not in LEVELS:
            raise UserError(f"--level: no level {self.level!r}; choose from {', '.join(LEVELS)}")
        check_divider(self.divider)
        if self.xcel_level is not None:
            self._check_xcel_level()
        if self.vcd is not None and self.level == "fl":
            raise UserError("--vcd: level fl has no signals; give --level rtl or batch")
        check_vcd(self.level, self.vcd)
        return self

    def _check_xcel_level(self) -> None:
        if self.xcel is None:
            raise UserError("--xcel-level: there is no accelerator; give --xcel and --nbits")
        if self.xcel_level not in MODEL_LEVELS:
            raise UserError(
                f"--xcel-level: no level {self.xcel_level!r}; choose from {', '.join(MODEL_LEVELS)}"
            )
        if self.level == "batch" and self.xcel_level != "rtl":
            raise UserError(
                f"--xcel-level: {self.xcel_level} does not run at level batch, which is compiled "
                "hardware; give --level rtl"
            )

    def run(
        self,
        image: Image,
        manager: Manager,
        limit: int = DEFAULT_LIMIT,
        memory: int = DEFAULT_MEMORY,
        trace: Callable[[str], None] | None = None,
    ) -> SystemRun:
        """Run a program. The trace has a line a cycle at level rtl, else a line an instruction."""
        level = self.xcel_level or ("fl" if self.level == "fl" else "rtl")

        def accelerator() -> Any:
            return self.xcel.entry.xcel(level, self.xcel.nbits) if self.xcel else NullXcelRTL()

        system = make_system(self.level, accelerator, self.divider, self.vcd)
        lines: dict[str, Any] = {}
        if trace:
            by_cycle = {"on_line": lambda line: trace(line.rstrip())}
            lines = by_cycle if self.level == "rtl" else {"on_retire": lambda r: trace(str(r))}
        try:
            return system.run(image, manager, self.timing, limit, memory, **lines)
        finally:
            system.close()


@dataclass(frozen=True, order=True)
class Execution:
    """A variant of the benchmark on a processor, at level batch."""

    point: Processor
    variant: str

    def __str__(self) -> str:
        return f"{self.point} {self.variant}"

    @property
    def workload(self) -> str:
        """What runs."""
        return self.variant

    @property
    def key(self) -> Key:
        """The row's key."""
        return Key(
            kind="run",
            design=self.point.design,
            nbits=self.point.nbits,
            parameters=as_text({"level": "batch", "divider": self.point.divider}),
            workload=as_text({"variant": self.variant, "program": digest(self._image)}),
            verilog=_translation(self.point).digest,
            tools=as_text(processor_tools()),
        )

    @property
    def command(self) -> str:
        """The command that reproduces the row."""
        attached = f" --xcel {self.point.attached} --nbits {self.point.nbits}"
        return (
            f"modexplorer run {BENCHMARK} --define {self.variant.upper()} "
            f"--divider {self.point.divider}" + (attached if self.point.has_width else "")
        )

    @property
    def _image(self) -> Image:
        return load_elf(build_benchmark(self.variant))

    def compute(self, on_step: Callable[[str], None]) -> dict[str, Any]:
        """Run; RunError unless the program has found every answer right."""
        on_step("compiling the processor")
        system, manager, counts = BatchSystem(_translation(self.point)), Manager(), _Divisions()
        on_step("running")
        run = system.run(self._image, manager, on_retire=counts)
        system.close()
        if run.exit_code:
            raise RunError(f"{self}: {run.reason}")
        call, *measured = (
            dict(zip(COUNTS, (*window, divisions), strict=True))
            for window, divisions in zip(run.windows, counts.windows, strict=True)
        )
        windows = {
            workload: {name: window[name] - call[name] for name in COUNTS}
            for workload, window in zip("ed", measured, strict=True)
        }
        return {
            "metrics": {f"system_cycles_{w}": window["cycles"] for w, window in windows.items()},
            "call": call,
            "normalised": windows,
            "tools": {**processor_tools(), "riscv gcc": compiler()},
        }


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


@lru_cache(None)
def _translation(processor: Processor) -> Translation:
    """The Verilog that is simulated: with the ports that show what retires."""
    return translate(ProcessorSystem(processor.divider, processor.accelerator))


def digest(image: Image) -> str:
    """A hash of what the processor sees of a program."""
    return sha256(repr((image.entry, image.segments)).encode()).hexdigest()[:16]
