"""The sentences of a report follow from its rows, and change with them."""

from pathlib import Path

import pytest

import eval.report.findings
from eval.catalog.point import Point
from eval.report.findings import findings, some
from eval.study.results import StudyResult
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.noise import Noise
from tests.eval.made_up import flow_row, found_of, row, simulated
from tests.faults import faults, plant

pytestmark = pytest.mark.quick
# Area, cycles d, energy d, slack, by design.
FIGURES = {
    "ssmm-small": (1000.0, 900, 6.0, 0.5),
    "mont-best": (3000.0, 100, 8.0, 0.1),
    "mont-small": (1005.0, 1500, 5.0, 0.9),
    "mont-ct": (3100.0, 200, 9.0, 0.1),
    "mont-pipe": (500.0, 50, 1.0, -0.5),  # misses the clock
    "near-power-4": (400.0, 40, 2.0, 0.5),  # for some moduli only
}


def study(nbits: int = 32, **changes: tuple[float, int, float, float]) -> list:
    """Rows of these designs."""
    rows = []
    for design, (area, cycles, energy, slack) in (FIGURES | changes).items():
        point = Point(design.replace("_", "-"), nbits)
        metrics = {"area_um2": area, "setup_slack_ns": slack, "period_reached_ns": 3.0 - slack}
        metrics |= {"energy_glitches_d_nj": energy, "power_d_mw": 2.0}
        rows.append(flow_row(FlowRun(point, "accelerator", 3.0), metrics))
        rows.append(simulated(point, "d", {"cycles_d": cycles - 5, "xcel_cycles_d": cycles}))
    return rows


def noise(design: str, part: float) -> object:
    """A row of noise that moves areas by that part."""
    own = {"area_um2": 100.0, "setup_slack_ns": 0.0, "period_reached_ns": 3.0}
    moved = own | {"area_um2": 100.0 * (1 + part)}
    task = Noise(Point(design, 32), 3.0)
    return row(task, own=own, runs=[moved], hurried_own=own, hurried_runs=[own], recipes=["area"])


def test_sentences_name_their_technology_if_there_are_several() -> None:
    other = FlowRun(Point("mul-rem", 32), "accelerator", 18.8, tech="sky130")
    rows = [*study(), flow_row(other, {"area_um2": 9.0})]
    for sentence in findings(found_of(*rows)):
        assert sentence.startswith("At 32 bits and 3 ns in nangate45"), sentence


def test_who_is_best_and_by_how_much() -> None:
    rows = [*study(), noise("ssmm-small", 0.001)]
    best, apart, constant = findings(found_of(*rows))
    assert best.startswith("At 32 bits and 3 ns, of 4 designs for any key that meet the clock, ")
    assert "ssmm-small is the smallest (1,000 um2);" in best
    assert "mont-best is the fastest (300 ns for workload d);" in best
    assert best.endswith("mont-small takes the least energy (5.00 nJ).")
    assert apart.startswith("At 32 bits and 3 ns the largest has 3.1 times the least area, ")
    assert "the most energy is 1.80 times the least" in apart
    assert apart.endswith("has 3.0 times the area of the smallest and 9.0 times its speed.")
    assert constant.startswith(
        "At 32 bits and 3 ns, of the 1 that take the same time for every key, mont-ct is the "
    )
    assert (
        "is the fastest (600 ns for workload d) and takes the least energy (9.00 nJ);" in constant
    )
    assert constant.endswith("3.1 times the least area of all.")


def test_the_smallest_of_all_may_take_constant_time() -> None:
    *_, constant = findings(found_of(*study(**{"mont-ct": (900.0, 200, 9.0, 0.1)})))
    assert constant.endswith("(9.00 nJ); the smallest of them is that of all.")


def test_what_noise_hides_is_told() -> None:
    found = found_of(*study(), noise("ssmm-small", 0.01))
    assert "(1,000 um2; within the noise mont-small, too)" in findings(found)[0]
    less = found_of(*study(), noise("ssmm-small", 0.001))
    assert "within the noise" not in findings(less)[0]


