"""Checks of a student's driver: main.c with it runs on the processor, at cycle level."""

from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

from eval.catalog.point import Point
from eval.labs.lab import TEACHER, Items, Mark, drawn
from eval.labs.stages import in_turn
from eval.tasks.program import Setup
from proc.manager import Manager
from proc.programs.load import load_program
from proc.retire import Stopped
from sim.errors import RunError, UserError

WORD = 32
DESIGN = "mont-best"
LIMIT = 20_000  # cycles
BAD_MODULUS = 2
Request = tuple[int, int, int]  # base, exponent, modulus
Answer = tuple[int, int]  # result, status
WORDS = {"one word": 1, "several words": 2, "bad modulus": 1, "once more": 2, TEACHER: 3}
Variant = tuple[str, Callable[[Request, int], int]]
VARIANTS: tuple[Variant, ...] = (
    ("0: nothing is popped (GAP 2)", lambda r, bits: 0),
    ("exp^base mod mod: base and exponent are exchanged", lambda r, bits: pow(r[1], r[0], r[2])),
    (
        "as if the most significant word were pushed first (GAP 1), and popped first",
        lambda r, bits: _turned(pow(*(_turned(n, bits) for n in r)), bits),
    ),
    (
        "as if words were pushed in the right order, and popped the other way (GAP 2)",
        lambda r, bits: _turned(pow(*r), bits),
    ),
    ("the lowest word alone (GAP 2)", lambda r, bits: pow(*r) & 0xFFFFFFFF),
)


def check_driver(folder: Path, items: Items, teacher: str) -> list[Mark]:
    """Check driver.h by the given main.c."""

    def said(item: str) -> str:
        rng = drawn(teacher if item == TEACHER else "", item)
        try:
            return _wrong(folder, _requests(rng, item, WORDS[item]), WORDS[item])
        except (UserError, RunError, Stopped) as error:
            return " ".join(str(error).split())[:500]

    return in_turn(items, said)


def _requests(rng: Random, item: str, words: int) -> list[Request]:
    """Draw requests: odd moduli with all bits; even ones among them where that is the question."""
    bits = WORD * words
    found: list[Request] = []
    for even in (False, True, False) if item == "bad modulus" else (False, False, False):
        mod = rng.getrandbits(bits) | 1 << bits - 1 | 1
        found.append((rng.getrandbits(bits) | 1 << bits - 1, rng.getrandbits(16) | 1, mod - even))
    return found[:1] if item == "one word" else found


def _right(request: Request) -> Answer:
    """Return what is right: of an even modulus the status, and no result."""
    return (pow(*request), 0) if request[2] % 2 else (0, BAD_MODULUS)


def _wrong(folder: Path, requests: Sequence[Request], words: int) -> str:
    """Run the program, and say what is wrong with its answers."""
    bits = WORD * words
    found = answers(folder, requests, words)
    if found == list(map(_right, requests)):
        return ""
    number = next(i for i, (r, a) in enumerate(zip(requests, found, strict=True)) if a != _right(r))
    (base, exp, mod), (result, status) = requests[number], found[number]
    right, right_status = _right(requests[number])
    told = f"request {number + 1}, {base}^{exp} mod {mod}: result {result}, status {status}; right "
    told += f"is {right}, status {right_status}"
    if right_status and result == 0:
        return f"{told}; GAP 3 returns no status, or not its bit for a bad modulus"
    if result == right:
        return f"{told}; only the bit for a bad modulus is returned (GAP 3)"
    for hint, variant in VARIANTS:
        if result == variant(requests[number], bits) and not right_status:
            return f"{told}; it is {hint}"
    return told


def answers(folder: Path, requests: Sequence[Request], words: int) -> list[Answer]:
    """Run main.c with these requests; return what it prints."""
    bits = WORD * words
    inputs = [len(requests)]
    inputs += [word for request in requests for n in request for word in _words(n, words)]
    image = load_program(folder / "main.c", {"WORDS": f"{words}"})
    manager = Manager(inputs)
    done = Setup("cl", xcel=Point(DESIGN, bits)).run(image, manager, LIMIT)
    if done.exit_code:
        raise RunError(f"the program ends with {done.reason}")
    lines = [line.split() for line in manager.printed.splitlines()]
    found, each = [], words + 1
    for start in range(0, len(lines), each):
        *parts, (_, status) = lines[start : start + each]
        result = sum(int(word) << WORD * i for i, (_, word) in enumerate(parts))
        found.append((result, int(status)))
    if len(found) != len(requests):
        raise RunError(f"the program prints {len(found)} answers to {len(requests)} requests")
    return found


def _words(number: int, words: int) -> list[int]:
    return [number >> WORD * i & 0xFFFFFFFF for i in range(words)]


def _turned(number: int, bits: int) -> int:
    """Turn the words of a number round."""
    parts = _words(number, bits // WORD)
    return sum(word << WORD * i for i, word in enumerate(reversed(parts)))
