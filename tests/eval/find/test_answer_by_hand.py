"""What an answer shows and says of made-up netlists: ranks, what is equal, what binds."""

import re
from collections.abc import Mapping
from math import log
from types import MappingProxyType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from eval.find.answer import BEST, COMPOSED, FRONT, RUNNER_UP, Answer
from eval.find.model import Spot
from eval.find.need import Need
from eval.find.search import RUNNERS_UP, Search, Steps

pytestmark = pytest.mark.quick
BAND = 0.05
BOTH = ("area", "time")
Figures = Mapping[str, tuple[float, float, float]]  # area, time and energy by design


def spot(design: str) -> Spot:
    return Spot(design, 32, 3.0)


def told(figures: tuple[float, ...]) -> dict[str, float]:
    return dict(zip(("area", "time", "energy"), figures, strict=True)) | {"period": 1.0}


def answer(
    found: Figures,
    least: tuple[str, ...] = BOTH,
    composed: Figures | None = None,
    estimated: Figures | None = None,
    clock_ns: float | None = None,
    periods: Mapping[str, float] = MappingProxyType({}),
    **at_most: float,
) -> Answer:
    """That of a search which has measured these, composed those, and has estimates of others.
    periods: of designs whose period is another than 1 ns."""
    need = Need(key_bits=32, operation="sign", least=least, at_most=at_most, clock_ns=clock_ns)
    estimated = estimated or {}
    known = {spot(design): told(figures) for design, figures in found.items()}
    for design, period in periods.items():
        known[spot(design)]["period"] = period
    limited = at_most | ({} if clock_ns is None else {"period": clock_ns})
    search: Any = Search.__new__(Search)
    search.need, search.steps, search.left_out = need, Steps(), {}
    search.candidates = SimpleNamespace(
        known=known,
        is_known=known.__contains__,
        figures=known.__getitem__,
        cycles=dict.fromkeys([*found, *(composed or {})], 100),
        limits={name: log(value) for name, value in limited.items()},
        band=lambda name: BAND,
        composed=lambda: [(spot(d), told(figures)) for d, figures in (composed or {}).items()],
        spots=[*map(spot, estimated)],
    )
    columns = zip(*estimated.values(), strict=True) if estimated else ((), (), ())
    means = (np.log(np.array(values, float)) for values in columns)
    mean = dict(zip(told((0, 0, 0)), means, strict=False)) | {"period": np.zeros(len(estimated))}
    search.estimates = SimpleNamespace(mean=mean)
    return Answer(search)


FOUND = {"small": (100.0, 10.0, 30.0), "fast": (200.0, 5.0, 20.0)}


def test_of_a_front_the_most_that_is_used_of_a_limit_is_told() -> None:
    [said] = answer(FOUND, energy=40.0).binds()
    assert said == "energy: 30.0 nJ of 40.0 nJ; no measured netlist beyond it is better."


def test_the_nearest_that_is_better_beyond_a_limit_binds() -> None:
    """Better than all of the front in something, by more than the noise."""
    beyond = {
        "far": (50.0, 3.0, 60.0),
        "near": (94.0, 30.0, 50.0),
        "noise": (96.0, 4.8, 41.0),
        "worse": (300.0, 20.0, 42.0),
        "between": (150.0, 7.0, 43.0),
    }
    [said] = answer(FOUND | beyond, energy=40.0).binds()
    assert said == (
        "energy: 30.0 nJ of 40.0 nJ; it binds: at 50.0 nJ near has area 94.0 um2, time 30.0 us."
    )
    energy, period = answer(FOUND | beyond, energy=40.0, time=20.0).binds()
    assert energy.endswith("; it binds: at 60.0 nJ far has area 50.0 um2, time 3.00 us.")
    assert period == "time: 10.0 us of 20.0 us; no measured netlist beyond it is better."


def test_the_nearest_by_estimate_is_told_where_none_is_measured() -> None:
    """Better than the best of the front in something, by more than the noise."""
    estimated = {
        "far": (50.0, 3.0, 60.0),
        "near": (94.0, 30.0, 50.0),
        "noise": (96.0, 4.8, 41.0),
        "within": (10.0, 1.0, 39.0),
    }
    [said] = answer(FOUND, estimated=estimated, energy=40.0).binds()
    assert said.endswith(" By estimate, near has area 94.0 um2, time 30.0 us at about 50.0 nJ.")


def test_what_noise_may_part_from_the_best_is_equal() -> None:
    """Of a best of 100 um2 and noise of 5 %, what has 105 um2."""
    found = {"best": (100.0, 10.0, 1.0), "same": (105.0, 10.0, 1.0), "other": (106.0, 1.0, 1.0)}
    lines = answer(found, ("area",)).lines
    assert [(line.spot.design, line.equal) for line in lines] == [
        ("best", False),
        ("same", True),
        ("other", False),
    ]


