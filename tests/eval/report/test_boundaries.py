"""Fronts, bands, changes and laws of growth at their boundaries, by hand."""

import pytest

from eval.catalog.point import Point
from eval.documents.published import statements
from eval.report.cards import cards
from eval.report.changes import EXACT, Bands, Change, between_stores, kind_of
from eval.report.growth import by_design, growth, growth_of, misses
from eval.report.headline import some
from eval.report.noise_bands import NoiseBands, noise_bands_of
from eval.report.pareto import (
    ENERGY_VIEW,
    TIME_VIEW,
    Spot,
    compared_widths,
    front,
    key_widths,
    on_fronts,
    pareto,
)
from eval.report.scaling import WITHIN, range_of, written
from eval.report.signers import leasts, signer, signers
from eval.study.netlists import Netlist
from eval.study.results import PointResult
from eval.tasks.clocks import Curve, Run
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.noise import Noise
from eval.tasks.noise_section import USUAL, USUALLY, NetlistBands
from tests.eval.made_up import flow_row, found_of, row, simulated

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("one", "other", "beats"),
    [
        ((1, 1), (1, 1), False),
        ((1, 1), (1, 2), True),
        ((1, 1), (2, 1), True),
        ((1, 2), (2, 1), False),
        ((2, 1), (1, 1), False),
        ((1, 1), (2, 2), True),
    ],
)
def test_a_spot_beats_another(one: tuple, other: tuple, beats: bool) -> None:
    assert Spot(*one).beats(Spot(*other)) is beats


def test_a_band_moves_a_spot_either_way() -> None:
    spot, band = Spot(200.0, 10.0), Spot(0.1, 0.5)
    assert spot.at(band, -1) == pytest.approx((180.0, 5.0))
    assert spot.at(band, 1) == pytest.approx((220.0, 15.0))


@pytest.mark.parametrize(
    ("spots", "found"),
    [
        ([], []),
        ([(2, 2), (1, 3), (3, 1)], [(1, 3), (2, 2), (3, 1)]),
        ([(1, 3), (1, 2), (2, 2)], [(1, 2)]),  # as good in one, better in the other
        ([(2, 1), (1, 1), (1, 1)], [(1, 1)]),
        ([(1, 2), (2, 2), (3, 1)], [(1, 2), (3, 1)]),
        ([(3, 1), (2, 1), (1, 5)], [(1, 5), (2, 1)]),
    ],
)
def test_a_front_has_no_spot_that_another_beats(spots: list, found: list) -> None:
    assert front(Spot(*spot) for spot in spots) == found


NAMES = ("mul-rem", "ssmm-small", "mont-best", "mont-ct")


def placed(*spots: tuple[float, float]) -> dict[PointResult, list[Spot]]:
    return {
        PointResult(Point(name, 32)): [Spot(*spot)]
        for name, spot in zip(NAMES, spots, strict=False)
    }


def named(some: tuple[PointResult, ...]) -> list[str]:
    return [p.point.design for p in some]


@pytest.mark.parametrize(
    ("second", "best"),
    [((100, 11), 1), ((101, 10), 1), ((100, 10), 2), ((99, 11), 2), ((101, 9), 2), ((99, 10), 1)],
)
def test_ties_on_a_front(second: tuple, best: int) -> None:
    """Of (100, 10) and another: as good in one metric and worse in the other is beaten."""
    assert len(pareto(placed((100, 10), second)).best) == best


def test_noise_within_which_a_design_may_be_on_the_front() -> None:
    """105 against 100: 105 less a band is under 100 and the band from 2.4391 % on."""
    where = placed((100.0, 10.0), (105.0, 10.0))
    for part, maybe in ((0.0243, []), (0.0245, ["ssmm-small"])):
        found = pareto(where, dict.fromkeys(where, Spot(part, 0.0)))
        assert named(found.maybe) == maybe
        assert named(found.uncertain) == ["mul-rem"] * bool(maybe)
    first, second = where
    # Each design has its own band: that of either may be what leaves the order open.
    for moved in (first, second):
        bands = dict.fromkeys(where, Spot(0.0, 0.0)) | {moved: Spot(0.06, 0.0)}
        assert named(pareto(where, bands).maybe) == ["ssmm-small"]


def test_a_front_is_in_the_order_of_the_first_metric() -> None:
    found = pareto(placed((300, 1), (100, 3), (200, 2), (400, 0.5)))
    assert named(found.best) == ["ssmm-small", "mont-best", "mul-rem", "mont-ct"]
    assert found.corners == [(100, 3), (200, 2), (300, 1), (400, 0.5)]


