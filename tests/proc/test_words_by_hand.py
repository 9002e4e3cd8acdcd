"""Long numbers' functions: what they compute, in as many instructions whatever the numbers are; and
what the runtime says of a failure at no line."""

from pathlib import Path
from random import Random

import pytest

from fl.xcel import from_words, to_words
from proc.manager import Manager
from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from proc.run.levels import make_system

TIMED = Path(__file__).with_name("c") / "time_words.c"
WORDS, BITS = 8, 256
PRODUCT, SUBTRACT, EQUAL, COPY, CLEAR = range(5)
FULL = (1 << BITS) - 1

Asked = tuple[int, int, int, int]  # what, carry, a, b


def answers(asked: list[Asked]) -> list[tuple[int, int, int]]:
    """Of each: the instructions that it took, its answer, what it left in t."""
    image = load_elf(build([TIMED, APP / "words.c"], {"WORDS": WORDS}))
    inputs: list[int] = []
    for what, carry, a, b in asked:
        inputs += [what, carry, *to_words(a, BITS), *to_words(b, BITS)]
    manager = Manager(inputs, words=(2 + 2 * WORDS) * len(asked))
    make_system("fl").run(image, manager)
    rows = iter(manager.outputs)
    return [
        (next(rows), next(rows), from_words([next(rows) for _ in range(2 * WORDS)])) for _ in asked
    ]


def pairs() -> list[tuple[int, int]]:
    """Equal ones, ones that differ in the lowest or the highest bit, carries through all words."""
    rng = Random(1)
    some = rng.getrandbits(BITS) | 1 << BITS - 1
    found = [(0, 0), (FULL, FULL), (0, FULL), (FULL, 0), (FULL, 1), (1, FULL), (some, some)]
    found += [(some, some ^ 1), (some, some ^ 1 << BITS - 1), (some, some ^ 1 << 128)]
    return found + [(rng.getrandbits(BITS), rng.getrandbits(BITS)) for _ in range(4)]


def test_products_are_added():
    asked = [(PRODUCT, 0, a, b) for a, b in pairs()]
    found = answers(asked)
    for (_, _, a, b), (_, carry, t) in zip(asked, found, strict=True):
        assert carry << 2 * BITS | t == (b << BITS | a) + a * b
    assert {carry for _, carry, _ in found} == {0, 1}
    assert len({taken for taken, *_ in found}) == 1


def test_a_modulus_is_subtracted_once():
    """Of sums below 2m: those below m, m itself, and those with a carry."""
    asked = []
    for m in (1, 3, FULL, 1 << BITS - 1, (1 << BITS - 1) + 1, FULL ^ 1 << 64):
        for total in {0, m // 2, m - 1, m, min(m + 1, 2 * m - 1), 2 * m - 1}:
            asked.append((SUBTRACT, total >> BITS, total & FULL, m))
    found = answers(asked)
    for (_, carry, low, m), (_, _, t) in zip(asked, found, strict=True):
        total = carry << BITS | low
        assert t & FULL == (total if total < m else total - m)
    assert {carry for _, carry, *_ in asked} == {0, 1}
    assert len({taken for taken, *_ in found}) == 1


def test_equal_numbers():
    asked = [(EQUAL, 0, a, b) for a, b in pairs()]
    asked += [(EQUAL, 0, FULL, FULL ^ 1 << bit) for bit in range(0, BITS, 15)]
    found = answers(asked)
    assert [answer for _, answer, _ in found] == [int(a == b) for *_, a, b in asked]
    assert len({taken for taken, *_ in found}) == 1


@pytest.mark.parametrize("what", [COPY, CLEAR])
def test_copies(what: int):
    asked = [(what, 0, a, b) for a, b in pairs()]
    found = answers(asked)
    for (_, _, a, b), (_, _, t) in zip(asked, found, strict=True):
        assert t == b << BITS | (a if what == COPY else 0)
    assert len({taken for taken, *_ in found}) == 1


@pytest.mark.parametrize(
    ("line", "said"), [(7, 7), (65535, 65535), (65537, 1), (0, 1), (65536, 1), (1 << 17, 1)]
)
def test_a_failure_is_never_a_pass(tmp_path: Path, line: int, said: int):
    """Lines beyond 16 bits are cut; one of no number is 1."""
    source = tmp_path / "fails.c"
    source.write_text(f'#include "runtime.h"\nint main(void) {{ fail({line}); }}\n')
    manager = Manager()
    make_system("fl").run(load_elf(build([source])), manager)
    assert (manager.exit_code, manager.reason) == (1, f"failed at line {said}")
