"""The catalog: every design, described once. Tests, studies and reports take their work from here.

To add a design, write its integers (fl), its cycles (cl) and its hardware (rtl), and one entry
in its family's file in eval/catalog; nothing else needs editing.
"""

import difflib

from eval.catalog import by_digits, fixed_modulus, montgomery, naive, shift_sub
from eval.catalog.design import Design, Multiplier
from sim.errors import UserError

FAMILIES = (naive, shift_sub, montgomery, by_digits, fixed_modulus)

MULTIPLIERS: dict[str, Multiplier] = {
    unit.name: unit for family in FAMILIES for unit in family.MULTIPLIERS
}

DESIGNS: dict[str, Design] = {
    design.name: design for family in FAMILIES for design in family.DESIGNS
}

# Designs of the catalog with another parameter, for studies of it: named, not contract-tested.
VARIANTS: dict[str, Design] = {
    design.name: design for family in FAMILIES for design in family.VARIANTS
}


def find(name: str) -> Design:
    """The design or variant of that name; UserError with the nearest names if there is none."""
    known = DESIGNS | VARIANTS
    if name in known:
        return known[name]
    near = difflib.get_close_matches(name, known, n=3) or sorted(DESIGNS)
    raise UserError(
        f"design: no design named {name!r}; did you mean {' or '.join(near)}? "
        "`modexplorer list` shows them all"
    )
