"""What if: designs whose multiplier is only numbers, to explore before there is hardware.

The exponentiator around it is that of real units (rtl/exp/organised.py), at cycle level and, with
the multiplier at cycle level inside, in PyMTL3's simulation of the hardware. Nothing is mapped. An
area and a period that somebody assumes stand beside those of hardware, marked so.
"""

from functools import partial

from cl.assumed_unit import AssumedUnit
from cl.exponentiator import Exponentiator
from cl.organisation import ENTRIES, UNITS, Organisation
from cl.unit import Part
from eval.catalog.design import ANY_MODULUS, ODD_MODULUS, Design, Multiplier
from eval.catalog.family import Decimals, Family, Parameter, flag
from eval.catalog.loops import LOOPS
from eval.catalog.montgomery import OF_ONE_TIME
from rtl.exp.organised import organised
from rtl.mul.modulus_constant import MinusInverse
from sim.at_level import CL, AtLevel

PLAIN = ("at-once", "as-it-is", "reduced")  # entries of units in the plain domain
MOST_CYCLES, MOST_OVER = 10_000, 64
AREAS, PERIODS = Decimals(1.0, 1e9, "um2"), Decimals(0.01, 1000.0, "ns")


def what_if(
    latency: int,
    interval: int,
    loop: str,
    units: int,
    entry: str,
    forward: bool,
    over: int,
    constant: int,
    area: float,
    period: float,
) -> Design:
    """Describe an exponentiator around multipliers of these numbers."""
    if area and not period:
        raise ValueError("an area is that at a clock; give period, too, or leave area out")
    pause = interval or latency
    if pause > latency + 1:
        raise ValueError("interval is at most latency + 1: then the answer has left")
    if entry in PLAIN and over:
        raise ValueError(f"entry {entry} is of the plain domain, which has no R; leave over out")
    organisation = Organisation(LOOPS[loop], units, entry, forward=forward)

    def unit(nbits: int) -> AtLevel:
        radix = 0 if entry in PLAIN else nbits + over
        found = Part(partial(MinusInverse, nbits, constant), constant) if constant else None
        return AtLevel(nbits, AssumedUnit(nbits, latency, pause, radix, found), CL)

    def make(nbits: int) -> Exponentiator:
        return organised(unit(nbits), organisation)

    multiplier = Multiplier("assumed", f"{latency} cycles, one every {pause}, assumed", unit)
    return Design(
        name="what-if",
        title=f"{multiplier.title}, {organisation.text}",
        source="an assumption",
        family="what if",
        multiplier=multiplier,
        make=make,
        domain="plain" if entry in PLAIN else f"Montgomery, R = 2^{f'(n+{over})' if over else 'n'}",
        moduli=ANY_MODULUS if entry in PLAIN else ODD_MODULUS,
        only_numbers=True,
        assumed_area_um2=area or None,
        assumed_period_ns=period or None,
    )


WHAT_IF = Family(
    "what-if",
    "a multiplier that is only numbers, around a loop of the exponent's bits; no hardware",
    (
        Parameter("latency", 20, range(1, MOST_CYCLES + 1), "cycles of a product"),
        Parameter(
            "interval",
            0,
            range(MOST_CYCLES + 2),
            "cycles from a request to the next; 0: it is taken with the answer",
        ),
        Parameter("loop", "right-to-left", tuple(LOOPS), "order of the products"),
        Parameter("units", 2, UNITS, "1 for all products in turn, 5 with those of both ends"),
        Parameter("entry", "doubling", ENTRIES, "what finds R^2 mod m, or how a plain base enters"),
        flag("forward", "an answer is an operand in the cycle in which it comes", True),
        Parameter("over", 0, range(MOST_OVER + 1), "by how many bits R = 2^(n+over) is longer"),
        Parameter("constant", 0, range(MOST_CYCLES + 1), "cycles to a constant of the modulus"),
        Parameter("area", 0.0, AREAS, "of the whole accelerator at that period"),
        Parameter("period", 0.0, PERIODS, "of the clock, the shortest at which it works"),
    ),
    what_if,
    constraints=(OF_ONE_TIME,),
    hardware=False,
)
MULTIPLIERS: tuple[Multiplier, ...] = ()
DESIGNS: tuple[Design, ...] = ()
FAMILIES = (WHAT_IF,)
