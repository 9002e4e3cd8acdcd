"""What the experiment on time draws: each factor's values differ, and reach all edges."""

from collections import Counter

import pytest

from eval.catalog import find
from eval.contract.timing import Experiment, experiment

pytestmark = pytest.mark.quick
NBITS, REQUESTS = 8, 4000
TOP = 1 << NBITS
EACH = REQUESTS // 10  # pairs of each of five factors


@pytest.fixture(scope="module")
def drawn() -> Experiment:
    return experiment(find("mont-best"), NBITS, REQUESTS)


def pairs(drawn: Experiment, factor: str, place: int) -> list[tuple[int, int]]:
    """The values of an operand in the two requests of each pair."""
    return [
        (drawn.requests[first][place], drawn.requests[second][place])
        for first, second in drawn.pairs[factor]
    ]


def test_edges_come_often_and_so_does_everything_else(drawn: Experiment) -> None:
    bases, exps, mods = (Counter(one[place] for one in drawn.requests) for place in range(3))
    for edge in (0, 1, 2, TOP - 1):
        assert bases[edge] > REQUESTS / 20
    assert len(bases) > 200
    lengths = Counter(exp.bit_length() for exp in exps.elements())
    assert set(lengths) == set(range(NBITS + 1))
    assert lengths[NBITS] > REQUESTS / 3
    for length in range(1, NBITS + 1):  # one bit, and all
        assert exps[1 << length - 1] > 10
        assert exps[(1 << length) - 1] > 10
    assert {1, 3, TOP - 1} <= mods.keys()
    assert len(mods) > 100
    assert min(mods) == 1
    assert all(mod % 2 for mod in mods)  # what this design takes


def test_moduli_of_any_kind_are_drawn_of_a_design_that_takes_them() -> None:
    mods = {one[2] for one in experiment(find("mul-rem"), NBITS, REQUESTS).requests}
    assert any(mod % 2 == 0 for mod in mods)
    assert {mod.bit_length() for mod in mods} == set(range(1, NBITS + 1))
    assert sum(mod > TOP - 32 for mod in mods) > 20


def test_a_design_for_one_modulus_is_asked_with_no_other() -> None:
    design = find("cm-pseudo-1")
    only = design.moduli.only(NBITS)
    assert {one[2] for one in experiment(design, NBITS, REQUESTS).requests} == {only}


@pytest.mark.parametrize(
    ("factor", "place", "most"),
    [("base", 0, 0.3), ("length", 1, 0.5), ("bits", 1, 0.5), ("modulus", 2, 0.05)],
)
def test_the_two_of_a_pair_differ(drawn: Experiment, factor: str, place: int, most: float) -> None:
    """But where the same value was drawn again: as an edge, or where there is no other."""
    found = pairs(drawn, factor, place)
    assert len(found) == EACH
    assert sum(one == other for one, other in found) <= most * EACH
    assert sum(one < other for one, other in found) > EACH / 8
    assert sum(one > other for one, other in found) > EACH / 8


def test_lengths_differ_where_the_bits_that_are_set_are_as_many(drawn: Experiment) -> None:
    """And 0 is beside a power of two."""
    found = pairs(drawn, "length", 1)
    lengths = [(one.bit_length(), other.bit_length()) for one, other in found]
    assert sum(one != other for one, other in lengths) > EACH / 3
    assert any(0 in pair and max(pair) > 1 for pair in lengths)
    beside = [other for one, other in found if one.bit_count() == 1]
    assert len(beside) > 10
    assert 0 in beside
    assert len({other.bit_length() for other in beside if other}) > 3
    assert all(one.bit_count() == other.bit_count() for one, other in found if one and other)
    assert all(one.bit_length() == other.bit_length() for one, other in pairs(drawn, "bits", 1))
    assert any(one.bit_count() != other.bit_count() for one, other in pairs(drawn, "bits", 1))


def test_a_request_follows_itself_where_it_is_asked_what_came_before(drawn: Experiment) -> None:
    places = drawn.pairs["before"]
    assert all(second == first + 1 for first, second in places)
    assert all(drawn.requests[first] == drawn.requests[second] for first, second in places)
    assert len({drawn.requests[first] for first, _ in places}) > EACH / 2
    # The others' second requests come after all of their first ones.
    for factor in ("base", "length", "bits", "modulus"):
        gaps = {second - first for first, second in drawn.pairs[factor]}
        assert gaps == {EACH}


def test_the_first_pair_whose_cycles_differ_is_told() -> None:
    found = Experiment([(0, 0, 1)] * 6, {"base": [(0, 1), (2, 3)], "bits": [(4, 5)]})
    assert found.told([7, 7, 8, 9, 5, 5]) == {"base": (2, 3), "bits": None}
    assert found.told([7, 8, 8, 9, 5, 6]) == {"base": (0, 1), "bits": (4, 5)}


def test_a_seed_draws_the_same_again() -> None:
    design = find("mont-best")
    same, again, other = (experiment(design, NBITS, 100, seed) for seed in (1, 1, 2))
    assert same.requests == again.requests != other.requests
    assert experiment(design, NBITS, 1).requests  # one pair at least
    assert all(experiment(design, NBITS, 1).pairs.values())
