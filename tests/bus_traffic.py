"""Traffic on a peripheral's bus that no driver would make: any access at any time, resets."""

from collections.abc import Callable
from random import Random

from fl.peripheral_driver import Access
from fl.peripheral_map import *
from fl.xcel import words
from sim.axi_lite import BusMaster
from tests.pauses import RandomPauses
from tests.peripherals import random_bytes

REGISTERS = (*WRITABLE, *READABLE)


def any_access(rng: Random, nbits: int) -> Access:
    """A read or a write, most of them of a kind that does something."""
    address = rng.choice(REGISTERS) if rng.random() < 0.95 else rng.randrange(64)
    if rng.random() < 0.4:
        return Access(address)
    place = rng.randrange(words(nbits) + 2)
    usual: dict[int, Callable[[], int]] = {
        STATUS: lambda: rng.randrange(8),
        INPUT_LENGTH: lambda: rng.choice((rng.randrange(nbits // 8 + 2), rng.getrandbits(32))),
        INPUT_FIFO: lambda: rng.choice((rng.getrandbits(32), 0xFFFFFFFF, 2 << 16, 0)),
        INTERRUPT_ENABLE: lambda: rng.randrange(4),
        PADDING: lambda: rng.randrange(4),
    }
    data = usual.get(address, lambda: place)()
    return Access(address, data, 15 if rng.random() < 0.95 else rng.randrange(16))


def disturb(master: BusMaster, nbits: int, seed: int, count: int, late: bool = False) -> None:
    """So many accesses, several queued at once, with resets between, at any moment."""
    rng = Random(f"traffic {seed}")
    master.reset(RandomPauses(seed, late=late), random_bytes(seed))
    for _ in range(count):
        for _ in range(rng.randint(1, 3)):
            master.begin(any_access(rng, nbits))
        if rng.random() < 0.03:
            master.idle(rng.randrange(12))
            master.reset(RandomPauses(rng.getrandbits(32), late=late), random_bytes(seed))
        elif rng.random() < 0.9:
            master.finish()
        if rng.random() < 0.05:
            master.idle(rng.randrange(120))
    master.finish()
