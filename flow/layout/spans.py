"""Spans on a line, such as a wire's on its track."""

from collections.abc import Iterable

Span = tuple[int, int]


def merged(spans: Iterable[Span], gap: int = 0) -> list[Span]:
    """Make one of spans that touch, overlap or are nearer than `gap`; points are left out."""
    found: list[Span] = []
    for low, high in sorted(spans):
        if found and (low <= found[-1][1] or low - found[-1][1] < gap):
            found[-1] = (found[-1][0], max(found[-1][1], high))
        else:
            found.append((low, high))
    return [span for span in found if span[1] > span[0]]
