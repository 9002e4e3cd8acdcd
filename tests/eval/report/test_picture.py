"""The picture of the space as it is drawn without a browser: its points, its front, its bars."""

import json
import re
from dataclasses import replace
from pathlib import Path
from types import ModuleType

import pytest

import eval.report.picture
import eval.report.vega
from eval.catalog.point import Point
from eval.chart.drawing import svg
from eval.chart.families import ESTIMATE
from eval.report.headline import findings
from eval.report.noise_bands import noise_bands_of
from eval.report.pareto import CURVES_VIEW, fronts_of, pareto
from eval.report.picture import panel, space_of
from eval.report.records import RECORDS, records
from eval.report.space import ours
from eval.study.results import StudyResult
from eval.study.study import Looked
from eval.tasks.clocks import Curve
from eval.tasks.simulation import ByFormula
from eval.tasks.task import Row
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import found_of, noise, row, simulated, study
from tests.eval.report.test_chart import made_up
from tests.eval.report.test_space import run, small_with_curve
from tests.faults import faults, plant_in_base

pytestmark = pytest.mark.quick
# Beside the netlist for 3 ns: one that is on the front, and one that the design's own beat.
CURVE_OF_BEST = [
    row(
        Curve(Point("mont-best", 32), 3.0),
        metrics={"shortest_period_ns": 1.0, "fastest_area_um2": 4000.0},
        runs=[run(1.0, 4000.0, 1.0), run(2.0, 5000.0, 1.8)],
    )
]
FOUND = found_of(*study(), *CURVE_OF_BEST, noise("ssmm-small", 0.1))


def spots_of(drawn: str) -> dict[tuple[int, int], str]:
    """The designs of the points in a picture, by where they are."""
    points = re.findall(
        r'aria-label="design: ([^,]+),[^>]*aria-roledescription="point"'
        r' transform="translate\(([\d.]+),([\d.]+)\)"',
        drawn,
    )
    return {(round(float(x)), round(float(y))): name for name, x, y in points}


def corners_of(drawn: str, layer: int) -> set[tuple[int, int]]:
    """The corners of the line of a layer of the picture."""
    lines = re.search(rf"layer_{layer}_marks.*?</g>", drawn)[0]
    corners = re.findall(r"[ML]?([\d.]+),([\d.]+)", lines)
    return {(round(float(x)), round(float(y))) for x, y in corners}


def front_of(found: StudyResult, constant: bool = False) -> set[str]:
    """The names of the front of area and time, by another way."""
    points = [p for p in found.points if p.point.nbits == 32]
    points = [p for p in points if p.point.entry.constant_time or not constant]
    best = pareto({p: CURVES_VIEW.spots(found, p, "d") for p in points}).best
    return {found.called(p) for p in best}


def check_picture(module: ModuleType, found: StudyResult) -> None:
    """The fronts of the picture are ours, each netlist of the width that no other of its design
    beats is in it, and what noise moves of the front."""
    space = module.space_of(found)
    assert space.first["bits"] in (32, 1024)
    space.drawn["params"] = [
        one | {"value": 32} if one["name"] == "bits" else one for one in space.drawn["params"]
    ]
    drawn = svg(space.drawn, "the space")
    at = spots_of(drawn)
    at_32 = [p for p in found.points if p.point.nbits == 32]
    assert set(at.values()) == {found.called(p) for p in at_32}
    assert len(at) == sum(len(CURVES_VIEW.spots(found, p, "d")) for p in at_32)
    for layer, constant in ((0, False), (1, True)):
        corners = corners_of(drawn, layer)
        assert {name for spot, name in at.items() if spot in corners} == front_of(found, constant)
    if noise_bands_of(found).most:
        bars = "".join(re.findall("mark-rule role-mark layer_.*?</g>", drawn))
        assert re.search(r'<line [^>]*x2="-?[1-9]', bars)


@pytest.mark.parametrize("found", [FOUND, made_up("default")], ids=["few", "default"])
def test_the_picture_has_the_points_and_their_front(found: StudyResult) -> None:
    check_picture(eval.report.picture, found)


def test_what_is_chosen_at_first_and_what_there_is_to_choose() -> None:
    space = space_of(FOUND)
    assert (space.first["across"], space.first["up"], space.first["bits"]) == ("area", "time", 32)
    assert space.places[0]["bands"]["area"] == pytest.approx(0.1)
    assert space.places[0]["bands"]["time"] == 0.0  # no noise moved its period
    assert space.choices == {
        "tech": ["nangate45"],
        "bits": [32],
        "workload": ["d"],
        "family": ["shift-sub", "Montgomery", "pseudo-modulus"],
    }
    json.dumps(space.spec)
    assert space.lacks == [1024, 2048]
    assert space.svg == space_of(FOUND).svg


def test_one_quantity_makes_no_picture() -> None:
    point = FOUND.points[0].point
    assert space_of(found_of(simulated(point, "d", {"xcel_cycles_d": 9}))) is None
    assert space_of(found_of()) is None


def test_keys_in_use_come_first() -> None:
    space = space_of(made_up("default"))
    assert space.choices["bits"] == [1024, 32, 16, 8]
    assert (space.first["bits"], space.lacks) == (1024, [2048])
    wide = space_of(found_of(*study(), *study(256)))
    assert (wide.first["bits"], wide.lacks) == (256, [1024, 2048])


