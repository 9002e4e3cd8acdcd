"""A processor with an accelerator, at any level on either side, ready to run programs."""

from collections.abc import Callable
from pathlib import Path

from pymtl3 import Component

from proc.fl.bus_processor import Device
from proc.rtl.bus_system import BusSystem
from proc.rtl.signed_divider import EARLY
from proc.rtl.system import ProcessorSystem
from proc.run.batch_system import BatchSystem
from proc.run.functional_system import FunctionalBusSystem, FunctionalSystem
from proc.run.python_system import PythonSystem
from proc.run.xcel_models import ComponentXcel
from rtl.port.xcel import NullXcelRTL
from sim.errors import UserError

LEVELS = ("fl", "rtl", "batch")
DIVIDERS = tuple(EARLY)

System = FunctionalSystem | PythonSystem | BatchSystem


def make_system(
    level: str,
    mk_xcel: Callable[[], Component] = NullXcelRTL,
    divider: str = "seed",
    vcd: Path | None = None,
) -> System:
    """Make the processor at a level, with the accelerator that mk_xcel() makes, of any level.

    fl: the interpreter. rtl: PyMTL3's simulator. batch: Verilated, the accelerator must be RTL.
    The result's run(image, manager, ...) may be called again and again.
    """
    _check(level, divider, vcd)
    if level == "fl":
        return FunctionalSystem(lambda: ComponentXcel(mk_xcel()))
    return _clocked(level, ProcessorSystem(divider, mk_xcel), vcd)


def make_bus_system(
    level: str,
    mk_device: Callable[[], Component | Device],
    divider: str = "seed",
    vcd: Path | None = None,
) -> System:
    """Make the processor with interrupts at a level, with the device that mk_device() makes.

    At fl that is registers and a line, else a component with a peripheral's ports, as for the
    accelerator in make_system.
    """
    _check(level, divider, vcd)
    if level == "fl":
        return FunctionalBusSystem(mk_device)
    return _clocked(level, BusSystem(mk_device, divider), vcd)


def _check(level: str, divider: str, vcd: Path | None) -> None:
    if level not in LEVELS:
        raise UserError(f"level {level!r} of a processor: one of {', '.join(LEVELS)}")
    if divider not in DIVIDERS:
        raise UserError(f"divider {divider!r}: one of {', '.join(DIVIDERS)}")
    if level == "fl" and vcd is not None:
        raise UserError("level fl has no signals for a VCD: choose rtl or batch")


def _clocked(level: str, system: Component, vcd: Path | None) -> System:
    return PythonSystem(system, vcd) if level == "rtl" else BatchSystem(system, vcd)
