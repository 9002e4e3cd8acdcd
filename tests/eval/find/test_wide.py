"""Searches at 1024 bits, whose flow is a table: netlists that were all made once, by the flow.

exhaustive_1024.json has area and period of designs at clocks, those of exhaustive.py. Curves are
composed of the same netlists: flow and curve have the same area, and periods within 0.2 %.
"""

import json
from math import log

import numpy as np
import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.find import search
from eval.find.answer import COMPOSED, LINES, Answer
from eval.find.candidates import COMPOSED_AT_NS
from eval.find.formula import cycles_of
from eval.find.known import Netlist
from eval.find.model import Spot
from eval.find.need import read_need
from eval.find.search import NARROW_BITS, Search
from eval.table.terminal import print_grids
from eval.tasks.composed import Composed
from eval.tasks.flow_run.task import POWER, FlowRun
from tests.eval.find.exhaustive import FILE, NBITS, SUB_SPACE
from tests.eval.made_up import energy_of, flow_row, metrics_of, row

pytestmark = pytest.mark.quick
TABLE = {  # by design and clock: area and period
    design: {float(clock): tuple(figures) for clock, figures in sorted(by_clock.items())}
    for design, by_clock in json.loads(FILE.read_text()).items()
}
POINTS = sum(map(len, TABLE.values()))


@pytest.fixture(autouse=True)
def _empty_store(monkeypatch, tmp_path):
    monkeypatch.setattr(search, "stored", lambda: [])
    monkeypatch.setattr(search, "curves", dict)


def netlist(design, clock_ns):
    """The netlist for a clock: the smallest that meets it, or the fastest."""
    known = TABLE[design].values()
    meets = [(area, period) for area, period in known if period <= clock_ns]
    return TABLE[design].get(clock_ns) or min(meets or [min(known, key=lambda one: one[1])])


def curve(design, shortest_ns):
    """The netlists for the clocks of the table, to a shortest one, each faster than the last."""
    points = []
    for clock_ns in sorted({*TABLE[design], 3.0, shortest_ns or 3.0}, reverse=True):
        area, period = netlist(design, clock_ns)
        last = points[-1]["period_ns"] if points else np.inf
        if clock_ns >= shortest_ns and period < last and (last > clock_ns or not points):
            points.append({"clock_ns": clock_ns, "area_um2": area, "period_ns": period})
    return [point | {"recipes": {}} for point in points]


class Flow:
    """Makes rows of the table, and keeps what was asked for. Energy is area x cycles, but of some
    designs more, and the flow makes some larger than the table says."""

    def __init__(self, more=(), larger=()):
        self.asked, self.more, self.larger = [], dict(more), dict(larger)

    def __call__(self, tasks):
        self.asked += tasks
        return [self.row(task) for task in tasks]

    def row(self, task):
        design = task.point.design
        if isinstance(task, Composed):
            cost = {"modules": 1, "mappings": 1, "timings": 1}
            return row(task, points=curve(design, task.shortest_ns), **cost)
        area, period = netlist(design, task.clock_ns)
        area *= self.larger.get(design, 1) * task.point.nbits / NBITS
        metrics = {"area_um2": area, "period_reached_ns": period}
        metrics["setup_slack_ns"] = task.clock_ns - period
        if task.to != POWER:
            return flow_row(task, metrics)
        metrics |= metrics_of(energy_of())
        cycles = cycles_of(design, task.point.nbits, "d")
        metrics["energy_glitches_d_nj"] = 2e-6 * area * cycles * self.more.get(design, 1)
        return flow_row(task, metrics, energy=energy_of())

    def runs(self):
        """The runs of the flow at the width of the need."""
        return [t for t in self.asked if isinstance(t, FlowRun) and t.point.nbits == NBITS]


def searched(flow, operation, *least, at_most=(), designs=tuple(TABLE), **more):
    """A search that is over."""
    need = read_need(NBITS, operation, least, at_most=at_most, designs=designs, **more)
    done = Search(need, flow, 1)
    done.go()
    return done


def best_of_all(need):
    """By looking at every netlist of the table: the least of all that keep to the limits."""
    [least] = need.least
    found = []
    for design, by_clock in TABLE.items():
        if need.constant_time and not find(design).constant_time:
            continue
        cycles = cycles_of(design, NBITS, need.workload)
        for area, period in by_clock.values():
            values = {"area": area, "time": cycles * period / 1000}
            if all(values[name] <= most for name, most in need.at_most.items()):
                found.append(values[least])
    return min(found)


