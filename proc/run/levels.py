"""A processor system at any level: those of systems.py, and at cycle level.

No row is measured at cycle level: what rows rest on is in systems.py, and this in no key.
"""

from collections.abc import Callable
from pathlib import Path

from pymtl3 import Component

from proc.fl.bus_processor import Device
from proc.run import systems
from proc.run.cycle_system import CycleBusSystem, CycleSystem
from proc.run.systems import DIVIDERS
from rtl.port.xcel import NullXcelRTL
from sim.errors import UserError

LEVELS = ("fl", "cl", "rtl", "batch")

System = systems.System | CycleSystem


def make_system(
    level: str,
    mk_xcel: Callable[[], Component] = NullXcelRTL,
    divider: str = "seed",
    vcd: Path | None = None,
) -> System:
    """Make the processor at a level, as systems.make_system; cl: its pipeline as Python objects,
    with an accelerator of any level."""
    _check(level, divider, vcd)
    if level == "cl":
        return CycleSystem(mk_xcel, divider)
    return systems.make_system(level, mk_xcel, divider, vcd)


def make_bus_system(
    level: str,
    mk_device: Callable[[], Component | Device],
    divider: str = "seed",
    vcd: Path | None = None,
) -> System:
    """Make the processor with interrupts at a level, as systems.make_bus_system; at cl the device
    is a component."""
    _check(level, divider, vcd)
    if level == "cl":
        return CycleBusSystem(mk_device, divider)
    return systems.make_bus_system(level, mk_device, divider, vcd)


def _check(level: str, divider: str, vcd: Path | None) -> None:
    if level not in LEVELS:
        raise UserError(f"level {level!r} of a processor: one of {', '.join(LEVELS)}")
    if level == "cl" and divider not in DIVIDERS:
        raise UserError(f"divider {divider!r}: one of {', '.join(DIVIDERS)}")
    if level == "cl" and vcd is not None:
        raise UserError("level cl has no signals for a VCD: choose rtl or batch")
