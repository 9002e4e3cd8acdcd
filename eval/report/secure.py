"""What protection of the key costs, design beside design, and what was still seen of the key."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from itertools import product
from math import inf

from eval.report.overview import commands, time_told
from eval.report.signers import per, times
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.study.secure import PROTECTION, REFERENCE, UNKEPT
from eval.study.study import POWER, TIMING
from eval.table import Grid, Table, numbers, words
from eval.tasks.attack.task import Attack
from eval.tasks.faults.campaign import Campaign
from eval.tasks.faults.models import FLIP, PAIR
from eval.tasks.faults.operation import CRT, EXPLOITABLE
from eval.tasks.faults.skips import Skips
from eval.tasks.faults.task import Faults
from eval.tasks.faults.tried import BY_E, NO_CHECK
from eval.tasks.leakage.levels import RTL
from eval.tasks.leakage.task import Leakage, LeakageResult
from eval.tasks.section import Section
from eval.tasks.timing import TimeTells

SIGNED, OPENED = "d", "e"  # workloads: a signature, and what opens it
TESTED = "base", "exponent"


class Kept:
    """A design that signs, and checks or does not: its price, and what tells of its key."""

    def __init__(self, found: StudyResult, p: PointResult, check: str) -> None:
        self.found, self.p, self.check = found, p, check
        self.point = p.point
        self.design = found.called(p)
        flow = accelerator_run(found, p).command_to(POWER if self.energy_nj else TIMING)
        self.commands = (*commands(found, p, flow), *(task.command for task in self._seen_by))

    @property
    def protection(self) -> str:
        """Say what the design keeps."""
        time = "time" if self.point.entry.constant_time else UNKEPT
        return PROTECTION.get(self.point.design, time)

    def _sum(self, name: str) -> float | None:
        """Add up a metric of the signature and, if it is checked, of what opens it."""
        workloads = (SIGNED, OPENED) if self.check == BY_E else (SIGNED,)
        values = [self.p.get(name.format(workload)) for workload in workloads]
        known = [value for value in values if value is not None]
        return sum(known) if len(known) == len(values) else None

    @property
    def cycles(self) -> float | None:
        """The cycles through the port."""
        return self._sum("xcel_cycles_{}")

    @property
    def energy_nj(self) -> float | None:
        """The energy, with glitches."""
        return self._sum("energy_glitches_{}_nj")

    @property
    def area_um2(self) -> float | None:
        """The area."""
        return self.p.get("area_um2")

    @property
    def period_ns(self) -> float | None:
        """The shortest period of the netlist."""
        return self.p.get("period_ns")

    @property
    def time_us(self) -> float | None:
        """The time at that period."""
        return per(times(self.cycles, self.period_ns), 1000)

    @property
    def per_second(self) -> float | None:
        """How many there are a second."""
        return per(1e6, self.time_us)

    @property
    def area_time(self) -> float | None:
        """Area x time."""
        return times(self.area_um2, self.time_us)

    @cached_property
    def _seen_by(self) -> list[TimeTells | Leakage | Attack | Faults]:
        """List what was measured of the point's leaks."""
        asked: list[TimeTells | Leakage | Attack | Faults] = [*self.found.of(TimeTells)]
        asked += [task for task in self.found.of(Leakage) if task.level == RTL]
        asked += [task for task in self.found.of(Attack) if task.how.level == RTL]
        asked += [
            task for task in self.found.of(Faults) if (task.operation, task.model) == (CRT, FLIP)
        ]
        results = self.found.results
        return [one for one in asked if one.point == self.point and results[one] is not None]

    @property
    def time(self) -> str:
        """Say what its cycles tell."""
        return time_told(self.found, self.point)

    @property
    def power(self) -> LeakageResult | None:
        """The tests of its power, not blinded by a host."""
        own = (task for task in self._seen_by if isinstance(task, Leakage) and task.blinding == "-")
        return next((self.found.results[task] for task in own), None)

    def t(self, against: str) -> float | None:
        """Return the largest |t| of a test."""
        return self.power.tests[against].most(self.power.work) if self.power else None

    def leaking(self, against: str) -> int | None:
        """Return in how many cycles a test sees something."""
        return self.power.tests[against].leaking[0] if self.power else None

    @property
    def attacks(self) -> Attack | None:
        """Return the attacks that were tried."""
        return next((task for task in self._seen_by if isinstance(task, Attack)), None)

    @property
    def broken_by(self) -> str | None:
        """Say how many traces an attack needs to find a key; more than were tried, if none did, and
        of how many attacks, if some knew too little."""
        if (task := self.attacks) is None:
            return None
        result = self.found.results[task]
        if result.broken_by is not None:
            return str(result.broken_by)
        few = f" by {len(result.attacks)}" if len(result.attacks) < len(task.attacks) else ""
        return f"> {task.how.traces}{few}"

    @property
    def campaign(self) -> Campaign | None:
        """The faults, with this check."""
        own = (task for task in self._seen_by if isinstance(task, Faults))
        campaigns = next((self.found.results[task].campaigns for task in own), ())
        return next((one for one in campaigns if one.check == self.check), None)

    @property
    def exploitable(self) -> int | None:
        """How many faults can be exploited."""
        return self.campaign.outcomes[EXPLOITABLE] if self.campaign else None

    @property
    def exposed(self) -> tuple[float, ...] | None:
        """Say how exposed it is, and what it costs: the factors that its time tells, the cycles in
        which power tells, how few traces find a key, the share of faults; area x time. None if any
        was not measured."""
        told = [task for task in self._seen_by if isinstance(task, TimeTells)]
        tried = self.attacks
        if not (told and self.power and tried and self.campaign and self.area_time):
            return None
        factors = len(self.found.results[told[0]].found)
        cycles = (self.power.tests[against].leaking[0] for against in TESTED)
        few = -(self.found.results[tried].broken_by or inf)
        return factors, *cycles, few, self.campaign.exploitable[0], self.area_time


