"""One netlist in every corner: what the flow says of it in its own, and the order of others."""

import pytest

from eval.catalog.point import Point
from eval.tasks.corners import Corners, CornersResult
from eval.tasks.corners_section import CORNERS
from eval.tasks.flow_run.task import POWER
from flow.results.run import Results
from sim.errors import UserError

TASK = Corners(Point("ssmm-small", 8), 18.8, tech="sky130")


@pytest.fixture(scope="module")
def found() -> CornersResult:
    """What it finds."""
    return TASK.compute(lambda step: None)


@pytest.fixture(scope="module")
def flow(found: CornersResult) -> Results:
    """The flow's own run, which has been made."""
    return TASK.flow_run.run(POWER, lambda step: None, energy=True)


def test_the_flow_says_the_same_in_its_own_corners(found: CornersResult, flow: Results) -> None:
    by = {one.corner: one for one in found.corners}
    assert found.area_um2 == flow.metrics["area_um2"]
    assert by["ss"].period_ns == flow.metrics["period_ns"]
    assert by["ff"].hold_slack_ns == flow.metrics["hold_slack_ns"]
    for name, energy in by["tt"].energies_nj.items():
        assert energy == flow.steps.power.operations[name].energy_with_glitches_nj
    assert by["tt"].leakage_mw == flow.steps.power.windows["d"].power_mw.leakage


def test_corners_differ_as_they_must(found: CornersResult) -> None:
    ss, tt, ff = found.corners
    assert (ss.corner, tt.corner, ff.corner) == ("ss", "tt", "ff")
    assert ss.period_ns > tt.period_ns > ff.period_ns > 0
    # 100 degrees beside 25; the higher voltage.
    assert ff.leakage_mw > ss.leakage_mw > 100 * tt.leakage_mw
    for one, other in ((ss, tt), (tt, ff)):
        square = (other.volt / one.volt) ** 2
        for name in one.energies_nj:
            assert other.energies_nj[name] / one.energies_nj[name] == pytest.approx(square, rel=0.1)
    assert len(CORNERS.of({TASK: found}).lines) == 3


@pytest.mark.quick
def test_one_corner_is_not_gone_through() -> None:
    with pytest.raises(UserError, match="corner: ff is one; leave it out"):
        Corners(TASK.point, 18.8, tech="sky130@ff")
    assert TASK.command == "modexplorer corners ssmm-small --nbits 8 --clock 18.8 --tech sky130"
