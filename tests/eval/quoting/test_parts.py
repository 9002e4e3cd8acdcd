"""Paths into JSON, parts of what is printed, what moved."""

import pytest

from eval.quoting.excerpt import excerpt
from eval.quoting.measuring import moved
from eval.quoting.paths import NoSuchPath, value_at
from eval.quoting.stored import Answers

pytestmark = pytest.mark.quick
JSON = {
    "metrics": {"area_um2": 1.5},
    "steps": [{"step": "check", "cycles": 3}, {"step": "go", "cycles": 4}, {"step": "go"}],
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("metrics.area_um2", 1.5),
        ("steps[0].cycles", 3),
        ("steps[-1].step", "go"),
        ("steps[step=check].cycles", 3),
        ("steps[step=go,cycles=4].cycles", 4),
    ],
)
def test_path(path, value) -> None:
    assert value_at(JSON, path) == value


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("metrics.cells", "area_um2"),
        ("metrics.area_um2.x", "there is no 'x'"),
        ("steps[9].cycles", "there is no 9"),
        ("steps[step=go].cycles", "2 entries"),
        ("metrics[step=go]", "no list"),
        ("steps[", "no path"),
    ],
)
def test_no_such_path(path, says) -> None:
    with pytest.raises(NoSuchPath, match=says):
        value_at(JSON, path)


PRINTED = """before
One
+---+
| a |
+---+
A note.
Reproduce with:
  modexplorer x

Two
+---+
| b |
+---+
"""


def test_excerpt() -> None:
    one = "One\n+---+\n| a |\n+---+"
    two = "Two\n+---+\n| b |\n+---+"
    assert excerpt(PRINTED, ("One",)) == f"  ...\n{one}\nA note.\n  ..."
    assert excerpt(PRINTED, ("One",), notes=False) == f"  ...\n{one}\n  ..."
    assert excerpt(PRINTED, ("Two",)) == f"  ...\n{two}"
    assert excerpt(PRINTED, ("One", "Two"), notes=False) == f"  ...\n{one}\n  ...\n{two}"
    assert excerpt(PRINTED) == PRINTED.rstrip()
    with pytest.raises(LookupError, match="Three"):
        excerpt(PRINTED, ("One", "Three"))


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ({"cycles": 100}, {"cycles": 101}, ["cycles: 100 -> 101, +1.0 %"]),
        ({"cycles": 100}, {"cycles": 100}, []),
        ({}, {"cells": 3}, ["cells: nothing -> 3"]),
        ({"slack": 0}, {"slack": 0.5}, ["slack: 0 -> 0.5"]),
    ],
)
def test_what_moved(before, after, says) -> None:
    assert [*moved(Answers(values=before), Answers(values=after))] == says


def test_lines_that_moved() -> None:
    before, after = Answers(printed={"": "a", "T": "b"}), Answers(printed={"": "c", "T": "b"})
    assert [*moved(before, after)] == ["output differs"]
    assert [*moved(Answers(), Answers(printed={"T": "b"}))] == ["output T is new"]
