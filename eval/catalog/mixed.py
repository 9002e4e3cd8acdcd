"""Designs whose unit is at a level of its own, in another time, or another design's."""

from dataclasses import dataclass, replace
from functools import lru_cache

from cl.around import InCycles
from cl.exponentiator import ExponentiatorOfParts
from cl.unit import Unit
from eval.catalog import find
from eval.catalog.design import Design
from eval.catalog.inputs import parse_number, shorten
from eval.catalog.point import Point
from sim.at_level import CL, UNIT_LEVELS, AtLevel
from sim.errors import ArgumentError

FL = "fl"
USUAL_CYCLES, MOST_CYCLES = 1, 1 << 20  # of a unit at level fl, which has no time of its own
ARGUMENT = "--part"


@dataclass(frozen=True, order=True)
class MixedPoint(Point):
    """Names a design at a width, with a unit as chosen: `fl`, `fl:CYCLES`, `cl`, `rtl`, `verilog`,
    or the name of another design, whose unit it takes."""

    part: str = ""

    @property
    def entry(self) -> Design:
        """Return the design's entry with that unit."""
        return with_unit(self.design, self.part) if self.part else find(self.design)


def mixed(design: str, nbits: int, parts: tuple[str, ...]) -> Point:
    """Return a design at a width, with parts as typed; ArgumentError if one cannot be so."""
    if not parts:
        return Point(design, nbits)
    name, equals, choice = parts[-1].partition("=")
    if len(parts) > 1 or name != "unit" or not equals:
        raise ArgumentError(
            f"{ARGUMENT}: {shorten(' '.join(parts))!r} is not unit=LEVEL; "
            f"give it once, with fl, fl:CYCLES, {', '.join(UNIT_LEVELS)} or another design"
        )
    point = MixedPoint(design, nbits, choice)
    point.entry.at(nbits)
    return point


@lru_cache(maxsize=64)
def with_unit(name: str, choice: str) -> Design:
    """Return a design with a unit as chosen."""
    design = find(name)

    def make(nbits: int) -> ExponentiatorOfParts:
        made = design.at(nbits)
        if not isinstance(made, ExponentiatorOfParts):
            raise ArgumentError(
                f"{ARGUMENT}: {name} is not put together from parts, it has no unit to choose; "
                "give a design that is, such as mont-best"
            )
        return made.with_unit(_chosen(made, choice, nbits))

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
