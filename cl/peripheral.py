"""The time of the peripheral: passes over the bytes of its words around a timed exponentiator."""

from cl.exponentiator import Exponentiator
from fl.axi_lite import RESPONSE_CYCLES
from fl.component.peripheral import PeripheralFL
from fl.peripheral_map import LOADED, Fixed
from fl.xcel import words


def pass_cycles(nbits: int) -> int:
    """Count cycles of a pass, a byte per cycle: one pads, one unpads, whatever the operation."""
    return 4 * words(nbits)


def busy_cycles(nbits: int, latency: int, redrawn: int = 0) -> int:
    """Count cycles in which STATUS says busy, from the one after the start is performed.

    redrawn: cycles in which a random byte is waited for, or comes and is 0.
    """
    return pass_cycles(nbits) + redrawn + after_padding(nbits, latency)


def after_padding(nbits: int, latency: int) -> int:
    """Count those from the exponentiator's request on: its answer, the other pass, the outcome."""
    return latency + 1 + pass_cycles(nbits) + 1


def operation_cycles(accesses: int, busy: int) -> int:
    """Count cycles from the first access's acceptance to the last one's answer, nothing pausing.

    One access follows the other, and what comes after the operation its interrupt.
    """
    return (RESPONSE_CYCLES + 1) * accesses + busy - 1


class PeripheralCL(PeripheralFL):
    """Answers as PeripheralFL, and is busy for as long as the hardware."""

    def construct(s, exponentiator: Exponentiator, fixed: Fixed = LOADED, design: str = ""):
        nbits = exponentiator.nbits
        super().construct(
            nbits,
            exponentiator.value,
            fixed,
            design,
            lambda draws: pass_cycles(nbits) - draws,
            lambda *operands: after_padding(nbits, exponentiator.latency(*operands)),
        )
