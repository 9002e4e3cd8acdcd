"""An organisation: how an exponentiator is put together from one kind of multiplier."""

from dataclasses import dataclass

from fl.schedule import RIGHT_TO_LEFT, Counts, Schedule

UNITS = (1, 2, 5)
ENTRIES = ("at-once", "as-it-is", "reduced", "remainder", "doubling", "product")
# Entries that take a base of any size as the loop's first power, without a product.
TAKEN = ("at-once", "as-it-is")


@dataclass(frozen=True)
class Organisation:
    """Chooses how rtl/exp/organised.py puts an exponentiator together.

    schedule: in which order products are made.
    units: 1, for all products in turn; 2, squarings and multiplications side by side; 5, also two
        for conversion in and one for conversion out (document 001).
    entry: how a base becomes the loop's first power. at-once: it is that power, in the cycle in
        which it comes; as-it-is: once the unit's constant stands; reduced: times 1. The others are
        ways to R^2 mod m, times which a base goes into the Montgomery domain.
    squarings: how many of them end the way to R^2 that begins with doublings; None: as many as
        take the fewest cycles.
    forward: an answer goes into the next request in the cycle in which it comes.
    converts: two units also convert both operands in, side by side, and the result out (documents
        000 and 004); without it their result is plain from the beginning.
    """

    schedule: Schedule = RIGHT_TO_LEFT
    units: int = 2
    entry: str = "doubling"
    squarings: int | None = None
    forward: bool = True
    converts: bool = False

    def __post_init__(self) -> None:
        for name, value, known in (("units", self.units, UNITS), ("entry", self.entry, ENTRIES)):
            if value not in known:
                raise ValueError(f"{name} must be one of {known}, not {value!r}")
        if self.converts and self.units != 2:
            raise ValueError(
                "only two units have the choice to convert both operands and the result"
            )
        if self.schedule.in_turn and self.units != 1:
            raise ValueError("a left-to-right loop has one unit: its products wait for each other")
        if self.entry in TAKEN and self.stays_in_domain:
            raise ValueError("a base taken as it is may be a result only after a product")
        if self.schedule.from_one and self.entry != "doubling":
            raise ValueError("a result that begins as R mod m finds it among the doublings")

    @property
    def text(self) -> str:
        """Return the schedule in words, and which units make its products."""
        one = "one unit" if self.schedule.in_turn else "interleaved"
        return f"{self.schedule.text} {one if self.units == 1 else 'in parallel'}"

    @property
    def stays_in_domain(self) -> bool:
        """Return whether the loop's result is in the multiplier's domain, as the powers are."""
        return self.schedule.from_top or self.units == 5 or self.converts

    def counts(self, exp: int, nbits: int) -> Counts:
        """Count the loop's products for an exponent."""
        return self.schedule.counts(exp, nbits)


USUAL = Organisation()
