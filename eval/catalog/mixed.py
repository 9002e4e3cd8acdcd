"""Designs with parts at levels of their own; a unit in another time, or another design's."""

from dataclasses import dataclass, replace
from functools import lru_cache

from cl.around import InCycles
from cl.exponentiator import ExponentiatorOfParts
from cl.unit import Unit
from eval.catalog import find
from eval.catalog.design import Design
from eval.catalog.inputs import parse_number, shorten
from eval.catalog.point import Point
from sim.at_level import CL, RTL, UNIT_LEVELS, VERILOG, AtLevel
from sim.errors import ArgumentError
from sim.part_at_level import JUDGE, PARTS, with_hardware, with_judge_at_cl

FL, UNIT = "fl", "unit"
JUDGE_AT_CL = f"{JUDGE}={CL}"
PART_NAMES = {name.replace("_", "-"): name for name in PARTS}
USUAL_CYCLES, MOST_CYCLES = 1, 1 << 20  # of a unit at level fl, which has no time of its own
ARGUMENT = "--part"


@dataclass(frozen=True, order=True)
class MixedPoint(Point):
    """Names a design at a width, with parts as chosen: `loop=rtl`; the unit `fl`, `fl:CYCLES`,
    `cl`, `rtl`, `verilog`, or the name of another design, whose unit it takes."""

    parts: tuple[str, ...] = ()

    @property
    def entry(self) -> Design:
        """Return the design's entry with those parts."""
        return with_parts(self.design, self.parts) if self.parts else find(self.design)


def mixed(design: str, nbits: int, parts: tuple[str, ...], level: str = "") -> Point:
    """Return a design at a width, with parts as typed; ArgumentError if one cannot be so, in an
    exponentiator at a level."""
    if not parts:
        return Point(design, nbits)
    names = [text.partition("=")[0] for text in parts]
    for text in parts:
        name, equals, choice = text.partition("=")
        if name not in (UNIT, *PART_NAMES) or not equals:
            raise ArgumentError(
                f"{ARGUMENT}: {shorten(text)!r} is not PART=LEVEL; give a part of "
                f"{', '.join((UNIT, *PART_NAMES))}"
            )
        if names.count(name) > 1:
            raise ArgumentError(f"{ARGUMENT}: {name} is given twice; give it once")
        if name != UNIT:
            _check_part(name, choice, level)
    if level == RTL:  # all others are hardware as they are
        parts = tuple(text for text in parts if text.startswith(f"{UNIT}=") or text == JUDGE_AT_CL)
    point = MixedPoint(design, nbits, parts)
    point.entry.at(nbits)
    return point


def _check_part(name: str, choice: str, level: str) -> None:
    """Raise ArgumentError unless a part other than the unit may be so in an exponentiator."""
    if choice not in UNIT_LEVELS:
        raise ArgumentError(
            f"{ARGUMENT}: {shorten(choice)!r} is no level of {name}; choose from "
            f"{', '.join(UNIT_LEVELS)}"
        )
    if level == RTL and choice != RTL and not (name == JUDGE and choice == CL):
        raise ArgumentError(
            f"{ARGUMENT}: {name}={choice} does not stand in hardware; give --level cl, in which "
            f"{name} may be {' or '.join(UNIT_LEVELS)}"
        )


@lru_cache(maxsize=64)
def with_parts(name: str, parts: tuple[str, ...]) -> Design:
    """Return a design with parts as chosen."""
    design = find(name)

    def make(nbits: int) -> ExponentiatorOfParts:
        made = design.at(nbits)
        if not isinstance(made, ExponentiatorOfParts):
            raise ArgumentError(
                f"{ARGUMENT}: {name} is not put together from parts, it has no part to choose; "
                "give a design that is, such as mont-best"
            )
        for text in sorted(parts, key=lambda text: not text.startswith(f"{UNIT}=")):
            part, _, choice = text.partition("=")
            if part == UNIT:
                made = made.with_unit(_chosen(made, choice, nbits))
            elif choice != CL:
                made = with_hardware(made, PART_NAMES[part], choice == VERILOG)
            elif part == JUDGE:
                made = with_judge_at_cl(made)
        return made

    return replace(design, make=make)


def _chosen(made: ExponentiatorOfParts, choice: str, nbits: int) -> Unit:
    unit = made.parts.unit
    level, _, cycles = choice.partition(":")
    if level == FL:
        count = parse_number(ARGUMENT, cycles, 1, MOST_CYCLES) if cycles else USUAL_CYCLES
        return AtLevel(nbits, InCycles(nbits, unit, count), CL)
    if choice in UNIT_LEVELS:
        return AtLevel(nbits, unit, choice)
    other = find(choice).multiplier.at(nbits)
    if domain_of(other) != domain_of(unit):
        raise ArgumentError(
            f"{ARGUMENT}: the unit of {choice} has {domain_text(other)}, this design is made for "
            f"{domain_text(unit)}; give one with the same"
        )
    if made.constant_time and not other.constant_time:
        raise ArgumentError(
            f"{ARGUMENT}: the time of {choice}'s unit depends on operands, this design's does not; "
            "give one of constant time"
        )
    return other


def domain_of(unit: Unit) -> tuple[int, int, Unit | None]:
    """Return what two units must have in common to stand in one another's place; what asks for a
    constant of its own, or a reduction, has nothing in common with others."""
    alone = unit if unit.constant or unit.reduction else None
    return unit.radix, unit.guard_bits, alone


def domain_text(unit: Unit) -> str:
    """Say so in words."""
    own = ", a constant or a reduction of its own" if unit.constant or unit.reduction else ""
    return f"R = 2^{unit.radix} and {unit.guard_bits} guard bits{own}"
