"""The Montgomery family in the catalog: units and exponentiators as points of one space."""

from dataclasses import dataclass
from functools import cache
from typing import Any

from pymtl3 import Component

from cl.exponentiator import UnitModel
from cl.mont_mul import MontMulCL, mont_interval, mont_latency
from cl.organisation import Organisation, best_squarings
from cl.ssmm import ssmm_latency
from eval.catalog.design import ODD_MODULUS, Design, Multiplier, Published
from eval.catalog.organised import exponentiator
from eval.printed.document_004 import table_1_of_004
from fl.mont_mul import GUARD_BITS, MontMulFL, mont_radix, mont_value
from rtl.mul.mont_mul import MontMulRTL
from rtl.mul.mont_red import MontRedRTL
from rtl.mul.ssmm import SsmmRTL

UNROLLED_TESTED_TO = 64  # an array of n steps, and its simulation, grow with n squared


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

    @property
    def radix_text(self) -> str:
        """R in words."""
        if not self.final_subtract:
            return "R = 2^(n+2), values below 2m"
        if self.steps == 1:
            return "R = 2^n"
        stages = "stages of " if self.pipelined else ""
        return f"R = 2^n rounded up to {stages}{self.steps} bits"

    @property
    def pipelined(self) -> bool:
        """Whether it has hardware for every step."""
        return self.schedule == "pipelined"

    def model(self, nbits: int) -> UnitModel:
        """Its value and time at a width."""
        shape = (nbits, self.steps, self.schedule, self.final_subtract)
        radix = self.radix(nbits)
        return UnitModel(
            value=lambda a, b, m: mont_value(a, b, m, radix, self.final_subtract),
            latency=lambda *_: mont_latency(*shape),
            interval=lambda *_: mont_interval(*shape),
            radix=radix,
            plain_latency=lambda *operands: ssmm_latency(1, *operands),
        )

    def rtl(self, nbits: int) -> Component:
        """Its hardware."""
        if self.full_multiplier:
            return MontRedRTL(nbits, self.steps, self.order)
        return MontMulRTL(nbits, self.steps, self.schedule, self.order, self.final_subtract)

    def accepts(self, nbits: int, a: int, b: int, m: int) -> bool:
        """Whether its answer is defined: m odd, b below m, or 2m without final subtraction."""
        return ODD_MODULUS.takes(nbits, m) and b < (m if self.final_subtract else 2 * m)


@cache
def multiplier(unit: MontUnit) -> Multiplier:
    """The unit's entry in the catalog."""
    return Multiplier(
        name=unit.name,
        title=unit.title,
        value=lambda nbits, *operands: unit.model(nbits).value(*operands),
        cycles=lambda nbits, *operands: unit.model(nbits).latency(*operands),
        interval=lambda nbits, *operands: unit.model(nbits).interval(*operands),
        radix=unit.radix,
        guard_bits=unit.guard_bits,
        accepts=unit.accepts,
        constant_time=True,
        dissolve=("AddThenReduce", "KocAddRed", "AddRedChain"),
        components={
            "fl": lambda nbits: MontMulFL(nbits, unit.steps, unit.final_subtract),
            "cl": lambda nbits: MontMulCL(nbits, unit.steps, unit.schedule, unit.final_subtract),
            "rtl": unit.rtl,
        },
    )


def montgomery(unit: MontUnit, **choices: Any) -> dict[str, Any]:
    """What follows from the unit and an Organisation for a Design of them.

    R^2 is found in the fewest cycles if not chosen otherwise.
    """
    organisation = Organisation(**choices)

    def squarings(nbits: int) -> int:
        if organisation.r_squared != "doubling":
            return 0
        return best_squarings(unit.radix(nbits), unit.model(nbits).latency(0, 0, 1))

    fields = exponentiator(
        organisation,
        unit.model,
        unit.rtl,
        ODD_MODULUS,
        unit.guard_bits,
        {"mk_plain_multiplier": lambda nbits: SsmmRTL(nbits, 1)},
        squarings,
    )
    values = "Montgomery" if organisation.stays_in_domain else "base only"
    fields |= {
        "family": "Montgomery",
        "domain": f"{values}, {unit.radix_text}",
        "multiplier": multiplier(unit),
        "constant_time": organisation.loop == "always",
    }
    if unit.pipelined:
        fields["tested_to"] = UNROLLED_TESTED_TO
    return fields


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

SPLITS = (32, 16, 4)  # steps a stage of mont-001's variants; its own are 8

MULTIPLIERS = tuple(multiplier(unit) for unit in MONT_UNITS)

DESIGNS = (
    Design(
        name="mont-001",
        title="five MontMulRem units, pipelined, R^2 by the remainder unit",
        source="document 001, figures 8b to 12",
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
        title="two MMMul units, a step a cycle, R^2 by shift-sub",
        source="document 004, algo 4",
        **montgomery(MMM_1, r_squared="product"),
        published=table_1_of_004("algo_4"),
    ),
    Design(
        name="mmred-004",
        title="two full multipliers, each with a reduction of a step a cycle, R^2 by shift-sub",
        source="document 004, algo 2",
        **montgomery(MMRED_1, r_squared="product"),
    ),
    Design(
        name="mm-000",
        title="two MM units, n + 2 steps, subtraction at the very end only",
        source="document 000, figures 16 and 17",
        **montgomery(MM_OPEN_1),
    ),
    Design(
        name="mont-small",
        title="one unit, a step a cycle, left to right",
        source="this project",
        **montgomery(MONT_KOC_1, loop="left-to-right", units=1),
    ),
    Design(
        name="mont-pipe",
        title="one pipelined unit, square and multiply in turn",
        source="this project",
        **montgomery(MONT_MUL_REM, units=1),
    ),
    Design(
        name="mont-best",
        title="two units of 8 steps a cycle, only the base converted",
        source="this project",
        **montgomery(MONT_KOC_8),
    ),
    Design(
        name="mont-ct",
        title="mont-best that multiplies at every bit, constant time",
        source="this project; document 002, algorithm 5",
        **montgomery(MONT_KOC_8, loop="always"),
    ),
)


def split_of_001(steps: int) -> Design:
    """mont-001 with stages of so many steps, named for a 32-bit unit: stages x steps."""
    split = f"{32 // steps}x{steps}"
    unit = MontUnit(
        f"mont-mul-rem-{split}",
        f"MontMulRem, stages of {steps} AddRed steps",
        steps,
        schedule="pipelined",
    )
    return Design(
        name=f"mont-001-{split}",
        title=f"mont-001 with stages of {steps} steps",
        source="document 001, section 3.2",
        **montgomery(unit, units=5, r_squared="remainder", forward=False),
    )


VARIANTS = tuple(split_of_001(steps) for steps in SPLITS)
