"""Which number of which part matters for a whole operation: each is made less and more, in thought,
and the operation is simulated anew at cycle level."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache, partial
from typing import Any

from cl.around import Varied
from cl.exponentiator import ExponentiatorOfParts, Parts
from cl.unit import Part, Unit
from cl.xcel import LateXcelCL, xcel_cycles
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.exponentiation import check_request
from proc.run.levels import make_system
from proc.run.rsa_private import power
from proc.run.timing import Timing
from sim.errors import ArgumentError, RunError
from sim.stream import StreamRunner

EXPONENTIATOR, ACCELERATOR, PROCESSOR = WAYS = ("exponentiator", "accelerator", "processor")
FAR = 1 << 40  # cycles that no simulation reaches: those in which nothing happens are left out


@dataclass(frozen=True)
class Simulated(ExponentiatorOfParts):
    """Takes the cycles that its parts take at cycle level, which no formula says."""

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Run the parts; RunError unless they make the right power."""
        cycles, value = _run(self, base, exp, mod)
        if value != self.value(base, exp, mod):
            raise RunError(f"the parts at cycle level answered {shorten(value[0])}, not the power")
        return cycles


@lru_cache(maxsize=256)
def _run(
    exponentiator: ExponentiatorOfParts, base: int, exp: int, mod: int
) -> tuple[int, tuple[int, int]]:
    n = exponentiator.nbits
    with StreamRunner(exponentiator.cl(), "cl") as runner:
        (transfer,) = runner.run([(base << n | exp) << n | mod], max_cycles=FAR)
    return transfer.cycles, (transfer.response >> 1, transfer.response & 1)


@dataclass(frozen=True)
class Setting:
    """An exponentiator, and what is around it: the port's lateness, the memory's latency."""

    exponentiator: Simulated
    port_later: int = 0
    memory: int = 1

    def cycles(self, way: str, request: Request) -> int:
        """Count the cycles of an operation: of the exponentiator, from the first word pushed to
        the last one popped, or of the program's call that has the accelerator make the power."""
        operands = request.base, request.exp, request.mod
        if way == PROCESSOR:
            return self._on_processor(*operands)
        latency = self.exponentiator.latency(*operands)
        if way == EXPONENTIATOR:
            return latency
        return xcel_cycles(self.exponentiator.nbits, latency + self.port_later)

    def _on_processor(self, base: int, exp: int, mod: int) -> int:
        nbits = self.exponentiator.nbits
        system: Any = make_system("cl", partial(LateXcelCL, self.exponentiator, self.port_later))
        try:
            done = power(system, base, exp, mod, "xcel", nbits, Timing(self.memory))
        finally:
            system.close()
        if done.result != pow(base, exp, mod):
            raise RunError(f"the processor answered {shorten(done.result)}, not the power")
        return done.cycles


@dataclass(frozen=True)
class Quantity:
    """A number of a part: what it is now, what it may be at least, and the setting in which it has
    another value."""

    part: str
    name: str
    now: int
    least: int
    at: Callable[[int], Setting]


@dataclass(frozen=True)
class Effect:
    """What a number of a part makes of the operation's cycles, made less and more; None where it
    cannot be less."""

    part: str
    name: str
    now: int
    less: int | None
    more: int
    cycles: int
    cycles_less: int | None
    cycles_more: int

    @property
    def change_less(self) -> int | None:
        """Return by how many cycles the operation changes where the number is less."""
        return None if self.cycles_less is None else self.cycles_less - self.cycles

    @property
    def change_more(self) -> int:
        """Return the same where it is more."""
        return self.cycles_more - self.cycles

    @property
    def swing(self) -> int:
        """Return the larger of both changes."""
        return max(abs(self.change_less or 0), abs(self.change_more))

    @property
    def weight(self) -> float | None:
        """Return the percents of the operation's cycles for a percent of the number, both ways."""
        if not self.now:
            return None
        low, below = (self.less, self.cycles_less) if self.less is not None else (None, None)
        low, below = (self.now, self.cycles) if low is None or below is None else (low, below)
        return (self.cycles_more - below) / self.cycles / ((self.more - low) / self.now)

    def as_dict(self) -> dict[str, Any]:
        """Return all of it by name."""
        return vars(self) | {"weight": self.weight}


def simulated(point: Point) -> Simulated:
    """Return a point's exponentiator as its parts run; ArgumentError if it has none."""
    model = point.entry.at(point.nbits)
    if not isinstance(model, ExponentiatorOfParts) or model.measured:
        raise ArgumentError(
            f"design: {point.design} is not put together from parts with numbers of their own; "
            "give one that is, such as mont-best or 'what-if(latency=20)'"
        )
    return Simulated(model.nbits, model.takes, model.parts)


