"""Lab 2: from values and cycles to a val/rdy multiplier in hardware."""

from pathlib import Path
from random import Random

from eval.labs.lab import OF_MULTIPLIERS, Lab, Mark, Question

NBITS = 8
HINTS = {
    "none": "no answer ever comes: is rdy set while the unit is idle (GAP 1), does busy rise (GAP "
    "3), does a lose its bits (GAP 4)?",
    "some": "does busy fall when an answer is taken (GAP 3)?",
    "spurious": "an answer comes that nobody asked for: val is for a request that is inside (GAP "
    "1), and busy falls when its answer is taken (GAP 3)",
    "late": "all are one late: the answer waits for a state of its own",
    "early": "all are one early: the operands must be in registers first",
    "same": "all take as many: it does not end where a has no bits any more",
    "interval": "the next request is taken at another time than cl.py says: rdy is for a unit that "
    "is idle, in the cycle after an answer has left",
    "stalls": "an answer must stay, and nothing else be taken, until rdy takes it",
    "apart": "recv.rdy and send.val follow from registers such as busy alone (GAP 1), not from the "
    "other side's val and rdy",
}


def ask(rng: Random) -> list[Question]:
    """Draw a product, and a width."""
    a = rng.randrange(1 << 4, 1 << 6) & ~3 | rng.choice((4, 8, 12))
    b, m = rng.randrange(64, 128), rng.randrange(200, 256)
    width = rng.choice((10, 12, 14))

    def cycles(a: int) -> int:
        return a.bit_length() + 1

    return [
        Question(
            "latency",
            f"a = {a}, b = {b}, m = {m} at {NBITS} bits: cycles from request to answer?",
            2,
            lambda: cycles(a),
            (
                ("a cycle per bit of the width; it ends where a has no bits", lambda: NBITS + 1),
                ("a cycle per set bit of a; zeros take a step, too", lambda: a.bit_count() + 1),
                ("without the cycle of the answer", lambda: a.bit_length()),
                ("that of b; the bits of a are scanned", lambda: cycles(b)),
            ),
        ),
        Question(
            "interval",
            "The same product: after how many cycles is the next request taken, unstalled?",
            2,
            lambda: cycles(a) + 1,
            (("the latency: a request is not taken in the cycle of an answer", lambda: cycles(a)),),
        ),
        Question(
            "first_sum",
            "The same product: what is in s.result after the step of a's first set bit?",
            2,
            lambda: (b << (a & -a).bit_length() - 1) % m,
            (
                ("not reduced modulo m", lambda: b << (a & -a).bit_length() - 1),
                ("b as it came; it doubles in every step before", lambda: b),
                ("the whole product", lambda: a * b % m),
            ),
        ),
        Question(
            "mean",
            f"At {width} bits, over all {1 << width} values of a: what is the mean latency?",
            2,
            lambda: sum(cycles(a) for a in range(1 << width)) / (1 << width),
            (
                ("the longest", lambda: width + 1),
                ("half of the longest: half of all a have all bits", lambda: (width + 1) / 2),
            ),
            tolerance=0.005,
        ),
    ]


def check_code(folder: Path, teacher: str) -> list[Mark]:
    """Check the multiplier in rtl.py."""
    from eval.labs.multiplier_code import MultiplierCode, Variant

    def steps(a: int, b: int, m: int, bits: int, subtract: bool = True) -> int:
        result = 0
        for i in range(bits):
            result += (a >> i & 1) * b
            if result >= m and subtract:
                result -= m
            b = 2 * b - m if 2 * b >= m else 2 * b
        return result

    def strict(a: int, b: int, m: int) -> int:
        result = 0
        while a:
            result += (a & 1) * b
            result -= m if result > m else 0
            b = 2 * b - m if 2 * b >= m else 2 * b
            a >>= 1
        return result

    mask = (1 << NBITS) - 1
    variants: list[Variant] = [
        ("0: is a result made (GAP 2, GAP 4), and passed on (GAP 1)?", lambda a, b, m: 0),
        ("b where a is set: b is not doubled (GAP 2, GAP 4)", _undoubled),
        (
            "as if the last step were left out: look at when the answer is offered (GAP 1)",
            lambda a, b, m: steps(a, b, m, max(a.bit_length() - 1, 0)),
        ),
        (
            "as if the first step were left out: it is made in the cycle after the load (GAP 4)",
            lambda a, b, m: steps(a >> 1, (2 * b - m) if 2 * b >= m else 2 * b, m, NBITS),
        ),
        (
            "as if the sum were never reduced (GAP 2)",
            lambda a, b, m: steps(a, b, m, a.bit_length(), False) & mask,
        ),
        ("as if m were subtracted where a sum is above m, not from m on (GAP 2)", strict),
    ]
    return MultiplierCode(folder, "lab2", NBITS, variants, HINTS).marks(LAB.items(teacher), teacher)


def _undoubled(a: int, b: int, m: int) -> int:
    result = 0
    for _ in range(a.bit_count()):
        result += b
        result -= m if result >= m else 0
    return result


LAB = Lab(
    "2",
    "a val/rdy multiplier: hardware for given values and cycles",
    "2",
    ask,
    check_code,
    OF_MULTIPLIERS,
    teacher_points=8,
    given=("fl.py", "cl.py", "entry.py"),
)
