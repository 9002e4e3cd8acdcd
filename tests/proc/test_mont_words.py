"""Exponentiations of long numbers by software, against Python's pow, at the edges of words."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from shutil import copytree

import pytest

from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from proc.run import rsa_private
from proc.run.rsa_private import power
from proc.run.systems import System, make_system
from tests.faults import faults

METHODS = ("public", "secret")
BITS = (8, 32, 33, 127, 128, 129, 256)

Case = tuple[int, int, int]


def cases(bits: int) -> list[Case]:
    """Base, exponent, modulus: the edges of each with random others."""
    rng = Random(bits)
    odd = rng.getrandbits(bits) | 1 << bits - 1 | 1
    full, half = (1 << bits) - 1, rng.getrandbits(bits // 2) | 1
    found = [(base, 3, odd) for base in (0, 1, odd - 1, odd, full)]
    found += [(rng.getrandbits(bits), exp, odd) for exp in (0, 1, 2, full >> 1, full)]
    return found + [(rng.getrandbits(bits), 5, mod) for mod in (1, 3, half, full)]


@cache
def functional() -> System:
    """The interpreter without an accelerator."""
    return make_system("fl")


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("method", METHODS)
def test_powers(method: str, bits: int):
    for base, exp, mod in cases(bits):
        assert power(functional(), base, exp, mod, method).result == pow(base, exp, mod)


def test_the_secret_power_takes_as_long_for_all_exponents_of_as_many_words():
    system, mod = make_system("batch"), (1 << 128) - 159
    exponents = (1 << 96, (1 << 128) - 1, 0xF << 100, 0x123456789 << 65)
    taken = {
        power(system, base, exp, mod, "secret").cycles
        for exp in exponents
        for base in (0, 1, mod - 1, mod // 3)
    }
    assert len(taken) == 1
    few, many = (power(system, 3, exp, mod, "public").cycles for exp in exponents[:2])
    assert few < many
    system.close()


FAULTS = {
    "words.h": {
        "a carry of the lower row lost": ("low_carry = one >> 32;", "low_carry = 0;"),
        "a carry of the upper row lost": ("high_carry = two >> 32;", "high_carry = 0;"),
        "a carry between rows lost": (" + (uint32_t)rest + carry;", " + (uint32_t)rest;"),
        "the carry out lost": ("return second >> 32;", "return 0;"),
    },
    "words.c": {
        "never subtracted": ("(below(words, t, m) & ~carry) - 1", "0"),
        "the carry not seen": ("& ~carry) - 1", ") - 1"),
        "a borrow lost": ("    borrow = difference >> 63;\n", ""),
        "t = m is below m": ("- m[i] - borrow) >> 63", "- m[i] - borrow - (i == 0)) >> 63"),
    },
    "mont_words.c": {
        "the quotient of a word": ("* modulus->inverse;", "* (uint32_t)modulus->inverse;"),
        "a square too few": ("squares < WINDOW;", "squares < WINDOW - 1;"),
        "a power missing": ("table[i - 1], table[1]", "table[i - 1], table[0]"),
        "the last bit ignored": ("if (bit) mont", "if (bit && i) mont"),
    },
}
ROWS = {
    f"{name}: {fault}": (name, change)
    for name, table in FAULTS.items()
    for fault, change in table.items()
}

PARTS = ("words", "mont_words", "rsa_private", "xcel", "peripheral")


def planted(folder: Path, name: str, sound: str, faulty: str) -> Callable[..., object]:
    """What compiles a program of the library with a fault in one of its files."""
    app = folder / "app"
    copytree(APP, app)
    text = (app / name).read_text()
    assert text.count(sound) == 1, f"{name} has {text.count(sound)} times {sound!r}, not once"
    (app / name).write_text(text.replace(sound, faulty))

    @cache
    def image(program: str, **defines: object) -> object:
        sources = (program, *(f"{part}.c" for part in PARTS))
        return load_elf(build([app / source for source in sources], defines))

    return image


def wrong(method: str) -> Case | None:
    """The first case with a wrong answer."""
    for bits in BITS:
        for case in cases(bits):
            if power(functional(), *case, method).result != pow(*case):
                return case
    return None


@faults(ROWS)
def test_a_fault_is_caught(monkeypatch, tmp_path: Path, sound: str, faulty: tuple[str, str]):
    image = planted(tmp_path, sound, *faulty)
    monkeypatch.setattr(
        rsa_private,
        "power_image",
        lambda words, method, *_: image("power.c", WORDS=words, METHOD=method),
    )
    assert any(wrong(method) for method in METHODS)
