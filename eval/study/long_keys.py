"""The studies of long keys: RSA at the sizes in use, and how designs grow with the width."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from eval.study.study import POWER, TIMING, Study

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from eval.study.plan import Plan
    from eval.tasks.task import Task

SHORT = ("array-4", "array-8", "ssmm-small")  # flows of a minute or two
ENERGY_QUICK, MAPPED_QUICK = ("array-4",), ("array-8",)
SIMULATED_QUICK = ("array-16", "serial-pz-32", "ssmm-small", "mont-small")
LONG_KEYS = ("array-4", "array-8", "systolic-16", "serial-pz-32", "ssmm-small", "mont-small")
SCALABLE = (*LONG_KEYS, "array-2", "array-16", "array-8-window-4", "mont-digit-4")
SIGNING = (
    *("array-4", "array-8", "array-16", "array-8-window-4", "systolic-16"),
    *("mont-digit-4", "mont-small", "ssmm-small", "ssmm-ct", "serial-pz-32"),
)
# At 1024 bits those that others beat by far, or that are like others, are mapped for one clock: a
# curve takes minutes, and a study an hour.
AT_ONE_CLOCK = (
    *("array-2", "array-4-ct", "array-8-ct", "array-16-ct", "array-2-window-4"),
    *("array-4-window-4", "array-crt-16", "mont-small", "mont-digit-4", "ssmm-ct"),
    *("serial-p-32", "tiny(word=32)"),
)
FASTEST = ("array-16-window-4", "array-16-window-4-stages-2")
SIGNING_1024 = tuple(dict.fromkeys((*SIGNING, *FASTEST, *AT_ONE_CLOCK)))
# Whose glitches take longer to simulate than all else of them, and whose curve takes long.
NO_ENERGIES = ("systolic-16", *FASTEST)
SIGNING_2048 = ("array-4", "array-8-window-4", "array-16")
OPERATIONS = ("d", "crt", "e")
BY_PRIMES = "array-16"  # what the processor signs with
BY_KEY = "array-crt-16"  # what signs by itself
SCALING = (32, 64, 128, 256, 512, 1024)
# Whose area grows as the square, or nearly; wider ones take a quarter of an hour and more.
STEEP = {"mul-rem": (32, 48, 64), "mont-001": (32, 40, 48)}
ENERGIES_TO = 256  # bits, in study scaling
OF_003 = tuple(f"serial-pz-{bits}" for bits in (32, 64, 128, 256))
OF_004 = ("mmm-004", "ssmm-004")
GROWING = (*LONG_KEYS, "mont-digit-4")
# Bits beyond which mapping takes long, or a signature two billion cycles.
MOST_BITS = {"mont-best": 128, "serial-pz-32": 2048}


def points(plan: "Plan", designs: Iterable[str], nbits: int) -> list["Point"]:
    """Name those of the designs that can be measured at a width in some minutes."""
    return plan.points([d for d in designs if nbits <= MOST_BITS.get(d, nbits)], nbits)


def default_rows(plan: "Plan") -> Iterable["Task"]:
    """Choose what stands at 1024 bits beside designs of 32: those that are mapped in two minutes,
    one with energies, the cycles of others, and the processor in software."""
    yield from plan.designs(plan.points(ENERGY_QUICK, 1024), POWER)
    yield from plan.designs(plan.points(MAPPED_QUICK, 1024))
    yield from plan.simulations(plan.points(SIMULATED_QUICK, 1024))
    yield from plan.on_processor(1024, OPERATIONS, BY_PRIMES)


def beside(plan: "Plan", nbits: int, operations: Iterable[str]) -> Iterable["Task"]:
    """Choose what the processor does with keys of a width, by itself and with accelerators."""
    tasks = plan.on_processor(nbits, operations, BY_PRIMES)
    yield from tasks
    yield from plan.processors([task.point for task in tasks])


def rsa_quick(plan: "Plan") -> Iterable["Task"]:
    """Choose three designs at 512 bits, and the processor by itself."""
    yield from plan.designs(plan.points(SHORT, 512))
    yield from plan.on_processor(512, OPERATIONS, BY_PRIMES)
    yield from plan.processors(plan.with_accelerators([]))


def rsa(plan: "Plan") -> Iterable["Task"]:
    """Choose what is sensible at 1024 and 2048 bits in an hour on two cores: twenty-one designs,
    nine at many clocks, with energies of some at 1024 bits."""
    for point in plan.points(SIGNING_1024, 1024):
        if point.design in AT_ONE_CLOCK:
            yield from plan.designs([point])
        else:
            yield from plan.curves([point], energy=point.design not in NO_ENERGIES)
    yield from plan.curves(plan.points(SIGNING_2048, 2048), energy=False)
    for nbits in (1024, 2048):
        yield from beside(plan, nbits, OPERATIONS)
        yield from plan.by_key(nbits, BY_KEY)
    yield from plan.each("private", plan.points([BY_KEY], 1024))


def rsa_long(plan: "Plan") -> Iterable["Task"]:
    """Choose the same at 4096 bits, where a signature modulo n in software takes 1.7 billion
    cycles."""
    yield from plan.designs(points(plan, SIGNING, 4096))
    yield from beside(plan, 4096, ("crt", "e"))


def rsa_multipliers(plan: "Plan") -> Iterable["Task"]:
    """Choose what scales, over the widths of long keys."""
    yield from plan.designs(plan.points(SCALABLE, 256, 512, 1024, 2048))


def scaling_quick(plan: "Plan") -> Iterable["Task"]:
    """Choose three designs at 64 to 256 bits, and their cycles up to 1024."""
    yield from plan.designs(plan.points(SHORT, 64, 128, 256), POWER)
    yield from plan.simulations(plan.points(SHORT, 512, 1024))


def scaling(plan: "Plan") -> Iterable["Task"]:
    """Choose what grows with its width, and what grows faster; in cycles document 003's processor
    by its words, and document 002's array to where three of its widths are measured."""
    for nbits in SCALING:
        to = POWER if nbits <= ENERGIES_TO else TIMING
        yield from plan.designs(points(plan, GROWING, nbits), to)
        yield from plan.designs(points(plan, (*OF_004, "mont-best"), nbits))
    for design, widths in STEEP.items():
        yield from plan.designs(plan.points([design], *widths))
    yield from plan.simulations(plan.points(["mul-rem"], *SCALING))
    yield from plan.simulations(plan.points(OF_003, 1024), ["e"])
    yield from plan.simulations(plan.points(["systolic-16"], 2048), ["d"])


