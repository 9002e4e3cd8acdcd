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
    def only_modulus(self) -> int | None:
        """Return the only modulus that the unit takes, if it takes no other."""
        return self.unit.only_modulus

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
class InItsPlace(Around):
    """Is a unit that stands in the place of its hardware, which is given any operands."""

    def value(self, a: int, b: int, m: int) -> int:
        """Return the unit's product; of operands that it need not take, what hardware makes of
        them modulo 1, or for moduli that are refused anyway, 0. Hardware for one modulus uses that
        one, whatever the request's is: it may be a divisor, by which somebody reduces at the end.
        """
        m = self.only_modulus or m
        b = b if m == 0 or self.unit.accepts(a, b, m) else b % m
        return self.unit.value(a, b, m) if self.unit.accepts(a, b, m) else 0


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


@dataclass(frozen=True)
class Varied(Around):
    """Is a unit whose numbers differ by so many: in thought, to see what that makes of an
    exponentiation.

    A unit that makes one product at a time takes the next request as much later as it answers. One
    that makes several has as many more inside as keep its interval.
    """

    latency_by: int = 0
    interval_by: int = 0
    capacity_by: int = 0

    @property
    def capacity(self) -> int:
        """Return how many requests it holds."""
        deeper = 0
        if self._is_pipelined:
            latency, interval = self.unit.latency(0, 0, 1), self.unit.interval(0, 0, 1)
            deeper = -(-(latency + self.latency_by) // interval) - -(-latency // interval)
        return max(1, self.unit.capacity + deeper + self.capacity_by)

    @property
    def _is_pipelined(self) -> bool:
        return self.unit.interval(0, 0, 1) < self.unit.latency(0, 0, 1)

    def latency(self, a: int, b: int, m: int) -> int:
        """Count cycles to the response."""
        return max(1, self.unit.latency(a, b, m) + self.latency_by)

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance."""
        with_latency = 0 if self._is_pipelined else self.latency_by
        return max(1, self.unit.interval(*operands) + with_latency + self.interval_by)