def test_the_table_is_of_the_sub_space():
    assert {(d, clock) for d, its in TABLE.items() for clock in its} <= {
        (design, clock) for design, clocks in SUB_SPACE.items() for clock in clocks
    }
    assert sum(map(len, SUB_SPACE.values())) >= 60


NEEDS = [
    ("sign", "area", ["time=2ms"], False),
    ("sign", "time", ["area=0.15mm2"], True),
    ("verify", "area", ["time=10us"], False),
    ("sign", "area", ["time=0.47ms"], True),
]


@pytest.mark.parametrize(("operation", "least", "at_most", "constant"), NEEDS)
@pytest.mark.parametrize("knows", [True, False], ids=["quoted", "nothing"])
def test_what_is_found_is_the_best_of_all(operation, least, at_most, constant, knows, monkeypatch):
    """Or within the noise of it, by runs of the flow for less than a tenth of the netlists; also
    where estimates know nothing at first."""
    if not knows:
        monkeypatch.setattr(search, "quoted", lambda: [])
    flow = Flow()
    done = searched(flow, operation, least, at_most=at_most, constant_time=constant)
    [best] = done.front()
    band = done.candidates.band(least)
    assert best_of_all(done.need) * (1 - band) <= done.value(best, least)
    assert done.value(best, least) <= best_of_all(done.need) * (1 + band)
    assert POINTS >= 32
    assert len(flow.runs()) <= 6
    assert len(flow.asked) == len(set(flow.asked)) == done.steps.new
    assert done.steps.in_time
    assert not done.steps.open


def test_the_first_netlist_of_a_curve_comes_before_the_others():
    """It tells the least area: of a design that is too large, or far too slow, no more is made."""
    flow = Flow()
    searched(flow, "sign", "time", at_most=["area=0.15mm2"], constant_time=True)
    curves = [task for task in flow.asked if isinstance(task, Composed)]
    first = [task.point.design for task in curves if task.shortest_ns == COMPOSED_AT_NS]
    whole = [task.point.design for task in curves if task.shortest_ns == 0]
    assert {*whole} < {*first}
    assert all(
        first.index(design) <= curves.index(Composed(Point(design, NBITS), 3.0)) for design in whole
    )
    assert all(netlist(design, 3.0)[0] <= 150_000 / 0.99 for design in whole)


def test_what_a_composed_netlist_bounds_is_not_composed():
    """By what the pages quote, array-8 is larger than array-1 for certain."""
    flow = Flow()
    done = searched(flow, "sign", "area", at_most=["time=2ms"], designs=["array-1", "array-8"])
    assert [task.point.design for task in flow.asked] == ["array-1", "array-1"]
    assert (done.steps.composed, done.steps.curves, done.steps.mapped, done.steps.out) == (
        1,
        0,
        1,
        1,
    )


def test_where_time_is_limited_a_curve_ends_at_the_clock_that_keeps_to_it():
    """405276 cycles in 0.3 ms: 0.740 ns, and nothing of a longer clock is a candidate."""
    done = searched(flow := Flow(), "sign", "area", at_most=["time=0.3ms"], designs=["array-4"])
    assert {task.shortest_ns for task in flow.asked if isinstance(task, Composed)} == {3.0, 0.74}
    assert done.candidates.clocks_of("array-4") == (0.74,)
    free = searched(Flow(), "sign", "area", designs=["array-4"])
    assert free.candidates.clocks_of("array-4") == free.candidates.clocks
    assert max(free.candidates.clocks) == COMPOSED_AT_NS


@pytest.mark.parametrize("is_of_now", [True, False])
def test_a_stored_curve_is_composed_anew_if_its_row_is_of_other_code(is_of_now, monkeypatch):
    """One that is read as it is bounds others closely."""
    task = Composed(Point("array-1", NBITS), 3.0, COMPOSED_AT_NS)
    netlists = [Netlist(Spot("array-1", NBITS, 3.0), *netlist("array-1", 3.0))]
    monkeypatch.setattr(search, "curves", lambda: {task: netlists})
    monkeypatch.setattr(search, "has_row", lambda task: is_of_now)
    done = searched(flow := Flow(), "sign", "area", at_most=["time=2ms"])
    assert done.front()[0].design == "array-1"
    assert (task in flow.asked) != is_of_now


