"""Units made of another one: the same values in another time, or in another way."""

from dataclasses import dataclass

from cl.unit import Part, Unit


@dataclass(frozen=True)
class Around(Unit):
    """Is a unit in everything that who inherits does not change."""

    unit: Unit

    @property
    def guard_bits(self) -> int:
        """Return those of the unit."""
        return self.unit.guard_bits

    @property
    def radix(self) -> int:
        """Return that of the unit."""
        return self.unit.radix

    @property
    def constant_time(self) -> bool:
        """Return whether the unit's cycles are the same for all operands."""
        return self.unit.constant_time

    @property
    def constant(self) -> Part | None:
        """Return what finds the unit's constant."""
        return self.unit.constant

    @property
    def reduction(self) -> Part | None:
        """Return what reduces the unit's last product."""
        return self.unit.reduction

    @property
    def capacity(self) -> int:
        """Return how many requests the unit holds."""
        return self.unit.capacity

    @property
    def refills(self) -> bool:
        """Return whether the unit takes a request in the cycle in which a response leaves."""
        return self.unit.refills

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined for these operands."""
        return self.unit.accepts(a, b, m)

    def value(self, a: int, b: int, m: int) -> int:
        """Return the unit's product."""
        return self.unit.value(a, b, m)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return self.unit.latency(a, b, m)

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance."""
        return self.unit.interval(*operands)


@dataclass(frozen=True)
class InCycles(Around):
    """Is a unit whose products all take so many cycles, one after the other: values with a latency,
    as those of level fl have."""

    cycles: int

    constant_time = True
    capacity = 1
    refills = True

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return self.cycles

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance: it comes with the response."""
        return self.cycles
