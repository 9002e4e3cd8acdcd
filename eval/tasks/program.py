"""The set-up on which `modexplorer run` runs a program."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from eval.catalog.design import MODEL_LEVELS
from eval.catalog.point import Point
from eval.catalog.processor import check_divider
from eval.tasks.exponentiation import check_vcd
from proc.manager import Manager
from proc.programs.image import DEFAULT_MEMORY, Image
from proc.retire import RETIRE_KEY
from proc.run.cycle_system import CycleSystem
from proc.run.levels import LEVELS, System, make_bus_system, make_system
from proc.run.python_system import PythonSystem
from proc.run.system_run import DEFAULT_LIMIT, SystemRun
from proc.run.timing import FAST, Timing
from rtl.port.xcel import NullXcelRTL
from sim.errors import UserError
from sim.trace_key import trace_key


@dataclass(frozen=True)
class Setup:
    """On what a program runs: the processor's level and divider, the accelerator and its level or
    the peripheral, when memory answers; check() finds what does not go together."""

    level: str = "batch"
    divider: str = "seed"
    xcel: Point | None = None
    xcel_level: str | None = None  # of the peripheral, too; None: the processor's, rtl for batch
    timing: Timing = FAST
    vcd: Path | None = None
    peripheral: Point | None = None

    def check(self) -> "Setup":
        """Return the set-up itself; UserError names an option that is wrong."""
        if self.level not in LEVELS:
            raise UserError(f"--level: no level {self.level!r}; choose from {', '.join(LEVELS)}")
        check_divider(self.divider)
        if self.peripheral is not None:
            if self.xcel is not None:
                raise UserError("--peripheral: excludes --xcel; give one or the other")
            self.peripheral.check_peripheral()
        if self.level == "batch":
            for attached in filter(None, (self.xcel, self.peripheral)):
                attached.check_hardware("--level")
        if self.xcel_level is not None:
            self._check_xcel_level()
        if self.vcd is not None and self.level in ("fl", "cl"):
            raise UserError(f"--vcd: level {self.level} has no signals; give --level rtl or batch")
        check_vcd(self.level, self.vcd)
        return self

    def _check_xcel_level(self) -> None:
        if self.xcel is None and self.peripheral is None:
            raise UserError("--xcel-level: there is no accelerator; give --xcel and --nbits")
        if self.xcel_level not in MODEL_LEVELS:
            raise UserError(
                f"--xcel-level: no level {self.xcel_level!r}; choose from {', '.join(MODEL_LEVELS)}"
            )
        if self.level == "batch" and self.xcel_level != "rtl":
            raise UserError(
                f"--xcel-level: {self.xcel_level} does not run at level batch, which is compiled "
                "hardware; give --level cl or rtl"
            )
        if self.peripheral and self.level != "cl" and self.xcel_level != same_level(self.level):
            raise UserError(
                f"--xcel-level: a peripheral of level {self.xcel_level} runs at level cl of the "
                f"processor, not {self.level}; give --level cl"
            )

    @property
    def attached_level(self) -> str:
        """The level of the accelerator or the peripheral."""
        return self.xcel_level or same_level(self.level)

    def run(
        self,
        image: Image,
        manager: Manager,
        limit: int = DEFAULT_LIMIT,
        memory: int = DEFAULT_MEMORY,
        trace: Callable[[str], None] | None = None,
    ) -> SystemRun:
        """Run a program. The trace has a line per cycle at levels cl and rtl, else per instruction,
        after what its columns mean."""
        level = self.attached_level

        def accelerator() -> Any:
            return self.xcel.entry.xcel(level, self.xcel.nbits) if self.xcel else NullXcelRTL()

        if self.peripheral:
            device = on_bus(self.peripheral, self.level, level)
            system = make_bus_system(self.level, device, self.divider, self.vcd)
        else:
            system = make_system(self.level, accelerator, self.divider, self.vcd)
        lines: dict[str, Any] = {}
        if trace:
            by_cycle = {"on_line": lambda line: trace(line.rstrip())}
            by_instruction = {"on_retire": lambda retired: trace(str(retired))}
            lines = by_cycle if self.level in ("cl", "rtl") else by_instruction
            for line in _key(system):
                trace(line)
        try:
            return system.run(image, manager, self.timing, limit, memory, **lines)
        finally:
            system.close()


def same_level(level: str) -> str:
    """Return the level of what goes with a processor at a level."""
    return "rtl" if level == "batch" else level


def on_bus(point: Point, level: str, own_level: str) -> Callable[[], Any]:
    """Return what makes a peripheral, of a level of its own, for a processor at a level: at fl it
    has no time, and no ports."""
    if level == "fl":
        return partial(point.entry.on_bus, level, point.nbits)
    return partial(point.entry.peripheral, own_level, point.nbits)


def _key(system: System) -> list[str]:
    """List what the columns of a system's trace mean."""
    if isinstance(system, CycleSystem):
        return system.trace_key()
    return trace_key(system.top) if isinstance(system, PythonSystem) else [RETIRE_KEY]
