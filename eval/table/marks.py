"""Marks after the names of designs, the same in every table and chart, and what they mean."""

import re
from collections.abc import Iterable
from typing import Any

SOME_MODULI, MISSED, COMPOSED, ASSUMED, HOSTED = "#", "!", "^", "?", "@"
MEANINGS = {
    SOME_MODULI: "# takes moduli of one form only: no design for any RSA key.",
    MISSED: "! timing not met: time and power figures there are invalid.",
    ASSUMED: "? no hardware: cycles of a model; area and period, if any, are assumed.",
    COMPOSED: "^ composed of modules: the flow did not run for its clock.",
    HOSTED: "@ constants of the modulus are given by the host: no cycles, no area are counted.",
}
_MARKS = re.compile(r"[\w)]([#!^?@]+)(?=,|\s|$)")


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