def test_a_point_without_a_spot_is_nowhere() -> None:
    where = placed((100, 10), (200, 5)) | {PointResult(Point("mont-ct", 32)): []}
    assert named(pareto(where).best) == ["mul-rem", "ssmm-small"]


def test_a_view_takes_the_metrics_of_its_workload() -> None:
    values = {"area_um2": 1.0, "time_e_us": 2.0, "time_d_us": 3.0, "energy_glitches_d_nj": 4.0}
    point = PointResult(Point("mul-rem", 32), values)
    found = found_of()
    assert TIME_VIEW.spots(found, point, "e") == [(1.0, 2.0)]
    assert TIME_VIEW.spots(found, point, "d") == [(1.0, 3.0)]
    assert ENERGY_VIEW.spots(found, point, "d") == [(4.0, 3.0)]
    assert ENERGY_VIEW.spots(found, point, "e") == []
    kinds = NetlistBands(area=0.1, period=0.2, energy=0.3)
    bands = NoiseBands({}, kinds, "")
    assert TIME_VIEW.band(bands, point) == (0.1, 0.0)
    assert ENERGY_VIEW.band(bands, point) == (0.3, 0.0)


def sizes(*named_at: tuple[str, int, float, float]):
    rows = [
        simulated(Point(name, nbits), "d", {"xcel_cycles_d": cycles, "area_um2": area})
        for name, nbits, area, cycles in named_at
    ]
    return found_of(*rows)


def test_fronts_are_of_widths_at_which_there_are_several() -> None:
    found = sizes(
        *(("mul-rem", 32, 100.0, 10.0), ("mont-ct", 32, 200.0, 20.0)),
        *(("mont-best", 32, 200.0, 5.0), ("mont-best", 64, 1.0, 1.0)),
    )
    assert compared_widths(found) == [32]
    assert [p.point for p in on_fronts(found)] == [Point("mul-rem", 32), Point("mont-best", 32)]


def noise_row(name: str, moved: float, energies: tuple[float, float] | None = None):
    own = {"area_um2": 100.0, "period_ns": 2.0, "setup_slack_ns": 1.0}
    runs = [own | {"area_um2": 100.0 * (1 + moved)}]
    if energies:
        own, runs = own | {"energy_nj": energies[0]}, [runs[0] | {"energy_nj": energies[1]}]
    hurried = {"hurried_own": own, "hurried_runs": [own | {"period_ns": 2.1}]}
    return row(Noise(Point(name, 32), 3.0), own=own, runs=runs, **hurried, recipes=[])


def test_a_designs_own_noise_stands_before_that_of_others() -> None:
    found = found_of(noise_row("mul-rem", 0.02), noise_row("mont-ct", -0.04, (4.0, 5.0)))
    bands = noise_bands_of(found)
    own, other, third = (Point(name, 32) for name in ("mul-rem", "mont-ct", "mont-best"))
    assert [bands.of(p, "area") for p in (own, other, third)] == pytest.approx([0.02, 0.04, 0.04])
    assert [bands.of(p, "energy") for p in (own, other, third)] == pytest.approx([0.25] * 3)
    assert [bands.is_own(p, "energy") for p in (own, other, third)] == [False, True, False]
    assert [bands.text(p, "area") for p in (own, third)] == ["2.0", "(4.0)"]
    nothing = noise_bands_of(found_of())
    assert (nothing.most, nothing.whose) == (USUAL, USUALLY)


@pytest.mark.parametrize(
    ("before", "after", "band", "verdict"),
    [
        (100.0, 100.0, 0.1, "equal"),
        (100.0, 100.0, EXACT, "equal"),
        (100.0, 100.0001, EXACT, "differs"),
        (100.0, 109.9, 0.1, "within the noise"),
        (100.0, 90.1, 0.1, "within the noise"),
        (100.0, 110.1, 0.1, "beyond the noise"),
        (100.0, 89.9, 0.1, "beyond the noise"),
        (64.0, 80.0, 0.25, "within the noise"),  # just as much
        (64.0, 48.0, 0.25, "within the noise"),
        (0.0, 5.0, 0.1, "-"),
        (100.0, 101.0, None, "-"),
        (100.0, 100.0, None, "equal"),
    ],
)
def test_what_a_change_is(before: float, after: float, band: float | None, verdict: str) -> None:
    change = Change("", "area_um2", before, after, band)
    assert change.verdict == verdict
    assert change.relative == (pytest.approx((after - before) / before) if before else None)


