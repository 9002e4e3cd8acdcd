"""Two runs, on numbers whose t others have computed, and on a design end to end."""

import re
from pathlib import Path

import numpy as np
import pytest

from eval.assess.runs import compared, effects_of
from eval.tasks.leakage.welch import Moments, welch
from tests.command_line import assert_refused, run, run_json

A, B = [3, 5, 4, 8, 6, 7, 2, 9], [4, 9, 12, 10, 7, 11, 8]
# scipy.stats.ttest_ind(A, B, equal_var=False), and the same of the squares of what is off the mean.
# It divides squares by n - 1, where ours divides by n, as the package scared does.
SCIPY = {1: -2.406497401330824, 2: -0.27488113247769735}


def moments(values: list[float]) -> Moments:
    found = Moments(np.array([5.0]))
    found.add(np.array(values, float)[:, None])
    return found


@pytest.mark.quick
@pytest.mark.parametrize("order", [1, 2])
def test_t_is_that_of_scipy_but_for_the_divisor(order: int) -> None:
    ours = welch(moments(A), moments(B), order)[0]
    one, other = (np.array(values, float) for values in (A, B))
    if order == 2:
        one, other = (one - one.mean()) ** 2, (other - other.mean()) ** 2
    errors = [
        (values.var(), values.var(ddof=1), len(values)) for values in (one, other)
    ]  # by n, by n - 1
    by_n, by_less = (sum(error[i] / error[2] for error in errors) for i in (0, 1))
    assert ours * np.sqrt(by_n / by_less) == pytest.approx(SCIPY[order], rel=1e-9)


@pytest.mark.quick
def test_an_effect_is_the_difference_by_the_deviation() -> None:
    """Means 3 and 6 of variances 3.5 and 4.5, which are 4 in the mean."""
    fixed, drawn = Moments(np.zeros(2)), Moments(np.zeros(2))
    fixed.add(np.array([[1, 7], [2, 7], [3, 7], [6, 7]], float))
    drawn.add(np.array([[6 - 4.5**0.5, 7], [6 + 4.5**0.5, 7]]))
    assert effects_of(fixed, drawn, 1) == pytest.approx([-1.5, 0])


@pytest.mark.quick
def test_a_leak_is_one_in_both_runs_with_one_sign() -> None:
    """Cycles: the pushes, no leak, a leak, one in the first run alone, one of either sign."""
    rng = np.random.default_rng(1)
    runs = []
    for offsets in ([3, 0, 1, 1, 1], [3, 0, 1, 0, -1]):
        groups = Moments(np.zeros(5)), Moments(np.zeros(5))
        for group, one in enumerate(groups):
            one.add(rng.normal(0, 1, (500, 5)) + group * np.array(offsets))
        runs.append(groups)
    first, second = compared(runs, 1)
    assert (first.cycles, second.order) == (4, 2)
    assert first.leaking.tolist() == [2]
    assert second.leaking.tolist() == []
    assert first.largest > 0.4
    assert min(first.most) > 10


def test_a_design_end_to_end(tmp_path: Path) -> None:
    kept = tmp_path / "traces.npz"
    line = f"assess mont-ct --nbits 8 --traces 600 --save {kept}"
    found = run_json(line)
    first = found["orders"]["1"]
    assert found["threshold"] < 4.5
    assert min(first["most"]) > 4
    assert first["leaking"] == len(first["leaking_cycles"]) >= first["above_4.5"]
    with np.load(kept) as file:
        rows, groups, runs = (file[name] for name in ("traces", "groups", "runs"))
    assert (len(rows), set(groups), set(runs)) == (1200, {0, 1}, {1, 2})
    # The second run has other operands: the same ones would say the same again.
    assert (groups[runs == 1] != groups[runs == 2]).any()
    assert (rows[runs == 1] != rows[runs == 2]).any(axis=0).sum() > 10
    for number in (1, 2):
        assert 200 < groups[runs == number].sum() < 400
    for number in (1, 2):
        one, other = (rows[(runs == number) & (groups == group)] for group in (0, 1))
        error = one.var(0) / len(one) + other.var(0) / len(other)
        apart = one.mean(0) - other.mean(0)
        t = np.divide(apart, np.sqrt(error), out=np.zeros_like(apart), where=error > 0)
        assert np.abs(t[4:]).max() == pytest.approx(first["most"][number - 1], rel=1e-3)
    noisy = run("assess mont-ct --nbits 8 --traces 600 --noise 1000").stdout
    assert "noise 1000" in noisy
    assert "4.5 in one run" in noisy


@pytest.mark.quick
def test_what_is_refused(tmp_path: Path) -> None:
    line = f"assess mont-ct --nbits 32 --traces 10000000 --save {tmp_path / 'x.npz'}"
    assert_refused(line, "--traces: so many of")
    told = re.search(r"of (\d+) cycles are not saved; at most (\d+)", run(line).stderr)
    assert told
    cycles, most = map(int, told.groups())
    # Two runs, four bytes of each cycle, a GiB.
    assert most == 2**30 // (2 * 4 * cycles)