def rows(found: StudyResult) -> list[Kept]:
    """List the designs whose protection is compared, at all of their widths: unchecked, then
    checked."""
    tried = {task.point.design for task in found.of(Faults)}
    own = [p for p in found.points if p.point.design in tried]
    own.sort(key=lambda p: p.point.nbits)
    widths = dict.fromkeys(p.point.nbits for p in own)
    return [
        Kept(found, p, check)
        for nbits, check in product(widths, (NO_CHECK, BY_E))
        for p in own
        if p.point.nbits == nbits
    ]


def at_width(found: StudyResult, nbits: int) -> list[Kept]:
    """List those of a width."""
    return [row for row in rows(found) if row.point.nbits == nbits]


def reference_of(own: Sequence[Kept]) -> float | None:
    """Find the area x time over which that of the others of a width is told."""
    first = next((row for row in own if row.point.design == REFERENCE), None)
    return first.area_time if first else None


BY = words({"keeps": "protection", "design": "design", "check": "check"})


def price_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what protection costs at a width."""
    own = at_width(found, nbits)
    reference = reference_of(own)
    return Table(
        f"The price of protection at {nbits} bits",
        BY
        + numbers(0, {"cycles": "cycles", "area\num2": "area_um2"})
        + numbers(3, {"period\nns": "period_ns"})
        + numbers(0, {"signa-\ntures a\nsecond": "per_second"})
        + numbers(2, {"energy\nnJ": "energy_nj"})
        + numbers(2, {"area x\ntime": lambda row: per(row.area_time, reference)}),
        "Of a signature: the power d modulo n, through the port of the accelerator; checked by e: "
        "and the power e of the result, which the host compares. At the shortest period of the "
        f"netlist for the study's clock. Area x time: over that of {REFERENCE}, which is constant "
        "in time and not protected otherwise. The source of random bits is no part of the area, "
        "but for a stand-in.",
    ).of(own)


def front(own: Sequence[Kept]) -> list[Kept]:
    """Choose those that no other is as little exposed as, for as little area x time."""
    exposed = {row: row.exposed for row in own if row.exposed}

    def beats(a: tuple[float, ...], b: tuple[float, ...]) -> bool:
        return a != b and all(x <= y for x, y in zip(a, b, strict=True))

    return [row for row, b in exposed.items() if not any(beats(a, b) for a in exposed.values())]


def seen_grid(found: StudyResult, nbits: int) -> Grid | None:
    """Show what time, power and faults tell at a width, of what was measured."""
    own = [row for row in at_width(found, nbits) if row.campaign]
    best = front(own)
    return Table(
        f"What is seen of the key at {nbits} bits",
        BY
        + words({"time\nleaks": "time"})
        + numbers(
            1, {"|t|\nbase": lambda row: row.t("base"), "\nexp": lambda row: row.t("exponent")}
        )
        + numbers(0, {"in cycles\nbase": lambda row: row.leaking("base")})
        + numbers(0, {"\nexp": lambda row: row.leaking("exponent")})
        + words({"traces": "broken_by"})
        + numbers(0, {"exploi-\ntable": "exploitable", "of\nfaults": "campaign.faults"})
        + words({"front": lambda row: ("no", "yes")[row in best] if row.exposed else None}),
        "Time leaks: as in the overview. |t|: the largest of power at RTL, without noise, once the "
        "operands are there; in cycles: those in which it tells base or exponent then. "
        "Traces: the fewest by which one of the attacks found the exponent of a key, of 1, "
        "10, 100 and so on; by 2: of so many attacks, as the others know too little of the design. "
        "Exploitable: flipped bits of registers that give away a prime by a "
        "signature by both primes. Front: no other row costs less area x time and shows no more of "
        "any of these.",
    ).of(own)


def grids(found: StudyResult) -> Iterator[Grid | None]:
    """Show price and sight at each width, the shortest first."""
    for nbits in dict.fromkeys(row.point.nbits for row in rows(found)):
        yield price_grid(found, nbits)
        yield seen_grid(found, nbits)


def price_told(found: StudyResult, nbits: int) -> str | None:
    """Tell the price of each protection at a width, by the design that keeps it for the least."""
    own = at_width(found, nbits)
    reference = reference_of(own)
    price = {row: row.area_time for row in own if row.area_time}
    checked = {row.point: value for row, value in price.items() if row.check == BY_E}
    least: dict[str, Kept] = {}
    for row in sorted(price, key=price.__getitem__):
        if row.check == NO_CHECK:
            least.setdefault(row.protection, row)
    if reference is None or len(least) < 2:
        return None

    def told(row: Kept) -> str:
        by_e = checked.get(row.point)
        also = f", checked by e {by_e / reference:.2f}" if by_e else ""
        keeps = "nothing" if row.protection == UNKEPT else row.protection
        return f"{row.design} {price[row] / reference:.2f}{also} (keeps {keeps})"

    return (
        f"At {nbits} bits, area x time of a signature over that of {REFERENCE}, unchecked: "
        f"{'; '.join(told(row) for row in least.values())}."
    )


def least_told(found: StudyResult, nbits: int) -> str | None:
    """Tell what is still seen at a width of the design that shows no more than any other in time,
    power and faults, the cheapest of them; None if each such is beaten in something."""
    exposed = {row: row.exposed for row in at_width(found, nbits) if row.exposed}
    shows = [seen for *seen, _ in exposed.values()]
    if len(shows) < 2:
        return None
    least = [min(of_one) for of_one in zip(*shows, strict=True)]
    same = [row for row, (*seen, _) in exposed.items() if seen == least]
    if not same:
        return None
    row = min(same, key=lambda row: exposed[row][-1])
    campaign, attacks = row.campaign, row.attacks
    assert campaign  # what is exposed was measured
    assert attacks
    *_, few, _ = least
    needs = f"more than {attacks.how.traces}" if few == -inf else f"{-few:.0f}"
    checked = " checked by e" if row.check == BY_E else ""
    return (
        f"At {nbits} bits {row.design}{checked} shows no more of its key than any other: time "
        f"{'tells nothing' if not least[0] else f'leaks {row.time}'}, power without noise tells "
        f"the base in {row.leaking('base')} cycles and the exponent in {row.leaking('exponent')}, "
        f"an attack needs {needs} traces, "
        f"and of {campaign.faults:,} flipped bits {row.exploitable:,} give a prime away."
    )


def pairs_told(found: StudyResult) -> Iterator[str]:
    """Tell which checks of a driver pass a wrong power where an instruction is left out, too."""
    for task in found.of(Skips):
        tried = found.results[task]
        if task.model == PAIR and tried is not None:
            told = [
                f"{one.check} {one.outcomes[EXPLOITABLE]:,} of {one.faults:,}"
                for one in tried.campaigns
            ]
            yield (
                f"Where a power of {task.point} is wrong and the driver leaves out an instruction, "
                f"it gives a prime away in so many of the pairs tried, by its check: "
                f"{', '.join(told)}."
            )


def findings(found: StudyResult) -> Iterator[str]:
    """Say what protection costs at each width, the longest first, and which design shows least."""
    widths = dict.fromkeys(row.point.nbits for row in rows(found))
    for nbits in reversed(widths):
        for tell in (price_told, least_told):
            if sentence := tell(found, nbits):
                yield sentence
    yield from pairs_told(found)


SECTION = Section(findings=findings, results=grids)
