"""Submissions that are right, written into folders without a mistake."""

import re
import tomllib
from pathlib import Path

from eval.labs.folder import start_lab
from eval.labs.lab import find_lab
from tests.eval.labs.conftest import answer
from tests.eval.labs.right import (
    CASES2,
    CASES3,
    CASES5,
    LAB2,
    LAB3,
    LAB5,
    LAB6,
    LAB8_ATTACK,
    LAB8_CLOSED,
    PROJECT_ENTRY,
    filled,
)
from tests.eval.user_designs import edit

# Of labs with code: what fills the gaps of each file, and what is added to cases.toml.
CODE: dict[str, tuple[dict[str, dict[str, str]], str]] = {
    "2": ({"rtl.py": LAB2}, CASES2),
    "3": ({"rtl.py": LAB3}, CASES3),
    "5": ({"front.py": LAB5}, CASES5),
    "6": ({"driver.h": LAB6}, ""),
    "8": ({"attack.py": LAB8_ATTACK, "closed.py": LAB8_CLOSED}, ""),
    "project": ({}, ""),
}


def right(number: str, place: Path, name: str = "ada") -> Path:
    """Write a submission whose code earns all points; its questions are not answered."""
    start_lab(find_lab(number), place, name, "")
    gaps, cases = CODE[number]
    for file, filling in gaps.items():
        (place / file).write_text(filled((place / file).read_text(), filling))
    if cases:
        (place / "cases.toml").write_text((place / "cases.toml").read_text() + cases)
    if number == "project":
        (place / "entry.py").write_text(PROJECT_ENTRY)
        edit(place / "claim.toml", 'beats = "?" ', 'beats = "mont-small"')
    return place


def answered(place: Path, name: str = "ada") -> Path:
    """Write lab 2 without a mistake, its questions answered."""
    right("2", place, name)
    text = (place / "questions.md").read_text()
    a, b, m = map(int, re.search(r"a = (\d+), b = (\d+), m = (\d+)", text).groups())
    steps = len(f"{a:b}")
    zeros = steps - len(f"{a:b}".rstrip("0"))
    width = int(re.search(r"At (\d+) bits", text)[1])
    answer(place, latency=steps + 1, interval=steps + 2, first_sum=b * 2**zeros % m, mean=width)
    assert tomllib.loads((place / "answers.toml").read_text())["name"] == name
    return place
