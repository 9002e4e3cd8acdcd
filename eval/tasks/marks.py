"""Marks after the names of designs, the same in every table and chart, and what they mean."""

import re
from collections.abc import Iterable
from typing import Any

from eval.catalog import find
from eval.catalog.point import Point
from eval.tasks.unit import Target

SOME_MODULI, MISSED = "#", "!"
MEANINGS = {
    SOME_MODULI: "# takes moduli of one form only: no design for any RSA key.",
    MISSED: "! misses the clock: what depends on time or power there is of no working circuit.",
}
_MARKS = re.compile(r"[\w)]([#!]+)(?=,|\s|$)")


def takes_some_moduli(target: Target) -> bool:
    """Return whether a point, or what is attached to a processor, takes moduli of one form only."""
    if isinstance(target, Point):
        return target.entry.moduli.some
    return target.has_width and find(target.attached).moduli.some


def marked(target: Target, slack_ns: float | None = None, name: str = "") -> str:
    """Write the target, or a name of it, with its marks; slack is that at the clock asked for."""
    missed = slack_ns is not None and slack_ns < 0
    return (name or str(target)) + SOME_MODULI * takes_some_moduli(target) + MISSED * missed


def unmarked(text: str) -> str:
    """Leave the marks out."""
    return _MARKS.sub(lambda match: match[0].removesuffix(match[1]), text)


def meanings(cells: Iterable[Any]) -> str:
    """Explain the marks that stand in cells of words, in a note."""
    found = {
        mark
        for cell in cells
        if isinstance(cell, str)
        for marks in _MARKS.findall(cell)
        for mark in marks
    }
    return " ".join(meaning for mark, meaning in MEANINGS.items() if mark in found)
