"""Candidates by hand: their clocks and figures, what they are at least, the doubt of an energy,
clocks of which a netlist tells, what a curve leaves to choose from, and which row of the store, or
command of a text, is that of a spot."""

import json
from collections.abc import Iterator
from itertools import permutations
from math import exp, log
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from eval.catalog.point import Point
from eval.find import known
from eval.find.candidates import CLOCKS_NS, MOST_CYCLES, MOST_UM2, Candidates, Estimates
from eval.find.formula import cycles_of
from eval.find.known import Netlist, curves, quoted, stored
from eval.find.model import Model, Places, Spot
from eval.find.need import read_need
from eval.tasks.composed import Composed

pytestmark = pytest.mark.quick
DESIGN, NBITS = "ssmm-small", 32
SPOT = Spot(DESIGN, NBITS, 3.0)


def candidates(
    clock: str = "free",
    least: str = "energy",
    *,
    design: str = DESIGN,
    nbits: int = NBITS,
    operation: str = "sign",
    cycles: int = 0,
    **more: Any,
) -> Candidates:
    """One design at a clock, or at those that may be chosen, and what is to be least; an operation
    takes so many cycles, if that is said."""
    need = read_need(nbits, operation, [least], designs=[design], clock=clock, **more)
    found = Candidates(need, lambda: Model([]), [], lambda step: None)
    if cycles:
        found.cycles[design] = cycles
    return found


@pytest.mark.parametrize(
    ("limit", "cycles", "clock_ns"),
    [
        ("2.5us", 1000, 2.5),
        ("2.5us", 700, 3.571),  # 3.5714: in ps that do not exceed the limit
        ("4us", 4001, 0.999),
        ("0.3us", 1000, 0.48),
        ("9us", 1000, 8.57),
    ],
)
def test_the_clock_that_keeps_to_a_limit_of_time(limit: str, cycles: int, clock_ns: float) -> None:
    """It is none beyond those that may be chosen. All of these are left where time is to be least;
    one that is given stays."""
    at_most = {"at_most": [f"time={limit}"], "cycles": cycles}
    assert candidates(least="area", **at_most).clocks_of(DESIGN) == (clock_ns,)
    assert candidates(least="time", **at_most).clocks_of(DESIGN) == CLOCKS_NS
    assert candidates("3", "area", **at_most).clocks_of(DESIGN) == (3.0,)


def test_figures_of_a_netlist() -> None:
    """700 cycles last 700 of its periods, or of the clock that is given."""
    netlist = Netlist(SPOT, 4000.0, 2.5, (("d", 7.0), ("e", 1.0)))
    free, fixed = candidates(cycles=700), candidates("3", cycles=700)
    for one in (free, fixed):
        assert one.figures(SPOT) == {}
        one.tell([netlist])
    same = {"area": 4000.0, "period": 2.5, "energy": 7.0}
    assert free.figures(SPOT) == {"time": pytest.approx(1.75)} | same
    assert fixed.figures(SPOT) == {"time": pytest.approx(2.1)} | same


def test_figures_of_two_powers() -> None:
    """Both take time and energy; one circuit makes both."""
    one = candidates(nbits=2 * NBITS, operation="sign-crt")
    assert one.cycles == {DESIGN: 2 * cycles_of(DESIGN, NBITS, "d")}
    one.cycles[DESIGN] = 1400
    one.tell([Netlist(SPOT, 4000.0, 2.5, (("d", 7.0),))])
    assert one.figures(SPOT) == {"area": 4000, "period": 2.5, "time": 3.5, "energy": 14}


def test_neighbours_that_join_make_two_powers_too() -> None:
    one = candidates(nbits=2 * NBITS, operation="sign-crt")
    one._large.add("ssmm")  # as if some of the family had been drawn
    one.widen(DESIGN)
    assert len(one.cycles) == 1 + one.beside > 2
    for name, cycles in one.cycles.items():
        assert cycles == 2 * cycles_of(name, NBITS, "d")


def test_noise_moves_times_at_a_clock_of_their_own_only() -> None:
    """Area by 2 %, periods by 4 %, energy by 5 %; what decides at a clock that is given is whether
    it is met."""
    bands = {"area": 0.02, "time": 0.04, "energy": 0.05, "period": 0.0}
    assert {name: candidates().band(name) for name in bands} == bands
    assert {name: candidates("3").band(name) for name in bands} == bands | {"time": 0.0}


def at_best(one: Candidates, name: str) -> dict[float, float]:
    """A quantity at best, by clock."""
    values = one.estimates(Model([])).optimistic(name)
    return {spot.clock_ns: exp(value) for spot, value in zip(one.spots, values, strict=True)}


