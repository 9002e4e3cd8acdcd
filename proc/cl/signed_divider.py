"""When the divider has an answer: proc/rtl/signed_divider.py's cycles, and those of reuse.py."""

from cl.div_rem import div_latency
from proc.cl.decoded import Decoded
from proc.isa import signed
from proc.rtl.signed_divider import EARLY

NBITS = 32


class SignedDivider:
    """Has the answer of the division in X from cycle `done` on.

    Divider "fast" keeps an answer while no register that it was made of is written (`live`). A
    division of the same registers has it at once; another one waits until it is dropped.
    """

    def __init__(self, divider: str) -> None:
        self.early = EARLY[divider]
        self.reuses = divider == "fast"
        self.done = 0
        self.live = False
        self.of: tuple[int, int, int] = (0, 0, 0)  # the registers, and whether they are unsigned
        self.held = False  # an answer that was given is still there

    def enter(self, division: Decoded, cycle: int, a: int, b: int) -> None:
        """Begin a division that is in X from this cycle on."""
        of = division.first, division.second, division.word >> 12 & 1
        if self.live and of == self.of:
            self.done = cycle
        else:
            self.done = cycle + self.held + self._latency(a, b, of[2] == 1)
            self.held = False
        if self.reuses:
            self.of = of
            self.live = division.rd not in of[:2]

    def pass_by(self, other: Decoded) -> None:
        """See another instruction go to X, which may write what was divided."""
        if self.live and other.rd in self.of[:2]:
            self.live = self.held = False

    def leave(self) -> None:
        """Give the answer."""
        self.held = self.live

    def _latency(self, a: int, b: int, unsigned: bool) -> int:
        if not unsigned:
            a, b = abs(signed(a)), abs(signed(b))
        return div_latency(NBITS, a, b, self.early)
