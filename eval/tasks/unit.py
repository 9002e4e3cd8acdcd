"""A unit of a design point or of the processor, and its Verilog."""

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Protocol

from pymtl3 import Component

from eval.catalog.brought import design_code
from eval.tasks.versions import hardware_tools
from sim.kept import kept
from sim.paths import build_dir
from sim.translate import Translation, translate

OnStep = Callable[[str], None]  # told what is being done
ACCELERATOR, MULTIPLIER, EXPONENTIATOR = "accelerator", "multiplier", "exponentiator"
PERIPHERAL = "peripheral"
WHOLE = (ACCELERATOR, "system")  # the unit that a command means if it names none


class Target(Protocol):
    """What has units: a design point, or the processor."""

    design: str
    nbits: int
    arguments: str  # as commands take it

    def top_of(self, unit: str) -> str:
        """Name the unit's Verilog top module."""
        ...

    def component(self, unit: str) -> Component:
        """Make a new component of the unit."""
        ...


def translation(target: Target, unit: str = ACCELERATOR) -> Translation:
    """Translate a unit, under a top module name of its own."""
    return simulated(target, unit).named(target.top_of(unit))


@lru_cache(None)
def simulated(target: Target, unit: str = ACCELERATOR) -> Translation:
    """Translate a unit, under the name that it has wherever it is simulated."""
    return translate(target.component(unit))


def verilog_digest(
    target: Target, unit: str, translated: Callable[[], Translation] | None = None
) -> str:
    """Hash the Verilog of a unit, without translating it if that was done since the code that makes
    it last changed: wide designs take seconds. What somebody has brought may depend on any code of
    theirs, and is always translated. `translated` gives the unit's where it is another than
    translation()."""
    from flow.digest import hash_data

    def build(scratch: Path) -> Path:
        made = scratch / "digest"
        made.write_text(fresh())
        return made

    def fresh() -> str:
        return (translated() if translated else translation(target, unit)).digest

    if design_code(target.design):
        return fresh()
    key = hash_data([type(target).__name__, repr(target), unit, hardware_tools()])
    return kept(build_dir("translated") / key, build).read_text()