def test_without_a_script_it_shows_the_same_at_first() -> None:
    shown = panel(space_of(FOUND))
    best = [point for point in shown.points if point.card == "mont-best-32-bits"]
    assert [(p.x, p.y) for p in best] == [(3000.0, 0.29), (4000.0, 0.1)]
    assert [p.name for p in best] == ["", "mont-best"]
    assert (shown.x.title, shown.y.title) == ("area, um2", "time, us")
    check_names(shown)
    front_line, constant = shown.lines[-2:]
    assert front_line.steps
    assert constant.steps
    assert {p.name for p in shown.points if (p.x, p.y) in constant.spots} == {"mont-ct"}
    on_front = {p.card for p in shown.points if (p.x, p.y) in front_line.spots}
    assert on_front == {f"{name.strip('#~^')}-32-bits" for name in front_of(FOUND)}
    assert "near-power-4-32-bits" not in on_front  # as small and as fast, for few moduli
    assert shown.title == "32 bits, private operation (d)"


def assumed() -> Row:
    """One that would be better than all others, if it were hardware."""
    task = ByFormula(Point("what-if(latency=2,loop=always,area=1000,period=0.1)", 32), "d")
    return Row(task, task.compute(lambda step: None), False)


def check_assumed(module: ModuleType, found: StudyResult) -> None:
    """What is assumed stands in the picture, told apart, and leaves the fronts as they are."""
    with_it = found_of(*found.rows, assumed())
    drawn = svg(module.space_of(with_it).drawn, "the space")
    [spot] = [spot for spot, name in spots_of(drawn).items() if name.startswith("what-if")]
    for layer in (0, 1):
        assert corners_of(drawn, layer)
        assert spot not in corners_of(drawn, layer)
    [mark] = re.findall(r'<path aria-label="design: what-if[^>]*>', drawn)
    assert 'stroke-dasharray="2,2"' in mark
    assert 'fill="#' not in mark


def test_what_is_assumed_is_told_apart() -> None:
    check_assumed(eval.report.picture, FOUND)
    with_it = found_of(*FOUND.rows, assumed())
    [p] = [p for p in with_it.points if p.point.entry.assumed]
    assert with_it.called(p).endswith("?")
    fronts, without = (fronts_of(found, found.points) for found in (with_it, FOUND))
    for name, one in fronts.items():
        assert (one.corners, len(one.apart)) == (without[name].corners, len(without[name].apart))
        assert p not in (*one.best, *one.maybe, *one.uncertain, *one.apart)
    assert [*findings(with_it)] == [*findings(FOUND)]
    [record] = [record for record in records([with_it]) if record.point == p]
    assert (record.value("area"), record.value("period")) == (1000.0, 0.1)
    assert not any("flow" in command for command in record.commands)
    table = RECORDS.of([record])
    assert "? no hardware" in table.note
    shown = panel(space_of(with_it))
    [point] = [point for point in shown.points if point.card == p.card]
    assert not point.marker.filled
    assert all((point.x, point.y) not in line.spots for line in shown.lines if line.steps)


@faults(
    {
        "an assumption on the front": ('"datum.compared",', '"true",'),
        "one on that of constant time": ('"datum.compared && datum', '"datum'),
        "one that is drawn as hardware": (', {"filter": "!datum.assumed"}', ""),
    }
)
def test_an_assumption_as_hardware_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant_in_base(tmp_path, eval.report.picture, eval.report.vega, sound, faulty)
    with pytest.raises((AssertionError, ValueError)):
        check_assumed(wrong, FOUND)


@faults(
    {
        "the worst for the front": ('"op": "min", "field": field', '"op": "max", "field": field'),
        "no worse for better": ("datum.y < datum.{before}", "datum.y <= datum.x"),
        "what takes few moduli is on the front": (
            '"front": "datum.compared"',
            '"front": "!datum.assumed"',
        ),
        "the front of all as that of constant time": (
            "datum.compared && datum.constant === 'yes'",
            "datum.compared",
        ),
        "another workload": ("datum.workload === workload", "datum.workload !== workload"),
        "bars without noise": ("datum[{name} + ' band']", "0"),
        "netlists that the design's own beat": ('{"filter": "datum.own"},', ""),
    }
)
def test_a_wrong_picture_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant_in_base(tmp_path, eval.report.picture, eval.report.vega, sound, faulty)
    with pytest.raises(AssertionError):
        check_picture(wrong, FOUND)


def test_what_a_search_has_looked_at_is_dim_and_on_no_front() -> None:
    """Two estimates: of the design that was measured none is shown, the other beats all."""
    found = small_with_curve()
    looked = (Looked("ssmm-small", 32, "d", 1.0, 1.0), Looked("ssmm-ct", 32, "d", 2.0, 0.1))
    space = space_of(replace(found, study=replace(found.study, looked=looked)))
    dim = [place for place in space.places if place["family"] == ESTIMATE]
    assert [(place["name"], place["values"]["area"]) for place in dim] == [("ssmm-ct", 2.0)]
    assert dim[0]["constant"] == "yes"
    assert not [place for place in ours(space.places) if place in dim]
    assert "Dim: what a search has looked at" in space.caption
    drawn = svg(space.drawn, "the space")
    assert "estimates" in {mark["name"].removesuffix("_marks") for mark in space.spec["marks"]}
    assert 'aria-label="design: ssmm-small' in drawn
    assert 'aria-label="design: ssmm-ct' not in drawn
    without = space_of(found)
    assert ESTIMATE not in without.choices["family"]
    assert len(spots_of(drawn)) == len(spots_of(svg(without.drawn, "the space"))) == 2
