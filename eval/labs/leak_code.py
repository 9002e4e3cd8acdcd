"""Checks of a student's attack on a trace, and of what closes the leak."""

from collections.abc import Callable, Sequence
from math import gcd, isclose
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from eval.labs.lab import TEACHER, Items, Mark, drawn
from eval.labs.python_code import called, mark_python
from eval.labs.stages import Wrong
from fl.rsa_keys import RsaKey, seeded_key

ATTACK, CLOSED = "attack.py", "closed.py"
SUMS, SPLIT, READ, CONSTANT, BLINDED = ITEMS = ("sums", "split", "read", "constant", "blinded")
TRIED = 12
KEY_BITS = 32
FEW = 8  # calls after which all are of one kind by chance no more


class Traced(NamedTuple):
    """A mean trace that is made up, and what it is of."""

    trace: list[float]
    after: int  # cycles that follow the rounds
    cycles: int  # of a round
    rounds: int
    exponent: int

    @property
    def begin(self) -> int:
        """Return where the first round begins."""
        return len(self.trace) - self.after - self.rounds * self.cycles


def sums(trace: Sequence[float], begin: int, cycles: int, rounds: int) -> list[float]:
    """Return the sum over each round."""
    starts = (begin + i * cycles for i in range(rounds))
    return [sum(trace[start : start + cycles]) for start in starts]


def split(values: Sequence[float]) -> tuple[float, float]:
    """Return the share of the variance between the classes of the best threshold, and that."""
    ordered, mean = sorted(values), sum(values) / len(values)
    whole = sum((value - mean) ** 2 for value in values)
    best = 0.0, ordered[-1]
    for i in range(1, len(ordered)):
        low, high = ordered[:i], ordered[i:]
        apart = sum(high) / len(high) - sum(low) / len(low)
        share = len(low) * len(high) * apart**2 / len(values) / whole if whole else 0.0
        best = max(best, (share, (low[-1] + high[0]) / 2))
    return best


def read(traced: Traced, begin: int | None = None) -> int:
    """Return the exponent of a trace. The last round is of a 1, or there were not as many."""
    trace, _, cycles, rounds, _ = traced
    values = sums(trace, traced.begin if begin is None else begin, cycles, rounds)
    bits = sum((value > split(values)[1]) << i for i, value in enumerate(values))
    return bits | 1 << rounds - 1


def traces(rng: Random) -> list[Traced]:
    """Make traces up: rounds alike but for what a 1 adds, with other work before and after."""
    made: list[Traced] = []
    while len(made) < TRIED:
        cycles, rounds = rng.randint(3, 9), rng.randint(12, 20)
        usual = [rng.uniform(20, 40) for _ in range(cycles)]
        more = [rng.uniform(2, 6) for _ in range(cycles)]
        exponent = rng.getrandbits(rounds) | 1 << rounds - 1 | 1
        before = [rng.uniform(10, 45) for _ in range(rng.randint(8, 20))]
        trace = [*before]
        for i in range(rounds):
            ones = exponent >> i & 1 if i < rounds - 1 else -1  # the last one has no squaring
            trace += [u + ones * m + rng.gauss(0, 0.3) for u, m in zip(usual, more, strict=True)]
        after = rng.randint(1, 2 * cycles)
        trace += [rng.uniform(10, 45) for _ in range(after)]
        one = Traced(trace, after, cycles, rounds, exponent)
        if read(one) == exponent:
            made.append(one)
    return made


def values_to_split(rng: Random) -> list[list[float]]:
    """Make lists of two classes, of which the one is wide, and the other one small."""
    made = [[*sums(t.trace, t.begin, t.cycles, t.rounds)] for t in traces(rng)]
    for _ in range(TRIED):
        low = [rng.uniform(0, 10) for _ in range(rng.randint(4, 12))]
        values = low + [rng.uniform(13, 16) for _ in range(rng.randint(1, 3))]
        rng.shuffle(values)
        made.append(values)
    return made


def check_leak(folder: Path, items: Items, teacher: str) -> list[Mark]:
    """Check attack.py, then closed.py, each stage by stage."""
    rng = drawn(teacher, "leak")

    def by_teacher(module: ModuleType) -> None:
        _constant(module, rng)
        _blinded(module, rng)

    of_attack: dict[str, Callable[[Any], None]] = {
        SUMS: lambda module: _sums(module, traces(drawn("", SUMS))),
        SPLIT: lambda module: _split(module, values_to_split(drawn("", SPLIT))),
        READ: lambda module: _read(module, traces(drawn("", READ))),
        TEACHER: lambda module: _read(module, traces(rng)),
    }
    of_closed: dict[str, Callable[[Any], None]] = {
        CONSTANT: lambda module: _constant(module, drawn("", CONSTANT)),
        BLINDED: lambda module: _blinded(module, drawn("", BLINDED)),
        TEACHER: by_teacher,
    }
    points = dict(items)
    half = points.pop(TEACHER, 0) // 2
    marks = []
    for file, stages in ((ATTACK, of_attack), (CLOSED, of_closed)):
        mine = tuple((name, points[name]) for name in stages if name != TEACHER)
        mine += ((TEACHER, half),) if half else ()
        marks += mark_python(folder / file, mine, stages)
    return _joined(marks, half)