def test_another_width_takes_the_place_of_constant_time() -> None:
    wide = study(256, ssmm_small=(9000.0, 9, 9.0, 0.5))
    more = [simulated(Point("mul-rem", 32), "d", {"xcel_cycles_d": 1})]
    *_, last = findings(found_of(*study(), *more, *wide))
    assert last.startswith("At 256 bits and 3 ns, of 4 designs")
    assert "mont-small is the smallest (1,005 um2)" in last
    assert "ssmm-small is the fastest (27.0 ns" in last


def test_one_design_is_the_only_one() -> None:
    [only] = findings(found_of(*study()[:2]))
    assert only == (
        "At 32 bits and 3 ns ssmm-small, the only design for any key that meets the clock, has "
        "1,000 um2, takes 2.70 us for workload d and takes 6.00 nJ for it."
    )


def test_times_at_one_clock_are_not_told_where_clocks_were_searched() -> None:
    """Nor is an energy that one of several designs has."""
    small = Point("ssmm-small", 32)
    own = {"clock_ns": 1.0, "area_um2": 1200.0, "period_reached_ns": 0.9, "setup_slack_ns": 0.1}
    curve = row(Curve(small, 3.0), metrics={"shortest_period_ns": 0.9}, runs=[own])
    best, apart, _ = findings(found_of(*study(), curve))
    assert "ssmm-small is the smallest (1,000 um2; within the noise mont-small, too)" in best
    assert "mont-small takes the least energy (5.00 nJ)" in best
    assert "fastest" not in best
    assert "time" not in apart.replace("times", "")
    rows = [r for r in study() if r.task.kind == "simulate" or r.task.point.design == "mont-ct"]
    rows += [
        flow_row(r.task, {k: v for k, v in r.result.metrics.items() if "energy" not in k})
        for r in study()
        if r.task.kind == "flow" and r.task.point.design != "mont-ct"
    ]
    assert "energy" not in findings(found_of(*rows))[0]


def test_of_many_names_the_first_are_told() -> None:
    assert some(["a", "b"]) == "a and b"
    assert some([*"abcd"]) == "a, b, c and d"
    assert some([*"abcde"]) == "a, b, c and 2 others"


def test_without_accelerators_nothing_is_said() -> None:
    assert findings(StudyResult(found_of(*study()).study, [])) == []
    assert findings(found_of()) == []
    cycles = simulated(Point("mul-rem", 8), "d", {"xcel_cycles_d": 1})
    assert findings(found_of(cycles)) == []


@faults(
    {
        "the most for the least": (
            "sorted(having, key=having.__getitem__)",
            "sorted(having, key=having.__getitem__, reverse=True)",
        ),
        "what misses the clock counts": (
            'p.metrics.get("setup_slack_ns", -1.0) >= 0',
            "True",
        ),
        "what takes few moduli counts": ("p.point.entry.moduli.some or ", ""),
        "the time of the fastest for its area": (
            'by_name["area"].value(fast)',
            'by_name["time"].value(fast)',
        ),
        "the other width is the narrowest": ("compared[-1]", "compared[0]"),
        "whatever the time depends on": ("p.point.entry.constant_time or", "True or"),
        "noise of nothing": (
            "if self.value(p) * (1 - self.told_of.moved(noise, p)) <= limit",
            "if not noise",
        ),
    }
)
def test_a_wrong_sentence_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant(tmp_path, eval.report.findings, sound, faulty)
    rows = [*study(), noise("ssmm-small", 0.01)]
    widths = [*rows, simulated(Point("mul-rem", 32), "d", {"xcel_cycles_d": 1})]
    widths += [*study(64), *study(256, ssmm_small=(9000.0, 9, 9.0, 0.5))]
    assert any(
        wrong.findings(found_of(*some)) != findings(found_of(*some)) for some in (rows, widths)
    )


def test_at_rsa_sizes_nothing_is_told_of_one_clock() -> None:
    """There each design has its own clock (test_signatures.py)."""
    assert findings(found_of(*study(1024))) == []
    more = [simulated(Point("mul-rem", 32), "d", {"xcel_cycles_d": 1})]  # 32 is the main width
    both = findings(found_of(*study(), *more, *study(1024)))
    assert len(both) == 3
    assert not [sentence for sentence in both if "1024" in sentence]
