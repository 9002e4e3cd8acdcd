"""The studies of long keys: RSA at the sizes in use, and how designs grow with the width."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import POWER, TIMING, Study

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from eval.study.plan import Plan
    from eval.tasks.task import Task

QUICK = ("array-4", "array-8", "systolic-16", "serial-pz-32", "ssmm-small")
LONG_KEYS = (*QUICK, "mont-small")
SCALABLE = (*LONG_KEYS, "array-2", "array-16", "array-8-window-4", "mont-digit-4")
SIGNING = (
    *("array-4", "array-8", "array-16", "array-8-window-4", "systolic-16", "systolic-twin-16"),
    *("mont-digit-4", "mont-small", "ssmm-small", "ssmm-ct", "serial-pz-32"),
)
BY_PRIMES = "array-16"  # what the processor signs with
SCALING = (32, 64, 128, 256, 512, 1024)
ENERGIES_TO = 256  # bits, in study scaling
OF_003 = tuple(f"serial-pz-{bits}" for bits in (32, 64, 128, 256))
OF_004 = ("mmm-004", "ssmm-004")
GROWING = (*LONG_KEYS, "mont-digit-4")
STEEP = ("mul-rem", "mont-001", "mont-best")
# Bits beyond which mapping takes more than minutes, or a signature 270 million cycles.
MOST_BITS = {"mul-rem": 128, "mont-001": 128, "mont-best": 256, "serial-pz-32": 1024}


def points(plan: "Plan", designs: Iterable[str], nbits: int) -> list["Point"]:
    """Name those of the designs that can be measured at a width in some minutes."""
    return plan.points([d for d in designs if nbits <= MOST_BITS.get(d, nbits)], nbits)


def default_rows(plan: "Plan", to: str = TIMING) -> Iterable["Task"]:
    """Choose five designs at 1024 bits, to stand beside those of 32."""
    yield from plan.designs(plan.points(QUICK, 1024), to)


def signing(plan: "Plan", nbits: int, to: str, operations: Iterable[str]) -> Iterable["Task"]:
    """Choose all that signs with keys of a width: designs, and the processor with and without."""
    yield from plan.designs(points(plan, SIGNING, nbits), to)
    tasks = plan.on_processor(nbits, operations, BY_PRIMES)
    yield from tasks
    yield from plan.processors([task.point for task in tasks])


def rsa(plan: "Plan") -> Iterable["Task"]:
    """Choose what is sensible at 512 to 2048 bits, with energies up to 1024."""
    for nbits, to in ((512, POWER), (1024, POWER), (2048, TIMING)):
        yield from signing(plan, nbits, to, ("d", "crt", "e"))


def rsa_long(plan: "Plan") -> Iterable["Task"]:
    """Choose the same at 4096 bits, where a signature modulo n in software takes 1.7 billion
    cycles."""
    yield from signing(plan, 4096, TIMING, ("crt", "e"))


def rsa_multipliers(plan: "Plan") -> Iterable["Task"]:
    """Choose what scales, over the widths of long keys."""
    yield from plan.designs(plan.points(SCALABLE, 256, 512, 1024, 2048))


def scaling(plan: "Plan") -> Iterable["Task"]:
    """Choose what grows with its width, and what grows faster; document 003's processor by its
    words, in cycles."""
    for nbits in SCALING:
        to = POWER if nbits <= ENERGIES_TO else TIMING
        yield from plan.designs(points(plan, GROWING, nbits), to)
        yield from plan.designs(points(plan, (*OF_004, *STEEP), nbits))
    yield from plan.simulations(plan.points(["mul-rem"], *SCALING))
    yield from plan.simulations(plan.points(OF_003, 1024), ["e"])


def scaling_long(plan: "Plan") -> Iterable["Task"]:
    """Choose the same, what scales to 2048 bits, and document 003's words through the flow."""
    yield from scaling(plan)
    yield from plan.designs(points(plan, (*GROWING, *OF_004), 2048))
    yield from plan.designs(plan.points(OF_003, 1024))


ENTRIES = (
    Study(
        "rsa",
        "verifications and signatures at 512, 1024 and 2048 bits, energies up to 1024, the "
        "processor in software beside them, 3 ns: an hour",
        rsa,
    ),
    Study("rsa-long", "the same at 4096 bits, without energies", rsa_long),
    Study(
        "rsa-multipliers",
        "what a product costs at 256 to 2048 bits, by every unit that scales, 3 ns: hours",
        rsa_multipliers,
    ),
    Study(
        "scaling",
        "how area, period, cycles and energy grow from 32 to 1024 bits, beside what the documents "
        "say, 3 ns: an hour",
        scaling,
    ),
    Study("scaling-long", "the same up to 2048 bits", scaling_long),
)
