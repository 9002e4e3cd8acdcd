"""When the ports around the processor accept and answer; system_loop.cpp does the same."""

from dataclasses import dataclass

from sim.errors import UserError

DEPTH = 2  # requests that a memory port holds
MASK = 0xFFFFFFFF
SPREAD = 0x9E3779B9  # makes nearby seeds differ in many bits
PORTS = IMEM, DMEM, MNGR2PROC, PROC2MNGR = range(4)


@dataclass(frozen=True)
class Timing:
    """Answers every memory request `latency` cycles later, and lets no port wait.

    With a seed, an answer comes after 1 to `latency` cycles, and every port refuses to transfer
    in a quarter of the cycles; the same seed gives the same cycles.
    """

    latency: int = 1
    seed: int | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.latency <= 1000:
            raise UserError(f"latency {self.latency}: a memory answers after 1 to 1000 cycles")

    def start(self, port: int) -> int:
        """Return the first state of a port's generator; 0 when nothing is random."""
        return 0 if self.seed is None else (self.seed * 4 + port + 1) * SPREAD & MASK or 1


FAST = Timing()


class Draws:
    """Draws a pseudo-random number per cycle for one port (a 32-bit xorshift)."""

    def __init__(self, timing: Timing, port: int):
        self._latency = timing.latency
        self._state = timing.start(port)

    def next(self) -> tuple[bool, int]:
        """Return (the port may transfer in this cycle, latency of what it accepts)."""
        x = self._state
        if not x:
            return True, self._latency
        x ^= x << 13 & MASK
        x ^= x >> 17
        x ^= x << 5 & MASK
        self._state = x
        return x & 3 != 0, 1 + (x >> 8) % self._latency
