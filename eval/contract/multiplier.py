"""The contract of modular multipliers: cases for every level, and what checks a unit by them."""

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from cl.unit import Unit
from eval.contract.check import Mismatch, check_model
from eval.contract.exponentiator import edge_bases, edge_moduli
from fl.near_power import k_bits
from fl.rsa_keys import KEY_004
from sim.stream import NO_STALLS, Stalls, StreamRunner, Transfer


@dataclass(frozen=True)
class MulCase:
    """Asks an nbits-wide multiplier for a*b mod m; m >= 1."""

    name: str
    nbits: int
    a: int
    b: int
    m: int

    @property
    def operands(self) -> tuple[int, int, int]:
        """Return the fields of the request."""
        return self.a, self.b, self.m

    @property
    def reduced(self) -> bool:
        """Return whether both operands are below the modulus, as some multipliers ask."""
        return self.a < self.m and self.b < self.m

    def __str__(self) -> str:
        return f"{self.nbits}b:{self.name}"


def expected(case: MulCase) -> int:
    """Return the response r of a multiplier in the plain domain."""
    return case.a * case.b % case.m


def edge_cases(nbits: int) -> list[MulCase]:
    """List every pair of edge operands under every edge modulus."""
    return [
        MulCase(f"a={a},b={b},m={m}", nbits, a_value, b_value, mod)
        for m, mod in edge_moduli(nbits).items()
        if mod
        for a, a_value in edge_bases(nbits, mod).items()
        for b, b_value in edge_bases(nbits, mod).items()
    ]


def random_cases(
    nbits: int, count: int, seed: int, odd: bool = False, reduced: bool = False
) -> list[MulCase]:
    """Draw count cases from seed; odd moduli (>= 3) and operands below m on demand."""
    rng = Random(f"multiply {nbits} {seed}")
    rows = []
    for i in range(count):
        m = rng.getrandbits(nbits if i % 2 else rng.randint(1, nbits)) or 1
        m = max(m | 1, 3) if odd else m
        bound = m if reduced else 1 << nbits
        a, b = rng.randrange(bound), rng.randrange(bound)
        rows.append(MulCase(f"random-{seed}-{i}", nbits, a, b, m))
    return rows


def near_power_cases(nbits: int, count: int, seed: int) -> list[MulCase]:
    """Draw count cases from seed under moduli 2^nbits - k, the largest and smallest k first."""
    rng = Random(f"near-power {nbits} {seed}")
    most = 1 << k_bits(nbits)
    rows = []
    for i in range(count):
        k = (most, most - 1, 1, 2)[i] if i < 4 else rng.randint(1, most)
        a, b = rng.getrandbits(nbits), rng.getrandbits(nbits)
        rows.append(MulCase(f"near-power-{seed}-{i}", nbits, a, b, (1 << nbits) - k))
    return rows


def document_cases() -> list[MulCase]:
    """List products that the documents print, or on which what they print goes wrong."""
    r_less_m = (1 << 128) - KEY_004.n
    return [
        MulCase("004-product-is-modulus", 8, 3, 3, 9),
        MulCase("004-operands-above-modulus", 8, 5, 5, 3),
        MulCase("004-R-squared", 128, r_less_m, r_less_m, KEY_004.n),
        MulCase("002-final-subtraction", 8, 15, 142, 145),
        MulCase("000-table-1-row-2", 8, 27, 23, 29),
        MulCase("000-table-1-row-4", 8, 12, 20, 29),
    ]


def taken(unit: Unit, cases: Sequence[MulCase]) -> list[MulCase]:
    """Return the cases that the unit takes; if it takes one modulus only, all put under that."""
    if m := unit.only_modulus:
        return [MulCase(c.name, unit.nbits, c.a % m, c.b % m, m) for c in cases]
    return [case for case in cases if unit.accepts(*case.operands)]


def wide_operands(unit: Unit) -> list[MulCase]:
    """List cases whose operands use the bits beyond nbits, for units that take some."""
    nbits, guard_bits = unit.nbits, unit.guard_bits
    if not guard_bits:
        return []
    return [
        MulCase(f"a={a},b={b},m={m}", nbits, a, b, m)
        for m in (3, (1 << nbits) - 1, (1 << nbits - 1) + 1)
        for a in (m + 1, 2 * m - 1, (1 << nbits + guard_bits) - 1)
        for b in (m, 2 * m - 2, 2 * m - 1)
    ]


def check_value(unit: Unit, case: MulCase) -> None:
    """Raise Mismatch unless the unit's value is the product in its domain, and below m, or 2m."""
    value = unit.value(*case.operands)
    bound = 2 * case.m if unit.guard_bits else case.m
    if not 0 <= value < bound or ((value << unit.radix) - case.a * case.b) % case.m:
        raise Mismatch(
            f"{type(unit).__name__}, case {case}: value {value} is not a * b / 2^{unit.radix} mod m"
        )


def check_multiplier(
    runner: StreamRunner,
    unit: Unit,
    cases: Sequence[MulCase],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> list[Transfer]:
    """Run cases that the unit takes; raise Mismatch at the first wrong value or time."""
    return check_model(
        runner,
        unit,
        [case.operands for case in cases],
        [(unit.value(*case.operands),) for case in cases],
        [str(case) for case in cases],
        stalls,
        max_cycles,
    )
