"""A modular multiplier at a width, and what an exponentiator adds to it."""

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import ClassVar

from pymtl3 import Component

from cl.exp.clock import Clock
from cl.model import Model
from fl.messages import mk_mul_msgs


@dataclass(frozen=True)
class Part:
    """Makes a component that works once per modulus, and tells its cycles under one.

    rtl: makes the component.
    cycles: how many it takes, or a function of the modulus.
    of_unit: the same as a function of the unit and the modulus, where it asks for products.
    cl: makes the component at cycle level, of all parts, this one and the clock (cl/exp), if it
        does more there than wait for these cycles; what judges a modulus makes a function of it.
    later: by how many cycles it is assumed to be later than that, at cycle level alone.
    """

    rtl: Callable[[], Component]
    cycles: int | Callable[[int], int] = 0
    of_unit: "Callable[[Unit, int], int] | None" = None
    cl: Callable[..., Component] | None = None
    later: int = 0

    def time(self, mod: int, unit: "Unit | None" = None) -> int:
        """Count the cycles that it takes under this modulus, beside this unit."""
        if self.of_unit:
            assert unit is not None, "its cycles depend on the unit"
            return self.of_unit(unit, mod)
        return self.cycles if isinstance(self.cycles, int) else self.cycles(mod)

    @property
    def depends_on_modulus(self) -> bool:
        """Return whether it takes other cycles under other moduli."""
        return self.of_unit is not None or callable(self.cycles)


@dataclass(frozen=True)
class Unit(Model):
    """r = value(a, b, m), for m of nbits; the time of it, and the hardware.

    r is a*b/2^radix modulo m: below m, or where there are guard bits, by which a, b and r are wider
    than m, below 2m. A unit may ask for a constant of its modulus, as the input `constant` of its
    hardware, and may leave values beyond that, for a reduction at the end.

    nbits: the modulus' width.
    guard_bits: by how many bits a, b and r are wider.
    radix: the power of two by which a product is divided; 0 in the plain domain.
    """

    nbits: int

    guard_bits: ClassVar[int] = 0
    radix: ClassVar[int] = 0
    constant_time: ClassVar[bool] = True  # its cycles are the same for all operands
    constant: ClassVar[Part | None] = None  # finds what `constant` is
    reduction: ClassVar[Part | None] = None  # reduces the last product
    hardware: ClassVar[type[Component]]  # the component's class, which takes the unit's fields
    only_modulus: ClassVar[int | None] = None  # the only m that it takes

    @property
    def messages(self) -> tuple[type, type]:
        """Return the messages: requests of a, b and m, responses of r."""
        return mk_mul_msgs(self.nbits, self.guard_bits)

    def value(self, a: int, b: int, m: int) -> int:
        """Return r."""
        raise NotImplementedError

    def accepts(self, a: int, b: int, m: int) -> bool:
        """Return whether r is defined for these operands."""
        return m >= 1

    @property
    def has_hardware(self) -> bool:
        """Return whether there is hardware yet."""
        return hasattr(type(self), "hardware") or type(self).rtl is not Unit.rtl

    def rtl(self) -> Component:
        """Make a new component of the hardware; one at cycle level in its place, as long as there
        is none."""
        if not self.has_hardware:
            from cl.around import InItsPlace

            return InItsPlace(self.nbits, self).cl()
        return self.hardware(*(getattr(self, field.name) for field in fields(self)))

    def shared(self, askers: int, clock: Clock) -> Component:
        """Make a new component at cycle level that so many parts ask by method calls."""
        from cl.exp.shared_unit import TimedUnit

        return TimedUnit(self, askers, clock)