def test_no_shorter_clock_makes_a_smaller_netlist() -> None:
    """But for 2 % of noise: for each clock the largest of those that were made for longer ones
    counts, whichever was told first."""
    netlists = [Netlist(Spot(DESIGN, NBITS, ns), um2, ns) for ns, um2 in ((3.0, 5e4), (5.07, 4e4))]
    for told in (netlists, netlists[::-1]):
        one = candidates(least="area")
        one.tell(told)
        found = at_best(one, "area")
        assert (found.pop(3.0), found.pop(5.07)) == pytest.approx((5e4, 4e4))
        for clock_ns, area_um2 in found.items():
            if clock_ns < 3:
                assert area_um2 == pytest.approx(0.98 * 5e4)
            elif clock_ns < 5:
                assert area_um2 == pytest.approx(0.98 * 4e4)
            else:
                assert area_um2 < 3e4


def test_what_nobody_wants_to_map_or_to_simulate() -> None:
    """More than 1.5 mm2 or 500 million cycles; not of what is measured already."""
    assert (MOST_UM2, MOST_CYCLES) == (1.5e6, 5e8)
    for cycles, um2, large in (
        (500_000_000, 1.499e6, False),
        (500_000_001, 1e3, True),
        (700, 1.501e6, True),
    ):
        one = candidates("3", cycles=cycles)
        estimates = Estimates({"area": np.log([um2])}, {}, {})
        assert one.too_large(estimates).tolist() == [large]
        one.tell([Netlist(SPOT, um2, 2.5)])
        assert one.too_large(estimates).tolist() == [False]


WIDE, WIDE_BITS = "array-4", 1024


def composed(*netlists: tuple[float, float, float]) -> list[Netlist]:
    """Netlists of a curve: clock, area and period of each."""
    return [Netlist(Spot(WIDE, WIDE_BITS, ns), *figures) for ns, *figures in netlists]


def wide(clock: str, least: str = "area") -> Candidates:
    return candidates(clock, least, design=WIDE, nbits=WIDE_BITS)


def curve_to(shortest_ns: float) -> Composed:
    return Composed(Point(WIDE, WIDE_BITS), 3.0, shortest_ns=shortest_ns)


@pytest.mark.parametrize(
    ("clock", "area"), [("2", 1e5), ("1.5", 1e5), ("1", 1.1e5), ("0.85", 1.3e5), ("0.7", 1.3e5)]
)
def test_the_smallest_of_a_curve_that_meets_a_clock_is_the_netlist_for_it(
    clock: str, area: float
) -> None:
    """If none does, the fastest is."""
    one = wide(clock)
    one.tell_curve(
        curve_to(float(clock)), composed((3, 1e5, 1.5), (1.2, 1.1e5, 1), (1, 1.3e5, 0.8))
    )
    [(spot, figures)] = one.composed()
    assert (spot.clock_ns, figures["area"]) == (float(clock), area)


@pytest.mark.parametrize(
    ("clock", "least", "begins", "ends"),
    [
        ("1", "area", 3.0, {3.0, 1.0}),
        ("5", "area", 5.0, {5.0}),
        ("free", "area", 3.0, {3.0}),
        ("free", "time", 3.0, {3.0, 0.0}),
    ],
)
def test_of_curves_those_are_taken_that_begin_and_end_as_the_needs_do(
    clock: str, least: str, begins: float, ends: set[float]
) -> None:
    one = wide(clock, least)
    clocks = (0.0, 1.0, 2.0, 3.0, 5.0)
    for first in (2.5, 3.0, 5.0):
        tasks = [Composed(Point(WIDE, WIDE_BITS), first, shortest_ns=last) for last in clocks]
        taken = {task.shortest_ns for task in tasks if one.takes(task)}
        assert taken == (ends if first == begins else set())


@pytest.mark.parametrize(("period", "is_whole"), [(0.95, True), (1.0, True), (1.05, False)])
def test_a_first_netlist_that_meets_the_clock_is_all_of_the_curve(
    period: float, is_whole: bool
) -> None:
    one = wide("1")
    assert one.curve_of(WIDE) == curve_to(3.0)
    one.tell_curve(curve_to(3.0), composed((3.0, 1e5, period)))
    [spot] = one.spots
    assert one.waits_for_curve(spot) != is_whole
    assert one.curve_of(WIDE) == curve_to(1.0)


