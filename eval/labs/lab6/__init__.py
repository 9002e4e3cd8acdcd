"""Lab 6: the accelerator in a program, a driver in C, and the speed-up."""

from functools import cache
from pathlib import Path
from random import Random

from eval.labs.lab import PROGRAM, Lab, Mark, Question

NBITS = 32
DESIGNS = ("mont-best", "mul-rem", "ssmm-small", "mont-small")
DIRECTIONS = {"encryption": "e", "decryption": "d"}
SHARES = (60, 75, 90)  # of a program's cycles in per cent


@cache
def benchmark(design: str) -> dict[str, int]:
    """Run document 001's benchmark on the processor at cycle level, with a design's accelerator, or
    in software; return what it prints, and all cycles."""
    from eval.catalog.point import Point
    from eval.tasks.program import Setup
    from proc.manager import Manager
    from proc.programs.load import load_program
    from sim.paths import ROOT

    defines = {"XCEL": "1"} if design else {}
    image = load_program(ROOT / "proc" / "app" / "benchmark.c", defines)
    manager = Manager()
    done = Setup("cl", xcel=Point(design, NBITS) if design else None).run(image, manager)
    lines = (line.split() for line in manager.printed.splitlines())
    return {name: int(count) for name, count in lines} | {"cycles": done.cycles}


def ask(rng: Random) -> list[Question]:
    """Draw a design, a direction, and a share of a program."""
    design, direction, share = rng.choice(DESIGNS), rng.choice(list(DIRECTIONS)), rng.choice(SHARES)
    [other] = DIRECTIONS.keys() - {direction}

    def inside() -> int:
        from eval.catalog.point import Point
        from eval.catalog.workloads import WORKLOADS

        request = WORKLOADS[DIRECTIONS[direction]].request(NBITS)
        return Point(design, NBITS).entry.cycles(NBITS, **vars(request))

    def gain(name: str = direction) -> float:
        return benchmark("")[name] / benchmark(design)[name]

    def whole(part: float) -> float:
        return 1 / (1 - part + part / gain())

    return [
        Question(
            "software",
            f"The benchmark in software, level cl: how many cycles does the {direction} take?",
            2,
            lambda: benchmark("")[direction],
            (
                (f"the {other}", lambda: benchmark("")[other]),
                ("the whole program", lambda: benchmark("")["cycles"]),
                ("with an accelerator: leave --define and --xcel out", lambda: _cycles()),
            ),
        ),
        Question(
            "accelerated",
            f"The same with the accelerator of {design} at {NBITS} bits: the {direction}?",
            2,
            lambda: benchmark(design)[direction],
            (
                (f"the {other}", lambda: benchmark(design)[other]),
                ("the whole program", lambda: benchmark(design)["cycles"]),
                ("without the accelerator: --define XCEL", lambda: benchmark("")[direction]),
                ("of the exponentiator alone", inside),
            ),
        ),
        Question(
            "speed_up",
            f"By which factor does the accelerator of {design} make the {direction} faster?",
            2,
            gain,
            (
                ("the inverse", lambda: 1 / gain()),
                (f"of the {other}", lambda: gain(other)),
                (
                    "of the whole program",
                    lambda: benchmark("")["cycles"] / benchmark(design)["cycles"],
                ),
            ),
            0.005,
        ),
        Question(
            "overhead",
            f"With {design}: how many cycles of the {direction} are not the exponentiator's own?",
            2,
            lambda: benchmark(design)[direction] - inside(),
            (
                ("the exponentiator's own", inside),
                ("all of them", lambda: benchmark(design)[direction]),
            ),
        ),
        Question(
            "program",
            f"A program spends {share} % of its cycles in this {direction} in software. By which "
            f"factor does the accelerator of {design} make the program faster?",
            2,
            lambda: whole(share / 100),
            (
                ("the factor of the part that is accelerated", gain),
                ("that of a part which takes no time any more", lambda: 1 / (1 - share / 100)),
                ("with the shares exchanged", lambda: whole(1 - share / 100)),
                ("the inverse", lambda: 1 / whole(share / 100)),
            ),
            0.005,
        ),
    ]


def _cycles() -> int:
    return benchmark(DESIGNS[0])["encryption"]


def check_code(folder: Path, teacher: str) -> list[Mark]:
    """Check the driver."""
    from eval.labs.driver_code import check_driver

    return check_driver(folder, LAB.items(teacher), teacher)


LAB = Lab(
    "6",
    "the accelerator in a program: a driver in C, and the speed-up",
    "1",
    ask,
    check_code,
    (("one word", 8), ("several words", 6), ("bad modulus", 4), ("once more", 4)),
    teacher_points=6,
    given=("main.c",),
    runs=PROGRAM,
)
