"""What follows from the figures that document 000 prints, by arithmetic alone.

Its text draws percentages and ratios from its tables; each is worked out here from the cells.
"""

from collections.abc import Callable
from math import log2
from statistics import mean

from eval.documents.d000.figures import BY_UNITS, KEY_BITS, ONE, TABLE_5, TWO, Exponentiators, Table
from fl.fixed_exp import family
from fl.modulus import third
from fl.pkcs1 import LEAST_BYTES, OVERHEAD

__all__ = ("LEAST_BYTES", "OVERHEAD", "third")  # which items name, too

WAYS = ("dm-modulus", "dm-pseudo", "cm-modulus", "cm-pseudo")
PART = "5CGXFC5C6F27C7N"
PART_ALMS, PART_ELEMENTS = 29080, 77000  # by its maker
LONGEST = KEY_BITS[-1]
WIDTH = 4  # of a digit, in what is run of equations 18 to 20


def ratios(table: Table, over: str, under: str) -> list[float]:
    """Divide one column of a table by another, key by key."""
    return [a / b for a, b in zip(table[over], table[under], strict=True)]


def span(values: list[float], form: str = ".2f") -> str:
    """Write the least and the greatest value."""
    return f"{min(values):{form}} to {max(values):{form}}"


def mm_over_cm() -> list[float]:
    """Divide table 8's delays of MM by those of CM."""
    return [n for f in ("modulus", "pseudo") for n in ratios(TWO.delay_ns, f"mm-{f}", f"cm-{f}")]


def savings(table: Table, saving: str, on: str) -> list[float]:
    """Return how many per cent less one column has than another."""
    return [100 * (1 - ratio) for ratio in ratios(table, saving, on)]


def saved_by_one(printed: str) -> list[float]:
    """Return how many per cent less time the trees take with one multiplier than with two."""
    two, one = getattr(TWO, printed), getattr(ONE, printed)
    columns = ("cm-modulus", "cm-pseudo")
    return [100 * (1 - b / a) for c in columns for a, b in zip(two[c], one[c], strict=True)]


def shared_by(printed: str, parts: int, agree: Callable[[float, float], bool]) -> int:
    """Count the cells of DM and CM with one multiplier that are those with two, divided."""
    two, one = getattr(TWO, printed), getattr(ONE, printed)
    return sum(agree(a / parts, b) for way in WAYS for a, b in zip(two[way], one[way], strict=True))


def same_number(exact: float, printed: float) -> bool:
    """Return whether a whole number is the exact one, rounded up where it ends in a half."""
    return printed == int(exact + 0.5)


def as_rounded(exact: float, printed: float) -> bool:
    """Return whether a printed number is the exact one, cut or rounded at its last digit."""
    digits = len(f"{printed:.12f}".rstrip("0").split(".")[1])
    return abs(exact - printed) < 10.0**-digits


def halved_elements() -> int:
    """Count the cells of table 13 that are those of table 7 halved."""
    return shared_by("elements", 2, same_number)


def halved_delays() -> int:
    """Count the cells of table 14 that are those of table 8 halved, to the digits printed."""
    return shared_by("delay_ns", 2, lambda a, b: as_rounded(a / 1000, b / 1000))


def by_clock(printed: Exponentiators) -> float:
    """Find by how much the period of the highest frequency passes the delay, at most, for CM."""
    return max(
        1000 / mhz / delay
        for column in ("cm-modulus", "cm-pseudo")
        for delay, mhz in zip(printed.delay_ns[column], printed.mhz[column], strict=True)
    )


def steps_by_clock() -> list[float]:
    """Return the cycles of table 12's clocks in MM's delays of table 8, per bit of the key."""
    return [
        delay * mhz / 1000 / nbits
        for column in ("mm-modulus", "mm-pseudo")
        for delay, mhz, nbits in zip(TWO.delay_ns[column], TWO.mhz[column], KEY_BITS, strict=True)
    ]


def most_by_time() -> float:
    """Return the largest ratio of two times of table 11."""
    return TWO.decryption_us["mm-pseudo"][-1] / TWO.decryption_us["cm-pseudo"][-1]


def most_by_clock() -> float:
    """Return the same from the clocks of table 12: a product takes one cycle of the trees', of
    Montgomery's n + 3."""
    return TWO.mhz["cm-pseudo"][-1] / TWO.mhz["mm-modulus"][-1] * (LONGEST + 3)


