"""Noise bands: whose noise moves a figure, and what is surely or maybe on a front."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

import eval.report.noise_bands
import eval.report.pareto
from eval.catalog.point import Point
from eval.report.cards import cards
from eval.report.noise_bands import noise_bands_of
from eval.report.overview import overview_grid, periods_grid
from eval.report.pareto import Front, Spot, fronts_grid, on_fronts
from eval.report.space import places
from eval.study.results import PointResult, run_all
from eval.study.studies import STUDIES, noise_of_fronts
from eval.study.study import Study
from eval.tasks.clocks import Curve
from eval.tasks.noise import Noise
from eval.tasks.task import Row
from tests.eval.made_up import found_of, row, study
from tests.faults import faults, plant

pytestmark = pytest.mark.quick
SMALL, BEST, OTHER = (Point(name, 32) for name in ("ssmm-small", "mont-best", "mont-ct"))
BANDS = ("area", "period", "energy")


def noise(point: Point, area: float, period: float, energy: float | None = None) -> Row:
    """A row of noise that moves figures by these parts."""
    own = {"area_um2": 100.0, "setup_slack_ns": 0.0, "period_ns": 3.0}
    moved = own | {"area_um2": 100.0 * (1 - area)}
    if energy is not None:
        own, moved = own | {"energy_nj": 5.0}, moved | {"energy_nj": 5.0 * (1 + energy)}
    fast = {"hurried_own": own, "hurried_runs": [own | {"period_ns": 3.0 * (1 + period)}]}
    return row(Noise(point, 3.0), own=own, runs=[moved], **fast, recipes=[])


FIGURES = study()
FOUND = found_of(*FIGURES, noise(SMALL, 0.01, 0.1, 0.02), noise(BEST, 0.03, 0.05))
NAMED = {p.point.design: p for p in FOUND.points}


def check_bands(module: ModuleType) -> None:
    """A figure has its design's own band, else the largest of all, in brackets."""
    bands = module.noise_bands_of(FOUND)
    texts = {p: [bands.text(p, name) for name in BANDS] for p in (SMALL, BEST, OTHER)}
    assert texts == {
        SMALL: ["1.0", "10.0", "2.0"],
        BEST: ["3.0", "5.0", "(2.0)"],
        OTHER: ["(3.0)", "(10.0)", "(2.0)"],
    }
    parts = [bands.of(p, "area") for p in (SMALL, BEST, OTHER)]
    assert parts == pytest.approx([0.01, 0.03, 0.03])


def test_whose_noise_it_is() -> None:
    check_bands(eval.report.noise_bands)
    usual = noise_bands_of(found_of(*FIGURES))
    assert [usual.text(SMALL, name) for name in BANDS] == ["(2.0)", "(4.0)", "(5.0)"]
    of_area_alone = noise_bands_of(found_of(*FIGURES, noise(SMALL, 0.03, 0.0)))
    assert [of_area_alone.text(BEST, name) for name in BANDS] == ["(3.0)", "(0.0)", "(5.0)"]


@faults(
    {
        "what stands in looks like its own": ('f"({said})"', "said"),
        "the noise of others for its own": ("self.own[point]", "self.most"),
        "the usual noise in spite of others'": (
            "bands_or_usual(results.values())",
            "bands_or_usual([])",
        ),
    }
)
def test_the_noise_of_another_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    with pytest.raises(AssertionError):
        check_bands(plant(tmp_path, eval.report.noise_bands, sound, faulty))


def test_tables_cards_and_the_picture_show_it() -> None:
    curve = row(
        Curve(SMALL, 3.0),
        metrics={"shortest_period_ns": 1.0, "fastest_area_um2": 2000.0},
        runs=[],
    )
    found = found_of(*(r for r in FOUND.rows), curve)
    lines = {each.cells[0]: each.cells for each in overview_grid(found, 32).lines}
    assert lines["ssmm-small"][6:8] == ("1000.0", "1.0")
    assert lines["mont-ct"][6:8] == ("3100.0", "(3.0)")
    [periods] = periods_grid(found).lines
    assert periods.cells[3:5] == ("1.000", "10.0")
    card = {c.name: c for c in cards(found)}["mont-ct"]
    figures = {each.cells[0]: each.cells[-1] for each in card.figures.lines}
    assert figures["area"] == "(3.0)"
    assert "In brackets" in card.figures.note
    bands = {place["design"]: place["bands"] for place in places(found)}
    assert bands["ssmm-small"]["area"] == pytest.approx(0.01)
    assert bands["mont-ct"]["energy"] == pytest.approx(0.02)
    assert bands["mont-ct"]["time"] == pytest.approx(0.1)
    assert "here; the most that was measured of these" in overview_grid(found, 32).note
    without = overview_grid(found_of(*FIGURES), 32)
    assert "here; the most that designs of the catalog" in without.note


