"""Designs of cores of others, for DESIGNS of an entry: as a multiplier, or as an exponentiator."""

from collections.abc import Callable, Mapping
from functools import cache, partial

from cl.exponentiator import Exponentiator
from cl.organisation import Organisation
from eval.catalog.design import Design, Moduli, Multiplier
from eval.catalog.workloads import key_for
from eval.foreign.arguments import check, check_call, check_widths
from eval.foreign.core import Core, adapted, driven, steps_of
from eval.foreign.measured import Meter
from fl.messages import mk_exp_msgs, mk_mul_msgs
from fl.rsa_keys import RsaKey
from fl.schedule import LEFT_TO_RIGHT, RIGHT_TO_LEFT
from rtl.exp.organised import organised
from rtl.foreign import constants
from rtl.foreign.models import Declared, ForeignExponentiator, ForeignUnit, InsideUnit
from rtl.foreign.steps import Handshake
from rtl.foreign.taken import Taken, TakenModulus
from rtl.foreign.text import VerilogModule
from rtl.foreign.unit import (
    EXPONENTIATOR,
    MULTIPLIER,
    ForeignExponentiatorRTL,
    ForeignMultiplierRTL,
)

FAMILY = "theirs"
ANY, ODD = Taken(), Taken(odd=True)
SMALLER = (  # than the least key of the workloads
    RsaKey("55", "RULE of eval/foreign/designs.py", n=55, e=3, d=27, p=11, q=5),
    RsaKey("15", "RULE of eval/foreign/designs.py", n=15, e=3, d=3, p=5, q=3),
)
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
    check("core", core, isinstance(core, Core), "a Core")
    check_call("handshake", handshake, ["nbits"])
    check("moduli", taken, isinstance(taken, Taken), "a Taken, as Taken(odd=True, least=3)")
    check_call("accepts", accepts, operands)
    check_call("most", most, ["nbits"])

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
        return driven(core, handshake, nbits).constants

    def given(nbits: int) -> int:
        return 0 if host else constants.cycles(asked(nbits))

    both = (core.at, module, cycles, given, asked)
    return Declared(name, taken, accepts, constant_time, *both, host)


def usual(a: int, b: int, m: int) -> bool:
    """Return whether our exponentiators may ask a multiplier for the product: any a, and b below m;
    under the modulus 1 in the plain domain b is 1."""
    return b < m or b == m == 1


def foreign_multiplier(
    name: str,
    core: Core,
    handshake: Handshake,
    title: str = "",
    source: str = "theirs",
    radix: Callable[[int], int] | None = None,
    moduli: Taken | None = None,
    accepts: Callable[[int, int, int], bool] = usual,
    constant_time: bool = False,
    widths: tuple[int, int] = (8, 4096),
    most: Most = lambda nbits: 64 * nbits + 4096,
    host: bool = False,
) -> tuple[Design, ...]:
    """Return two designs around a third-party multiplier: two units, right to left, under its name,
    and one unit, left to right, as NAME-small.

    radix: r = a*b/2^radix(nbits) mod m; none in the plain domain. moduli: those that it accepts;
    any, or odd ones with a radix; Taken(odd=True, spare=2) of one that needs m < 2^(nbits-2).
    accepts: the operands a, b, m below 2^nbits for which it must be right; if not given, those that
    our exponentiators ask for: any a, and b < m. most: after how many cycles of a product it is
    given up. host: constants of the modulus are given by the host, without cycles and area; if not,
    the adapter finds them.
    """
    check_widths(widths)
    if radix is not None:
        check_call("radix", radix, ["nbits"])
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
            if taken in (ANY, ODD):
                return organised(unit(nbits), organisation)
            return organised(
                unit(nbits),
                organisation,
                takes=lambda mod: taken(mod, nbits),
                judge=partial(TakenModulus, nbits, taken),
            )

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
    check_widths(widths)
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
    if not taken.spare:
        return Moduli(" ".join(words))
    return Moduli(f"{' '.join(words)}, of at most n - {taken.spare} bits", partial(_key, taken))


def _key(taken: Taken, nbits: int) -> RsaKey:
    """Return a key whose modulus leaves the spare bits 0, for the workloads."""
    keys = (key_for(nbits - taken.spare), *SMALLER)
    return next((key for key in keys if taken(key.n, nbits)), SMALLER[-1])
