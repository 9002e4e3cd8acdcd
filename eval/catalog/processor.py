"""The processor as a thing to measure: with a divider, and with what is attached to it."""

from dataclasses import dataclass
from functools import partial
from shlex import quote

from pymtl3 import Component

from eval.catalog import find
from eval.catalog.point import Point, identifier
from proc.rtl.signed_divider import EARLY
from rtl.port.xcel import NullXcelRTL
from sim.errors import UserError

PROCESSOR = "processor"
WORD = 32
ALONE, NULL = "", "null"
SYSTEM = "system"  # the one unit of a processor that goes through the flow
DIVIDERS = tuple(EARLY)
CORE = "core"  # of others, as they wrote it
UNITS = ("accelerator", "multiplier", "peripheral", CORE)  # of a design


@dataclass(frozen=True, order=True)
class Processor:
    """Names the processor with a divider, and what is attached to it.

    That is nothing, "null" (an accelerator that computes nothing) or a design at a width.
    """

    attached: str = NULL
    nbits: int = WORD
    divider: str = "seed"

    def __post_init__(self) -> None:
        if self.has_width:
            object.__setattr__(self, "attached", Point(self.attached, self.nbits).design)

    def __str__(self) -> str:
        width = f"-{self.nbits}" if self.has_width else ""
        return f"{PROCESSOR}-{self.divider}{self._plus}{width}"

    @property
    def design(self) -> str:
        """Return the name as commands take it."""
        return PROCESSOR + self._plus

    @property
    def arguments(self) -> str:
        """Return the processor as on a command line."""
        width = f" --nbits {self.nbits}" if self.has_width else ""
        return f"{quote(self.design)}{width} --divider {self.divider}"

    @property
    def has_width(self) -> bool:
        """Return whether a design is attached: the width is the design's, else it means nothing."""
        return self.attached not in (ALONE, NULL)

    @property
    def holds(self) -> str:
        """Return the design that is attached; empty if none is."""
        return self.attached if self.has_width else ""

    def top_of(self, unit: str) -> str:
        """Return the name of the unit's Verilog top module."""
        attached = f"_{identifier(self.attached)}_{self.nbits}" if self.attached else ""
        return f"{PROCESSOR}_{self.divider}{attached}_{unit}"

    def component(self, unit: str) -> Component:
        """Make a new component without the ports that only simulation needs."""
        from proc.rtl.processor import ProcessorRTL
        from proc.rtl.system import ProcessorSystem

        if self.attached == ALONE:
            return ProcessorRTL(self.divider, trace=False)
        return ProcessorSystem(self.divider, self.accelerator, trace=False)

    def accelerator(self) -> Component:
        """Make a new component of what is attached."""
        if self.has_width:
            return find(self.attached).xcel("rtl", self.nbits)
        return NullXcelRTL()

    @property
    def title(self) -> str:
        """Return what is attached, in words."""
        if self.attached == ALONE:
            return "alone"
        if self.attached == NULL:
            return "with null accelerator"
        return f"with {self.attached}-{self.nbits}"

    @property
    def runs_benchmark(self) -> bool:
        """Return whether document 001's benchmark is its workload."""
        return self.attached != ALONE

    @property
    def _plus(self) -> str:
        return f"+{self.attached}" if self.attached else ""


@dataclass(frozen=True, order=True)
class BusProcessor(Processor):
    """Names the processor with interrupts: alone, or with a design's peripheral on its bus."""

    def __str__(self) -> str:
        return f"{super().__str__()}-bus"

    @property
    def arguments(self) -> str:
        """Return the processor as on a command line."""
        return f"{super().arguments} --unit {UNITS[2]}"

    @property
    def title(self) -> str:
        """Return what it has, in words."""
        device = f", {self.attached}-{self.nbits} on the bus" if self.has_width else ""
        return f"with interrupts{device}"

    @property
    def runs_benchmark(self) -> bool:
        """Return no: there is no accelerator."""
        return False

    def top_of(self, unit: str) -> str:
        """Return the name of the unit's Verilog top module."""
        return f"{super().top_of(unit)}_bus"

    def component(self, unit: str) -> Component:
        """Make a new component without the ports that only simulation needs."""
        from proc.rtl.bus_system import BusSystem
        from proc.rtl.interruptible import InterruptibleRTL

        if self.attached == ALONE:
            return InterruptibleRTL(self.divider, trace=False)
        device = partial(find(self.attached).on_bus, "rtl", self.nbits)
        return BusSystem(device, self.divider, trace=False)


Target = Point | Processor  # what has units, which commands measure


def check_divider(divider: str) -> str:
    """Return the divider; UserError unless there is such a one."""
    if divider not in DIVIDERS:
        raise UserError(f"--divider: no divider {divider!r}; choose from {', '.join(DIVIDERS)}")
    return divider


def point_of(design: str, nbits: int | None) -> Point:
    """Return a design at a width, both as typed."""
    find(design)
    if nbits is None:
        raise UserError(f"--nbits: not given; give the width of {design} in bits")
    return Point(design, nbits)


def target_of(design: str, nbits: int | None, divider: str | None) -> Point | Processor:
    """Return what `modexplorer flow` runs: a design point, or `processor` and what follows a +."""
    name, plus, attached = design.partition("+")
    if name != PROCESSOR:
        find(design)
        if divider is not None:
            raise UserError("--divider: only the processor has a choice; leave it out")
        return point_of(design, nbits)
    divider = check_divider("seed" if divider is None else divider)
    if plus and attached != NULL:
        return Processor(attached, point_of(attached, nbits).nbits, divider)
    if nbits is not None:
        raise UserError(f"--nbits: {design} has no accelerator with a width; leave it out")
    return Processor(attached, divider=divider)


def on_bus(processor: Processor) -> BusProcessor:
    """Return the processor with interrupts, its design in a peripheral; UserError if it cannot."""
    if processor.attached == NULL:
        raise UserError("design: there is no null peripheral; give processor, or a design after +")
    if processor.has_width:
        Point(processor.attached, processor.nbits).check_peripheral()
    return BusProcessor(processor.attached, processor.nbits, processor.divider)


def unit_of(target: Point | Processor, unit: str | None) -> str:
    """Return the unit that `modexplorer flow` takes, the whole if None; UserError if unknown."""
    if isinstance(target, BusProcessor):
        return SYSTEM
    if isinstance(target, Processor):
        if unit is not None:
            raise UserError("--unit: the processor has no units; leave it out")
        return SYSTEM
    if unit is not None:
        if unit not in UNITS:
            raise UserError(f"--unit: no unit {unit!r}; choose from {', '.join(UNITS)}")
        if unit == "multiplier" and not target.has_multiplier:
            raise UserError(
                f"--unit: {target.design} has no multiplier of its own, its exponentiator does the "
                "work; leave --unit out"
            )
        if unit == "peripheral":
            target.check_peripheral()
        if unit == CORE:
            target.bare()
    return unit or UNITS[0]