def test_each_figure_has_its_own_band() -> None:
    bands = NetlistBands(area=0.1, period=0.2, energy=0.3)
    expected = {
        **{"xcel_cycles_e": EXACT, "area_um2": 0.1, "multiplier_area_um2": 0.1},
        **{"fastest_area_um2": 0.1, "period_ns": 0.2, "shortest_period_ns": 0.2},
        **{"power_e_mw": 0.3, "energy_d_nj": 0.3, "energy_glitches_e_nj": 0.3},
        **{"setup_slack_ns": None, "time_e_us": None, "cells": None},
        **{"open_nets": EXACT, "layout_xcel_cycles": EXACT, "core_area_um2": 0.1},
    }
    assert {metric: Bands(bands).of(kind_of(metric)) for metric in expected} == expected


def test_of_two_stores_only_what_both_have_and_differs_is_told() -> None:
    bands = Bands(NetlistBands(area=0.1, period=0.2, energy=None))
    before = {"a": {"area_um2": 1.0, "cells": 3, "gone": 1.0}, "gone": {"cells": 1}}
    after = {"a": {"area_um2": 2.0, "cells": 3, "new": 1.0}, "new": {"cells": 1}}
    assert between_stores(before, after, bands) == [Change("a", "area_um2", 1.0, 2.0, 0.1)]


def test_a_law_is_that_of_least_squares() -> None:
    exact = growth({32: 3 * 32.0**2, 64: 3 * 64.0**2, 128: 3 * 128.0**2})
    assert (exact.exponent, exact.factor) == (pytest.approx(2), pytest.approx(3))
    assert exact.deviation == pytest.approx(0, abs=1e-9)
    assert exact.at(256) == pytest.approx(3 * 256**2)
    # 1, 1 and 8 at 1, 2 and 4: the slope is 3 / 2, the middle one is half of what fits.
    bent = growth({1: 1.0, 2: 1.0, 4: 8.0})
    assert bent.exponent == pytest.approx(1.5)
    assert bent.factor == pytest.approx(2**-0.5)
    assert bent.deviation == pytest.approx(0.5)
    assert written(bent) == "1.50 50%"
    assert range_of(bent.widths) == "1-4"


@pytest.mark.parametrize(
    ("values", "widths"),
    [
        ({32: 1.0, 64: 2.0}, None),
        ({32: 1.0, 64: 2.0, 128: None}, None),
        ({32: 1.0, 64: 2.0, 128: 0.0}, None),
        ({32: 1.0, 64: -2.0, 128: 3.0}, None),
        ({128: 3.0, 32: 1.0, 64: 2.0, 256: None}, (32, 64, 128)),
    ],
)
def test_three_positive_figures_make_a_law(values: dict, widths: tuple | None) -> None:
    law = growth(values)
    assert (law and law.widths) == widths


def test_laws_are_fitted_from_32_to_2048_bits() -> None:
    every = (4096, 2048, 64, 31, 32, 16)
    found = sizes(*(("mont-ct", nbits, 5.0 * nbits, 1.0) for nbits in every))
    [points] = by_design(found).values()
    assert [p.point.nbits for p in points] == [32, 64, 2048]
    assert growth_of(points, "area_um2").exponent == pytest.approx(1.0)
    assert growth_of(points, "cells") is None
    assert written(growth_of(points, "xcel_cycles_d")) == "0.00 0%"


@pytest.mark.parametrize(("slack", "late"), [(-0.001, True), (0.0, False), (1.0, False)])
def test_a_point_misses_its_clock_by_a_negative_slack(slack: float, late: bool) -> None:
    assert misses(PointResult(Point("mont-ct", 32), {"setup_slack_ns": slack})) is late
    assert not misses(PointResult(Point("mont-ct", 32)))


def test_statements_of_growth_are_held_to_a_tolerance() -> None:
    assert WITHIN == 0.15
    assert all(s.exponent is not None or len(s.figures) >= 3 for s in statements())


def test_of_many_names_three_are_told() -> None:
    assert some(["a"]) == "a"
    assert some(["a", "b", "c", "d"]) == "a, b, c and d"
    assert some(["a", "b", "c", "d", "e"]) == "a, b, c and 2 others"


def netlist(area: float, period: float, energy: float | None = None) -> Netlist:
    """A netlist of array-8, whose signature takes 200 cycles and what opens it 40."""
    energies = {} if energy is None else {"d": energy, "e": energy / 8}
    figures = Run(area, 0.0, period, 9.0, energies_nj=energies)
    run = FlowRun(Point("array-8", 1024), "accelerator", 9.0)
    return Netlist(run, figures, {"d": 200, "e": 40})


