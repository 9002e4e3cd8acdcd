"""Each attack on traces that are made up, whose leak is known, and on designs end to end."""

from random import Random
from typing import Any

import numpy as np
import pytest

from eval.catalog.point import Point
from eval.tasks.attack import campaign
from eval.tasks.attack.campaign import Asked, noisy
from eval.tasks.attack.correlation import Correlation, correlation
from eval.tasks.attack.horizontal import guesses, two_classes
from eval.tasks.attack.pairs import Pairs
from eval.tasks.attack.rounds import Rounds, is_in_turn, rounds_in
from eval.tasks.attack.template import Template, likeliest
from sim.errors import UserError
from tests.command_line import assert_refused, run_json

NBITS, LENGTH = 10, 4
ROUNDS = Rounds(3, LENGTH, NBITS, from_top=True)
KEY = 0b1011001101


def exponents(count: int) -> list[int]:
    rng = Random(1)
    return [rng.getrandbits(NBITS) | 1 << NBITS - 1 | 1 for _ in range(count)]


def power(some: list[int], tells: float, masked: bool) -> np.ndarray:
    """Traces in which cycle 2 of a round tells its bit; masked: a random bit is added mod 2, which
    the last cycle of the round before tells."""
    rng = np.random.default_rng(len(some))
    rows = rng.normal(50, 1, (len(some), 3 + NBITS * LENGTH + 2))
    for row, exponent in zip(rows, some, strict=True):
        for i, bit in enumerate(ROUNDS.bits(exponent)):
            mask = int(rng.integers(0, 2)) if masked else 0
            at = ROUNDS.begin + i * LENGTH
            row[at + 2] += tells * (bit ^ mask)
            row[at - 1] += tells * mask
    return rows


@pytest.mark.quick
def test_the_likeliest_exponent() -> None:
    """Bit 1 is 0 by itself, but bit 2 is surely 1, and bit 1 probably like it."""
    bits, differ = np.array([0.0, -1, 9, 0]), np.array([0.0, -4, 0])
    assert likeliest(bits, differ) in (0b1111, 0b0111 | 1 << 3)
    assert likeliest(bits, np.zeros(3)) == 0b1101
    assert likeliest(np.array([0.0, -1, -1, 0]), np.zeros(3)) == 0b1001


@pytest.mark.quick
def test_a_template_finds_what_means_tell_and_not_what_a_mask_hides() -> None:
    learnt = exponents(800)
    template = Template(power(learnt, 3, False), learnt, NBITS)
    assert template.guess(power([KEY] * 20, 3, False)) == KEY
    hidden = Template(power(learnt, 3, True), learnt, NBITS)
    assert hidden.guess(power([KEY] * 200, 3, True)) != KEY


@pytest.mark.quick
def test_pairs_find_what_a_mask_hides_from_means() -> None:
    learnt = exponents(1500)
    pairs = Pairs(power(learnt, 3, True), learnt, ROUNDS)
    assert pairs.chosen[0] > 0
    assert pairs.most == (-1, 2)
    assert pairs.guess(power([KEY] * 200, 3, True)) == KEY
    nothing = Pairs(power(learnt, 0, True), learnt, ROUNDS)
    assert nothing.chosen == (0, 0)


@pytest.mark.quick
@pytest.mark.parametrize("compares", [False, True])
def test_rounds_of_one_trace_fall_into_classes(compares: bool) -> None:
    bits = ROUNDS.bits(KEY)
    marks = np.concatenate([[0], bits[1:] ^ bits[:-1]]) if compares else bits
    rows = power([ROUNDS.exponent(marks)], 20, False)
    assert KEY in guesses(rows, Rounds(3, LENGTH, NBITS, True, compares))
    late = Rounds(5, LENGTH, NBITS, True, compares, exact=False)
    assert compares or KEY in guesses(rows, late)


@pytest.mark.quick
def test_two_classes_by_hand() -> None:
    vectors = np.array([[0.0, 5], [1, 5], [10, 5], [11, 5]])
    found, share = two_classes(vectors)
    assert found.tolist() in ([False, False, True, True], [True, True, False, False])
    assert share == pytest.approx(25 / 25.25)


@pytest.mark.quick
def test_correlations() -> None:
    one = np.array([[1.0, 2, 3, 4]])
    assert correlation(one, 7 - 2 * one) == pytest.approx(-1)
    several = np.array([[1.0, 9], [2, 9], [3, 9]])
    assert correlation(several, several + [[0, 5]]) == pytest.approx(1)
    assert correlation(several, np.ones((3, 2))) == 0


def made_up(asked: list[tuple[int, int]]) -> np.ndarray:
    """Left to right: a cycle a bit tells how many bits of the value so far are 1."""
    rows = np.zeros((len(asked), NBITS + 1))
    for row, (base, exponent) in zip(rows, asked, strict=True):
        value = 1
        for i in range(NBITS):
            value = value * value * (base if exponent >> NBITS - 1 - i & 1 else 1) % 251
            row[i + 1] = value.bit_count()
    return rows


@pytest.mark.quick
def test_a_correlation_with_the_right_model_finds_the_exponent() -> None:
    model = Correlation(made_up, NBITS, 0, None)
    assert [bits for bits, *_ in model.groups][1:3] == [[8], [7]]
    bases = list(range(20, 60))
    measured = made_up([(base, KEY) for base in bases])
    assert model.guess(measured, bases) == KEY
    assert model.guess(measured, bases[::-1]) != KEY


