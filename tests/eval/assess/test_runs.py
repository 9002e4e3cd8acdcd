"""Two runs, on numbers whose t others have computed, and on a design end to end."""

import re
from collections.abc import Iterable
from pathlib import Path
from statistics import NormalDist
from typing import Any

import numpy as np
import pytest

from eval.assess import runs as assessing
from eval.assess.runs import Assessment, Compared, assess, compared, effects_of
from eval.catalog.point import Point
from eval.tasks.leakage.welch import Moments, welch
from sim.errors import UserError
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


@pytest.mark.quick
def test_effects_are_those_of_both_runs_and_of_each_order() -> None:
    """Cycles: a push, means that are 1 apart in one run and 3 in the other, variances 2 and 8."""
    runs = []
    for apart in (1, 3):
        groups = Moments(np.zeros(3)), Moments(np.zeros(3))
        groups[0].add(
            np.array([[91, apart + 1, 2], [89, apart - 1, -2], [91, apart + 1, 0]], float)
        )
        groups[0].add(np.array([[89, apart - 1, 0]], float))
        groups[1].add(np.array([[1, 1, 4], [-1, -1, -4], [1, 1, 0], [-1, -1, 0]], float))
        runs.append(groups)
    first, second = compared(runs, 1)
    assert first.effects == pytest.approx([90, 2, 0])
    assert first.largest == pytest.approx(2)
    # The squares are 4, 0, 0, 4 and 16, 0, 0, 16: means 2 and 8, variances 4 and 64.
    assert second.effects == pytest.approx([0, 0, -6 / 34**0.5])
    assert second.largest == pytest.approx(6 / 34**0.5)


@pytest.mark.quick
def test_what_is_seen_and_what_chance_passes_are_of_all_tested_cycles() -> None:
    """400 traces of each run, half of them in either group: of an effect d, t is 10 d."""
    tested = Compared(1, 1, np.zeros((2, 101)), np.zeros(101))
    found = Assessment(Point("mont-ct", 8), "base", "rtl", 400, 0.0, (tested,))
    both = NormalDist().inv_cdf(0.99**0.5)  # each of two runs passes, and both with 0.99
    assert 10 * found.sees == pytest.approx(tested.threshold + both)
    # scipy.stats.norm.isf((1 - (1 - 1e-5)**(1/100)) / 2), as in the tests of chance
    assert found.false(5.3267229869003945, 1) == pytest.approx(1e-5, rel=1e-3)
    assert found.false(tested.threshold) == pytest.approx(1e-5, rel=1e-3)


@pytest.mark.quick
def test_an_operation_of_too_many_cycles_is_not_recorded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(assessing, "MOST_CYCLES", 20)
    with pytest.raises(UserError, match=r"--nbits: an operation takes \d+ cycles; at most 20$"):
        assess(Point("mont-ct", 8), "base", 100)


def test_noise_is_of_the_asked_deviation_in_every_cycle(tmp_path: Path) -> None:
    """What it adds to the same traces: 200 values a cycle, of which the runs share none."""
    rows = []
    for name, noise in (("none", 0.0), ("some", 7.0)):
        assess(Point("mont-ct", 8), "exponent", 100, noise=noise, save=tmp_path / name)
        with np.load(tmp_path / name) as file:
            rows.append(file["traces"])
    added = rows[1] - rows[0]
    assert added.mean() == pytest.approx(0, abs=0.3)
    assert added.std() == pytest.approx(7, rel=0.03)
    assert added.std(axis=0) == pytest.approx(np.full(added.shape[1], 7), rel=0.3)
    assert abs(np.corrcoef(added[:100].ravel(), added[100:].ravel())[0, 1]) < 0.1


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


@pytest.mark.quick
@pytest.mark.parametrize("begin", [0, 2, 4])
def test_cycles_are_tested_from_the_last_push_on(begin: int) -> None:
    """All leak: the first one that is tested counts, and those before it do not."""
    t = np.array([[90.0, 80, 30, 20, 10], [90, 80, 40, 20, 11]])
    effects = np.array([9.0, -8, 4, -5, 1])
    tested = Compared(1, begin, t, effects)
    assert tested.cycles == 5 - begin
    assert tested.leaking.tolist() == [*range(begin, 5)]
    assert tested.above(19.0).tolist() == [cycle for cycle in range(4) if cycle >= begin]
    assert tested.most == (t[0, begin], t[1, begin])
    assert tested.largest == {0: 9, 2: 5, 4: 1}[begin]


class Silent:
    """Stands for a device whose power says nothing, and notes what it was asked."""

    def __init__(self, cycles: int) -> None:
        self.cycles, self.asked = cycles, list[tuple[Any, ...]]()

    def measure(self, drawn: Iterable[tuple[int, Any]]) -> tuple[np.ndarray, np.ndarray]:
        some = [*drawn]
        self.asked += some
        return np.zeros((len(some), self.cycles), np.uint16), np.array([one for one, _ in some])

    def close(self) -> None:
        pass


@pytest.mark.quick
def test_runs_share_neither_operands_nor_noise(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources = list[Silent]()

    def source_of(point: Point, level: str, cycles: int, *_: object, **__: object) -> Silent:
        sources.append(Silent(cycles))
        return sources[-1]

    monkeypatch.setattr(assessing, "source_of", source_of)
    found = assess(Point("mont-ct", 8), "exponent", 300, noise=7.0, save=tmp_path / "noise")
    [source] = sources
    first, second = source.asked[:300], source.asked[300:]
    assert len(second) == 300
    assert [group for group, _ in first] != [group for group, _ in second]
    with np.load(tmp_path / "noise") as file:
        noise = file["traces"]
    assert noise.std() == pytest.approx(7, rel=0.05)
    assert abs(np.corrcoef(noise[:300].ravel(), noise[300:].ravel())[0, 1]) < 0.1
    assert (found.orders[0].t[0] != found.orders[0].t[1]).all()
    assert found.orders[0].leaking.tolist() == []
    silent = assess(Point("mont-ct", 8), "exponent", 300)
    assert not silent.orders[0].t.any()
