"""Channels of a bus that pause now and then, by a seed."""

from random import Random

from sim.axi_protocol import Pauses


class RandomPauses(Pauses):
    """Pauses up to `longest` cycles, half of the times not at all."""

    def __init__(self, seed: int, longest: int = 5, late: bool = False) -> None:
        self.rng, self.longest, self.late = Random(seed), longest, late

    def __call__(self, channel: str) -> int:
        return self.rng.choice((0, self.rng.randint(0, self.longest)))
