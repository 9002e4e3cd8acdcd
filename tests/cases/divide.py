"""Division cases that every level runs: operands only, the answer comes from `divmod`."""

from dataclasses import dataclass
from random import Random

from eval.contract.edges import edges


@dataclass(frozen=True)
class DivCase:
    """One request a / b: a has dividend_bits bits, b has divisor_bits bits."""

    name: str
    dividend_bits: int
    divisor_bits: int
    a: int
    b: int

    def __str__(self) -> str:
        return f"{self.dividend_bits}by{self.divisor_bits}b:{self.name}"


def expected(case: DivCase) -> tuple[int, int]:
    """(quotient, remainder); b = 0 gives RISC-V's answer, all ones and a."""
    if case.b == 0:
        return (1 << case.dividend_bits) - 1, case.a
    return divmod(case.a, case.b)


def edge_cases(dividend_bits: int, divisor_bits: int) -> list[DivCase]:
    """Every edge dividend by every edge divisor.

    Divisor 0 is among them where the remainder, which is then a, fits its divisor_bits bits.
    """
    return [
        DivCase(f"a={a},b={b}", dividend_bits, divisor_bits, a_value, b_value)
        for a, a_value in _edges(dividend_bits).items()
        for b, b_value in _edges(divisor_bits).items()
        if b_value or dividend_bits <= divisor_bits
    ]


def random_cases(dividend_bits: int, divisor_bits: int, count: int, seed: int) -> list[DivCase]:
    """count cases drawn from seed, b >= 1; lengths vary, so quotients of all sizes occur."""
    rng = Random(f"divide {dividend_bits} {divisor_bits} {seed}")
    return [
        DivCase(
            name=f"random-{seed}-{i}",
            dividend_bits=dividend_bits,
            divisor_bits=divisor_bits,
            a=rng.getrandbits(rng.randint(1, dividend_bits)),
            b=rng.getrandbits(rng.randint(1, divisor_bits)) or 1,
        )
        for i in range(count)
    ]


def _edges(nbits: int) -> dict[str, int]:
    """Named integers at the edges of nbits, one of half the length among them."""
    return edges(nbits) | {"half": (1 << nbits // 2) - 1}
