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
from cl.xcel import XcelCL
from eval.montgomery import (
    LOOP_TWO,
    MM_OPEN_1,
    MMM_1,
    MMRED_1,
    MONT_KOC_1,
    MONT_KOC_8,
    MONT_MUL_REM,
    MONT_UNITS,
    UNROLLED_TESTED_TO,
    is_odd,
    montgomery,
    plain_left_to_right,
)
from fl.mod_exp import ModExpFL, mod_exp
from fl.modmul import mod_mul
from fl.mul_rem import MulRemFL
from fl.xcel import XcelFL
from rtl.mod_exp import ModExpRTL
from rtl.mul_rem import MulRemRTL
from rtl.xcel import XcelRTL
from sim.errors import UserError

MODEL_LEVELS = ("fl", "cl", "rtl")


@dataclass(frozen=True)
class Moduli:
    """Which moduli a design takes; the others are answered with status "bad modulus"."""

    text: str
    takes: Callable[[int], bool]


ANY_MODULUS = Moduli("any >= 1", lambda mod: mod >= 1)
ODD_MODULUS = Moduli("odd >= 1", is_odd)


@dataclass(frozen=True)
class Multiplier:
    """A modular multiplier: what it computes, when it answers, and its component a level."""

    name: str
    title: str
    value: Callable[[int, int, int, int], int]  # (nbits, a, b, m) -> r
    cycles: Callable[[int, int, int, int], int]  # (nbits, a, b, m) -> request to response
    components: dict[str, Callable[[int], Component]]  # level -> (nbits -> component)
    # whether r is defined: (nbits, a, b, m)
    accepts: Callable[[int, int, int, int], bool] = lambda nbits, a, b, m: m >= 1
    radix: Callable[[int], int] = lambda nbits: 0  # r = a*b/2^radix mod m
    guard_bits: int = 0  # of a, b and r beyond nbits; r < m, or 2m if there are any
    # (nbits, a, b, m) -> request to next request; None: one cycle after its response
    interval: Callable[[int, int, int, int], int] | None = None
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
    tested_to: int = 4096  # the widest that tests simulate; unrolled arrays take long to compile
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
    value=lambda nbits, *operands: mod_mul(*operands),
    cycles=mul_rem_latency,
    components={"fl": MulRemFL, "cl": MulRemCL, "rtl": MulRemRTL},
)

MULTIPLIERS: dict[str, Multiplier] = {
    unit.name: unit for unit in (MUL_REM, *(Multiplier(**unit.record()) for unit in MONT_UNITS))
}


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
            name="mul-rem-one",
            title="one MulRem unit, left to right",
            source="documents 000, algorithm 4 (corrected), and 001",
            family="naive",
            schedule="left-to-right, one unit",
            multiplier=MUL_REM,
            **plain_left_to_right(),
        ),
        Design(
            name="mont-001",
            title="five MontMulRem units, pipelined, R^2 by the remainder unit",
            source="document 001, figures 8b to 12",
            family="Montgomery",
            domain="Montgomery, R = 2^n rounded up to stages of 8 bits",
            schedule=LOOP_TWO,
            multiplier=MULTIPLIERS[MONT_MUL_REM.name],
            moduli=ODD_MODULUS,
            tested_to=UNROLLED_TESTED_TO,
            **montgomery(MONT_MUL_REM, units=5, r_squared="remainder", forward=False),
            published=(
                Published("area_um2", "accelerator", 32, 75283.6, "001, table 2a"),
                Published("area_um2", "MontMulRem", 32, 13846.7, "001, section 5.2"),
                Published("cycles_e", "system", 32, 169, "001, table 1", "normalised"),
                Published("cycles_d", "system", 32, 234, "001, table 1", "normalised"),
            ),
        ),
        Design(
            name="mmm-004",
            title="two MMMul units, a step a cycle",
            source="document 004, algo 4",
            family="Montgomery",
            domain="base only, R = 2^n",
            schedule=LOOP_TWO,
            multiplier=MULTIPLIERS[MMM_1.name],
            moduli=ODD_MODULUS,
            **montgomery(MMM_1, quick_r_squared=False),
        ),
        Design(
            name="mmred-004",
            title="two full multipliers, each with a reduction of a step a cycle",
            source="document 004, algo 2",
            family="Montgomery",
            domain="base only, R = 2^n",
            schedule=LOOP_TWO,
            multiplier=MULTIPLIERS[MMRED_1.name],
            moduli=ODD_MODULUS,
            **montgomery(MMRED_1, quick_r_squared=False),
        ),
        Design(
            name="mm-000",
            title="two MM units, n + 2 steps, subtraction at the very end only",
            source="document 000, figures 16 and 17",
            family="Montgomery",
            domain="base only, R = 2^(n+2), values below 2m",
            schedule=LOOP_TWO,
            multiplier=MULTIPLIERS[MM_OPEN_1.name],
            moduli=ODD_MODULUS,
            **montgomery(MM_OPEN_1),
        ),
        Design(
            name="mont-small",
            title="one unit, a step a cycle, left to right",
            source="this project",
            family="Montgomery",
            domain="Montgomery, R = 2^n",
            schedule="left-to-right, one unit",
            multiplier=MULTIPLIERS[MONT_KOC_1.name],
            moduli=ODD_MODULUS,
            **montgomery(MONT_KOC_1, loop="left-to-right", units=1),
        ),
        Design(
            name="mont-pipe",
            title="one pipelined unit, square and multiply in turn",
            source="this project",
            family="Montgomery",
            domain="base only, R = 2^n rounded up to stages of 8 bits",
            schedule="right-to-left, square and multiply interleaved",
            multiplier=MULTIPLIERS[MONT_MUL_REM.name],
            moduli=ODD_MODULUS,
            tested_to=UNROLLED_TESTED_TO,
            **montgomery(MONT_MUL_REM, units=1),
        ),
        Design(
            name="mont-best",
            title="two units of 8 steps a cycle, only the base converted",
            source="this project",
            family="Montgomery",
            domain="base only, R = 2^n rounded up to 8 bits",
            schedule=LOOP_TWO,
            multiplier=MULTIPLIERS[MONT_KOC_8.name],
            moduli=ODD_MODULUS,
            **montgomery(MONT_KOC_8),
        ),
        Design(
            name="mont-ct",
            title="mont-best that multiplies at every bit, constant time",
            source="this project; document 002, algorithm 5",
            family="Montgomery",
            domain="base only, R = 2^n rounded up to 8 bits",
            schedule="right-to-left, always multiply, in parallel",
            multiplier=MULTIPLIERS[MONT_KOC_8.name],
            moduli=ODD_MODULUS,
            constant_time=True,
            **montgomery(MONT_KOC_8, loop="always"),
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
