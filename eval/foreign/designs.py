"""Designs of cores of others, for DESIGNS of an entry: as a multiplier, or as an exponentiator."""

from collections.abc import Callable, Mapping
from functools import cache, partial

from cl.exponentiator import Exponentiator
from cl.organisation import Organisation
from eval.catalog.design import Design, Moduli, Multiplier
from eval.foreign.core import Core, adapted, steps_of
from eval.foreign.measured import Meter
from fl.messages import mk_exp_msgs, mk_mul_msgs
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT
from rtl.exp.organised import organised
from rtl.foreign import constants
from rtl.foreign.models import Declared, ForeignExponentiator, ForeignUnit, InsideUnit
from rtl.foreign.steps import Handshake
from rtl.foreign.taken import Taken
from rtl.foreign.text import VerilogModule
from rtl.foreign.unit import (
    EXPONENTIATOR,
    MULTIPLIER,
    ForeignExponentiatorRTL,
    ForeignMultiplierRTL,
)

FAMILY = "theirs"
ANY, ODD = Taken(), Taken(odd=True)
Most = Callable[[int], int]  # cycles at a width


def _declared(
    name: str,
    core: Core,
    handshake: Handshake,
    operands: tuple[str, ...],
    taken: Taken,
    accepts: Callable[[int, int, int], bool],
    constant_time: bool,
    most: Most,
    host: bool,
) -> Declared:
    """Join what an entry says with what finds the Verilog and the cycles."""

    def module(nbits: int) -> VerilogModule:
        return adapted(core, handshake, nbits, operands, taken, host)

    @cache
    def meter(nbits: int) -> Meter:
        kind, messages = ForeignMultiplierRTL, mk_mul_msgs(nbits)
        if operands == EXPONENTIATOR:
            kind, messages = ForeignExponentiatorRTL, mk_exp_msgs(nbits)
        make = partial(kind, nbits, module(nbits))
        steps = steps_of(core, handshake, nbits)
        where = f"{name}-{nbits}"
        return Meter(where, make, messages[0], module(nbits), steps, most(nbits))

    def cycles(nbits: int, *asked: int) -> int:
        return meter(nbits).cycles(*asked)

    def asked(nbits: int) -> Mapping[str, tuple[str, int]]:
        return handshake(nbits).constants

    def given(nbits: int) -> int:
        return 0 if host else constants.cycles(asked(nbits))

    both = (core.at, module, cycles, given, asked)
    return Declared(name, taken, accepts, constant_time, *both, host)


def foreign_multiplier(
    name: str,
    core: Core,
    handshake: Handshake,
    title: str = "",
    source: str = "theirs",
    radix: Callable[[int], int] | None = None,
    moduli: Taken | None = None,
    accepts: Callable[[int, int, int], bool] = lambda a, b, m: b <= m,
    constant_time: bool = False,
    widths: tuple[int, int] = (8, 4096),
    most: Most = lambda nbits: 64 * nbits + 4096,
    host: bool = False,
) -> tuple[Design, ...]:
    """Return two designs around a multiplier of others: two units, right to left, under its name,
    and one unit, left to right, as NAME-small.

    radix: r = a*b/2^radix(nbits) mod m; none in the plain domain. moduli: those that it takes; any,
    or odd ones with a radix. accepts: the operands a, b, m below 2^nbits for which it must be
    right. most: after how many cycles of a product it is given up. host: constants of the modulus
    are given by the host, without cycles and area; if not, the adapter finds them.
    """
    taken = moduli or (ODD if radix else ANY)
    declared = _declared(
        name, core, handshake, MULTIPLIER, taken, accepts, constant_time, most, host
    )

    def unit(nbits: int) -> ForeignUnit:
        return ForeignUnit(nbits, declared, radix(nbits) if radix else 0)

    entry = "remainder" if radix else "reduced"
    multiplier = Multiplier(name, title or f"of others: {core.top}", unit)
    both = []
    for suffix, schedule, units, text in (
        ("", RIGHT_TO_LEFT, 2, "two units, right to left"),
        ("-small", LEFT_TO_RIGHT, 1, "one unit, left to right"),
    ):
        organisation = Organisation(schedule, units=units, entry=entry)

        def make(nbits: int, organisation: Organisation = organisation) -> Exponentiator:
            return organised(unit(nbits), organisation)

        both.append(
            Design(
                name=f"{name}{suffix}",
                title=f"theirs: {core.top}, {text}",
                source=source,
                family=FAMILY,
                multiplier=multiplier,
                make=make,
                domain="Montgomery, R = 2^radix" if radix else "plain",
                moduli=_moduli(taken),
                widths=widths,
                tested_to=min(widths[1], 64),
            )
        )
    return tuple(both)


def foreign_exponentiator(
    name: str,
    core: Core,
    handshake: Handshake,
    title: str = "",
    source: str = "theirs",
    moduli: Taken = ODD,
    accepts: Callable[[int, int, int], bool] = lambda base, exp, mod: True,
    constant_time: bool = False,
    widths: tuple[int, int] = (8, 4096),
    most: Most = lambda nbits: 64 * nbits * nbits + 65536,
    host: bool = False,
) -> tuple[Design, ...]:
    """Return the design of an exponentiator of others.

    moduli: those that reach it; the adapter answers others with status bad modulus. accepts: the
    requests base, exp, mod for which it must be right, if not all. most: after how many cycles of
    a request it is given up. host: constants are given by the host, without cycles and area; if
    not, the adapter finds them.
    """
    declared = _declared(
        name, core, handshake, EXPONENTIATOR, moduli, accepts, constant_time, most, host
    )
    return (
        Design(
            name=name,
            title=title or f"theirs: {core.top}",
            source=source,
            family=FAMILY,
            multiplier=Multiplier(name, "inside the core", InsideUnit, inside=True),
            make=lambda nbits: ForeignExponentiator(
                nbits, lambda mod: moduli(mod, nbits), declared
            ),
            domain="of the core",
            moduli=_moduli(moduli),
            widths=widths,
            tested_to=min(widths[1], 64),
        ),
    )


def _moduli(taken: Taken) -> Moduli:
    words = ["odd" if taken.odd else "any", f">= {taken.least}"]
    if taken.full:
        words.append("only, highest bit set")
    return Moduli(" ".join(words))
