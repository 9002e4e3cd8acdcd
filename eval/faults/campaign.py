"""A fault campaign at RTL: every bit of every register in every cycle, or a sample of these."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from math import sqrt
from random import Random

from eval.catalog.point import Point
from eval.faults.operation import CORRECT, DETECTED, EXPLOITABLE, Signing
from eval.tasks.leakage.rtl import usual
from eval.tasks.port import PORTS, messages
from eval.tasks.unit import ACCELERATOR, translation
from sim.errors import RunError, UserError
from sim.faults import Fault, FaultInjector

CYCLES_A_CALL = 1 << 22  # between calls the progress is told
Z95 = 1.959964  # standard deviations on either side that hold 95 % of a normal distribution


def wilson(found: int, of: int, z: float = Z95) -> tuple[float, float]:
    """Return Wilson's interval of a share, from found of so many that were drawn."""
    if not of:
        return 0.0, 1.0
    share, spread = found / of, z * z / of
    middle = (share + spread / 2) / (1 + spread)
    half = z * sqrt(share * (1 - share) / of + spread / (4 * of)) / (1 + spread)
    low = 0.0 if found == 0 else max(0.0, middle - half)
    return low, 1.0 if found == of else min(1.0, middle + half)


@dataclass
class Campaign:
    """Counts what came of faults: in all, and by register; the bits of the exponent that are told.

    bits, cycles: of the registers, and of the operation without a fault. A fault is drawn from
    `population`, all of it if it has as many.
    """

    signing: Signing
    bits: int
    cycles: int
    outcomes: Counter[str] = field(default_factory=Counter)
    registers: dict[str, Counter[str]] = field(default_factory=dict)
    told: set[int] = field(default_factory=set)

    @property
    def population(self) -> int:
        """Return how many faults there are."""
        return self.bits * self.cycles

    @property
    def faults(self) -> int:
        """Return how many were tried."""
        return self.outcomes.total()

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
        return (value, *(wilson(found, of) if self.drawn else (value, value)))

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
    say: Callable[[int, int], None] = lambda done, of: None,
) -> Campaign:
    """Try all faults, or as many as `most`, drawn by the seed."""
    point = signing.point
    limit = usual(point) * (1 + signing.checked)
    design = translation(point, ACCELERATOR)
    injector = FaultInjector(design, *PORTS, messages(signing.messages), signing.echo, limit)
    try:
        [unharmed] = injector.run([None])
        if signing.outcome(unharmed)[0] != CORRECT or unharmed.cycles is None:
            raise RunError(f"{point}: is wrong without a fault; see `modexplorer check`")
        campaign = Campaign(signing, injector.bits, unharmed.cycles)
        names = [one.name for one in injector.registers]
        campaign.registers = {name: Counter() for name in names}
        count = min(most, campaign.population)
        say(0, count)
        a_call = max(1, CYCLES_A_CALL // campaign.cycles)
        faults = _faults(injector, campaign, count, seed)
        while chunk := list(islice(faults, a_call)):
            for fault, seen in zip(chunk, injector.run(chunk), strict=True):
                name, bit = signing.outcome(seen)
                campaign.outcomes[name] += 1
                campaign.registers[names[fault.register]][name] += 1
                campaign.told |= set() if bit is None else {bit}
            say(campaign.faults, count)
    finally:
        injector.close()
    return campaign


def _faults(injector: FaultInjector, campaign: Campaign, count: int, seed: int) -> Iterator[Fault]:
    """Go through the faults, in the order of their cycles."""
    places = [injector.bit(number) for number in range(injector.bits)]
    drawn: Sequence[int] = range(campaign.population)
    if count < campaign.population:
        drawn = sorted(Random(seed).sample(drawn, count))
    for number in drawn:
        cycle, bit = divmod(number, injector.bits)
        yield Fault(*places[bit], cycle)


def check_point(point: Point) -> None:
    """Raise UserError if the registers are not to be seen."""
    point.check_hardware("design")
    if point.entry.at(point.nbits).measured:
        raise UserError("design: the registers inside a core of others are not seen; give another")
