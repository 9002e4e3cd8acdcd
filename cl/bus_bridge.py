"""The time of an access over the processor's bus."""

from fl.axi_lite import RESPONSE_CYCLES


def access_cycles(pauses: int = 0) -> int:
    """Count cycles from one in which X sends a load or store to that in which M has the answer.

    One offers it, then the slave answers; pauses: cycles in which a channel waits.
    """
    return 1 + RESPONSE_CYCLES + pauses
