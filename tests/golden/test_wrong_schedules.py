"""The case table is sharp: schedules wrong in the documents' ways fail on it."""

import pytest

from eval.contract.exponentiator import edge_cases, expected
from fl.rsa_keys import KEY_001


def reversed_scan(base: int, exp: int, mod: int) -> int:
    """Document 000's algorithm 4 as printed: right only for palindromes."""
    result = 1 % mod
    for bit in bin(exp)[:1:-1]:
        result = result * result % mod
        if bit == "1":
            result = result * base % mod
    return result


def one_not_reduced(base: int, exp: int, mod: int) -> int:
    """Answers 1 mod 1 with 1."""
    return pow(base, exp, mod) if exp else 1


def base_needs_exp_2(base: int, exp: int, mod: int) -> int:
    """Forgets to reduce a base that no product touches."""
    return base if exp == 1 else pow(base, exp, mod)


def base_reduced_once(base: int, exp: int, mod: int) -> int:
    """Subtracts the modulus once, where the base may hold it many times; never reduces again."""
    base = base - mod if base >= mod else base
    return base if exp == 1 or base >= mod else pow(base, exp, mod)


def modulus_kept(base: int, exp: int, mod: int) -> int:
    """A reduction that tests > in place of >=: the modulus stands for 0."""
    return pow(base, exp, mod) or mod


def top_bits_lost(base: int, exp: int, mod: int) -> int:
    """An exponent register one bit short, at 8 and at 32 bits."""
    lost = 1 << 7 | 1 << 31
    return pow(base, exp & ~lost, mod)


def odd_only(base: int, exp: int, mod: int) -> int:
    """A Montgomery product handed an even modulus."""
    return pow(base, exp, mod | 1)


@pytest.mark.quick
@pytest.mark.parametrize(
    "wrong",
    [
        reversed_scan,
        one_not_reduced,
        base_needs_exp_2,
        base_reduced_once,
        modulus_kept,
        top_bits_lost,
        odd_only,
    ],
)
@pytest.mark.parametrize("nbits", [8, 32])
def test_the_table_catches_wrong_schedules(wrong, nbits):
    """Each passes the documents' benchmark encryption; the edge cases alone catch it."""
    assert wrong(995313404, 65537, KEY_001.n) == 2050940851
    rows = [case for case in edge_cases(nbits) if case.mod]
    assert any(wrong(case.base, case.exp, case.mod) != expected(case)[0] for case in rows)
