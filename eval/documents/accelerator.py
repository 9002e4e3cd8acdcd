"""What others print of RSA on accelerators of their own, and which of the documents tells it.

Of projects outside the documents there are cycles, as these projects state them; clocks are
whatever the hardware is built for.
"""

from dataclasses import dataclass
from functools import cache

from eval.documents.document import stated

PUBLIC, PRIVATE = "e", "d"
OURS_NM = 45
# The processes of devices, by the names under which documents have them.
NODES_NM = {
    **{"XC40250XV": 250, "Virtex-E": 180, "Virtex-2": 150, "Virtex-4": 90, "Virtex-5": 65},
    **{"Artix-7": 28, "Cyclone V": 28},
}
PROJECT = "its project"


@dataclass(frozen=True)
class Accelerator:
    """An exponentiation of so many bits by e = 65537 or by an exponent as long as the modulus: the
    cycles, the clock in MHz, the time in ms, what it takes of its device; `note` says how it is to
    be read."""

    by: str
    on: str
    nbits: int
    exponent: str
    source: str
    cycles: int | None = None
    mhz: float | None = None
    time_ms: float | None = None
    takes: str = ""
    note: str = ""

    @property
    def node_nm(self) -> int | None:
        """The process of its device, if it is known."""
        return NODES_NM.get(self.on)

    @property
    def scaled_ms(self) -> float | None:
        """The time in our process, if gates were as much quicker as they are smaller."""
        known = self.time_ms is not None and self.node_nm is not None
        return self.time_ms * OURS_NM / self.node_nm if known else None


NOTE = "Its project: what OpenTitan and CrypTech state of theirs."
PROJECTS = tuple(
    Accelerator(by, on, nbits, exponent, PROJECT, cycles, takes=takes, note=NOTE)
    for by, on, nbits, exponent, cycles, takes in (
        ("OTBN", "OpenTitan", 1024, PUBLIC, 39279, ""),
        ("OTBN", "OpenTitan", 1024, PRIVATE, 2920527, ""),
        ("OTBN", "OpenTitan", 2048, PUBLIC, 132035, ""),
        ("OTBN", "OpenTitan", 2048, PRIVATE, 19714191, ""),
        ("ModExpA7", "CrypTech", 1024, PUBLIC, 25500, "462 DSP"),
        ("ModExpA7", "CrypTech", 1024, PRIVATE, 1450000, "462 DSP"),
        ("ModExpA7, CRT", "CrypTech", 2048, PRIVATE, 2910000, ""),
    )
)


@cache
def accelerators() -> tuple[Accelerator, ...]:
    """List those that documents tell of, ACCELERATORS of each, and then the projects'."""
    return *(one for told in stated("beside", "ACCELERATORS") for one in told), *PROJECTS
