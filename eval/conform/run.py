"""A design tried by vectors: each power is compared with the vector, and with Python's pow."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.conform.kept import KEPT, Keeping
from eval.conform.powers import Failed, Way, check, way
from eval.conform.vector import Vector


@dataclass(frozen=True)
class Tried:
    """Says what came of a vector: what is wrong, None if nothing is, and the cycles of the power,
    None where there was none or the level has no clock."""

    vector: Vector
    found: Any
    wrong: str | None
    cycles: int | None
    power: int | None = None


@dataclass(frozen=True)
class Row:
    """Counts the vectors of a suite; `refused` are those that passed as they must be refused."""

    suite: str
    vectors: int
    passed: int
    refused: int
    failed: int
    least: int | None
    most: int | None
    total: int | None


def try_all(
    point: Point,
    vectors: Sequence[Vector],
    through: str,
    level: str,
    say: Callable[[Vector, int], None] = lambda vector, done: None,
) -> list[Tried]:
    """Ask the design for every power that is not kept."""
    check(point, through, level)
    powers = [vector.power for vector in vectors if vector.power]
    asked: Way = Keeping(point, through, powers) if level == KEPT else way(point, through, level)
    done: list[Tried] = []
    try:
        for vector in vectors:
            say(vector, len(done))
            done.append(_tried(vector, asked))
    finally:
        asked.close()
    return done


def _tried(vector: Vector, asked: Way) -> Tried:
    """A power that is wrong fails a vector, too, whose signature is refused all the same."""
    if vector.power is None:
        found = vector.found(None)
        return Tried(vector, found, None if vector.right in (found, None) else "is refused", None)
    try:
        answer = asked.power(vector.power)
    except Failed as error:
        return Tried(vector, None, str(error), None)
    right = vector.power.result
    wrong = None
    if answer.status:
        wrong = "the modulus is refused"
    elif answer.result != right:
        wrong = f"{vector.power} was answered {shorten(answer.result)}, right is {shorten(right)}"
    found = vector.found(answer.result) if answer.result < vector.modulus else None
    if wrong is None and vector.right not in (found, None):
        wrong = f"the vector says {shown(vector.right)}, found was {shown(found)}"
    return Tried(vector, found, wrong, answer.cycles, answer.result)


def shown(value: Any) -> str:
    """Write a signature, a verdict or a message in a few characters."""
    if isinstance(value, bool):
        return "valid" if value else "refused"
    return "nothing" if value is None else shorten(f"0x{value.hex()}")


def rows(tried: Sequence[Tried]) -> list[Row]:
    """Count by suite."""
    found = []
    for suite in dict.fromkeys(one.vector.suite for one in tried):
        own = [one for one in tried if one.vector.suite == suite]
        passed = [one for one in own if one.wrong is None]
        cycles = [one.cycles for one in own if one.cycles is not None]
        found.append(
            Row(
                suite,
                len(own),
                len(passed),
                sum(one.vector.must_fail for one in passed),
                len(own) - len(passed),
                min(cycles, default=None),
                max(cycles, default=None),
                sum(cycles) if cycles else None,
            )
        )
    return found