def test_curves_are_of_netlists_without_clock_gates() -> None:
    """Of those with gates nothing is settled by one, and none waits for it."""
    one = candidates("free", "area", design=WIDE, nbits=WIDE_BITS, gated="free")
    for spot in one.spots:
        assert one.waits_for_curve(spot) != spot.gated
    assert not one.settled().any()
    one.tell_curve(curve_to(3.0), composed((3.0, 1e5, 0.9)))
    assert not any(map(one.waits_for_curve, one.spots))
    told = dict(zip(one.spots, one.settled(), strict=True))
    assert len(told) == 2 * len(one.clocks)
    for spot, is_settled in told.items():
        assert is_settled == (not spot.gated and spot.clock_ns != 3.0)
        assert one.is_composed(spot) == (not spot.gated and spot.clock_ns == 3.0)


def test_a_first_netlist_tells_of_no_clock_but_its_own_where_time_is_to_be_least() -> None:
    """No period is below half of its own, nor an area below its own but for what the flow may
    differ: 1 % of a large one."""
    one = wide("free", "time")
    one.tell_curve(curve_to(3.0), composed((3.0, 2e5, 1.6)))
    period, area, time = (at_best(one, name) for name in ("period", "area", "time"))
    assert period.pop(3.0) > 1.59
    assert min(period.values()) == pytest.approx(0.8)
    assert min(time.values()) == pytest.approx(0.8 * one.cycles[WIDE] / 1000)
    assert min(area.values()) == pytest.approx(0.99 * 2e5, rel=1e-4)


@pytest.mark.parametrize(
    ("area", "period", "of_area", "of_period"),
    [
        (2e5, 2.0, 0.005, 0.0025),
        (2e5, 2.99, 0.005, log(3 / 2.99) / 2),
        (2e5, 3.0, 0.005, 0),
        (2e5, 3.01, 0.005, 0.0025),
        (9e4, 2.0, 0.06, 0.05),
        (9e4, 2.9, 0.06, log(3 / 2.9) / 2),
        (9e4, 3.1, 0.06, 0.05),
    ],
)
def test_what_is_composed_is_nearly_known(
    area: float, period: float, of_area: float, of_period: float
) -> None:
    """Two doubts are the most that the flow differs. It does not miss the clock of 3 ns if the
    composed netlist meets it."""
    one = wide("free")
    one.tell_curve(curve_to(3.0), composed((3.0, area, period)))
    found = one.estimates(Model([]))
    at = [spot.clock_ns for spot in one.spots].index(3.0)
    assert found.mean["area"][at] == pytest.approx(log(area))
    assert found.mean["period"][at] == pytest.approx(log(period))
    assert found.doubt["area"][at] == pytest.approx(of_area)
    assert found.doubt["period"][at] == pytest.approx(of_period)


def test_an_energy_is_as_doubtful_as_its_factors_together() -> None:
    """Energy for each um2 and cycle, and area: once that is measured, the first alone."""
    model, one = Model([]), candidates("3")
    _, [of_each] = model.estimate("energy", Places([SPOT]))
    _, [of_area] = model.estimate("area", Places([SPOT]))
    assert of_each > 0.5 < of_area
    assert one.estimates(model).doubt["energy"] == pytest.approx([(of_each**2 + of_area**2) ** 0.5])
    one.tell([Netlist(SPOT, 4000.0, 2.5)])
    assert one.estimates(model).doubt["area"] == [0]
    assert one.estimates(model).doubt["energy"] == pytest.approx([of_each])
    one.tell([Netlist(SPOT, 4000.0, 2.5, (("d", 7.0),))])
    assert one.estimates(model).doubt["energy"] == [0]


@pytest.mark.parametrize(
    ("period", "clocks"),
    [
        (2.3, {2.31, 3.9, 5.07, 6.59, 8.57}),
        (2.31, {2.31}),
        (2.32, set()),
        (1.77, {1.78, 2.31, 3.9, 5.07, 6.59, 8.57}),
        (3.1, set()),
    ],
)
def test_a_netlist_tells_of_clocks_that_it_meets(period: float, clocks: set[float]) -> None:
    """Of shorter ones than its own; of longer ones only if it meets its own by 1.3 times: it is as
    small as it can be then."""
    one = candidates()
    one.tell([Netlist(SPOT, 4000.0, period)])
    told = zip(one.spots, one.settled(), strict=True)
    assert {spot.clock_ns for spot, is_settled in told if is_settled} == clocks


ROWS = (
    ({"unit": "accelerator", "clock_ns": 3.0}, {"area_um2": 100.0}),
    ({"unit": "accelerator", "clock_ns": 3.0}, {"area_um2": 90.0, "energy_glitches_d_nj": 5.0}),
    ({"unit": "accelerator", "clock_ns": 3.0, "gated": True}, {"area_um2": 80.0}),
    ({"unit": "accelerator", "clock_ns": 3.0, "tech": "other"}, {"area_um2": 70.0}),
    ({"unit": "system", "clock_ns": 3.0}, {"area_um2": 60.0}),
)


