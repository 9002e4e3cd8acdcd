"""A fault campaign at RTL: every bit of every register in every cycle, or a sample of these."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random

from eval.tasks.faults.interval import clopper_pearson
from eval.tasks.faults.operation import (
    CORRECT,
    DETECTED,
    EXPLOITABLE,
    OUTCOMES,
    PRIVATE,
    Signing,
)
from eval.tasks.port import PORTS, messages
from eval.tasks.unit import ACCELERATOR, translation
from flow.results.record import Record
from sim.errors import RunError
from sim.faults import Fault, FaultInjector, Seen

CYCLES_A_CALL = 1 << 22  # between calls the progress is told
NO_CHECK, BY_E, OWN = "none", "by e", "its own"  # what looks at the result


class Campaign(Record):
    """Counts what came of faults: in all, and by register; the bits of the exponent that are told.

    register_bits, cycles: of the design, and of the operation without a fault. A fault is drawn
    from `population`, all of it if it has as many.
    """

    check: str
    cycles: int
    register_bits: int
    population: int
    faults: int
    outcomes: dict[str, int]
    registers: dict[str, dict[str, int]]
    exponent_bits_told: list[int]

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


def run_campaign(
    signing: Signing,
    most: int,
    seed: int,
    say: Callable[[str], None] = lambda step: None,
) -> Campaign:
    """Try all faults, or as many as `most`, drawn by the seed."""
    point, check = signing.point, BY_E if signing.checked else NO_CHECK
    if signing.operation == PRIVATE:
        check = OWN if getattr(point.entry.at(point.nbits), "checks", True) else NO_CHECK
    say(f"check {check}: preparing the simulation")
    design = translation(point, ACCELERATOR)
    sent = messages(signing.messages)
    injector = FaultInjector(design, *PORTS, sent, signing.echo, signing.limit)
    try:
        [unharmed] = injector.run([None])
        if signing.outcome(unharmed)[0] != CORRECT or unharmed.cycles is None:
            raise RunError(f"{point}: is wrong without a fault; see `modexplorer check`")
        population = injector.bits * unharmed.cycles
        count = min(most, population)
        names = [one.name for one in injector.registers]
        registers = {name: Counter[str]() for name in names}
        told: set[int] = set()
        drawn, done = _drawn(injector, population, count, seed), 0
        while chunk := list(islice(drawn, max(1, CYCLES_A_CALL // unharmed.cycles))):
            say(f"check {check}: {done} of {count} faults")
            for fault, seen in zip(chunk, injector.run(chunk), strict=True):
                name, bit = _outcome(signing, seen, unharmed)
                registers[names[fault.register]][name] += 1
                told |= set() if bit is None else {bit}
            done += len(chunk)
    finally:
        injector.close()
    outcomes = sum(registers.values(), Counter[str]())
    return Campaign(
        *(check, unharmed.cycles, injector.bits, population, outcomes.total()),
        {name: outcomes[name] for name in OUTCOMES},
        {name: dict(counts) for name, counts in registers.items()},
        sorted(told),
    )


def _outcome(signing: Signing, seen: Seen, unharmed: Seen) -> tuple[str, int | None]:
    """Class what came; most faults change nothing, which is soon seen."""
    if seen.cycles is not None and seen.responses == unharmed.responses:
        return CORRECT, None
    return signing.outcome(seen)


def _drawn(injector: FaultInjector, population: int, count: int, seed: int) -> Iterator[Fault]:
    """Go through the faults, in the order of their cycles."""
    places = [injector.bit(number) for number in range(injector.bits)]
    drawn: Sequence[int] = range(population)
    if count < population:
        drawn = sorted(Random(seed).sample(drawn, count))
    for number in drawn:
        cycle, bit = divmod(number, injector.bits)
        yield Fault(*places[bit], cycle)
