"""The time of the accelerator: the register map of fl/xcel.py around a timed exponentiator."""

from fl.component.xcel import XcelFL
from fl.xcel import PRIVATE, Exponentiates, words


def xcel_cycles(nbits: int, latency: int) -> int:
    """Count cycles from taking the first push to giving the last result word, status not read.

    Pushes and go are a request per cycle; the result is there one cycle after the exponentiator
    has answered; the pops follow, a word per cycle.
    """
    pushes_and_go = 3 * words(nbits) + 1
    return pushes_and_go + latency + 1 + words(nbits) - 1


class XcelCL(XcelFL):
    """Answers as XcelFL, and is busy for as long as the exponentiator."""

    def busy_cycles(s, data: int) -> int:
        """Return how long a go keeps the accelerator busy, with what the exponentiator keeps."""
        exponentiator = s.registers.exponentiator
        base, exp, mod = s.registers.inputs()
        if exponentiator.by_crt and data & PRIVATE:
            return exponentiator.private_latency(s.registers.key.e, mod) + 1
        return exponentiator.latency(base, exp, mod) + 1


class LateXcelCL(XcelCL):
    """Answers as XcelCL, but has a result so many cycles later."""

    def construct(s, exponentiator: Exponentiates, later: int):
        super().construct(exponentiator)
        s.later = later

    def busy_cycles(s, data: int) -> int:
        """Return how long a go keeps the accelerator busy."""
        return super().busy_cycles(data) + s.later
