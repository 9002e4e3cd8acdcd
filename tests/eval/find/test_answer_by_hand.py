"""What an answer shows and says of made-up netlists: ranks, what is equal, what binds."""

from collections.abc import Mapping
from math import log
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from eval.find.answer import COMPOSED, FRONT, RUNNER_UP, Answer
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
    **at_most: float,
) -> Answer:
    """That of a search which has measured these, composed those, and has estimates of others."""
    need = Need(key_bits=32, operation="sign", least=least, at_most=at_most)
    estimated = estimated or {}
    known = {spot(design): told(figures) for design, figures in found.items()}
    search: Any = Search.__new__(Search)
    search.need, search.steps = need, Steps()
    search.candidates = SimpleNamespace(
        known=known,
        is_known=known.__contains__,
        figures=known.__getitem__,
        cycles=dict.fromkeys([*found, *(composed or {})], 100),
        limits={name: log(value) for name, value in at_most.items()},
        band=lambda name: BAND,
        composed=lambda: [(spot(d), told(figures)) for d, figures in (composed or {}).items()],
        spots=[*map(spot, estimated)],
    )
    columns = zip(*estimated.values(), strict=True) if estimated else ((), (), ())
    means = (np.log(np.array(values, float)) for values in columns)
    search.estimates = SimpleNamespace(mean=dict(zip(told((0, 0, 0)), means, strict=False)))
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
