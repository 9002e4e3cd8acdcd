"""The t-test's parts by hand: moments, its two halves, what is seen first, and what noise hides."""

import numpy as np
import pytest

from eval.catalog.point import Point
from eval.tasks.leakage.attack import Rounds, read_exponent, rounds_of, split
from eval.tasks.leakage.levels import AT_ONCE, LEVELS
from eval.tasks.leakage.operations import Operations, pushes_of
from eval.tasks.leakage.rtl import PartSums
from eval.tasks.leakage.task import CHECKPOINTS, chunks
from eval.tasks.leakage.welch import ROUNDING, SURE, THRESHOLD, Moments, TTest, t_of, welch

pytestmark = pytest.mark.quick
EACH = 10  # traces of a group in a half


def moments(*values: float, shift: float = 0.0) -> Moments:
    found = Moments(np.array([shift]))
    found.add(np.array([[value] for value in values]))
    return found


@pytest.mark.parametrize("shift", [0.0, 2.5, 1000.0])
def test_mean_and_variance_of_either_order(shift: float) -> None:
    """Of 1, 2, 3, 6: mean 3; squares of what is left 4, 1, 0, 9 of mean 3.5 and variance 12.25."""
    found = moments(1, 2, 3, 6, shift=shift)
    assert found.mean.tolist() == [3]
    mean, variance = found.sample(1)
    assert (mean, variance) == (pytest.approx([3]), pytest.approx([3.5]))
    mean, variance = found.sample(2)
    assert (mean, variance) == (pytest.approx([3.5]), pytest.approx([12.25], rel=1e-3))


def test_moments_are_added_up() -> None:
    both = moments(1, 2, shift=2.0) + moments(3, 6, shift=2.0)
    assert both.count == 4
    assert both.sample(2)[0] == pytest.approx([3.5])
    more = moments(1, 2, shift=2.0)
    more.add(np.array([[3.0], [6.0]]))
    assert np.array_equal(more.sums, both.sums)


@pytest.mark.parametrize(
    ("shift", "away", "varies"),
    [(0.0, 2e-5, False), (0.0, 4e-5, True), (1000.0, 0.02, False), (1000.0, 0.04, True)],
)
def test_what_varies_by_less_than_rounding_does_not(
    shift: float, away: float, varies: bool
) -> None:
    """By a billionth of the squares of the values, or of 1."""
    found = moments(shift - away, shift + away, shift=shift)
    expected = away**2 if varies else 0.0
    assert found.sample(1)[1] == pytest.approx([expected], rel=1e-6)


def test_of_no_traces_the_mean_is_what_was_guessed() -> None:
    nothing = Moments(np.array([3.0]))
    assert (nothing.mean, nothing.sample(1)) == ([3], ([3], [0]))
    assert welch(nothing, moments(3, 3)).tolist() == [0]
    assert moments(7).mean == [7]


def test_t_by_hand() -> None:
    """Means 3 and 5, variances 3.5 of 4 traces and 2/3 of 3."""
    first, second = moments(1, 2, 3, 6), moments(4, 5, 6)
    expected = -2 / (3.5 / 4 + (2 / 3) / 3) ** 0.5
    assert welch(first, second) == pytest.approx([expected])
    assert welch(second, first) == pytest.approx([-expected])


def test_differences_below_rounding_are_none() -> None:
    apart, error = (
        np.array([ROUNDING / 2, -ROUNDING / 2, 2 * ROUNDING, 3.0, -3.0, 0.0]),
        np.zeros(6),
    )
    assert t_of(apart, error).tolist() == [0, 0, SURE, SURE, -SURE, 0]
    assert t_of(np.array([3.0, 1e9, -1e9]), np.array([4.0, 1, 1])).tolist() == [1.5, SURE, -SURE]