def in_turn(asked: list[tuple[int, int]]) -> np.ndarray:
    """The same by a square for each bit, and another cycle for a product where it is 1."""
    rows = np.zeros((len(asked), 2 * NBITS + 1))
    for row, (base, exponent) in zip(rows, asked, strict=True):
        value, at = base, 1
        for i in range(NBITS - 2, -1, -1):
            value, at = value * value % 251, at + 1
            row[at] = value.bit_count()
            if exponent >> i & 1:
                value, at = value * base % 251, at + 1
                row[at] = value.bit_count()
    return rows


@pytest.mark.quick
def test_a_correlation_follows_bits_whose_cycles_depend_on_those_before() -> None:
    bases = list(range(20, 60))
    for key in (KEY, 0b1000000001, 0b1111111111):
        measured = in_turn([(base, key) for base in bases])
        assert Correlation(in_turn, NBITS, 0, None, True).guess(measured, bases) == key


@pytest.mark.quick
@pytest.mark.parametrize(
    ("design", "turns"),
    [("array-4", True), ("array-8-kept", True), ("array-4-ct", False), ("array-4-window-4", False)]
    + [
        ("mont-small", True),
        ("mul-rem-one", True),
        ("mont-best", False),
        ("mont-ct", False),
        ("systolic-4", False),
        ("tiny", False),
    ],
)
def test_bits_that_are_used_in_turn(design: str, turns: bool) -> None:
    assert is_in_turn(Point(design, 16)) is turns


@pytest.mark.quick
def test_noise_is_the_same_again_and_scales() -> None:
    rows = np.full((3, 4), 7, np.uint16)
    once, twice = (noisy(rows, size, (1, 2)) - 7 for size in (1.0, 2.0))
    assert np.allclose(2 * once, twice)
    assert np.abs(once).max() > 0.1
    assert (noisy(rows, 0.0, (1, 2)) == 7).all()
    assert Asked(1, 100, 50).steps == [1, 10, 100]
    assert Asked(1, 150, 50).steps == [1, 10, 100, 150]


@pytest.mark.quick
def test_rounds_of_designs() -> None:
    masked, always = (rounds_in(Point(name, 16)) for name in ("array-4-masked", "array-4-ct"))
    assert masked
    assert always
    assert (masked.compares, always.compares) == (True, False)
    assert masked.count == always.count == 16
    assert rounds_in(Point("array-4-masked-public", 16)) == masked  # keys are long exponents
    assert rounds_in(Point("array-4-blinded", 16)) is None
    assert rounds_in(Point("array-4", 16)) is None


def keys_by(attacks: list[dict[str, Any]], at: int) -> dict[str, int]:
    """How many keys each attack found by 10^at traces."""
    return {one["attack"]: one["found"][at]["keys"] for one in attacks}


def test_square_and_multiply_falls_to_one_trace() -> None:
    line = "attack mont-best --nbits 16 --keys 3 --traces 10 --profile 500"
    attacks = run_json(line)["attacks"]
    assert attacks == run_json(line)["attacks"]
    one, ten = (keys_by(attacks, at) for at in range(2))
    assert {*ten} == {"correlation", "template", "horizontal"}  # where rounds begin is not known
    assert one["template"] == ten["horizontal"] == ten["correlation"] == 3
    assert {each["attack"]: each["fails"] for each in attacks}["template"] > 1


@pytest.mark.parametrize("design", ["array-8", "mont-small"])
def test_a_design_whose_time_tells_the_exponent_falls_to_one_trace(design: str) -> None:
    line = f"attack {design} --nbits 8 --keys 3 --traces 1 --only correlation"
    [one] = run_json(line)["attacks"]
    assert one["found"] == [{"traces": 1, "keys": 3, "right": 1.0}]


@pytest.mark.parametrize("level", ["gates", "glitches"])
def test_the_netlist_gives_the_exponent_away_too(level: str) -> None:
    """Through noise of many toggles, too; when bits are used is seen there as at RTL."""
    line = f"attack mont-best --nbits 8 --keys 3 --traces 10 --profile 500 --level {level}"
    said = run_json(line)
    assert said["level"] == level
    attacks = said["attacks"]
    ten = keys_by(attacks, 1)
    assert ten["template"] == ten["correlation"] == 3
    assert {each["attack"]: each["fails"] for each in attacks}["correlation"] > 16


def test_what_is_refused() -> None:
    assert_refused("attack mont-ct --nbits 8 --only hope", "--only: no attack 'hope'")
    assert_refused("attack mont-ct --nbits 128", "take --only horizontal")
    assert_refused("attack near-power-4 --nbits 32", "design: near-power-4 is not attacked")
    line = "attack mont-ct --nbits 32 --keys 1000 --traces 100000"
    assert_refused(line, "--traces: 100002000 traces of all keys are too many")


def test_too_many_traces_are_refused_before_anything_is_mapped(monkeypatch) -> None:
    """A trace at gates takes four bytes a cycle, at RTL two."""
    monkeypatch.setattr(campaign, "source_of", None)
    most = {}
    for level in ("rtl", "glitches"):
        asked = Asked(1, 100_000_000, 1, level=level)
        with pytest.raises(UserError, match="--traces: 100000001 traces .* at most") as refused:
            campaign.attack_all(Point("mont-ct", 32), asked, ["template"], lambda *said: None)
        most[level] = int(str(refused.value).rpartition(" ")[2])
    assert most["rtl"] // 2 == most["glitches"]