def _joined(marks: list[Mark], half: int) -> list[Mark]:
    """Make one mark of the two by the teacher's cases."""
    if not half:
        return marks
    both = [mark for mark in marks if mark.item == TEACHER]
    said = "; ".join(mark.said for mark in both if mark.said)
    rest = [mark for mark in marks if mark.item != TEACHER]
    return [*rest, Mark(TEACHER, 2 * half, sum(mark.got for mark in both), said)]


def _sums(module: ModuleType, made: Sequence[Traced]) -> None:
    for one in made:
        right = sums(one.trace, one.begin, one.cycles, one.rounds)
        found = called(module, "sums", one.trace, one.begin, one.cycles, one.rounds)
        if _alike(found, right):
            continue
        told = f"{one.rounds} rounds of {one.cycles} cycles from cycle {one.begin} on: "
        told += f"sums is {_short(right)}, and was answered {_short(found)}"
        if _alike(found, [0.0] * one.rounds):
            raise Wrong("sums: always 0 (GAP 1)")
        if _alike(found, sums(one.trace, 0, one.cycles, one.rounds)):
            raise Wrong(f"{told}; as if rounds began at cycle 0 (GAP 1)")
        if _alike(found, [value / one.cycles for value in right]):
            raise Wrong(f"{told}; means, not sums (GAP 1)")
        if _alike(found, [one.trace[one.begin + i * one.cycles] for i in range(one.rounds)]):
            raise Wrong(f"{told}; the first cycle of each round alone (GAP 1)")
        if _alike(
            found, [sum(one.trace[one.begin + i :][: one.cycles]) for i in range(one.rounds)]
        ):
            raise Wrong(f"{told}; a round begins `cycles` after the one before (GAP 1)")
        raise Wrong(told)


def _split(module: ModuleType, made: Sequence[list[float]]) -> None:
    for values in made:
        share, threshold = split(values)
        found = called(module, "split", list(values))
        told = f"split of {_short(values)} is {share:.3f} by {threshold:.3f}, and was answered "
        told += f"{str(found)[:60]}"
        if not isinstance(found, tuple) or len(found) != 2 or not all(map(_is_number, found)):
            raise Wrong(f"{told}; return the share and the threshold")
        same = [value > found[1] for value in values] == [value > threshold for value in values]
        if same and isclose(found[0], share, rel_tol=1e-6):
            continue
        if found == (0.0, 0.0):
            raise Wrong("split: always 0 (GAP 2)")
        if isclose(found[1], sum(values) / len(values)):
            raise Wrong(
                f"{told}; the mean is no best threshold where 1s and 0s are not as many (GAP 2)"
            )
        if isclose(found[1], (min(values) + max(values)) / 2):
            raise Wrong(
                f"{told}; the middle of least and greatest is one threshold; try all (GAP 2)"
            )
        if same:
            raise Wrong(
                f"{told}; the threshold is right, its share is not: divide what is between "
                "the classes by the whole (GAP 2)"
            )
        raise Wrong(told)


def _read(module: ModuleType, made: Sequence[Traced]) -> None:
    found = [called(module, "read", *one[:4]) for one in made]
    wrong = next((i for i, one in enumerate(made) if found[i] != one.exponent), None)
    if wrong is None:
        return
    one = made[wrong]
    told = f"read of a trace with {one.rounds} rounds of {one.cycles} cycles is "
    told += f"{one.exponent:#x}, and was answered {_hex(found[wrong])}"
    variants: tuple[tuple[str, Callable[[int, Traced], int]], ...] = (
        ("always 0 (GAP 3)", lambda i, t: 0),
        ("the highest bit first: the first round is of the lowest (GAP 3)", _turned),
        ("0s for 1s: a 1 makes more change (GAP 3)", lambda i, t: t.exponent ^ _below(t)),
        (
            "0s for 1s, but for the last round: a 1 makes more change (GAP 3)",
            lambda i, t: t.exponent ^ _below(t) >> 1,
        ),
        (
            "as if the last round were read: it is of a 1, whatever its sum (GAP 3)",
            lambda i, t: t.exponent & _below(t) >> 1,
        ),
        (
            "as if the rounds ended with the trace: `after` cycles follow them (GAP 3)",
            lambda i, t: read(t, t.begin + t.after),
        ),
        ("as if the rounds began with the trace (GAP 3)", lambda i, t: read(t, 0)),
    )
    for hint, variant in variants:
        if all(
            variant(i, t) == answer for i, (t, answer) in enumerate(zip(made, found, strict=True))
        ):
            raise Wrong(f"{told}; all answers are {hint}")
    raise Wrong(told)


def _below(one: Traced) -> int:
    return (1 << one.rounds) - 1


def _turned(_: int, one: Traced) -> int:
    return int(f"{one.exponent:0{one.rounds}b}"[::-1], 2)