def scaling_long(plan: "Plan") -> Iterable["Task"]:
    """Choose the same, what scales to 2048 bits, what does not to 64 or 128, and document 003's
    words through the flow."""
    yield from scaling(plan)
    yield from plan.designs(plan.points(["mul-rem"], 128))
    yield from plan.designs(plan.points(["mont-001"], 64))
    yield from plan.designs(points(plan, (*GROWING, *OF_004), 2048))
    yield from plan.designs(plan.points(OF_003, 1024))


ENTRIES = (
    Study(
        "rsa",
        "verifications and signatures of twenty-one designs at 1024 bits and three at 2048, nine "
        "and those three at their own clocks, energies of six, the processor in software beside "
        "them: an hour on two cores",
        rsa,
    ),
    Study(
        "rsa-quick",
        "the same of three designs at 512 bits, without energies: ten minutes",
        rsa_quick,
    ),
    Study("rsa-long", "rsa at 4096 bits, without energies", rsa_long),
    Study(
        "rsa-multipliers",
        "what a product costs at 256 to 2048 bits, by every unit that scales, 3 ns: hours",
        rsa_multipliers,
    ),
    Study(
        "scaling",
        "how area, period and cycles grow from 32 to 1024 bits, and energy to 256, beside what the "
        "documents say, 3 ns: an hour",
        scaling,
    ),
    Study(
        "scaling-quick",
        "the same of three designs at 64 to 256 bits, and their cycles to 1024: ten minutes",
        scaling_quick,
    ),
    Study("scaling-long", "scaling up to 2048 bits", scaling_long),
)
