"""The catalog: every design, described once. Tests, studies and reports take their work from here.

To add a design, write its integers (fl), its cycles (cl) and its hardware (rtl), and one entry
below; nothing else needs editing.
"""

import difflib
from collections.abc import Callable
from dataclasses import dataclass, field

from pymtl3 import Component

from cl.mod_exp import ModExpCL, mod_exp_latency
from cl.mul_rem import MulRemCL, mul_rem_latency
from cl.ssmm import (
    SsmmCL,
    SsmmExpCL,
    constant_latency,
    shared_latency,
    ssmm_004_latency,
    ssmm_latency,
)
from cl.xcel import XcelCL
from eval.printed_004 import SOURCE, TABLE_1
from fl.mod_exp import ModExpFL, mod_exp
from fl.modmul import mod_mul
from fl.mul_rem import MulRemFL
from fl.ssmm import SsmmFL, ssmm_any
from fl.xcel import XcelFL
from rtl.mod_exp import ModExpRTL
from rtl.mul_rem import MulRemRTL
from rtl.ssmm import SsmmRTL
from rtl.ssmm_004 import Ssmm004RTL
from rtl.ssmm_shared import SsmmSharedRTL
from rtl.xcel import XcelRTL
from sim.errors import UserError

MODEL_LEVELS = ("fl", "cl", "rtl")


@dataclass(frozen=True)
class Moduli:
    """Which moduli a design takes; the others are answered with status "bad modulus"."""

    text: str
    takes: Callable[[int], bool]


ANY_MODULUS = Moduli("any >= 1", lambda mod: mod >= 1)


@dataclass(frozen=True)
class Multiplier:
    """A modular multiplier: what it computes, when it answers, and its component a level."""

    name: str
    title: str
    value: Callable[[int, int, int], int]  # (a, b, m) -> r
    cycles: Callable[[int, int, int, int], int]  # (nbits, a, b, m) -> request to response
    components: dict[str, Callable[[int], Component]]  # level -> (nbits -> component)
    moduli: Moduli = ANY_MODULUS
    interval: Callable[[int, int, int, int], int] | None = (
        None  # None: one cycle after its response
    )
    constant_time: bool = False

    def component(self, level: str, nbits: int) -> Component:
        """A new component of this unit at level fl, cl or rtl."""
        return self.components[level](nbits)


@dataclass(frozen=True)
class Published:
    """A figure that a document prints for a design, to be shown beside ours."""

    what: str  # the metric
    of: str  # the design, or the module of it
    nbits: int
    value: float
    source: str
    note: str = ""


@dataclass(frozen=True)
class Design:
    """An exponentiator: an exponentiation schedule and a modular multiplier, at any width."""

    name: str
    title: str
    source: str
    family: str
    schedule: str
    multiplier: Multiplier
    latency: Callable[[int, int, int, int], int]  # (nbits, base, exp, mod)
    components: dict[str, Callable[[int], Component]]
    domain: str = "plain"
    moduli: Moduli = ANY_MODULUS
    widths: tuple[int, int] = (8, 4096)
    constant_time: bool = False
    published: tuple[Published, ...] = field(default=())

    def value(self, nbits: int, base: int, exp: int, mod: int) -> tuple[int, int]:
        """(result, status) of an n-bit request."""
        return mod_exp(base, exp, mod, self.moduli.takes)

    def cycles(self, nbits: int, base: int, exp: int, mod: int) -> int:
        """Cycles from request to response if nothing stalls; exact, tested against RTL."""
        return self.latency(nbits, base, exp, mod)

    def component(self, level: str, nbits: int) -> Component:
        """A new exponentiator at level fl, cl or rtl, with stream ports recv and send."""
        return self.components[level](nbits)

    def xcel(self, level: str, nbits: int) -> Component:
        """A new accelerator around the exponentiator, with the processor's port xcel."""

        def compute(*request: int) -> tuple[int, int]:
            return self.value(nbits, *request)

        if level == "fl":
            return XcelFL(nbits, compute)
        if level == "cl":
            return XcelCL(nbits, lambda *request: self.cycles(nbits, *request), compute)
        return XcelRTL(nbits, self.components["rtl"])


MUL_REM = Multiplier(
    name="mul-rem",
    title="full-width multiplier, then a restoring remainder that skips leading zeros",
    value=mod_mul,
    cycles=mul_rem_latency,
    components={"fl": MulRemFL, "cl": MulRemCL, "rtl": MulRemRTL},
)


