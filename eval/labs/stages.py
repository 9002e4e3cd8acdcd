"""Stages of a check: each is tried only if those before it are right."""

from collections.abc import Callable

from eval.labs.lab import OWN_CASES, Items, Mark


class Wrong(Exception):
    """Tells what is wrong with a submission."""


def in_turn(items: Items, said: Callable[[str], str]) -> list[Mark]:
    """Mark items: `said` tries one, and says what is wrong with it. Cases of a student's own stop
    no others."""
    marks: list[Mark] = []
    stopped = ""
    for item, points in items:
        told = f"not tried: {stopped} first" if stopped else said(item)
        if told and not stopped and item != OWN_CASES:
            stopped = item
        marks.append(Mark(item, points, 0 if told else points, told))
    return marks
