"""Searches at 1024 and 2048 bits, whose flow is a table: netlists that the flow has made once.

exhaustive_*.json have area and period of designs at clocks, those of exhaustive.py. Curves are
composed of the same netlists: flow and curve have the same area, and periods within 0.2 %.
"""

from math import log
from pathlib import Path

import numpy as np
import pytest

from eval.catalog.point import Point
from eval.find import search
from eval.find.answer import COMPOSED, LINES, Answer
from eval.find.candidates import COMPOSED_AT_NS
from eval.find.formula import cycles_of
from eval.find.known import Netlist
from eval.find.model import Spot
from eval.find.need import read_need
from eval.find.quantities import QUANTITIES
from eval.find.search import NARROW_BITS, Search
from eval.table.terminal import print_grids
from eval.tasks.composed import Composed
from eval.tasks.flow_run.task import POWER, FlowRun
from tests.eval.find.exhaustive import (
    CLOCKS_NS,
    NEEDS,
    POINTS,
    ROWS,
    WIDTHS,
    best_of_all,
    table_of,
)
from tests.eval.made_up import energy_of, flow_row, metrics_of, row

pytestmark = pytest.mark.quick
NBITS = 1024
TABLES = {  # by width, design and clock: area and period
    nbits: {
        design: {float(clock): tuple(figures) for clock, figures in sorted(by_clock.items())}
        for design, by_clock in table_of(nbits).items()
    }
    for nbits in WIDTHS
}
TABLE = TABLES[NBITS]
PAGE = Path("docs/studies.md").read_text()
MADE = {nbits: sum(map(len, table.values())) for nbits, table in TABLES.items()}


@pytest.fixture(autouse=True)
def _empty_store(monkeypatch, tmp_path):
    monkeypatch.setattr(search, "stored", lambda: [])
    monkeypatch.setattr(search, "curves", dict)


def netlist(design, clock_ns, nbits=NBITS):
    """The netlist for a clock: the smallest that meets it, or the fastest."""
    table = TABLES.get(nbits, TABLE)[design]
    known = table.values()
    meets = [(area, period) for area, period in known if period <= clock_ns]
    return table.get(clock_ns) or min(meets or [min(known, key=lambda one: one[1])])


def curve(design, nbits, longest_ns, shortest_ns):
    """The netlists for the clocks of the table, to a shortest one, each faster than the last."""
    points = []
    for clock_ns in sorted({*TABLES[nbits][design], longest_ns, shortest_ns or 3.0}, reverse=True):
        area, period = netlist(design, clock_ns, nbits)
        last = points[-1]["period_ns"] if points else np.inf
        inside = longest_ns >= clock_ns >= shortest_ns
        if inside and period < last and (last > clock_ns or not points):
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
        design, nbits = task.point.design, task.point.nbits
        if isinstance(task, Composed):
            cost = {"modules": 1, "mappings": 1, "timings": 1}
            points = curve(design, nbits, task.clock_ns, task.shortest_ns)
            return row(task, points=points, **cost)
        area, period = netlist(design, task.clock_ns, nbits)
        area *= self.larger.get(design, 1) * (1 if nbits in TABLES else nbits / NBITS)
        metrics = {"area_um2": area, "period_ns": period}
        metrics["setup_slack_ns"] = task.clock_ns - period
        if task.to != POWER:
            return flow_row(task, metrics)
        metrics |= metrics_of(energy_of())
        cycles = cycles_of(design, nbits, "d")
        metrics["energy_glitches_d_nj"] = 2e-6 * area * cycles * self.more.get(design, 1)
        return flow_row(task, metrics, energy=energy_of())

    def runs(self):
        """The runs of the flow at the width of the need."""
        return [t for t in self.asked if isinstance(t, FlowRun) and t.point.nbits in TABLES]


def searched(flow, operation, *least, nbits=NBITS, at_most=(), designs=(), **more):
    """A search that is over, among all designs of the table if none are named."""
    designs = designs or tuple(TABLES[nbits])
    need = read_need(nbits, operation, least, at_most=at_most, designs=designs, **more)
    done = Search(need, flow, 1)
    done.go()
    return done


def test_the_tables_are_of_the_sub_space():
    assert POINTS == len(ROWS) * len(CLOCKS_NS) >= 60
    for table in TABLES.values():
        assert {*table} <= {*ROWS}
        assert {clock for by_clock in table.values() for clock in by_clock} <= {*CLOCKS_NS}


def test_the_page_says_how_much_of_them_there_is():
    for nbits, made in MADE.items():
        assert f"{made} of {POINTS} at {nbits} bits" in PAGE