def rows_of(*halves: tuple[float, float]) -> tuple[np.ndarray, np.ndarray]:
    """Traces of one cycle: of each half the groups' means, around which values are 1 apart from the
    mean; in turn of either half, the groups in turn, too."""
    rows, groups = [], []
    for number in range(2 * EACH):
        for half in halves:
            group = number % 2
            rows.append(half[group] + (1 if number // 2 % 2 else -1))
            groups.append(group)
    return np.array(rows, float).reshape(-1, 1), np.array(groups)


def assessed(*halves: tuple[float, float]) -> TTest:
    test = TTest(1)
    test.add(*rows_of(*halves))
    return test


# A difference of d between means of 10 traces each, of variance 1, has t = d / sqrt(1/5).
CLEAR = 10.0


@pytest.mark.parametrize(
    ("halves", "leaks"),
    [
        (((CLEAR, 0), (CLEAR, 0)), True),
        (((0, CLEAR), (0, CLEAR)), True),
        (((CLEAR, 0), (0, 0)), False),
        (((0, 0), (0, CLEAR)), False),
        (((CLEAR, 0), (0, CLEAR)), False),
        (((0, CLEAR), (CLEAR, 0)), False),
        (((0, 0), (0, 0)), False),
    ],
)
def test_a_leak_is_one_in_both_halves_with_one_sign(halves: tuple, leaks: bool) -> None:
    test = assessed(*halves)
    assert test.leaks().tolist() == [leaks]
    assert (test.seen() is None) == (not leaks)
    assert (test.hiding() is None) == (not leaks)


@pytest.mark.parametrize(("factor", "leaks"), [(1.01, True), (0.99, False)])
def test_the_threshold_is_that_of_each_half(factor: float, leaks: bool) -> None:
    difference = factor * THRESHOLD * (1 / 5) ** 0.5
    assert assessed((difference, 0), (difference, 0)).leaks().tolist() == [leaks]
    assert assessed((CLEAR, 0), (difference, 0)).leaks().tolist() == [leaks]
    assert assessed((difference, 0), (CLEAR, 0)).leaks().tolist() == [leaks]


def test_traces_go_to_the_halves_in_turn_however_they_come() -> None:
    """Also if an odd number comes first."""
    rows, groups = rows_of((CLEAR, 0), (0, CLEAR))
    test = TTest(1)
    for part in np.split(np.arange(len(rows)), [3, 4, 11]):
        test.add(rows[part], groups[part])
    assert not test.leaks().any()
    counts = [[moments.count for moments in half] for half in test.halves]
    assert counts == [[EACH, EACH], [EACH, EACH]]
    assert test.count == len(rows)
    assert [count for count, _ in test.history] == [3, 4, 11, len(rows)]


def test_what_is_seen_first_is_told_of_cycles_that_leak() -> None:
    """The second cycle has a leak in one half alone: that it is seen early tells nothing."""
    rows, groups = rows_of((0, 0), (0, 0))
    late = np.where(np.arange(len(rows)) >= 12, 20.0, 0.0) * (groups == 0)
    once = 1000.0 * (groups == 0) * (np.arange(len(rows)) % 2)
    both = np.hstack([rows + late[:, None], rows + once[:, None]])
    test = TTest(2)
    for part in np.split(np.arange(len(rows)), [12, 24]):
        test.add(both[part], groups[part])
    assert test.leaks().tolist() == [True, False]
    assert [bool(abs(t[0][0]) > THRESHOLD) for _, t in test.history] == [False, False, True]
    assert test.seen() == len(rows)


def test_noise_that_hides_a_leak_by_hand() -> None:
    """20 traces of a group, of variance 1: noise of s leaves t = d / sqrt((1 + s^2) / 10)."""
    test = assessed((CLEAR + 5, 5), (CLEAR + 5, 5))
    expected = (10 * (CLEAR / THRESHOLD) ** 2 - 1) ** 0.5
    assert test.hiding() == pytest.approx(expected)
    assert CLEAR / ((1 + expected**2) / 10) ** 0.5 == pytest.approx(THRESHOLD)


def test_noise_that_hides_is_that_of_the_cycle_that_leaks_most() -> None:
    """Of those that count, whichever leak before."""
    rows, groups = rows_of((CLEAR, 0), (CLEAR, 0))
    values = []
    for begin in range(4):
        test = TTest(3, begin)
        test.add(np.hstack([rows, 3 * rows, rows]), groups)
        assert test.leaks().tolist() == [cycle >= begin for cycle in range(3)]
        assert (test.seen() is None) == (begin == 3)
        values.append(test.hiding())
    assert values[0] == values[1] == pytest.approx(3 * values[2])
    assert values[3] is None


def test_groups_of_other_sizes_and_variances_are_hidden_together() -> None:
    """Means 8 and 0, variances 1 and 4, of 20 and 40 traces."""
    test = TTest(1)
    rows, groups = rows_of((8, 0), (8, 0))
    again, other = rows_of((0, 0), (0, 0))
    rows = np.vstack([np.where(groups[:, None] == 1, 2 * rows, rows), 2 * again[other == 1]])
    test.add(rows, np.concatenate([groups, other[other == 1]]))
    first, second = test.groups()
    assert (first.count, second.count) == (20, 40)
    own = 1 / 20 + 4 / 40
    assert test.hiding() == pytest.approx((((8 / THRESHOLD) ** 2 - own) / (1 / 20 + 1 / 40)) ** 0.5)


def test_the_second_order_needs_both_halves_too() -> None:
    rng = np.random.default_rng(5)
    groups = np.arange(4000) // 2 % 2
    half = np.arange(4000) % 2
    wide = rng.normal(0, 1, 4000) * np.where(groups == 1, 2, 1)
    once = rng.normal(0, 1, 4000) * np.where((groups == 1) & (half == 1), 2, 1)
    test = TTest(2)
    test.add(np.stack([wide, once], axis=1), groups)
    assert test.leaks(2).tolist() == [True, False]
    assert not test.leaks(1).any()
    assert abs(test.t(2)[1]) > THRESHOLD
    assert test.t().tolist() == test.t(1).tolist() != test.t(2).tolist()
    assert test.leaks().tolist() == [False, False]
    assert (test.seen(), test.seen(2)) == (None, 4000)


def summed(toggles: np.ndarray, groups: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Toggles by trace, cycle and part, as sums of them and of their squares by group."""
    own = [toggles[groups == group].astype(np.uint32) for group in (0, 1)]
    return (
        np.stack([one.sum(axis=0) for one in own]),
        np.stack([(one * one).sum(axis=0) for one in own]),
        groups,
    )


def test_sums_of_registers_give_the_same_t() -> None:
    """Of three traces of group 0 and two of group 1, two cycles and two registers, at once and one
    after another."""
    toggles = np.array(
        [[[1, 0], [2, 5]], [[3, 0], [2, 5]], [[2, 0], [4, 5]]]
        + [[[7, 1], [2, 5]], [[5, 1], [0, 5]]]
    )
    groups = np.array([0, 0, 0, 1, 1])
    whole, parts = PartSums(), PartSums()
    whole.add(*summed(toggles, groups))
    for at in range(5):
        parts.add(*summed(toggles[at : at + 1], groups[at : at + 1]))
    assert np.allclose(whole.t(), parts.t())
    # Means 2 and 6, variances 2/3 and 1; 8/3 and 1, 8/9 and 1; what never varies differs or not.
    expected = [-4 / (2 / 9 + 1 / 2) ** 0.5, (5 / 3) / (8 / 27 + 1 / 2) ** 0.5]
    assert whole.t()[:, 0] == pytest.approx(expected)
    assert whole.t()[:, 1].tolist() == [-SURE, 0]


@pytest.mark.parametrize(
    ("sums", "share", "threshold"),
    [
        ([1, 1, 5, 5], 1.0, 3.0),
        ([5, 1, 5, 1], 1.0, 3.0),
        ([0, 1, 9], 0.9897, 5.0),  # 8.5^2 * 2/3, of 48.667
        ([4, 4, 4], 0.0, 4.0),
    ],
)
def test_the_threshold_parts_two_classes_best(sums: list, share: float, threshold: float) -> None:
    assert split(np.array(sums, float)) == pytest.approx((share, threshold), abs=1e-4)


@pytest.mark.parametrize("lead", [0, 1, 4])
@pytest.mark.parametrize("from_top", [False, True])
def test_an_exponent_is_read_off_rounds(lead: int, from_top: bool) -> None:
    """Five rounds of two cycles; those of a 1 take 9 more; the trace goes on for a while."""
    exponent, trace = 0b10110, []
    bits = [exponent >> i & 1 for i in range(5)]
    for bit in reversed(bits) if from_top else bits:
        trace += [3 + 9 * bit, 1]
    mean = np.array([7] * 30 + trace + [7] * lead, float)
    assert read_exponent(mean, Rounds(5, 2, from_top=from_top)) == exponent


def test_the_last_round_is_of_a_1_where_the_time_tells_how_many_there_are() -> None:
    mean = np.array([1, 9, 1, 1, 9, 1], float)
    assert read_exponent(mean, Rounds(6, 1)) == 0b010010
    assert read_exponent(mean, Rounds(6, 1, ends_in_1=True)) == 0b110010


def test_rounds_of_designs_that_work_side_by_side() -> None:
    best, always = (rounds_of(Point(name, 16), 0x2F) for name in ("mont-best", "mont-ct"))
    assert (best.count, best.ends_in_1) == (6, True)
    assert (always.count, always.ends_in_1) == (16, False)
    assert rounds_of(Point("array-4", 16), 0x2F) is None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("traces", [1, 99, 100, 101, 1000, 5000, 12_345])
def test_traces_are_measured_in_parts(traces: int, level: str) -> None:
    counts = list(chunks(traces, level))
    assert sum(counts) == traces
    assert all(0 < count <= AT_ONCE[level] for count in counts)
    ends = np.cumsum(counts).tolist()
    assert {c for c in CHECKPOINTS if c < traces} <= set(ends)


def test_a_random_exponent_is_as_long_and_odd_and_a_fixed_one_is_the_keys() -> None:
    operations = Operations(Point("mont-ct", 32))
    key = operations.key
    drawn = list(operations.draw("exponent", 300))
    assert {exp for group, (_, exp, _) in drawn if group == 0} == {key.d}
    others = {exp for group, (_, exp, _) in drawn if group == 1}
    assert len(others) > 100
    assert all(exp % 2 and exp.bit_length() == key.d.bit_length() for exp in others)
    assert len({base for _, (base, _, _) in drawn}) > 290
    assert {mod for *_, (_, _, mod) in drawn} == {key.n}
    bases = list(operations.draw("base", 300))
    assert len({base for group, (base, _, _) in bases if group == 0}) == 1
    assert len({base for group, (base, _, _) in bases if group == 1}) > 100
    assert {exp for _, (_, exp, _) in bases} == {key.d}
    assert 100 < sum(group for group, _ in bases) < 200
    assert drawn == list(operations.draw("exponent", 300))


def test_a_blinded_base_has_the_power_of_the_plain_one_times_r() -> None:
    plain, blinded = (Operations(Point("mont-ct", 32), blind) for blind in (False, True))
    key = plain.key
    bases = [base for group, (base, _, _) in blinded.draw("base", 50) if not group]
    assert len(set(bases)) == len(bases)
    [message] = {base for group, (base, _, _) in plain.draw("base", 50) if not group}
    for base in bases:
        # base = message * r^e: so base^d = message^d * r.
        r = pow(base, key.d, key.n) * pow(pow(message, key.d, key.n), -1, key.n) % key.n
        assert message * pow(r, key.e, key.n) % key.n == base


def test_operands_come_through_the_port_first() -> None:
    """Three words and a go at 32 bits; twice the words at 64."""
    assert pushes_of(Point("mont-ct", 32)) == 4
    assert pushes_of(Point("mont-ct", 64)) == 7


def test_a_trace_is_as_long_as_the_longest_operation() -> None:
    """Four cycles of pushes, the result a cycle later, and two more; a time that differs."""
    operations = Operations(Point("array-4", 16))
    longest = {}
    for kind in ("base", "exponent"):
        drawn = [one for _, one in operations.draw(kind, 100)]
        each = [operations.point.entry.cycles(16, *one) for one in drawn]
        longest[kind] = 4 + max(each) + 1 + 2
        assert operations.cycles(kind) == longest[kind]
        assert min(each) < max(each) or kind == "base"
    assert operations.cycles("base", "exponent") == max(longest.values())
    assert operations.cycles("exponent", "base") == max(longest.values())
