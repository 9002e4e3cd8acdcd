"""The space that a search has: points of families, and designs that stand alone."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cache

from eval.catalog import DESIGNS, FAMILIES, VARIANTS, find
from eval.catalog.design import Design
from eval.catalog.family import Family, Parameter, Value, parts_of
from eval.catalog.user_designs import holder
from eval.find.need import Need
from eval.study.user_study import matching
from fl.masked_ladder import MASKED_LADDER
from sim.errors import UserError

ALONE = "alone"  # what stands for the family of a design that has none
MOST_ENUMERATED = 4000  # points of a family; of a larger one some are drawn
# What protects costs figures, and no need asks for it: parameters that have their least value
# then, and a loop that is none.
PROTECTING, MASKED = ("random", "public"), MASKED_LADDER.name


@dataclass(frozen=True)
class Place:
    """Where a design is in the space: its family's name, or its own, and the parameters' values."""

    family: str
    values: tuple[tuple[str, Value], ...] = ()


@cache
def place_of(name: str) -> Place:
    """Find where a design is."""
    design = find(name)
    if not design.spelled:
        return Place(name)
    family_name, inside = parts_of(design.spelled)
    family: Family = FAMILIES[family_name]
    return Place(family_name, tuple((family.usual | family.read(inside)).items()))


def families() -> list[Family]:
    """List the families whose designs can be mapped."""
    return [family for family in FAMILIES.values() if family.hardware]


def alone() -> list[Design]:
    """List the designs that are points of no family, but those that are for one modulus."""
    every = (*DESIGNS.values(), *VARIANTS.values())
    return [one for one in every if not (one.spelled or one.moduli.only or one.assumed)]


def points_of(family: Family, nbits: int, wanted: bool = False) -> Iterator[str]:
    """Spell all points of a family at a width, or those that a need may want."""
    return (family.spell(values) for values in _values_of(family, nbits, wanted))


def neighbours(name: str, nbits: int) -> Iterator[str]:
    """Go through the points of a design's family that differ from it in one parameter, and that a
    need may want."""
    place = place_of(name)
    family: Family = FAMILIES[place.family]
    for parameter in family.parameters:
        for choice in wanted_choices(parameter, nbits):
            values = dict(place.values) | {parameter.name: choice}
            if family.broken(values) is None and values != dict(place.values):
                yield find(family.spell(values)).name


def wanted_choices(parameter: Parameter, nbits: int) -> list[Value]:
    """List the values of a parameter that a need may want."""
    choices = parameter.choices_at(nbits)
    if parameter.name in PROTECTING:
        return [min(choices)]
    return [choice for choice in choices if choice != MASKED]


def _values_of(family: Family, nbits: int, wanted: bool) -> Iterator[dict[str, Value]]:
    """Go through the values of all points at a width, or of those that a need may want."""
    if wanted:
        narrow = (replace(p, choices=(*wanted_choices(p, nbits),)) for p in family.parameters)
        family = replace(family, parameters=tuple(narrow))
    return family.values_at(nbits)


@cache
def count_of(name: str, nbits: int, wanted: bool = False) -> int:
    """Count the points of a family at a width, or those that a need may want."""
    return sum(1 for _ in _values_of(FAMILIES[name], nbits, wanted))


def counts(nbits: int) -> dict[str, int]:
    """Count the points at a width by family, and the designs that stand alone."""
    found = {family.name: count_of(family.name, nbits) for family in families()}
    return found | {ALONE: sum(has_width(one, nbits) for one in alone())}


def has_width(design: Design, nbits: int) -> bool:
    """Return whether there is such a design of a width."""
    return design.widths[0] <= nbits <= design.widths[1]


def suits(design: Design, need: Need) -> bool:
    """Return whether a design may be an answer, whatever its figures are."""
    return not unsuitable(design, need)


def unsuitable(design: Design, need: Need) -> str:
    """Return why a design cannot be an answer, whatever its figures are; "" if it can."""
    moduli = design.moduli
    if design.bare:
        return "a synthesis-only core, which has no cycles"
    if moduli.only:
        return "built for one modulus"
    if design.assumed:
        return "assumed, without hardware"
    if not has_width(design, need.nbits):
        return f"not available at {need.nbits} bits"
    if moduli.some and need.moduli != "special":
        return "supports moduli of one form only"
    if need.moduli == "any" and moduli.kind != "any":
        return "does not support even moduli"
    if need.constant_time and not design.constant_time:
        return "not constant-time"
    return ""


def passed_over(need: Need) -> dict[str, str]:
    """Return why designs that somebody named, or brought from a file, cannot be an answer."""
    if need.families:
        return {}
    texts = [name for text in need.designs for name in matching(text)]
    designs = dict.fromkeys(map(find, texts or filter(holder, (*DESIGNS, *VARIANTS))))
    return {design.name: why for design in designs if (why := unsuitable(design, need))}


def named(need: Need) -> tuple[list[str], list[Family]]:
    """List the designs that a need looks at one by one, and the families of which some are drawn;
    UserError if it looks at none."""
    texts: Iterable[str]
    large: list[Family] = []
    if need.designs:
        texts = (name for text in need.designs for name in matching(text))
    else:
        chosen = [one for one in families() if not need.families or one.name in need.families]
        large = [one for one in chosen if count_of(one.name, need.nbits, True) > MOST_ENUMERATED]
        small = (one for one in chosen if one not in large)
        texts = [name for family in small for name in points_of(family, need.nbits, wanted=True)]
        texts += [] if need.families else [design.name for design in alone()]
    names = dict.fromkeys(find(text).name for text in texts)
    suitable = [name for name in names if suits(find(name), need)]
    if need.designs and not suitable:
        raise UserError(
            f"--designs: none of {len(names)} is of {need.nbits} bits, for such moduli"
            f"{', in constant time' * need.constant_time}; name others"
        )
    return suitable, large
