"""The cycle that it is, for the parts of one exponentiator at cycle level."""

from dataclasses import dataclass, field
from heapq import heappop, heappush


@dataclass
class Clock:
    """Counts cycles from a reset on; whoever holds the parts counts.

    Parts tell it what they do, and in which cycle they will do something by themselves. Between
    these cycles nothing happens, and a simulation may leave them out.
    """

    now: int = 0
    is_stirred: bool = True  # something happened in this cycle: another part may go on from it
    never_rests: bool = False  # a part has hardware in it, which works in every cycle
    _wakes: list[int] = field(default_factory=list)

    def stir(self) -> None:
        """Hear that something happens in this cycle."""
        self.is_stirred = True

    def wake(self, cycle: int) -> None:
        """Hear in which cycle a part will do something, if not earlier."""
        self.is_stirred = True
        heappush(self._wakes, cycle)

    def tick(self) -> None:
        """Pass a cycle."""
        self.now += 1

    def restart(self) -> None:
        """Begin at cycle 0, with nothing to come."""
        self.now, self.is_stirred = 0, True
        self._wakes.clear()

    def quiet(self) -> int:
        """Count the cycles from this one on in which no part does anything; asked once a cycle."""
        stirred, self.is_stirred = self.is_stirred, False
        wakes = self._wakes
        while wakes and wakes[0] < self.now:
            heappop(wakes)
        if stirred or self.never_rests or not wakes:
            return 0
        return wakes[0] - self.now
