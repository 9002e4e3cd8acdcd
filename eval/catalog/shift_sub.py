"""The shift-sub family: a doubling and a conditional addition a step (document 004)."""

from collections.abc import Callable

from pymtl3 import Component

from cl.ssmm import (
    SsmmCL,
    SsmmExpCL,
    constant_latency,
    shared_latency,
    ssmm_004_latency,
    ssmm_latency,
)
from eval.catalog.design import Design, Multiplier
from eval.printed.document_004 import table_1_of_004
from fl.mod_exp import ModExpFL
from fl.ssmm import SsmmFL, ssmm_any
from rtl.exp.ssmm_004 import Ssmm004RTL
from rtl.exp.ssmm_shared import SsmmSharedRTL
from rtl.mul.ssmm import SsmmRTL


def ssmm(steps: int) -> Multiplier:
    """The shift-sub multiplier with so many steps a cycle."""
    return Multiplier(
        name=f"ssmm-{steps}",
        title=f"shift-sub, {steps} step{'s' if steps > 1 else ''} a cycle",
        value=lambda nbits, *operands: ssmm_any(*operands),
        cycles=lambda nbits, *operands: ssmm_latency(steps, *operands),
        dissolve=("ModDouble", "ModAddIf", "ModDoubles", "ModAddIfs"),
        components={
            "fl": SsmmFL,
            "cl": lambda nbits: SsmmCL(nbits, steps),
            "rtl": lambda nbits: SsmmRTL(nbits, steps),
        },
    )


SSMM_1 = ssmm(1)

MULTIPLIERS = (SSMM_1,)


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


DESIGNS = (
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
        tested_to=1024,  # 8.4 million cycles a request at 4096 bits
        **shared_doubling(2, constant_time=True),
    ),
)
