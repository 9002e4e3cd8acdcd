"""The cycle that it is, for the parts of one exponentiator at cycle level."""

from dataclasses import dataclass


@dataclass
class Clock:
    """Counts cycles from a reset on; whoever holds the parts counts."""

    now: int = 0