class _Products:
    """Makes products modulo m, and notes of each whether it is a square."""

    def __init__(self, mod: int) -> None:
        self.mod, self.made = mod, ""

    def __call__(self, a: int, b: int) -> int:
        self.made += "S" if a == b else "M"
        return a * b % self.mod


def _constant(module: ModuleType, rng: Random) -> None:
    """Compare values, then the order of squares and other products for any two exponents."""
    nbits = rng.choice((10, 12, 16))
    mod = seeded_key(KEY_BITS, 2).n
    base = rng.randrange(2, mod)
    every = (1 << nbits) - 1
    exps = [
        every,
        1 << nbits - 1,
        every ^ 2,
        *(rng.getrandbits(nbits) for _ in range(TRIED)),
        5,
        1,
        0,
    ]
    seen: dict[str, int] = {}
    for exp in exps:
        multiply = _Products(mod)
        found = called(module, "power", base, exp, nbits, multiply)
        if found != pow(base, exp, mod):
            told = (
                f"power of {base}, {exp}, {nbits} modulo {mod} is {pow(base, exp, mod)}, and was "
            )
            raise Wrong(f"{told}answered {str(found)[:40]} (GAP 4)")
        seen.setdefault(multiply.made, exp)
    if len(seen) == 1:
        return
    (one, exp), (other, another) = list(seen.items())[:2]
    told = f"exponents {exp} and {another} of {nbits} bits: {len(one)} and {len(other)} products"
    counts = {len(made) for made in seen}
    if len(counts) == 1:
        raise Wrong(
            f"{told}, {one[:12]}... and {other[:12]}...; squares (S) and others (M) come in "
            "another order (GAP 4)"
        )
    long = {len(made) for made, e in seen.items() if e.bit_length() == nbits}
    if len(long) == 1:
        raise Wrong(
            f"{told}; as many for all with the highest bit: go through nbits bits, also "
            "where the exponent is shorter (GAP 4)"
        )
    raise Wrong(f"{told}; make the product where a bit is 0, too, and do not use it (GAP 4)")


def _blinded(module: ModuleType, rng: Random) -> None:
    """Compare results, then what is blinded."""
    key = seeded_key(KEY_BITS, rng.randrange(3, 40))
    own: Any = getattr(module, "Key", None)
    theirs = own(key.n, key.e, key.d, key.p, key.q) if callable(own) else key
    base, order = rng.randrange(2, key.n), (key.p - 1) * (key.q - 1)
    bases, exps = set(), set()
    for _ in range(FEW):
        found = called(module, "blinded", base, key.d, theirs, Random(rng.getrandbits(64)))
        if (
            not isinstance(found, tuple)
            or len(found) != 3
            or not all(type(v) is int for v in found)
        ):
            raise Wrong(f"blinded: {str(found)[:60]} is not base, exponent and factor (GAP 5)")
        _blinded_right(key, base, order, *found)
        bases.add(found[0] % key.n)
        exps.add(found[1])
    for name, values, by in (("base", bases, "r^e"), ("exponent", exps, "k * (p - 1) * (q - 1)")):
        if len(values) == 1:
            raise Wrong(
                f"blinded: the {name} is the same in {FEW} calls: blind it by {by}, drawn "
                "anew (GAP 5)"
            )
        if len(values) < FEW // 2:
            raise Wrong(f"blinded: the {name} has {len(values)} values in {FEW} calls; draw more")


def _blinded_right(key: RsaKey, base: int, order: int, new: int, exp: int, factor: int) -> None:
    """Tell what is wrong with a blinded request."""
    right, answer = pow(base, key.d, key.n), factor * pow(new, exp, key.n) % key.n
    if answer == right:
        return
    told = f"n = {key.n}, base {base}: factor * base'^exp' is {answer}, base^d {right}"
    if (exp - key.d) % order:
        by_n = "; a multiple of n was added" if (exp - key.d) % key.n == 0 else ""
        raise Wrong(f"{told}; exp' is not d plus a multiple of (p - 1) * (q - 1){by_n} (GAP 5)")
    if gcd(factor, key.n) == 1 and pow(factor, -1, key.n) * pow(new, exp, key.n) % key.n == right:
        raise Wrong(f"{told}; the factor is r, and must be its inverse modulo n (GAP 5)")
    if factor == 1:
        raise Wrong(f"{told}; the factor is 1: what was multiplied in must be taken out (GAP 5)")
    raise Wrong(f"{told}; base' is base * r^e, the factor 1/r, modulo n (GAP 5)")


def _alike(found: Any, right: Sequence[float]) -> bool:
    whole = (
        isinstance(found, list | tuple) and len(found) == len(right) and all(map(_is_number, found))
    )
    return whole and all(isclose(a, b, abs_tol=1e-9) for a, b in zip(found, right, strict=True))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _short(values: Any) -> str:
    if isinstance(values, list | tuple) and all(map(_is_number, values)):
        return "[" + ", ".join(f"{value:.1f}" for value in values[:5]) + ", ...]"
    return str(values)[:60]


def _hex(value: Any) -> str:
    return f"{value:#x}" if type(value) is int else str(value)[:40]