def test_the_least_in_time_in_area_by_time_and_in_energy() -> None:
    """Of several that are as good the smaller."""
    slow, dense, same = netlist(100.0, 4.0), netlist(120.0, 2.0, 7.0), netlist(240.0, 1.0, 6.0)
    fast, larger = netlist(310.0, 0.8, 6.0), netlist(320.0, 0.8, 5.5)
    assert leasts([slow, dense]) == {"time": dense, "a x t": dense, "energy": dense}
    assert leasts([slow]) == {"time": slow, "a x t": slow}
    assert leasts([larger, fast, same, dense, slow]) == {
        **{"time": fast, "a x t": dense, "energy": larger},
    }
    assert leasts([same, fast])["energy"] is same


def test_a_signer_has_its_figures_in_larger_units() -> None:
    """200 cycles of 2 ns, 120000 um2, 7000 nJ."""
    found = found_of(simulated(Point("array-8", 1024), "d", {"xcel_cycles_d": 200}))
    one = signer(found, found.points[0], netlist(120_000.0, 2.0, 7000.0))
    assert one.time_us("d") == pytest.approx(0.4)
    assert (one.sign_ms, one.sign_uj, one.area_mm2) == pytest.approx((0.0004, 7.0, 0.12))
    assert one.time_us("e") is None


def test_signers_are_in_the_order_of_the_quickest_netlist_of_each() -> None:
    """Of 200 cycles at 1 and 9 ns, and at 4; what has no period comes last."""
    points = [Point(design, 1024) for design in ("array-16", "array-4", "array-8")]
    last, single, both = points
    runs = [
        {"clock_ns": clock, "area_um2": area, "period_ns": clock, "setup_slack_ns": 0.0}
        for clock, area in ((9.0, 1e5), (1.0, 1e6))
    ]
    metrics = {"shortest_period_ns": 1.0, "fastest_area_um2": 1e6}
    mapped = {"area_um2": 1e5, "period_ns": 4.0, "setup_slack_ns": 0.0}
    found = found_of(
        *(simulated(point, "d", {"xcel_cycles_d": 200}) for point in points),
        row(Curve(both, 3.0), metrics=metrics, runs=runs),
        flow_row(FlowRun(single, "accelerator", 4.0), mapped),
    )
    assert [(one.name, one.least, one.sign_ms) for one in signers(found, 1024)] == [
        ("array-8", "time", pytest.approx(200e-6)),
        ("array-8", "a x t", pytest.approx(1800e-6)),
        ("array-4", None, pytest.approx(800e-6)),
        ("array-16", None, None),
    ]


@pytest.mark.parametrize(("nbits", "is_key"), [(504, False), (512, True), (1024, True)])
def test_keys_in_use_have_512_bits_or_more(nbits: int, is_key: bool) -> None:
    """A datasheet begins with the netlist of the least area x time at any width."""
    both = [Point(design, nbits) for design in ("array-4", "array-8")]
    runs = [
        {"clock_ns": clock, "area_um2": area, "period_ns": clock, "setup_slack_ns": 0.0}
        for clock, area in ((9.0, 1e5), (4.0, 2e5), (1.0, 1e6))
    ]
    metrics = {"shortest_period_ns": 1.0, "fastest_area_um2": 1e6}
    mapped = {"area_um2": 3e5, "period_ns": 2.9, "setup_slack_ns": 0.1}
    rows = [
        *(simulated(point, "d", {"xcel_cycles_d": 200}) for point in both),
        *(row(Curve(point, 3.0), metrics=metrics, runs=runs) for point in both),
        *(flow_row(FlowRun(point, "accelerator", 3.0), mapped) for point in both),
    ]
    found = found_of(*rows)
    assert key_widths(found) == [nbits] * is_key
    assert compared_widths(found) == [nbits] * (not is_key)
    # 0.3 mm2 x 580 ns, 0.1 x 1800, 0.2 x 800, 1.0 x 200
    assert [card.headline for card in cards(found)] == ["800 ns, 0.200 mm2 at 4.00 ns"] * 2
    alone = found_of(*(one for one in rows if one.task.point == both[0]))
    assert key_widths(alone) == compared_widths(alone) == []


def test_noise_moves_no_figure_that_is_assumed() -> None:
    own = NetlistBands(area=0.01, period=0.0, energy=None)
    bands = NoiseBands({Point("array-4", 32): own}, NetlistBands(0.02, 0.04, 0.05), "whose")
    assumed = Point("what-if(latency=20)", 32)
    for name, usual in (("area", 0.02), ("period", 0.04), ("energy", 0.05)):
        assert bands.of(assumed, name) == 0.0
        assert bands.text(assumed, name) == "-"
        assert bands.of(Point("array-8", 32), name) == usual
        assert bands.text(Point("array-8", 32), name) == f"({100 * usual:.1f})"
    told = {name: bands.text(Point("array-4", 32), name) for name in ("area", "period", "energy")}
    assert told == {"area": "1.0", "period": "0.0", "energy": "(5.0)"}