def test_five_runners_up_are_shown_beside_the_front_measured_ones_first() -> None:
    """Of composed ones those that keep to the limits, the best first, each design once."""
    others = {f"measured{i}": (210.0 + i, 11.0, 1.0) for i in range(3)}
    composed = {
        "late": (100.0, 21.0, 0.0),
        "larger": (150.0, 11.0, 0.0),
        "largest": (900.0, 19.0, 0.0),
        "small": (90.0, 10.0, 0.0),
        "smaller": (120.0, 20.0, 0.0),
    }
    lines = answer(FOUND | others, composed=composed, time=20.0).lines
    assert [(line.rank, line.spot.design) for line in lines] == [
        (FRONT, "small"),
        (FRONT, "fast"),
        *((RUNNER_UP, name) for name in others),
        (COMPOSED, "smaller"),
        (COMPOSED, "larger"),
    ]
    assert RUNNERS_UP == 5
    many = {f"measured{i}": (210.0 + i, 11.0, 1.0) for i in range(9)}
    assert len(answer(FOUND | many, composed=composed, time=20.0).lines) == 2 + RUNNERS_UP


QUANTITIES = ("area", "time", "energy")
FEW = st.integers(1, 4).map(float)  # so that there are ties, and twins
DRAWN = st.lists(st.tuples(FEW, FEW, FEW, FEW), min_size=1, max_size=9)  # the last is the period
LEAST = st.lists(st.sampled_from(QUANTITIES), min_size=1, max_size=3, unique=True).map(tuple)
LIMITS = st.fixed_dictionaries({}, optional=dict.fromkeys(QUANTITIES, FEW))
CLOCK = st.none() | FEW


def drawn_answer(
    drawn: list[tuple[float, ...]], least: tuple[str, ...], at_most: dict, clock: float | None
) -> tuple[Answer, dict[str, dict[str, float]]]:
    """The answer of netlists d0, d1 and so on, and their figures."""
    names = [f"d{number}" for number in range(len(drawn))]
    found = {name: figures[:3] for name, figures in zip(names, drawn, strict=True)}
    periods = {name: figures[3] for name, figures in zip(names, drawn, strict=True)}
    figures = {name: told(its) | {"period": periods[name]} for name, its in found.items()}
    made = answer(found, least, clock_ns=clock, periods=periods, **at_most)
    return made, figures


def keeps(its: Mapping[str, float], at_most: Mapping[str, float], clock: float | None) -> bool:
    """Whether a netlist keeps to all limits, and to the clock."""
    limited = all(its[name] <= most for name, most in at_most.items())
    return limited and (clock is None or its["period"] <= clock)


@settings(max_examples=80, deadline=None)
@given(DRAWN, LEAST, LIMITS, CLOCK)
def test_the_front_is_that_of_all_pairs(
    drawn: list, least: tuple[str, ...], at_most: dict, clock: float | None
) -> None:
    """Of netlists compared each with each: what none beats or equals; of twins one."""
    made, figures = drawn_answer(drawn, least, at_most, clock)
    values = [
        tuple(its[n] for n in least) for its in figures.values() if keeps(its, at_most, clock)
    ]
    best = [
        one
        for one in set(values)
        if not any(
            other != one and all(o <= v for o, v in zip(other, one, strict=True))
            for other in values
        )
    ]
    front = [line for line in made.lines if line.rank in (BEST, FRONT)]
    assert sorted(tuple(line.figures[n] for n in least) for line in front) == sorted(best)
    assert made.met == bool(best)


@settings(max_examples=80, deadline=None)
@given(DRAWN, LEAST, LIMITS, CLOCK)
@example([(2.0, 2.0, 1.0, 1.0), (3.0, 1.0, 1.0, 4.0)], ("time",), {"area": 2.0}, 2.0)
@example(
    [(2.0, 2.0, 1.0, 1.0), (3.0, 1.0, 1.0, 4.0), (4.0, 1.0, 1.0, 2.0)],
    ("time",),
    {"area": 2.0},
    2.0,
)
def test_what_binds_is_the_nearest_of_all_beyond_one_limit(
    drawn: list, least: tuple[str, ...], at_most: dict, clock: float | None
) -> None:
    """It keeps to the other limits, and to a clock that is given."""
    made, figures = drawn_answer(drawn, least, at_most, clock)
    if not made.met:
        return
    front = [line.figures for line in made.lines if line.rank in (BEST, FRONT)]
    for (name, limit), said in zip(at_most.items(), made.binds(), strict=True):
        others = {other: most for other, most in at_most.items() if other != name}
        beyond = [
            (its[name], design)
            for design, its in figures.items()
            if its[name] > limit
            and keeps(its, others, clock)
            and any(
                all(its[n] < best[n] * (1 - BAND) for best in front) for n in least if n != name
            )
        ]
        if not beyond:
            assert "no measured netlist beyond it is better" in said
            continue
        nearest = {design for value, design in beyond if value == min(beyond)[0]}
        [named] = re.findall(r"it binds: at \S+ \S+ (d\d) has", said)
        assert named in nearest