class Rows:
    """A store of rows of one design: what was asked for, and what was found."""

    def __init__(self, kind: str, part: str, *rows: tuple[dict, dict]) -> None:
        self.asked, self.rows = (kind, part), rows

    def __call__(self) -> "Rows":
        return self

    def __enter__(self) -> "Rows":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def parts(self, kind: str, part: str) -> Iterator[tuple[object, dict]]:
        assert (kind, part) == self.asked
        for asked, found in self.rows:
            key = SimpleNamespace(design=DESIGN, nbits=NBITS, parameters=json.dumps(asked))
            yield key, found


@pytest.mark.parametrize("order", [*permutations(range(3))])
def test_of_rows_of_a_spot_that_with_energies_counts(
    monkeypatch: pytest.MonkeyPatch, order: tuple[int, ...]
) -> None:
    """Whatever their order is; not those of other units and technologies."""
    rows = [
        (asked, {"period_ns": 2.0} | metrics)
        for asked, metrics in [*(ROWS[i] for i in order), *ROWS[3:]]
    ]
    monkeypatch.setattr(known, "Store", Rows("flow", "$.metrics", *rows))
    assert {one.spot: (one.area_um2, one.energies_nj) for one in stored()} == {
        SPOT: (90.0, (("d", 5.0),)),
        Spot(DESIGN, NBITS, 3.0, gated=True): (80.0, ()),
    }


def test_curves_are_read_by_what_was_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Those of other technologies are not."""

    def row(*points: tuple[float, float, float], **asked: object) -> tuple[dict, dict]:
        names = ("clock_ns", "area_um2", "period_ns")
        found = [dict(zip(names, point, strict=True)) | {"recipes": {}} for point in points]
        cost = {"modules": 1, "mappings": 1, "timings": 1, "tools": {}}
        return {"clock_ns": 3.0} | asked, cost | {"points": found}

    rows = (
        row((3.0, 100.0, 2.5), (2.0, 120.0, 1.75)),
        row((3.0, 100.0, 2.5), shortest_ns=3.0),
        row((18.8, 900.0, 15.0), clock_ns=18.8, tech="sky130"),
    )
    monkeypatch.setattr(known, "Store", Rows("composed", "$", *rows))
    first = Netlist(SPOT, 100.0, 2.5)
    assert curves() == {
        Composed(Point(DESIGN, NBITS), 3.0): [
            first,
            Netlist(Spot(DESIGN, NBITS, 2.0), 120.0, 1.75),
        ],
        Composed(Point(DESIGN, NBITS), 3.0, shortest_ns=3.0): [first],
    }


def test_of_quoted_commands_those_that_make_the_usual_netlist_of_an_accelerator_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What goes on to a layout, stops before, or is of a part or of another technology does not.
    Of the same netlist all that several commands tell is known."""
    area, period, slack = (
        f"metrics.{name}" for name in ("area_um2", "period_ns", "setup_slack_ns")
    )
    energy = "energy.operations.d.energy_with_glitches_nj"
    told = {
        "flow ssmm-small --nbits 32": {area: 100.0, slack: 0.25},
        "flow ssmm-small --nbits 32 --to power --clock 3": {energy: 7.0},
        "flow ssmm-small --clock 2.5 --nbits 32 --gated": {area: 80.0, period: 2.25, slack: 0.5},
        "flow ssmm-small --nbits 16 --to layout": {area: 70.0},
        "flow ssmm-small --nbits 16 --to timing": {area: 60.0},
        "flow ssmm-small --nbits 16 --unit multiplier": {area: 50.0},
        "flow ssmm-small --nbits 16 --tech sky130": {area: 40.0},
        "flow ssmm-small": {area: 30.0},
        "power ssmm-small --nbits 16": {area: 20.0},
        "flow no-such-design --nbits 16": {area: 10.0},
    }
    answers = {command: SimpleNamespace(values=values) for command, values in told.items()}
    monkeypatch.setattr(known, "load", lambda: answers)
    assert quoted() == [
        Netlist(SPOT, 100.0, 2.75, (("d", 7.0),)),
        Netlist(Spot(DESIGN, NBITS, 2.5, gated=True), 80.0, 2.25),
    ]


@pytest.mark.parametrize(("nbits", "composes"), [(127, False), (128, True), (512, True)])
def test_curves_are_composed_from_128_bits_on(nbits: int, composes: bool) -> None:
    one = candidates("free", "area", nbits=nbits)
    assert all(one.waits_for_curve(spot) == composes for spot in one.spots)
    assert (max(one.clocks) == 3.0) == composes
