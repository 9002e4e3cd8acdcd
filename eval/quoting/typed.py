"""Finds figures that are typed by hand in a text, where a command's, or a mark, ought to stand.

A number with a unit of what is measured, a long or a broken number, a number in a table's cell
under a heading of measured things, and lines that a command is said to print. Code between
backquotes is not looked at, nor are widths: `1024 bits`.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

UNIT = (
    r"um2|mm2|nm|um|mm|ns|us|ms|ps|s|nJ|uJ|fJ|mJ|mW|uW|fF|pF|MHz|kHz|GB|MB|%|per cent|thousand"
    r"|million|cycles?|cells?|gates?|tables|registers|multipliers|blocks|modules|LUTs?|FFs?|ALMs?"
    r"|DSPs?|slices|signatures|minutes?|min|seconds|hours?"
)
_NUMBER = r"(?<![\w.#^*/+-])(?<![+*/=-] )[-+]?(?:\d[\d.]*\d|\d)"
_WITH_UNIT = re.compile(rf"(?P<number>{_NUMBER})\s+(?P<unit>{UNIT})(?![\w/-])")
_LONG = re.compile(r"(?<![\w.#^*/=-])[-+]?(?:\d{4,}|\d+\.\d+)(?![\w^*])(?!\.\d)(?!\s+bits?\b)")
_HEADING = re.compile(rf"\b({UNIT}|area|period|energy|slack|cost|price|t|time|times)\b|cycles")
_EXPRESSION = re.compile(r"\{\{.*?\}\}|\{%.*?%\}|\{#.*?#\}", re.S)
_FENCE = re.compile(r"^```(?P<language>\w*)\n(?P<body>.*?)^```$", re.M | re.S)
_PLACE = r"(?:figures?|tables?|sections?|equations?|algorithms?)\s+\d+\.\d+(?:\.\d+)?(?!\w)"
_CODE = re.compile(r"`[^`\n]*(?:\n[^`\n]+)?`|\]\([^)]*\)|<!--.*?-->|" + _PLACE, re.S)
_TABLE = re.compile(r"^(?P<head>\|[^\n]*\|)\n\|[-:| ]+\|\n(?P<rows>(?:[^\n]*\|[^\n]*\n)+)", re.M)
_PROMPT = re.compile(r"^\$ (?P<command>[^\n]*)\n(?P<line>[^$\n][^\n]*)", re.M)
# What is no figure though it looks like one: widths, exponents, the benchmark key of document 001.
SETTINGS = frozenset(
    [str(2**k) for k in range(8, 17)] + ["65537", "2148676643", "977851481", "995313404", "3.11"]
)


@dataclass(frozen=True)
class Typed:
    """A figure that is typed by hand."""

    line: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.text!r}"


def typed(text: str) -> list[Typed]:
    """Find the figures of a template that no expression holds, in order."""
    bare = _EXPRESSION.sub(_blank, text)
    found = {*_in_fences(bare)}
    bare = _CODE.sub(_blank, _FENCE.sub(_blank, bare))
    found |= {*_in_tables(bare)}
    for match in _WITH_UNIT.finditer(bare):
        found.add(_typed(bare, match.start(), match[0]))
    for match in _LONG.finditer(bare):
        if match[0].lstrip("+-") not in SETTINGS:
            found.add(_typed(bare, match.start(), match[0]))
    return sorted(found, key=lambda one: (one.line, one.text))


def _typed(text: str, at: int, what: str) -> Typed:
    return Typed(text.count("\n", 0, at) + 1, " ".join(what.split()))


def _blank(match: re.Match[str]) -> str:
    """Keep the lines, and a letter, so that what stands around it does not join."""
    return "x" + "\n" * match[0].count("\n")


def _in_fences(text: str) -> Iterator[Typed]:
    """Find lines that a command is said to print, and tables."""
    for fence in _FENCE.finditer(text):
        body, start = fence["body"], fence.start("body")
        for match in _PROMPT.finditer(body):
            if match["line"] != "x" and not match["command"].endswith("\\"):
                yield _typed(text, start + match.start("line"), match["line"])
        for match in re.finditer(r"^\|[^<>\n]*\d[^<>\n]*\|$", body, re.M):
            yield _typed(text, start + match.start(), match[0])


def _in_tables(text: str) -> Iterator[Typed]:
    """Find numbers in cells under headings of measured things."""
    for table in _TABLE.finditer(text):
        heads = table["head"].strip("|").split("|")
        at = table.start("rows")
        for row in table["rows"].splitlines(keepends=True):
            cells = row.strip().strip("|").split("|")
            for head, cell in zip(heads, cells, strict=False):
                measured = _HEADING.search(head) and re.search(r"(?<![\w^(-])\d", cell)
                if measured and cell.strip() not in SETTINGS:
                    yield _typed(text, at, cell.strip())
            at += len(row)
