"""Choose the cycles that are simulated with delays, too, and put together what was counted."""

import random
from collections.abc import Sequence

from flow.gates.simulator import Activity
from flow.gates.window_toggles import ARRAYS

PARTS = 12  # of a window that is too long to simulate all of it with delays
Span = tuple[int, int]  # cycles [begin, end)


def equal_parts(window: Span, samples: int) -> list[Span]:
    """Divide a window that has more cycles than there may be samples into equal parts; others, and
    those without samples, are one part."""
    begin, end = window
    cycles = end - begin
    count = 1 if cycles <= samples else max(1, min(PARTS, samples))
    bounds = [begin + cycles * number // count for number in range(count + 1)]
    return list(zip(bounds, bounds[1:], strict=False))


def in_stretches(
    name: str, part: Span, samples: int, rng: random.Random, nets: int
) -> list[Activity]:
    """Divide a part into what is before the stretch that is simulated with delays, the stretch, and
    what is after it. A stretch is whole, as a loop of the operation is, and anywhere in its part,
    so that no loop can have the period of the stretches."""
    begin, end = part
    length = min(samples, end - begin)
    first = begin + rng.randint(0, end - begin - length) if length else begin
    spans = (begin, first, 0), (first, first + length, length), (first + length, end, 0)
    return [Activity(name, since, to, delayed, nets) for since, to, delayed in spans if to > since]


def window_in_stretches(
    name: str, window: Span, samples: int, rng: random.Random, nets: int
) -> list[list[Activity]]:
    """Divide each part of a window."""
    parts = equal_parts(window, samples)
    return [in_stretches(name, part, samples // len(parts), rng, nets) for part in parts]


def joined(stretches: Sequence[Activity]) -> Activity:
    """Add up what the stretches of a part have counted, in the first of them."""
    first, *others = stretches
    for other in others:
        first.cycles += other.cycles
        first.sampled += other.sampled
        for what in ARRAYS:
            getattr(first, what)[:] += getattr(other, what)
    return first
