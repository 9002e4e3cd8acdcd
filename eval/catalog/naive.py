"""The naive family: multiply, then divide (document 001)."""

from typing import Any

from pymtl3 import Component

from cl.exponentiator import UnitModel
from cl.mod_exp import ModExpCL, mod_exp_latency
from cl.mul_rem import MulRemCL, mul_rem_latency
from cl.organisation import Organisation
from eval.catalog.design import ANY_MODULUS, Design, Multiplier, Published
from eval.catalog.organised import exponentiator
from fl.mod_exp import ModExpFL
from fl.modmul import mod_mul
from fl.mul_rem import MulRemFL
from rtl.exp.mod_exp import ModExpRTL
from rtl.mul.mul_rem import MulRemRTL

MUL_REM = Multiplier(
    name="mul-rem",
    title="full-width multiplier, then a restoring remainder that skips leading zeros",
    value=lambda nbits, *operands: mod_mul(*operands),
    cycles=mul_rem_latency,
    components={"fl": MulRemFL, "cl": MulRemCL, "rtl": MulRemRTL},
)

MULTIPLIERS = (MUL_REM,)


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


def mul_rem_model(nbits: int) -> UnitModel:
    """MulRem as an exponentiator's unit, in the plain domain."""
    return UnitModel(
        value=mod_mul,
        latency=lambda *operands: mul_rem_latency(nbits, *operands),
        interval=lambda *operands: mul_rem_latency(nbits, *operands) + 1,
        radix=0,
    )


def plain_left_to_right() -> dict[str, Any]:
    """One MulRem unit and a left-to-right loop."""
    organisation = Organisation(loop="left-to-right", units=1, r_squared="one")
    return exponentiator(organisation, mul_rem_model, MulRemRTL, ANY_MODULUS)


DESIGNS = (
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
        multiplier=MUL_REM,
        **plain_left_to_right(),
    ),
)
