"""Lab 3: AddRed, and Montgomery's product as a pipeline that is split by stages."""

from pathlib import Path
from random import Random

from eval.labs.lab import OF_MULTIPLIERS, Lab, Mark, Question

NBITS, STEPS = 8, 2
WIDTH = 32  # of the pipelines that are asked for
HINTS = {
    "none": "no answer ever comes: does a stage offer what it holds, take what comes while it is "
    "empty (GAP 2), and become full (GAP 3)?",
    "some": "does a stage become empty when the next one takes its message, and no other comes "
    "(GAP 3)?",
    "spurious": "an answer comes that nobody asked for: a stage is empty again when its message "
    "has left, and no other came (GAP 3)",
    "late": "all are one late: a stage has one register, at its end",
    "early": "all are one early: each stage has a register at its end",
    "same": "",
    "interval": "a request is not taken in every cycle: a full stage takes the next message in the "
    "cycle in which its own leaves (GAP 2)",
    "stalls": "a message must stay as it is, and none be taken over it, until the next stage takes "
    "it (GAP 2, GAP 4)",
    "apart": "a stage offers what it holds, and is ready while it is empty or the next stage takes "
    "its message, whether or not one comes (GAP 2)",
}


def _steps(a: int, b: int, m: int, count: int, r: int = 0) -> int:
    for i in range(count):
        r += (a >> i & 1) * b
        r = (r + r % 2 * m) // 2
    return r


def _reduced(a: int, b: int, m: int, count: int) -> int:
    total = _steps(a, b, m, count)
    return total - m if total >= m else total


def ask(rng: Random) -> list[Question]:
    """Draw a step, a product, and a split."""
    m = rng.randrange(151, 255) | 1
    y = rng.randrange(60, 150)
    s = rng.randrange(60, 150) & ~1 | ~y & 1  # s + y is odd
    a, b, x = rng.randrange(130, 256), rng.randrange(50, 150), rng.randrange(20, 150)
    k, many = rng.choice((2, 4, 8)), rng.choice((10, 20, 50))
    stages = WIDTH // k

    def back(value: int, power: int) -> int:
        return value * pow(2, -power, m) % m

    def cycles(design: str) -> int:
        from eval.catalog.point import Point
        from eval.catalog.workloads import WORKLOADS

        request = WORKLOADS["d"].request(WIDTH)
        return Point(design, WIDTH).entry.cycles(WIDTH, **vars(request))

    def member(steps: int, unit: str) -> str:
        return f"mont(steps={steps},unit={unit})"

    return [
        Question(
            "add_red",
            f"AddRed of s = {s}, x = 1, y = {y}, m = {m}: what is the next s?",
            2,
            lambda: (s + y + m) // 2,
            (
                ("without q * m: s + y is odd, so q = 1", lambda: (s + y) // 2),
                ("not halved", lambda: s + y + m),
                ("without y: x is 1", lambda: _steps(0, y, m, 1, s)),
            ),
        ),
        Question(
            "product",
            f"n = {NBITS}, R = 2^{NBITS}: what is the Montgomery product of a = {a} and b = {b} "
            f"modulo m = {m}?",
            2,
            lambda: back(a * b, NBITS),
            (
                ("a * b mod m: it is divided by R, too", lambda: a * b % m),
                ("multiplied by R, not divided", lambda: a * b * 2**NBITS % m),
                ("with R = 2^(n-1): a step too few", lambda: back(a * b, NBITS - 1)),
                ("with R = 2^(n+1): a step too many", lambda: back(a * b, NBITS + 1)),
            ),
        ),
        Question(
            "domain",
            f"By which number must x = {x} be multiplied, as a Montgomery product with n = {NBITS} "
            f"and m = {m}, to become x * R mod m?",
            2,
            lambda: 2 ** (2 * NBITS) % m,
            (
                ("R mod m: the product divides by R once", lambda: 2**NBITS % m),
                ("x * R mod m itself, the result", lambda: x * 2**NBITS % m),
                ("not reduced modulo m", lambda: 2 ** (2 * NBITS)),
            ),
        ),
        Question(
            "latency",
            f"A pipeline of {WIDTH} steps, {k} per stage: when is a product there, in cycles?",
            2,
            lambda: stages,
            (
                ("the number of steps", lambda: WIDTH),
                ("the steps of a stage", lambda: k),
                ("of an iterated unit, which loads registers first", lambda: stages + 1),
            ),
        ),
        Question(
            "throughput",
            f"The same pipeline: after how many cycles are {many} products there, a request per "
            "cycle?",
            2,
            lambda: stages + many - 1,
            (
                ("one after the other: a pipeline overlaps them", lambda: stages * many),
                ("a cycle too many: the first one needs no cycle before", lambda: stages + many),
                ("the requests alone: the last one has to come out", lambda: many),
            ),
        ),
        Question(
            "exponentiation",
            f"'{member(k, 'pipelined')}' at {WIDTH} bits: how many cycles does workload d take?",
            2,
            lambda: cycles(member(k, "pipelined")),
            (
                ("of iterated units: unit=pipelined is left out", lambda: cycles(member(k, "koc"))),
                ("of another split", lambda: cycles(member(16, "pipelined"))),
            ),
        ),
    ]


def check_code(folder: Path, teacher: str) -> list[Mark]:
    """Check the stages in rtl.py."""
    from eval.labs.multiplier_code import MultiplierCode, Variant

    variants: list[Variant] = [
        ("0: is the sum passed on (GAP 1)?", lambda a, b, m: 0),
        (
            "as if q were 0: m is added where the sum is odd (GAP 1)",
            lambda a, b, m: _without_m(a, b, m),
        ),
        ("as if y were added for every x (GAP 1)", lambda a, b, m: _reduced(255, b, m, NBITS)),
        (
            "as if m were added where s is odd, before x * y is (GAP 1)",
            lambda a, b, m: _too_early(a, b, m),
        ),
        (
            "as if a step were left out",
            lambda a, b, m: _reduced(a, b, m, NBITS - 1),
        ),
    ]
    return MultiplierCode(folder, "lab3", NBITS, variants, HINTS).marks(LAB.items(teacher), teacher)


def _without_m(a: int, b: int, m: int) -> int:
    total = 0
    for i in range(NBITS):
        total = (total + (a >> i & 1) * b) // 2
    return total - m if total >= m else total


def _too_early(a: int, b: int, m: int) -> int:
    total = 0
    for i in range(NBITS):
        total = (total + total % 2 * m + (a >> i & 1) * b) // 2 & (1 << NBITS + 1) - 1
    return (total - m if total >= m else total) & (1 << NBITS) - 1


LAB = Lab(
    "3",
    "AddRed, and Montgomery's product as a pipeline",
    "1.5",
    ask,
    check_code,
    OF_MULTIPLIERS,
    teacher_points=8,
    given=("fl.py", "cl.py", "entry.py"),
)