@pytest.mark.parametrize(("area", "part"), [(120_000, 0.99), (90_000, 0.94)])
def test_a_composed_netlist_bounds_what_the_flow_makes(area, part):
    """At any shorter clock, too: by a hundredth; by six if it is so small that the flow tries flat
    ones. No period is below half of its own."""
    need = read_need(NBITS, "sign", ["time"], designs=["array-1"])
    done = Search(need, Flow(), 1)
    first = Netlist(Spot("array-1", NBITS, 3.0), area, 0.9)
    done.candidates.tell_curve(Composed(Point("array-1", NBITS), 3.0, COMPOSED_AT_NS), [first])
    assert not done.candidates.curves
    found = done.candidates.estimates(done._learned())
    assert min(found.optimistic("area")) >= log(part * area) - 1e-3
    assert min(found.optimistic("time")) >= log(0.45 * done.candidates.cycles["array-1"] / 1000)
    done.candidates.tell_curve(Composed(Point("array-1", NBITS), 3.0), [first])
    found = done.candidates.estimates(done._learned())
    assert found.optimistic("area")[done.candidates.spots.index(first.spot)] == pytest.approx(
        log(part * area), abs=5e-3
    )


def test_runners_up_are_composed_where_the_flow_did_not_run(capsys):
    """Each design's best that keeps to the limits; none of them is in a study."""
    answer = Answer(searched(flow := Flow(), "sign", "area", at_most=["time=2ms"]))
    best, *others = answer.lines
    assert {line.rank for line in others} == {COMPOSED}
    made = {task.point.design for task in flow.runs()}
    assert made == {best.spot.design}
    assert made.isdisjoint(line.spot.design for line in others)
    areas = [line.get("area") for line in answer.lines]
    assert areas == sorted(areas)
    assert all(line.get("time") <= 2000 for line in answer.lines)
    print_grids([LINES.of(answer)])
    assert "Composed: put together of mapped modules" in " ".join(capsys.readouterr().out.split())
    assert f'designs = ["{best.spot.design}"]' in answer.study("this")


def test_a_netlist_that_the_flow_does_not_confirm_is_not_taken_for_it():
    """The flow makes of the best one a netlist that is larger by half: another is the best."""
    need = {"at_most": ["time=2ms"]}
    [best] = searched(Flow(), "sign", "area", **need).front()
    flow = Flow(larger={best.design: 1.5})
    done = searched(flow, "sign", "area", **need)
    [other] = done.front()
    assert other.design != best.design
    assert {best.design, other.design} <= {task.point.design for task in flow.runs()}


def test_after_most_of_the_time_the_flow_makes_what_is_composed(monkeypatch):
    """Another design may be better, but there is an answer."""
    monkeypatch.setattr(search, "COMPOSING", 0.0)
    flow = Flow()
    searched(flow, "sign", "area", at_most=["time=2ms"])
    assert [type(task) for task in flow.asked[:2]] == [Composed, FlowRun]


def test_energy_is_asked_of_a_narrow_netlist_first():
    """The design that takes most by its narrow netlist is not mapped at all."""
    designs = ["array-2", "array-4", "array-4-ct"]
    flow = Flow(more={"array-2": 9})
    done = searched(flow, "sign", "energy", designs=designs)
    narrow = [t for t in flow.asked if isinstance(t, FlowRun) and t.point.nbits == NARROW_BITS]
    assert {task.to for task in narrow} == {POWER}
    assert len(narrow) == done.steps.narrow >= 2
    assert done.front()[0].design == "array-4"
    assert "array-2" not in {task.point.design for task in flow.runs()}
    assert {task.to for task in flow.runs()} == {POWER}
    first = {}
    for number, task in enumerate(flow.asked):
        first.setdefault((task.point.design, type(task), task.point.nbits), number)
    for design in {task.point.design for task in flow.runs()}:
        steps = [(FlowRun, NARROW_BITS), (Composed, NBITS), (FlowRun, NBITS)]
        numbers = [first[design, *step] for step in steps]
        assert numbers == sorted(numbers)
    assert f"{len(narrow)} netlists of 64 bits with energy; " in Answer(done).how()[0]


def test_an_impossible_need_gets_a_word_and_the_nearest():
    """No design signs in a microsecond: the fastest of all is named, and by how much it is over."""
    flow = Flow()
    answer = Answer(searched(flow, "sign", "area", at_most=["time=1us"]))
    assert not answer.met
    [line] = answer.lines
    assert line.rank == "nearest"
    times = {
        design: cycles_of(design, NBITS, "d") * min(period for _, period in by_clock.values())
        for design, by_clock in TABLE.items()
    }
    assert line.spot.design == min(times, key=times.__getitem__)
    [said] = answer.binds()
    assert said.startswith(f"time: {line.spot.design} has ")
    assert said.endswith(f", {line.get('time'):.3g} times the limit of 1.00 us.")
    assert len(flow.runs()) <= search.MOST_NEAR
