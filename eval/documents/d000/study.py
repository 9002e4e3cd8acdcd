"""The studies of document 000: multipliers and exponentiators by modulus or pseudo-modulus."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import Study

if TYPE_CHECKING:
    from eval.documents.d000.units import FixedUnit
    from eval.study.plan import Plan
    from eval.tasks.task import Task

# Its trees fold as it says and, late, better; its MM with the modulus is mm-000.
EXPONENTIATORS_OF_000 = (
    *(f"{kind}-{u}" for kind in ("cm-modulus", "cm-late", "cm-pseudo") for u in (2, 1)),
    *(f"{kind}-{u}" for kind in ("dm-modulus", "dm-pseudo") for u in (2, 1)),
    *("mm-000", "mm-pseudo-2"),
)
# Its figures 18 and 19, and its trees with a squarer.
AS_PRINTED = ("mm-printed-2", "mm-printed-pseudo-2")
BESIDE_THEM = (*AS_PRINTED, "cm-square-2")
FORMS_AT = (4, 8, 12, 16)  # n of figures 13 and 14
PRODUCTS_AT = (2, 4, 6, 8, 10, 12, 16)  # of figures 27 to 29
REDUCTIONS_AT = (2, 6, 10, 14, 18, 22, 26, 30)  # of figures 24 to 26
MAPPED_AT = (8, 16)
AT_32 = ("cm-pseudo-2", "cm-pseudo-1")  # trees modulo 2^n + k take much longer to map
MONTGOMERY_AT = (32, 64, 128, 256)


def multipliers(study: str) -> "Iterable[FixedUnit]":
    """Map what that study has of tables 3 and 5."""
    from eval.documents.d000.units import TABLES, of_tables

    return of_tables(*TABLES[study])


def over_n() -> "Iterable[FixedUnit]":
    """Map what figures 13 and 14, 27 to 29, and 24 to 26 show over n."""
    from eval.documents.d000.units import forms_at, multipliers_at, reductions_at

    shown = ((forms_at, FORMS_AT), (multipliers_at, PRODUCTS_AT), (reductions_at, REDUCTIONS_AT))
    return (unit for of, widths in shown for n in widths for unit in of(n))


def whole(plan: "Plan") -> Iterable["Task"]:
    """Choose what reproduces the document in half an hour on two cores."""
    yield from plan.designs(plan.points(EXPONENTIATORS_OF_000, *MAPPED_AT))
    yield from plan.designs(plan.points(BESIDE_THEM, *MAPPED_AT))
    yield from plan.designs(plan.points(AT_32, 32))
    yield from plan.designs(plan.points(AS_PRINTED, *MONTGOMERY_AT))
    yield from plan.simulations(plan.points(AS_PRINTED, 512, 1024))
    yield from multipliers("pseudo-tables")
    yield from over_n()
    yield from plan.on_fpga("cyclonev", plan.points(EXPONENTIATORS_OF_000, *MAPPED_AT))
    yield from plan.on_fpga("cyclonev", plan.points(AT_32, 32))
    yield from plan.on_fpga("cyclonev", plan.points(AS_PRINTED, *MONTGOMERY_AT))


ENTRIES = (
    Study(
        "document-000",
        "document 000 beside ours: multipliers and reductions over n, exponentiators of 8 to 32 "
        "bits, Montgomery's to 256, as fast as they become (0.5 ns): half an hour",
        whole,
        clock_ns=0.5,
    ),
    Study(
        "pseudo-exponentiators",
        "document 000's tables 7 to 18: exponentiators by modulus or pseudo-modulus, at 8 and "
        "16 bits, as fast as they become (0.5 ns)",
        lambda plan: plan.designs(plan.points(EXPONENTIATORS_OF_000, 8, 16)),
        clock_ns=0.5,
    ),
    Study(
        "pseudo-exponentiators-long",
        "the same up to 32 bits",
        lambda plan: plan.designs(plan.points(EXPONENTIATORS_OF_000, 8, 16, 32)),
        clock_ns=0.5,
    ),
    Study(
        "pseudo-tables",
        "document 000's tables 3 and 5: multipliers by form of the modulus, up to 10 bits",
        lambda plan: multipliers("pseudo-tables"),
    ),
    Study(
        "pseudo-tables-long",
        "the same up to 32 bits",
        lambda plan: multipliers("pseudo-tables-long"),
    ),
)
ADDED = {"full": lambda plan: multipliers("pseudo-tables")}
