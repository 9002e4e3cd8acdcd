"""Lab 8: leakage: a key that is read from a trace of power, and what closes that."""

from pathlib import Path
from random import Random
from typing import Any

from eval.labs.lab import FUNCTIONS, Lab, Mark, Question
from eval.labs.leak_code import ITEMS

NBITS = 16
STEPS = (2, 4)  # AddRed steps per cycle of the device's two units
TRACES = 1000
MEAN_OF = 500  # traces of the one that is handed out
WEAK = (0.5, 1.2, 2.4)  # |t| that noise leaves


def device(steps: int, loop: str = "") -> str:
    """Name a design that multiplies beside its squarings, where a bit is 1 or always."""
    return f"mont(steps={steps}{loop and f',loop={loop}'})"


def leakage(design: str, blind_base: bool = False) -> Any:
    """Return the row of the leakage, measured if the store has none."""
    from eval.catalog.point import Point
    from eval.tasks.leakage.task import Leakage
    from eval.tasks.task import measure

    return measure(Leakage(Point(design, NBITS), TRACES, blind_base)).result


def most(result: Any, against: str) -> float:
    """Return the largest |t| of a test, as the table has it."""
    return float(result.tests[against].most(result.work))


def cycles(design: str, exp: int) -> int:
    """Count the cycles of an exponent, without the port."""
    from eval.catalog.point import Point
    from eval.catalog.workloads import key_for

    return Point(design, NBITS).entry.cycles(NBITS, 2, exp, key_for(NBITS).n)


def mean_trace(design: str, secret: int) -> list[float]:
    """Return the mean of how many register bits change in each cycle of the accelerator, at RTL,
    by random bases."""
    from cl.xcel import xcel_cycles
    from eval.catalog.point import Point
    from eval.catalog.workloads import key_for
    from eval.tasks.leakage.rtl import RtlTraces

    point, mod = Point(design, NBITS), key_for(NBITS).n
    rng = Random(f"bases {design} {secret}")
    source = RtlTraces(point, xcel_cycles(NBITS, cycles(design, secret)))
    try:
        found, _ = source.measure((0, (rng.randrange(mod), secret, mod)) for _ in range(MEAN_OF))
    finally:
        source.close()
    return [round(float(value), 2) for value in found.mean(axis=0)]


def drawn_device(rng: Random) -> tuple[int, int]:
    """Draw a device's steps, and its secret exponent of all bits."""
    return rng.choice(STEPS), rng.getrandbits(NBITS) | 1 << NBITS - 1 | 1


def made(rng: Random) -> dict[str, str]:
    """Make the trace of a student's device."""
    steps, secret = drawn_device(rng)
    lines = (f"{i},{value}" for i, value in enumerate(mean_trace(device(steps), secret)))
    return {"trace.csv": "\n".join(["cycle,bits", *lines]) + "\n"}


def ask(rng: Random) -> list[Question]:
    """Draw a device with a secret, and what noise leaves of its leak."""
    steps, secret = drawn_device(rng)
    leaks, closed = device(steps), device(steps, "always")
    weak = rng.choice(WEAK)

    def a_round() -> int:
        return cycles(leaks, 1 << NBITS - 1) - cycles(leaks, 1 << NBITS - 2)

    def right_bits(design: str) -> int:
        read = leakage(design).read
        return int(read.right) if read else -1

    def of_d(design: str) -> int:
        from eval.catalog.workloads import key_for

        return cycles(design, key_for(NBITS).d)

    def dearer() -> float:
        return 100 * (of_d(closed) / of_d(leaks) - 1)

    every = (1 << NBITS) - 1
    asked = f"'{leaks}' at {NBITS} bits"
    return [
        Question(
            "round",
            f"{asked}: how many cycles does a round take?",
            2,
            a_round,
            (
                ("all cycles of exponent 32768", lambda: cycles(leaks, 1 << NBITS - 1)),
                ("all cycles of exponent 16384", lambda: cycles(leaks, 1 << NBITS - 2)),
                ("the cycles of a bit of the operand, not of the exponent", lambda: NBITS),
            ),
        ),
        Question(
            "exponent",
            f"trace.csv is of {asked}, with an exponent of {NBITS} bits. Which exponent?",
            6,
            lambda: secret,
            (
                (
                    "the bits the other way round: the first round is of the lowest bit",
                    lambda: int(f"{secret:b}"[::-1], 2),
                ),
                ("0s for 1s", lambda: secret ^ every),
                ("a bit short: there are as many rounds as bits", lambda: secret >> 1),
                ("a bit short: the last round is of a 1, too", lambda: secret & every >> 1),
            ),
        ),
        Question(
            "t",
            f"{asked}, {TRACES} traces, level rtl: the largest |t| of the exponent?",
            2,
            lambda: most(leakage(leaks), "exponent"),
            (
                ("that of the base", lambda: most(leakage(leaks), "base")),
                (
                    "the number of cycles that leak",
                    lambda: leakage(leaks).tests["exponent"].leaking[0],
                ),
            ),
            0.005,
        ),
        Question(
            "noisy",
            f"With noise |t| is {weak:g} after {TRACES} traces. After how many is it 4.5?",
            2,
            lambda: TRACES * (4.5 / weak) ** 2,
            (
                ("as if t grew with the traces, not with their root", lambda: TRACES * 4.5 / weak),
                ("how many times as many", lambda: (4.5 / weak) ** 2),
            ),
            0.01,
        ),
        Question(
            "closed",
            f"'{closed}' at {NBITS} bits, {TRACES} traces: how many bits are read right off its "
            "mean trace?",
            2,
            lambda: right_bits(closed),
            ((f"those of '{leaks}'", lambda: right_bits(leaks)),),
        ),
        Question(
            "cost",
            f"By how many per cent more cycles does workload d take with '{closed}' than with "
            f"'{leaks}' at {NBITS} bits, without the port?",
            2,
            dearer,
            (
                ("in cycles", lambda: of_d(closed) - of_d(leaks)),
                ("the ratio", lambda: of_d(closed) / of_d(leaks)),
            ),
            0.01,
        ),
        Question(
            "left",
            f"'{closed}': in how many cycles does the exponent still leak by the t-test?",
            2,
            lambda: leakage(closed).tests["exponent"].leaking[0],
            (
                ("the base", lambda: leakage(closed).tests["base"].leaking[0]),
                (f"'{leaks}'", lambda: leakage(leaks).tests["exponent"].leaking[0]),
            ),
        ),
        Question(
            "blind",
            f"'{closed}' with --blind-base, {TRACES} traces: the largest |t| of the base?",
            2,
            lambda: most(leakage(closed, True), "base"),
            (
                ("without --blind-base", lambda: most(leakage(closed), "base")),
                ("that of the exponent", lambda: most(leakage(closed, True), "exponent")),
            ),
            0.01,
        ),
    ]


def check_code(folder: Path, teacher: str) -> list[Mark]:
    """Check attack.py and closed.py."""
    from eval.labs.leak_code import check_leak

    return check_leak(folder, LAB.items(teacher), teacher)


LAB = Lab(
    "8",
    "leakage: read a key from a trace, then close it",
    "1.5",
    ask,
    check_code,
    tuple(zip(ITEMS, (4, 6, 6, 8, 8), strict=True)),
    teacher_points=6,
    runs=FUNCTIONS,
    made=made,
)