def ssmm(steps: int) -> Multiplier:
    """The shift-sub multiplier with so many steps a cycle."""
    return Multiplier(
        name=f"ssmm-{steps}",
        title=f"shift-sub, {steps} step{'s' if steps > 1 else ''} a cycle",
        value=ssmm_any,
        cycles=lambda nbits, *operands: ssmm_latency(steps, *operands),
        components={
            "fl": SsmmFL,
            "cl": lambda nbits: SsmmCL(nbits, steps),
            "rtl": lambda nbits: SsmmRTL(nbits, steps),
        },
    )


SSMM_1 = ssmm(1)

MULTIPLIERS: dict[str, Multiplier] = {unit.name: unit for unit in (MUL_REM, SSMM_1)}


def right_to_left(multiplier: Multiplier) -> dict[str, object]:
    """The schedule of ModExp, square and multiply in parallel, around a multiplier."""

    def latency(nbits: int, *request: int) -> int:
        return mod_exp_latency(*request, lambda *operands: multiplier.cycles(nbits, *operands))

    def mk_cl(nbits: int) -> Component:
        return ModExpCL(nbits, lambda *operands: multiplier.cycles(nbits, *operands))

    return {
        "schedule": "right-to-left, square and multiply in parallel",
        "multiplier": multiplier,
        "latency": latency,
        "components": {
            "fl": ModExpFL,
            "cl": mk_cl,
            "rtl": lambda nbits: ModExpRTL(nbits, multiplier.components["rtl"]),
        },
    }


def ssmm_exponentiator(
    rtl: Callable[[int], Component], latency: Callable[[int, int, int, int], int]
) -> dict[str, object]:
    """The levels of an exponentiator with an SSMM schedule of its own."""
    return {
        "latency": latency,
        "components": {
            "fl": ModExpFL,
            "cl": lambda nbits: SsmmExpCL(nbits, lambda *request: latency(nbits, *request)),
            "rtl": rtl,
        },
    }


def shared_doubling(steps: int, constant_time: bool = False) -> dict[str, object]:
    """Square and product sharing one doubling chain of so many steps a cycle."""

    def latency(nbits: int, *request: int) -> int:
        if constant_time:
            return constant_latency(nbits, steps)
        return shared_latency(steps, *request)

    return {
        "schedule": "right-to-left, square and multiply share the doubling"
        + (", always multiply" if constant_time else ""),
        "multiplier": ssmm(steps),
        "constant_time": constant_time,
        **ssmm_exponentiator(lambda nbits: SsmmSharedRTL(nbits, steps, constant_time), latency),
    }


def table_1_of_004(algorithm: str) -> tuple[Published, ...]:
    """The figures that document 004 prints for its algo_4 or algo_6."""
    return tuple(
        Published(metric, "exponentiator", row.nbits, value, SOURCE, note)
        for row in TABLE_1
        for metric, value, note in row.figures(algorithm)
    )


DESIGNS: dict[str, Design] = {
    design.name: design
    for design in (
        Design(
            name="mul-rem",
            title="naive accelerator: two MulRem units",
            source="document 001, figures 5 to 7",
            family="naive",
            **right_to_left(MUL_REM),
            published=(
                Published("area_um2", "accelerator", 32, 17512.4, "001, table 2a"),
                Published("area_um2", "MulRem", 32, 7776.4, "001, section 5.2"),
                Published("cycles_e", "system", 32, 1062, "001, table 1", "normalised"),
                Published("cycles_d", "system", 32, 1840, "001, table 1", "normalised"),
            ),
        ),
        Design(
            name="ssmm-004",
            title="two shift-sub units, a step a cycle",
            source="document 004, algo 6 (corrected)",
            family="shift-sub",
            schedule="right-to-left, square and multiply in parallel",
            multiplier=SSMM_1,
            **ssmm_exponentiator(Ssmm004RTL, lambda nbits, *request: ssmm_004_latency(*request)),
            published=table_1_of_004("algo_6"),
        ),
        Design(
            name="ssmm-small",
            title="shift-sub, one doubling for square and product, a step a cycle",
            source="this project",
            family="shift-sub",
            **shared_doubling(1),
        ),
        Design(
            name="ssmm-best",
            title="shift-sub, one doubling for square and product, two steps a cycle",
            source="this project",
            family="shift-sub",
            **shared_doubling(2),
        ),
        Design(
            name="ssmm-ct",
            title="shift-sub, one doubling for square and product, constant time",
            source="this project",
            family="shift-sub",
            **shared_doubling(2, constant_time=True),
        ),
    )
}


def find(name: str) -> Design:
    """The design of that name; UserError with the nearest names if there is none."""
    if name in DESIGNS:
        return DESIGNS[name]
    near = difflib.get_close_matches(name, DESIGNS, n=3) or sorted(DESIGNS)
    raise UserError(
        f"design: no design named {name!r}; did you mean {' or '.join(near)}? "
        "`modexplorer list` shows them all"
    )
