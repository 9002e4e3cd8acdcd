"""A unit of a design point or of the processor, and its Verilog."""

from collections.abc import Callable
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from eval.catalog.user_designs import design_code
from rtl.foreign.host import PORT, lifted
from sim.build_cache import kept
from sim.closure import hash_data
from sim.errors import UserError
from sim.paths import build_dir
from sim.stages import ENTRIES, HARDWARE, MEASURE, stages
from sim.translate import Port, Translation, translate

if TYPE_CHECKING:
    from eval.catalog.processor import Target

OnStep = Callable[[str], None]  # told what is being done
ACCELERATOR, MULTIPLIER, EXPONENTIATOR = "accelerator", "multiplier", "exponentiator"
ALONE = (ACCELERATOR, MULTIPLIER, EXPONENTIATOR)  # without a bus between host and exponentiator
PERIPHERAL = "peripheral"
WHOLE = (ACCELERATOR, "system")  # the unit that a command means if it names none


def translation(target: "Target", unit: str = ACCELERATOR) -> Translation:
    """Translate a unit, under a top module name of its own."""
    return simulated(target, unit).named(target.top_of(unit))


@lru_cache(None)
def simulated(target: "Target", unit: str = ACCELERATOR) -> Translation:
    """Translate a unit, under the name that it has wherever it is simulated; what the host gives to
    a core of others comes by an input."""
    found = whole(target, unit)
    text, bits = lifted(found.text)
    if not bits:
        return found
    if unit not in ALONE:
        raise UserError(
            f"design: the host gives constants to {target}, which {unit} has no way for; measure "
            "its accelerator, or leave host=True out of its entry: the adapter then finds them"
        )
    ports = (*found.ports, Port(PORT, "input", bits))
    return replace(found, text=text, ports=ports).named(f"{found.top}_given")


def whole(target: "Target", unit: str = ACCELERATOR) -> Translation:
    """Translate a unit with what stands for the host of a core of others in simulation."""
    return translate(target.component(unit))


def digest_of(translated: Translation) -> str:
    """Hash Verilog, and what its components say to synthesis."""
    said = translated.flattened, translated.carry_save
    if not any(said):
        return translated.digest
    return f"{translated.digest} {hash_data(said)[:12]}"


def verilog_digest(
    target: "Target", unit: str, translated: Callable[[], Translation] | None = None
) -> str:
    """Hash the Verilog of a unit, without translating it if that was done since the code that makes
    it last changed: wide designs take seconds. What somebody has brought may depend on any code of
    theirs, and is always translated. `translated` gives the unit's where it is another than
    translation()."""

    def build(scratch: Path) -> Path:
        made = scratch / "digest"
        made.write_text(fresh())
        return made

    def fresh() -> str:
        return digest_of(translated() if translated else translation(target, unit))

    if design_code(target.design):
        return fresh()
    maker = translated.__module__ if translated else __name__
    key = hash_data([type(target).__name__, repr(target), unit, maker, maker_code()])
    return kept(build_dir("translated") / key, build).read_text()


def maker_code() -> str:
    """Hash the code that decides the Verilog of targets."""
    return stages().digest([HARDWARE, ENTRIES, MEASURE])
