"""Rounds of Miller and Rabin: those that FIPS 186-4 prints, and bounds that others print."""

from statistics import fmean, stdev

import pytest

from fl.prime_rounds import MOST_ROUNDS, candidate_error_bits, mean_search, rounds_for
from tests.golden.rsa_make import SMALL, Maker

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
def test_the_other_bound_begins_at_51_bits() -> None:
    """There primes are as dense as it assumes."""
    assert candidate_error_bits(50, 2) == 4 < candidate_error_bits(51, 2) < 8


@pytest.mark.quick
def test_longer_numbers_need_fewer_rounds() -> None:
    found = [rounds_for(nbits) for nbits in (32, 64, 128, 256, 512, 1024, 2048)]
    assert found == sorted(set(found), reverse=True)


@pytest.mark.parametrize("e", [3, 15, 65537])
def test_the_mean_search_is_that_of_many(e: int) -> None:
    """Of 300 keys with primes of 48 bits: within four standard errors, of 5 per cent at most."""
    mean = mean_search(48, 2, e, 256)
    makers = [Maker(48, seed, e, 2) for seed in range(300)]
    for maker in makers:
        assert maker.make()
    for name, reckoned in (("drawn", mean.drawn), ("rounds", mean.rounds)):
        found = [maker.counts[name] for maker in makers]
        error = stdev(found) / len(found) ** 0.5
        assert error < 0.06 * reckoned
        assert abs(fmean(found) - reckoned) < 4 * error


@pytest.mark.quick
@pytest.mark.parametrize(
    ("e", "fits"), [(3, 1 / 2), (45, 1 / 2 * 3 / 4), (65537, 65535 / 65536), (21, 1 / 2 * 5 / 6)]
)
def test_a_prime_fits_e_by_chance(e: int, fits: float) -> None:
    """p - 1 has no divisor in common with e: of primes r of e, 1 of r - 1 remainders is 1."""
    any_e = mean_search(512, 4, 1, 256)
    assert mean_search(512, 4, e, 256).drawn == pytest.approx(any_e.drawn / fits, rel=1e-9)


@pytest.mark.quick
def test_composites_that_are_all_divided_out_take_no_round() -> None:
    """Of numbers of 8 bits: there are the rounds of both primes, no fewer."""
    assert mean_search(8, 2, 3, 256).rounds == 2 * 2


def test_all_small_primes_are_those_that_the_program_divides_by() -> None:
    """Which the mean takes for granted."""
    assert SMALL[0] == 3
    assert SMALL[-1] == 251
    assert len(SMALL) == 53
