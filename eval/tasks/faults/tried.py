"""What came of faults, in numbers, and which faults are tried."""

from collections.abc import Sequence
from random import Random

from eval.tasks.faults.interval import clopper_pearson
from eval.tasks.faults.operation import CORRECT, DETECTED, EXPLOITABLE
from flow.results.record import Record

NO_CHECK, BY_E, OWN = "none", "by e", "its own"  # what looks at the result


class Tried(Record):
    """Counts what came of faults, with what looks at the result: they are drawn from `population`,
    all of it if it has as many."""

    check: str
    population: int
    faults: int
    outcomes: dict[str, int]

    @property
    def effort(self) -> int:
        """Return what the operation takes without a fault, in a unit of the model's."""
        raise NotImplementedError

    def price(self, plain: "Tried") -> float:
        """Return by which part it takes more than one that is not checked."""
        return self.effort / plain.effort - 1

    @property
    def drawn(self) -> bool:
        """Whether they are a sample."""
        return self.faults < self.population

    @property
    def changed(self) -> int:
        """Return how many changed what the host sees."""
        return self.faults - self.outcomes[CORRECT]

    @property
    def detected(self) -> int:
        """Return how many are detected."""
        return sum(self.outcomes[name] for name in DETECTED)

    def share(self, found: int, of: int) -> tuple[float, float, float]:
        """Return a share, and between what it is with 95 % confidence: itself if all were tried."""
        value = found / of if of else 0.0
        return (value, *(clopper_pearson(found, of) if self.drawn and of else (value, value)))

    @property
    def exploitable(self) -> tuple[float, float, float]:
        """Return the share of faults that can be exploited."""
        return self.share(self.outcomes[EXPLOITABLE], self.faults)

    @property
    def coverage(self) -> tuple[float, float, float]:
        """Return the share of detected faults among those that changed something."""
        return self.share(self.detected, self.changed)


def drawn(population: int, most: int, seed: int) -> Sequence[int]:
    """Choose faults by number, in order: all, or as many as `most`."""
    if most >= population:
        return range(population)
    return sorted(Random(seed).sample(range(population), most))
