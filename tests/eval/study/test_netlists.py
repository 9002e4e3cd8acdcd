"""Of rows that tell of one netlist, the one with energies stands, in whichever order they are."""

from itertools import permutations

import pytest

from eval.catalog.point import Point
from eval.study.netlists import netlists_of
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import POWER, FlowRun
from tests.eval.made_up import flow_row, row
from tests.eval.report.test_space import run

pytestmark = pytest.mark.quick
SMALL = Point("ssmm-small", 32)
TIMED = {"area_um2": 3776.0, "setup_slack_ns": 0.4, "period_ns": 2.6}
OF_FLOW = flow_row(FlowRun(SMALL, "accelerator", 3.0, POWER), TIMED | {"energy_glitches_d_nj": 9.0})
WITHOUT = row(
    Curve(SMALL, 3.0),
    metrics={"shortest_period_ns": 2.6, "fastest_area_um2": 3776.0},
    runs=[run(3.0, 3776.0, 2.6)],
)
WITH = row(
    Curve(SMALL, 3.5, energy=True),
    metrics={"shortest_period_ns": 2.6, "fastest_area_um2": 3776.0},
    runs=[run(3.0, 3776.0, 2.6, 7.0)],
)


@pytest.mark.parametrize(
    ("rows", "energy"), [([WITHOUT], None), ([OF_FLOW, WITHOUT], 9.0), ([WITHOUT, WITH], 7.0)]
)
def test_energies_that_are_known_stay(rows, energy):
    for some in permutations(rows):
        [netlist] = netlists_of({one.task: one.result for one in some}, {})[SMALL]
        assert (netlist.area_um2, netlist.energy_nj("d")) == (3776.0, energy)


def test_a_curve_that_knows_energies_gives_them_to_what_the_flow_only_timed():
    timed = flow_row(FlowRun(SMALL, "accelerator", 3.0), TIMED)
    [netlist] = netlists_of({one.task: one.result for one in (timed, WITH)}, {})[SMALL]
    assert netlist.energy_nj("d") == 7.0