def quantities(exponentiator: Simulated, mod: int, way: str) -> list[Quantity]:
    """List the numbers of an exponentiator's parts under a modulus, and of what is around it."""
    found = [*_of_units(exponentiator, mod), *_of_parts(exponentiator, mod)]
    here = Setting(exponentiator)
    if way != EXPONENTIATOR:
        found.append(
            Quantity("port", "cycles to a result", 1, 0, lambda v: replace(here, port_later=v - 1))
        )
    if way == PROCESSOR:
        found.append(Quantity("memory", "latency", 1, 1, lambda v: replace(here, memory=v)))
    return found


def _of_units(exponentiator: Simulated, mod: int) -> Iterator[Quantity]:
    """List those of the units: of all together, and of the ones that square and the others."""
    parts = exponentiator.parts
    others, squaring = parts.unit, parts.squarer or parts.unit
    operands = (mod - 1, mod - 1, mod) if others.accepts(mod - 1, mod - 1, mod) else (0, 0, mod)
    numbers = {
        "latency": (others.latency(*operands), "latency_by"),
        "interval": (others.interval(*operands), "interval_by"),
        "queue": (others.capacity, "capacity_by"),
    }
    groups = {"unit": (True, True)}
    if parts.organisation.units > 1:
        groups = {
            "all units": (True, True),
            "squaring unit": (True, False),
            "other units": (False, True),
        }
    for group, (squares, multiplies) in groups.items():
        for name, (now, field) in numbers.items():

            def at(
                value: int,
                field: str = field,
                now: int = now,
                squares: bool = squares,
                multiplies: bool = multiplies,
            ) -> Setting:
                def varied(unit: Unit) -> Unit:
                    return Varied(unit.nbits, unit, **{field: value - now})

                unit = varied(others) if multiplies else others
                squarer = varied(squaring) if squares else squaring
                return _with(exponentiator, unit=unit, squarer=squarer)

            yield Quantity(group, name, now, 1, at)


def _of_parts(exponentiator: Simulated, mod: int) -> Iterator[Quantity]:
    """List the cycles of parts beside those of the products that they ask for."""
    parts = exponentiator.parts
    named = {"constant": "constant", "r_squared": "way to R^2", "leave": "way out"}
    for field, title in named.items():
        part: Part = getattr(parts, field)
        if now := _own_cycles(part, mod, parts.unit):
            yield Quantity(title, "cycles", now, 0, partial(_later, exponentiator, field, now))
    pause = int(not parts.organisation.forward)
    yield Quantity("loop", "pause", pause, 0, partial(_later, exponentiator, "loop", pause))


def _own_cycles(part: Part, mod: int, unit: Unit) -> int:
    """Count a part's cycles without those of its products."""
    taken = part.time(mod, unit)
    products = part.time(mod, Varied(unit.nbits, unit, latency_by=1)) - taken
    return taken - products * unit.latency(0, 0, 1)


def _later(exponentiator: Simulated, field: str, now: int, value: int) -> Setting:
    part: Part = getattr(exponentiator.parts, field)
    return _with(exponentiator, **{field: replace(part, later=value - now)})


def _with(exponentiator: Simulated, **changed: Any) -> Setting:
    parts: Parts = replace(exponentiator.parts, **changed)
    return Setting(replace(exponentiator, parts=parts))


def sensitivity(
    point: Point,
    request: Request,
    way: str,
    percent: int,
    on_step: Callable[[str, int, int], None] = lambda step, done, count: None,
) -> list[Effect]:
    """Simulate the operation with each number less and more by so many percent, by one at least;
    what matters most comes first. RunError unless it takes the formula's cycles as it is."""
    check_request(point, request)
    exponentiator = simulated(point)
    operands = request.base, request.exp, request.mod
    emerged = exponentiator.latency(*operands)
    if emerged != (formula := point.entry.cycles(point.nbits, *operands)):
        raise RunError(f"{point} at level cl takes {emerged} cycles, its formula says {formula}")
    asked = quantities(exponentiator, request.mod, way)
    cycles = Setting(exponentiator).cycles(way, request)
    effects = []
    for done, one in enumerate(asked):
        on_step(f"{one.part}: {one.name}", done, len(asked))
        step = max(1, round(one.now * percent / 100))
        less = one.now - step if one.now - step >= one.least else None
        below = None if less is None else one.at(less).cycles(way, request)
        above = one.at(one.now + step).cycles(way, request)
        numbers = one.now, less, one.now + step
        effects.append(Effect(one.part, one.name, *numbers, cycles, below, above))
    return sorted(effects, key=lambda effect: -effect.swing)
