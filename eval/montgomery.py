"""The Montgomery family in the catalog: units and exponentiators as points of one space."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pymtl3 import Component

from cl.exponentiator import ExponentiatorCL, UnitModel, exponentiator_latency
from cl.mont_mul import MontMulCL, mont_interval, mont_latency
from cl.mul_rem import mul_rem_latency
from cl.organisation import Organisation, best_squarings
from fl.mod_exp import ModExpFL
from fl.modmul import mod_mul
from fl.mont_mul import GUARD_BITS, MontMulFL, mont_radix, mont_value
from rtl.exponentiator import ExponentiatorRTL
from rtl.mont_mul import MontMulRTL
from rtl.mont_red import MontRedRTL
from rtl.mul_rem import MulRemRTL


def is_odd(mod: int) -> bool:
    """The moduli of Montgomery's multiplication; 1 is one of them, and every result is 0."""
    return mod % 2 == 1


@dataclass(frozen=True)
class MontUnit:
    """A Montgomery multiplier: how many AddRed steps a cycle, when, in which order."""

    name: str
    title: str
    steps: int
    schedule: str = "iterated"
    order: str = "koc"
    final_subtract: bool = True
    full_multiplier: bool = False

    @property
    def guard_bits(self) -> int:
        """By how many bits its values may be wider than the modulus."""
        return 0 if self.final_subtract else GUARD_BITS

    def radix(self, nbits: int) -> int:
        """r of R = 2^r."""
        return mont_radix(nbits, self.steps, self.final_subtract)

    def model(self, nbits: int) -> UnitModel:
        """Its value and time at a width."""
        shape = (nbits, self.steps, self.schedule, self.final_subtract)
        radix = self.radix(nbits)
        return UnitModel(
            value=lambda a, b, m: mont_value(a, b, m, radix, self.final_subtract),
            latency=lambda *_: mont_latency(*shape),
            interval=lambda *_: mont_interval(*shape),
            radix=radix,
        )

    def rtl(self, nbits: int) -> Component:
        """Its hardware."""
        if self.full_multiplier:
            return MontRedRTL(nbits, self.steps, self.order)
        return MontMulRTL(nbits, self.steps, self.schedule, self.order, self.final_subtract)

    def accepts(self, nbits: int, a: int, b: int, m: int) -> bool:
        """Whether its answer is defined: m odd, b below m, or 2m without final subtraction."""
        return is_odd(m) and b < (m if self.final_subtract else 2 * m)

    def record(self) -> dict[str, Any]:
        """The fields of its Multiplier."""
        return {
            "name": self.name,
            "title": self.title,
            "value": lambda nbits, *operands: self.model(nbits).value(*operands),
            "cycles": lambda nbits, *operands: self.model(nbits).latency(*operands),
            "interval": lambda nbits, *operands: self.model(nbits).interval(*operands),
            "radix": self.radix,
            "guard_bits": self.guard_bits,
            "accepts": self.accepts,
            "constant_time": True,
            "components": {
                "fl": lambda nbits: MontMulFL(nbits, self.steps, self.final_subtract),
                "cl": lambda nbits: MontMulCL(
                    nbits, self.steps, self.schedule, self.final_subtract
                ),
                "rtl": self.rtl,
            },
        }


def exponentiator(
    organisation: Callable[[int], Organisation],
    model: Callable[[int], UnitModel],
    rtl: Callable[[int], Component],
    guard_bits: int = 0,
    takes: Callable[[int], bool] = is_odd,
) -> dict[str, Any]:
    """The levels of a Design organised so at each width around such a unit."""

    def mk_rtl(nbits: int) -> Component:
        radix = model(nbits).radix
        return ExponentiatorRTL(nbits, organisation(nbits), rtl, radix, guard_bits)

    return {
        "latency": lambda nbits, *request: exponentiator_latency(
            nbits, *request, organisation(nbits), model(nbits)
        ),
        "components": {
            "fl": lambda nbits: ModExpFL(nbits, takes),
            "cl": lambda nbits: ExponentiatorCL(nbits, organisation(nbits), model(nbits)),
            "rtl": mk_rtl,
        },
    }


def montgomery(unit: MontUnit, quick_r_squared: bool = True, **choices: Any) -> dict[str, Any]:
    """An exponentiator of Montgomery units; R^2 in the fewest cycles, or by doublings only."""

    def organisation(nbits: int) -> Organisation:
        latency = unit.model(nbits).latency(0, 0, 1)
        quick = quick_r_squared and choices.get("r_squared", "doubling") == "doubling"
        squarings = best_squarings(unit.radix(nbits), latency) if quick else 0
        return Organisation(squarings=squarings, **choices)

    return exponentiator(organisation, unit.model, unit.rtl, unit.guard_bits)


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
    return exponentiator(
        lambda nbits: organisation, mul_rem_model, MulRemRTL, takes=lambda mod: mod >= 1
    )


MMM_1 = MontUnit(
    "mmm-1", "AddRed, 1 step a cycle, first add then reduce", 1, order="add_then_reduce"
)
MMRED_1 = MontUnit(
    "mmred-1",
    "full multiplier, then 1 AddRed step a cycle",
    1,
    order="add_then_reduce",
    full_multiplier=True,
)
MM_OPEN_1 = MontUnit(
    "mm-open-1",
    "AddRed, 1 step a cycle, n + 2 steps, no final subtraction",
    1,
    final_subtract=False,
)
MONT_KOC_1 = MontUnit("mont-koc-1", "AddRed in Koc's order, 1 step a cycle", 1)
MONT_KOC_8 = MontUnit("mont-koc-8", "AddRed in Koc's order, 8 steps a cycle", 8)
MONT_MUL_REM = MontUnit(
    "mont-mul-rem", "MontMulRem, stages of 8 AddRed steps", 8, schedule="pipelined"
)
MONT_UNITS = (MMM_1, MMRED_1, MM_OPEN_1, MONT_KOC_1, MONT_KOC_8, MONT_MUL_REM)

LOOP_TWO = "right-to-left, square and multiply in parallel"
UNROLLED_TESTED_TO = 64  # an array of n steps, and its simulation, grow with n squared
