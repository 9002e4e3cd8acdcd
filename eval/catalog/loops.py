"""What families say of loops: which there are, and what goes with an order of the products."""

from collections.abc import Callable
from dataclasses import replace

from cl.exponentiator import Exponentiator
from cl.organisation import Organisation
from cl.unit import Unit
from eval.catalog.family import Constraint, Parameter, Value
from fl.masked_ladder import MASKED_LADDER
from fl.schedule import SCHEDULES
from rtl.exp.organised import organised
from rtl.exp.random_multiple import RandomMultiple

LOOPS = SCHEDULES | {MASKED_LADDER.name: MASKED_LADDER}
RANDOM_BITS = 32
RANDOM = Parameter(
    "random", 0, (0, 8, 16, RANDOM_BITS, 64), "random bits of the multiples of m; 0: m itself"
)


def multiple_text(random: int) -> str:
    """Say in a title that multiples of m are worked with, if they are."""
    return f", modulo multiples of m with {random} random bits" if random else ""


def exponentiator(
    unit: Callable[[int], Unit], organisation: Organisation, nbits: int, random: int
) -> Exponentiator:
    """Make an exponentiator of such units, modulo multiples of m with so many random bits."""
    if not random:
        return organised(unit(nbits), organisation)
    both_enter = replace(organisation, converts=organisation.units == 2)
    inner = organised(unit(nbits + random), both_enter, exp_bits=nbits)
    return RandomMultiple(nbits, inner.takes, inner, random)


def one_by_one(loop: str, units: int, **_: Value) -> bool:
    """Return whether a loop whose products wait for each other has one unit."""
    return units == 1 or not LOOPS[loop].in_turn


def random_for_shares(loop: str, units: int, random: int, **_: Value) -> bool:
    """Return whether only a ladder by shares works modulo random multiples, by units enough."""
    return not random or (loop == MASKED_LADDER.name and units > 1)


ONE_BY_ONE = Constraint(
    "a left-to-right loop has one unit: its products wait for each other", one_by_one
)
RANDOM_FOR_SHARES = Constraint(
    f"random multiples of m are for loop={MASKED_LADDER.name}, whose units take the base and 1 in "
    "side by side: units=2",
    random_for_shares,
)
