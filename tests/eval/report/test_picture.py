"""The picture of the space as it is drawn without a browser: its points, its front, its bars."""

import json
import re
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

import eval.report.picture
import eval.report.vega
from eval.report.noise_bands import noise_bands_of
from eval.report.pareto import TIME_VIEW, pareto
from eval.report.picture import space_of
from eval.study.results import StudyResult
from tests.eval.made_up import found_of, simulated
from tests.eval.report.test_chart import made_up
from tests.eval.report.test_findings import noise, study
from tests.faults import faults, plant_in_base

pytestmark = pytest.mark.quick
FOUND = found_of(*study(), noise("ssmm-small", 0.1))


def named(svg: str) -> set[str]:
    """The names in a picture: each is written twice, white below; a family's once."""
    found = Counter(re.findall(r"<text[^>]*>([a-z]+-[\w-]+[!#]*)</text>", svg))
    assert set(found.values()) <= {1, 2}
    return {name for name, times in found.items() if times == 2}


def front_of(found: StudyResult) -> set[str]:
    """The names of the front of area and time."""
    spots = {p: TIME_VIEW.spots(found, p, "d") for p in found.points if p.point.nbits == 32}
    return {found.name_of(p) for p in pareto(spots).best}


def check_picture(module: ModuleType, found: StudyResult) -> None:
    """The front of the picture is ours, and each point of the main width is in it, with its bar."""
    space = module.space_of(found)
    assert named(space.svg) == front_of(found)
    points = re.findall(r'aria-roledescription="point"', space.svg)
    assert len(points) == sum(p.point.nbits == 32 for p in found.points)
    if noise_bands_of(found).most:
        bars = "".join(re.findall("mark-rule role-mark layer_.*?</g>", space.svg))
        assert re.search(r'<line [^>]*x2="-?[1-9]', bars)


@pytest.mark.parametrize("found", [FOUND, made_up("default")], ids=["few", "default"])
def test_the_picture_has_the_points_and_their_front(found: StudyResult) -> None:
    check_picture(eval.report.picture, found)


def test_what_is_chosen_at_first_and_what_there_is_to_choose() -> None:
    space = space_of(FOUND)
    assert (space.first["across"], space.first["up"], space.first["bits"]) == ("area", "time", 32)
    assert space.places[0]["bands"]["area"] == pytest.approx(0.1)
    assert space.places[0]["bands"]["time"] == 0.0
    assert space.choices == {
        "bits": [32],
        "workload": ["d"],
        "family": ["shift-sub", "Montgomery", "pseudo-modulus"],
    }
    json.dumps(space.spec)
    assert space.svg == space_of(FOUND).svg


def test_one_quantity_makes_no_picture() -> None:
    point = FOUND.points[0].point
    assert space_of(found_of(simulated(point, "d", {"xcel_cycles_d": 9}))) is None
    assert space_of(found_of()) is None


@faults(
    {
        "the worst for the front": ('"op": op,', '"op": op.replace("min", "max"),'),
        "no worse for better": ("datum.y < datum.before", "datum.y <= datum.x"),
        "what takes few moduli is on the front": ("? datum.y : null", "? datum.y : datum.y"),
        "another workload": ("datum.workload === workload", "datum.workload !== workload"),
        "bars without noise": ("datum[{name} + ' band']", "0"),
        "names of the others": (
            '"transform": [{"filter": "datum.front"}],\n        "mark": _text(12',
            '"transform": [{"filter": "!datum.front"}],\n        "mark": _text(12',
        ),
    }
)
def test_a_wrong_picture_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant_in_base(tmp_path, eval.report.picture, eval.report.vega, sound, faulty)
    with pytest.raises(AssertionError):
        check_picture(wrong, FOUND)
