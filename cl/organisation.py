"""An organisation: how an exponentiator is put together from one kind of multiplier."""

from dataclasses import dataclass

LOOPS = ("right-to-left", "left-to-right", "always")
UNITS = (1, 2, 5)
R_SQUARED = ("one", "none", "remainder", "doubling", "product")


@dataclass(frozen=True)
class Organisation:
    """The choices of rtl/exp/exponentiator.py.

    loop: the schedule; "always" is right-to-left over all nbits, the same for every exponent.
    units: 1, squarings and multiplications in turn; 2, side by side; 5, also two for
        conversion in and one for conversion out (document 001).
    r_squared: how R^2 mod m is found; "one" stands for the plain domain, "none" too, where the
        multiplier takes any nbits-bit base as it is.
    squarings: how many of them end the way to R^2, if it is "doubling".
    forward: an answer goes into the next request in the cycle in which it comes.
    """

    loop: str = "right-to-left"
    units: int = 2
    r_squared: str = "doubling"
    squarings: int = 0
    forward: bool = True

    def __post_init__(self) -> None:
        for name, value, known in (
            ("loop", self.loop, LOOPS),
            ("units", self.units, UNITS),
            ("r_squared", self.r_squared, R_SQUARED),
        ):
            if value not in known:
                raise ValueError(f"{name} must be one of {known}, not {value!r}")
        if self.loop == "left-to-right" and self.units != 1:
            raise ValueError("a left-to-right loop has one unit: its products wait for each other")
        if self.r_squared == "none" and self.stays_in_domain:
            raise ValueError("a base taken as it is may be a result only after a product")

    @property
    def schedule(self) -> str:
        """The loop in words."""
        if self.loop == "left-to-right":
            return "left-to-right, one unit"
        products = "always multiply," if self.loop == "always" else "square and multiply"
        return f"right-to-left, {products} {'interleaved' if self.units == 1 else 'in parallel'}"

    @property
    def stays_in_domain(self) -> bool:
        """Whether the loop's result is in the multiplier's domain, as the powers are."""
        return self.loop == "left-to-right" or self.units == 5


def best_squarings(radix: int, product_cycles: int) -> int:
    """How many squarings make the way from R mod m to R^2 mod m the shortest in cycles."""

    def cycles(squarings: int) -> int:
        doublings = (radix >> squarings) + (radix & (1 << squarings) - 1).bit_count()
        return doublings + squarings * (product_cycles + 1)

    return min(range(radix.bit_length()), key=cycles)