Where = Mapping[PointResult, Sequence[Spot]]
Around = Mapping[PointResult, Spot]


def outcomes(where: Where, band: Around) -> dict[PointResult, set[bool]]:
    """Whether each design is on the front, in all cases: each figure of each design is at either
    end of its band."""
    found: dict[PointResult, set[bool]] = {p: set() for p in where}
    for signs in product(product((-1, 1), repeat=2), repeat=len(where)):
        placed = {
            p: [(s.across * (1 + x * band[p].across), s.up * (1 + y * band[p].up)) for s in spots]
            for (p, spots), (x, y) in zip(where.items(), signs, strict=True)
        }
        for p, spots in placed.items():
            others = [other for q, some in placed.items() if q is not p for other in some]
            found[p].add(
                any(
                    not any(o != s and o[0] <= s[0] and o[1] <= s[1] for o in others) for s in spots
                )
            )
    return found


def check_fronts(module: ModuleType) -> None:
    """What is uncertain or may be on the front is what is on it in some cases, not in others."""
    source = random.Random(7)
    seen = [0, 0]
    for _ in range(60):
        points = [PointResult(Point(name, 32)) for name in ("mul-rem", "mont-ct", "mont-best")]
        where = {
            p: [module.Spot(source.randint(90, 110), source.randint(90, 110)) for _ in range(2)]
            for p in points
        }
        band = {
            p: module.Spot(source.choice((0, 0.01, 0.05)), source.choice((0, 0.02))) for p in points
        }
        front: Front = module.pareto(where, band)
        for p, cases in outcomes(where, band).items():
            assert (p in front.uncertain) == (p in front.best and False in cases)
            assert (p in front.maybe) == (p not in front.best and True in cases)
        seen[0] += len(front.uncertain)
        seen[1] += len(front.maybe)
    assert min(seen) > 10


def test_doubt_of_a_front_is_that_of_all_cases() -> None:
    check_fronts(eval.report.pareto)


@faults(
    {
        "noise is for all": ("moved[-side][q]", "moved[side][q]"),
        "others have none": ("moved[-side][q]", "where[q]"),
        "only sideways": ("self.up * (1 + side * band.up)", "self.up"),
        "sure of all": ("if not stands(p, WORSE)", "if not stands(p, BETTER)"),
        "unsure of others": ("not in best and stands(p, BETTER)", "not in best"),
    }
)
def test_a_front_of_other_doubt_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    with pytest.raises(AssertionError):
        check_fronts(plant(tmp_path, eval.report.pareto, sound, faulty))


def test_the_table_marks_what_may_be_off_the_front() -> None:
    found = found_of(*FIGURES, noise(SMALL, 0.01, 0.0), noise(BEST, 0.0, 0.0))
    by_area = {each.cells[0]: each.cells for each in fronts_grid(found, found.points).lines}
    cells = by_area["area - cycles d through the port"]
    assert cells[1] == "mont-pipe!"  # it misses the clock, and is the smallest with fewest cycles
    own = [p for p in found.points if p.point.design != "mont-pipe"]
    closer = {each.cells[0]: each.cells for each in fronts_grid(found, own).lines}
    cells = closer["area - cycles d through the port"]
    assert cells[1:3] == ("ssmm-small, mont-best", "mont-small")


def test_the_noise_of_what_is_on_a_front_follows() -> None:
    asked = []

    def run(tasks: Sequence) -> list[Row]:
        asked.append(list(tasks))
        known = {each.task: each for each in FIGURES}
        return [known.get(task) or noise(task.point, 0.01, 0.0) for task in tasks]

    first = Study("some", "some", lambda plan: [r.task for r in FIGURES], then=noise_of_fronts)
    [found] = run_all([first], run)
    assert len(asked) == 2
    assert asked[0] == [r.task for r in FIGURES]
    assert asked[1] == [Noise(p.point, 3.0) for p in on_fronts(found)]
    assert found.study.tasks == (*asked[0], *asked[1])
    assert {p.point for p in on_fronts(found)} == set(noise_bands_of(found).own)
    [same] = run_all([Study("some", "some", lambda plan: asked[0])], run)
    assert len(asked) == 3
    assert not noise_bands_of(same).own
    assert STUDIES["error-bars"].then is noise_of_fronts
    asked_now = {name: {*replace(STUDIES[name]).tasks} for name in ("error-bars", "default")}
    more = asked_now["error-bars"] - asked_now["default"]  # by the same catalog
    assert {task.kind for task in more} == {"crosscheck"}  # the rest is there already
