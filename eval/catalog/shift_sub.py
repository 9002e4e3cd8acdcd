"""The shift-sub family: a doubling and a conditional addition per step (document 004)."""

from functools import partial

from eval.catalog.design import Design, Multiplier
from eval.printed.document_004 import table_1_of_004
from rtl.exp.ssmm_004 import Ssmm004
from rtl.exp.ssmm_shared import SsmmShared
from rtl.mul.ssmm import Ssmm


def any_modulus(mod: int) -> bool:
    """Return whether mod is a modulus: any but 0."""
    return mod >= 1


def ssmm(steps: int) -> Multiplier:
    """Describe the shift-sub multiplier with so many steps per cycle."""
    return Multiplier(
        f"ssmm-{steps}",
        f"shift-sub, {steps} step{'s' if steps > 1 else ''} per cycle",
        partial(Ssmm, steps_per_cycle=steps),
    )


def shared(steps: int, always: bool = False) -> partial:
    """Describe square and product with one doubling."""
    return partial(SsmmShared, takes=any_modulus, steps_per_cycle=steps, always=always)


SSMM_1, SSMM_2 = ssmm(1), ssmm(2)
MULTIPLIERS = (SSMM_1,)

DESIGNS = (
    Design(
        name="ssmm-004",
        title="two shift-sub units, a step per cycle",
        source="document 004, algo 6 (corrected)",
        family="shift-sub",
        multiplier=SSMM_1,
        make=partial(Ssmm004, takes=any_modulus),
        published=table_1_of_004("algo_6"),
    ),
    Design(
        name="ssmm-small",
        title="shift-sub, one doubling for square and product, a step per cycle",
        source="this project",
        family="shift-sub",
        multiplier=SSMM_1,
        make=shared(1),
    ),
    Design(
        name="ssmm-best",
        title="shift-sub, one doubling for square and product, two steps per cycle",
        source="this project",
        family="shift-sub",
        multiplier=SSMM_2,
        make=shared(2),
    ),
    Design(
        name="ssmm-ct",
        title="shift-sub, one doubling for square and product, constant time",
        source="this project",
        family="shift-sub",
        multiplier=SSMM_2,
        make=shared(2, always=True),
        tested_to=1024,  # 8.4 million cycles per request at 4096 bits
    ),
)