def line_of_page(done, flow, best, least):
    """What the page says of a search: what it asked for, the best of all, and what it found."""
    [found], text = done.front(), QUANTITIES[least].text
    steps = f"{done.steps.composed} | {done.steps.curves} | {len(flow.runs())}"
    values = f"{text(best)} | {text(done.value(found, least))}"
    return f"| {done.need.text} | {steps} | {values}, `{found.design}` |"


NEEDS_MADE = [need for need in NEEDS if MADE[need[0]] >= len(ROWS)]  # a netlist of each design


@pytest.mark.parametrize(("nbits", "operation", "least", "at_most", "more"), NEEDS_MADE)
@pytest.mark.parametrize("knows", [True, False], ids=["quoted", "nothing"])
def test_what_is_found_is_the_best_of_all(
    nbits, operation, least, at_most, more, knows, monkeypatch
):
    """Or within the noise of it, by runs of the flow for at most a tenth of the sub-space; also
    where estimates know nothing at first."""
    if not knows:
        monkeypatch.setattr(search, "quoted", lambda: [])
    flow = Flow()
    done = searched(flow, operation, least, nbits=nbits, at_most=[at_most], **more)
    [best] = done.front()
    band = done.candidates.band(least)
    least_of_all = best_of_all(done.need)
    assert least_of_all * (1 - band) <= done.value(best, least) <= least_of_all * (1 + band)
    assert len(flow.runs()) <= POINTS // 10
    assert len(flow.asked) == len(set(flow.asked)) == done.steps.new
    assert done.steps.in_time
    assert not done.steps.open
    if knows:
        assert line_of_page(done, flow, least_of_all, least) in PAGE


def test_a_clock_that_is_given_has_curves_composed_to_it():
    """First at 3 ns, then to 1 ns of those that may meet it; for more than 3 ns at once."""
    need = {"at_most": ["area=0.15mm2"], "designs": ["array-1", "array-4"]}
    done = searched(flow := Flow(), "sign", "time", clock="1", **need)
    curves = [(t.clock_ns, t.shortest_ns) for t in flow.asked if isinstance(t, Composed)]
    assert {*curves} <= {(3.0, 3.0), (3.0, 1.0)}
    assert curves[0] == (3.0, 3.0)
    assert [task.clock_ns for task in flow.runs()] == [1.0]
    assert {spot.clock_ns for spot in done.candidates.spots} == {1.0}
    assert {spot.clock_ns for spot, _ in done.candidates.composed()} <= {1.0}
    searched(flow := Flow(), "sign", "time", clock="5", **need)
    curves = [(t.clock_ns, t.shortest_ns) for t in flow.asked if isinstance(t, Composed)]
    assert {*curves} == {(5.0, 5.0)}


def test_a_netlist_that_misses_the_clock_is_none_for_it():
    """Of array-8 the first netlist takes 1.3 ns: one that meets 1 ns is larger, and it is found."""
    if_any = {"designs": ["array-8"], "clock": "1"}
    done = searched(flow := Flow(), "sign", "area", **if_any)
    curves = [(t.clock_ns, t.shortest_ns) for t in flow.asked if isinstance(t, Composed)]
    assert curves == [(3.0, 3.0), (3.0, 1.0)]
    [best] = done.front()
    assert done.candidates.figures(best)["period"] <= 1.0
    assert done.value(best, "area") > netlist("array-8", 3.0)[0]


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
    assert all(netlist(design, 3.0)[0] <= 150_000 / 0.98 for design in whole)


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


@pytest.mark.parametrize(("area", "part"), [(120_000, 0.99), (90_000, 0.88)])
def test_a_composed_netlist_bounds_what_the_flow_makes(area, part):
    """At any shorter clock, too: by a hundredth; by twelve if it is so small that the flow tries
    flat ones. No period is below half of its own."""
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
        log(part * area), abs=8e-3
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


def test_the_first_design_composed_has_its_energy_measured_at_once():
    """It tells how energies of the family grow from the narrow netlists on: fewer are composed."""
    designs = [f"array-{digit}{kind}" for kind in ("", "-ct") for digit in (1, 2, 4, 8)]
    done = searched(flow := Flow(), "sign", "energy", designs=designs)
    steps = [(FlowRun, NARROW_BITS), (Composed, NBITS), (FlowRun, NBITS)]
    assert [(type(task), task.point.nbits) for task in flow.asked[:3]] == steps
    assert len({task.point.design for task in flow.asked[:3]}) == 1
    values = {
        design: min(area for area, _ in TABLE[design].values()) * cycles_of(design, NBITS, "d")
        for design in designs
    }
    assert done.front()[0].design == min(values, key=values.__getitem__)
    assert done.steps.composed < len(designs)


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
    how = answer.how()
    assert "No point keeps to all limits, not even at best by its estimate." in how
    assert not [line for line in how if "may win" in line or "in the time" in line]
    assert answer.remedy == f"raise a limit; {line.spot.design} is nearest"
