"""Paths into JSON, parts of what is printed, what moved, what a command costs."""

import pytest

from eval.quoting.cost import seconds
from eval.quoting.excerpt import excerpt
from eval.quoting.kept import Answers
from eval.quoting.moved import moved
from eval.quoting.paths import NoSuchPath, value_at

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
    ("path", "before", "after", "says"),
    [
        ("metrics.area_um2", 1000.0, 1005.0, "within the noise"),
        ("metrics.area_um2", 1000.0, 1200.0, "+20.0 %, beyond the noise"),
        ("metrics.period_reached_ns", 1.01, 1.04, "within the noise"),
        ("metrics.period_reached_ns", 1.0, 1.05, "+5.0 %, beyond the noise"),
        ("cycles", 100, 101, "differs"),
        ("metrics.setup_slack_ns", 1.0, 1.1, "no noise is known"),
        ("metrics.cells", None, 3, "new"),
    ],
)
def test_what_moved(path, before, after, says) -> None:
    [found] = moved("flow a", Answers(values={path: before}), Answers(values={path: after}))
    assert says in str(found)


def test_what_did_not_move() -> None:
    typed, measured = {"slack": 0.48, "area": 15631}, {"slack": 0.4751, "area": 15630.9}
    assert not [*moved("flow a", Answers(values=typed), Answers(values=measured))]
    assert [*moved("flow a", Answers(values={"n": 15631}), Answers(values={"n": 15632}))]
    assert [*moved("flow a", Answers(values={"s": 0.48}), Answers(values={"s": 0.4651}))]


def test_lines_that_moved() -> None:
    before, after = Answers(printed={"": ["a"]}), Answers(printed={"": ["b"]})
    [found] = moved("list", before, after)
    assert "differs" in str(found)


def test_cost() -> None:
    flow = "flow array-4 --nbits {}"
    assert seconds(flow.format(32), None) < seconds(flow.format(1024), None)
    assert seconds(flow.format(1024), None) < seconds(flow.format(1024) + " --to power", None)
    assert seconds(flow.format(32), Answers(seconds=7.0)) == 7


@pytest.mark.parametrize(
    ("command", "taken"),
    [
        ("simulate mul-rem", 8.0),
        ("simulate mul-rem --nbits 8", 8.0),
        ("simulate mul-rem --nbits 32", 8.0),
        ("simulate mul-rem --nbits 1024", 8 * 32**0.6),
        ("flow mul-rem --nbits 64 --to layout", 90 * 2**0.9),
        ("flow processor --to layout", 600.0),
        ("whatever", 60.0),
    ],
)
def test_cost_grows_from_32_bits_on(command: str, taken: float) -> None:
    assert seconds(command, None) == pytest.approx(taken)