def keys_above(limit: float) -> list[int]:
    """List the keys for which the trees' elements with the modulus pass a limit."""
    return [n for n, le in zip(KEY_BITS, TWO.elements["cm-modulus"], strict=True) if le > limit]


def full_adders() -> int:
    """Return about how many full adders two combinational multipliers of the longest key have."""
    return 2 * LONGEST * LONGEST


def clock_gain(printed: Exponentiators, over: str) -> list[float]:
    """Return how much higher the clocks of the pseudo-modulus' trees are than another column's."""
    return ratios(printed.mhz, "cm-pseudo", over)


def faster_direct() -> list[int]:
    """List the keys for which DM's delay with the pseudo-modulus is the shorter one."""
    both = ratios(TWO.delay_ns, "dm-pseudo", "dm-modulus")
    return [n for n, ratio in zip(KEY_BITS, both, strict=True) if ratio < 1]


def keys_below_twice() -> list[int]:
    """List the keys for which table 12's clock of the pseudo-modulus' trees is not twice that of
    Montgomery's."""
    gains = clock_gain(TWO, "mm-modulus")
    return [n for n, gain in zip(KEY_BITS, gains, strict=True) if gain < 2]


def most_saved_direct() -> str:
    """Return by how many per cent DM's delay is shorter with the pseudo-modulus at the longest
    key."""
    return f"{savings(TWO.delay_ns, 'dm-pseudo', 'dm-modulus')[-1]:.0f}"


def mean_saving(on: str) -> str:
    """Return by how many per cent CM's delay with the pseudo-modulus is shorter than another's, on
    average over the keys of table 8."""
    return f"{mean(savings(TWO.delay_ns, 'cm-pseudo', on)):.1f}"


def mean_saved(printed: str) -> str:
    """Return the average of what one multiplier saves of a time, in per cent."""
    return f"{mean(saved_by_one(printed)):.0f}"


def by_delay(column: str, nbits: int) -> float:
    """Return the time in us of a decryption by table 8: an iteration per bit of the key."""
    return nbits * TWO.delay_ns[column][KEY_BITS.index(nbits)] / 1000


def divisible_by_5() -> list[int]:
    """List the keys whose modulus (2^N - 1)/3 is."""
    return [n for n in KEY_BITS if family(n).m % 5 == 0]


def printed_gain(n: int) -> str:
    """Return area x delay of the pseudo-modulus' multiplier by that of the modulus', of table 5."""
    return f"{next(pair.ratio for pair in TABLE_5 if pair.n == n):.2f}"


def printed_gain_of_trees(units: int, nbits: int = 32) -> str:
    """Return elements x delay of the pseudo-modulus by that of the modulus, of tables 7 and 8 or
    13 and 14."""
    both = [BY_UNITS[units].ratio(what, "cm", nbits) for what in ("elements", "delay_ns")]
    return f"{both[0] * both[1]:.2f}"


def printed_slower(what: str, nbits: int = 32) -> str:
    """Return how many times a figure of Montgomery's pseudo-modulus is that of trees."""
    i, table = KEY_BITS.index(nbits), getattr(TWO, what)
    return f"{table['mm-pseudo'][i] / table['cm-pseudo'][i]:.0f}"


def message_bytes(key_bits: int) -> int:
    """Return the most bytes of a message by equation 27."""
    return key_bits // 8 - 11


def padding_bytes(key_bits: int, message: int) -> int:
    """Return the bytes of padding by equation 28."""
    return key_bits // 8 - message - 3


def bank_words(key_bits: int) -> int:
    """Return the words of 32 bits that section 4.5.2 gives to a bank: those of a message."""
    return -(-message_bytes(key_bits) // 4)


def k_of_equation_22(n: int) -> int:
    """Return k as printed: its sum ends at n/2, one term too far."""
    return sum(1 << 2 * i for i in range(n // 2 + 1))


def most_products(exp: int, width: int) -> float:
    """Return the limit of equation 18."""
    return (1 << width) - 2 + (1 + 1 / width) * log2(exp)


def products_of_power(log2_exp: int, width: int) -> int:
    """Return the products of equation 19."""
    return (1 << width) - 2 + log2_exp
