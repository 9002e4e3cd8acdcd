"""Which marks stand after the name of a target, in tables and charts."""

from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.processor import Target
from eval.foreign.given import from_host
from eval.table.marks import ASSUMED, HOSTED, MEANINGS, MISSED, SOME_MODULI

__all__ = ["MEANINGS", "is_assumed", "marked", "takes_some_moduli"]


def takes_some_moduli(target: Target) -> bool:
    """Return whether a point, or what is attached to a processor, takes moduli of one form only."""
    if isinstance(target, Point):
        return target.entry.moduli.some
    return target.has_width and find(target.attached).moduli.some


def is_assumed(target: Target) -> bool:
    """Return whether a point is an assumption, not hardware."""
    return isinstance(target, Point) and target.entry.assumed


def is_hosted(target: Target) -> bool:
    """Return whether the host gives constants of the modulus to a point's core of others."""
    return isinstance(target, Point) and bool(from_host(target.entry.at(target.nbits)))


def marked(target: Target, slack_ns: float | None = None, name: str = "") -> str:
    """Write the target, or a name of it, with its marks; slack is that at the clock asked for."""
    missed = slack_ns is not None and slack_ns < 0
    marks = SOME_MODULI * takes_some_moduli(target) + ASSUMED * is_assumed(target)
    marks += HOSTED * is_hosted(target) + MISSED * missed
    return (name or str(target)) + marks
