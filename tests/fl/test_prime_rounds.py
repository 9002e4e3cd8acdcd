"""Rounds of Miller and Rabin: those that FIPS 186-4 prints, and bounds that others print."""

import pytest

from fl.prime_rounds import MOST_ROUNDS, candidate_error_bits, rounds_for

# FIPS 186-4, appendix C.3: primes of 512, 1024 and 1536 bits. Table C.3 has an error of 2^-100,
# table C.2 errors of its own.
PRINTED = ((512, 7, 100), (1024, 4, 100), (1536, 3, 100), (512, 5, 80), (1024, 5, 112))
PRINTED += ((1536, 4, 128),)


@pytest.mark.quick
@pytest.mark.parametrize(("nbits", "rounds", "bits"), PRINTED)
def test_the_printed_rounds_are_the_least(nbits: int, rounds: int, bits: int) -> None:
    assert candidate_error_bits(nbits, rounds) >= bits
    assert candidate_error_bits(nbits, rounds - 1) < bits
    if bits == 100:
        assert rounds_for(nbits) == rounds


@pytest.mark.quick
def test_a_bound_by_hand() -> None:
    """Damgard, Landrock and Pomerance: p(100, 10) is at most 2^-44."""
    assert 44 <= candidate_error_bits(100, 10) < 45


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [8, 16, 32, 50])
def test_short_numbers_have_the_bound_of_each_round(nbits: int) -> None:
    assert rounds_for(nbits) == MOST_ROUNDS == 50
    assert candidate_error_bits(nbits, 3) == 6


@pytest.mark.quick
def test_longer_numbers_need_fewer_rounds() -> None:
    found = [rounds_for(nbits) for nbits in (32, 64, 128, 256, 512, 1024, 2048)]
    assert found == sorted(set(found), reverse=True)
