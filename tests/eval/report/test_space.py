"""A place of the space is one netlist at one clock; all its values are of that."""

from pathlib import Path

import pytest

import eval.report.space
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.chart.families import PRINTED
from eval.documents.accelerator import Accelerator
from eval.report.space import AXES, PROCESSOR, SPECIAL, axes_of, ours, places
from eval.study.results import StudyResult
from eval.tasks.clocks import Curve
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.rsa import Rsa
from tests.eval.made_up import FIGURES, flow_row, found_of, row, simulated, study
from tests.faults import faults, plant

pytestmark = pytest.mark.quick
SMALL = Point("ssmm-small", 32)


def run(clock_ns: float, area: float, period: float, energy: float | None = None) -> dict:
    """A netlist of a curve."""
    found = {"clock_ns": clock_ns, "area_um2": area, "period_ns": period}
    energies = {} if energy is None else {"energies_nj": {"d": energy}}
    return found | {"setup_slack_ns": clock_ns - period, "recipe": "area"} | energies


def curve(*runs: dict) -> object:
    """A curve of the smallest design."""
    shortest = min(one["period_ns"] for one in runs)
    metrics = {"shortest_period_ns": shortest, "fastest_area_um2": runs[-1]["area_um2"]}
    return row(Curve(SMALL, 3.0), metrics=metrics, runs=[*runs])


# README's ssmm-small: 3776 um2 work at 2.584 ns, and 4951 um2 at 0.897.
CURVE = curve(run(3.0, 3776.0, 2.584), run(0.9, 4951.0, 0.897, 7.0))


def small_with_curve() -> StudyResult:
    """The smallest design's cycles and curve."""
    return found_of(simulated(SMALL, "d", {"xcel_cycles_d": 911}), CURVE)


def check_netlists(space: list[dict]) -> None:
    """The least time stands at the area of the netlist that has it, and energy where it was
    measured."""
    relaxed, fast = (place["values"] for place in space)
    assert (relaxed["area"], relaxed["period"], "energy" in relaxed) == (3776.0, 2.584, False)
    assert relaxed["time"] == pytest.approx(911 * 2.584 / 1000, rel=1e-5)
    assert (fast["area"], fast["period"], fast.get("energy")) == (4951.0, 0.897, 7.0)
    assert fast["time"] == pytest.approx(0.817, rel=1e-3)
    assert fast["area-time"] == pytest.approx(4951.0 * 0.817167, rel=1e-5)
    assert fast["energy-time"] == pytest.approx(7.0 * 0.817167, rel=1e-5)


def test_a_netlist_is_shown_in_the_typical_corner_too() -> None:
    """Where setup is told in another."""
    both = run(3.0, 3776.0, 2.584) | {"period_typical_ns": 1.5}
    found = found_of(simulated(SMALL, "d", {"xcel_cycles_d": 911}), curve(both))
    [place] = places(found)
    assert place["values"]["typical-time"] == pytest.approx(911 * 1.5 / 1000, rel=1e-5)
    assert place["values"]["time"] == pytest.approx(911 * 2.584 / 1000, rel=1e-5)
    assert "typical-time" in [axis.name for axis in axes_of([place])]


def test_a_design_has_a_place_for_each_netlist() -> None:
    check_netlists(places(small_with_curve()))


def test_a_place_has_what_is_measured_and_what_follows() -> None:
    space = {place["design"]: place for place in places(found_of(*study()))}
    assert len(space) == len(FIGURES)
    best = space["mont-best"]
    # At 2.9 ns, which the netlist for 3 ns reaches.
    assert best["values"] == {
        **{"area": 3000.0, "time": 0.29, "cycles": 100.0, "energy": 8.0, "period": 2.9},
        **{"area-time": 870.0, "energy-time": 2.32},
    }
    known = [axis.name for axis in AXES if axis.name != "typical-time"]
    assert [axis.name for axis in axes_of([*space.values()])] == known
    assert (best["moduli"], best["constant"]) == ("any key", "no")
    assert space["near-power-4"]["moduli"] == SPECIAL
    assert space["near-power-4"]["name"] == "near-power-4#"
    assert space["mont-ct"]["constant"] == "yes"


def systems() -> StudyResult:
    """Software, and signatures by both primes with an accelerator, whose system was mapped."""
    metrics = {"area_um2": 2e4, "setup_slack_ns": 0.5, "period_ns": 2.5}
    return found_of(
        row(Rsa(1024, "d"), cycles=30_000_000, outside=1),
        row(Rsa(1024, "crt", "array-16"), cycles=70_000, outside=1),
        row(Rsa(1024, "crt", "array-16", "primes"), cycles=90_000, outside=1),
        flow_row(FlowRun(Processor("array-16", 512), "system", 3.0), metrics),
    )


def test_the_processor_signs_beside_them() -> None:
    software, by_primes = places(systems())
    assert (software["workload"], software["values"]) == ("d", {"cycles": 30_000_000.0})
    assert by_primes["family"] == PROCESSOR
    assert (by_primes["workload"], by_primes["bits"]) == ("crt", 1024)
    assert by_primes["values"]["time"] == pytest.approx(70_000 * 2.5 / 1000)
    assert by_primes["values"]["area"] == 2e4


def test_what_others_print_stands_at_the_widths_of_the_study() -> None:
    point = Point("array-8", 1024)
    space = places(found_of(simulated(point, "d", {"xcel_cycles_d": 200_000})))
    [own] = ours(space)
    printed = [place for place in space if place["family"] == PRINTED]
    assert own["design"] == "array-8"
    assert {place["bits"] for place in printed} == {1024}
    assert not [place for place in printed if "area" in place["values"]]
    by = {(place["name"], place["workload"]): place["values"] for place in printed}
    assert by["002", "d"]["time"] == pytest.approx(3977.0, rel=1e-3)  # 397700 at 100 MHz
    assert by["OTBN", "e"] == {"cycles": 39279.0}
    assert places(small_with_curve()) == ours(places(small_with_curve()))


def test_a_simulation_alone_has_cycles() -> None:
    [place] = places(found_of(simulated(SMALL, "e", {"xcel_cycles_e": 521})))
    assert place["values"] == {"cycles": 521.0}


@faults(
    {
        "the time of the design for that of the netlist": (
            "quantities = netlist.metrics | cycles |",
            "quantities = netlist.metrics | cycles | p.metrics |",
        ),
        "the area of the first netlist": (
            "quantities = netlist.metrics | cycles |",
            "quantities = netlist.metrics | netlists[0].metrics | cycles |",
        ),
        "the longest clock alone": ("for netlist in netlists:", "for netlist in netlists[:1] * 2:"),
    }
)
def test_a_place_of_two_circuits_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant(tmp_path, eval.report.space, sound, faulty)
    with pytest.raises(AssertionError):
        check_netlists(wrong.places(small_with_curve()))


@pytest.mark.parametrize(
    ("printed", "values"),
    [
        ({"cycles": 500, "mhz": 40.0}, {"cycles": 500.0, "period": 25.0, "time": 12.5}),
        ({"cycles": 500, "mhz": 40.0, "time_ms": 0.5}, {"period": 25.0, "time": 500.0}),
        ({"time_ms": 0.25}, {"time": 250.0}),
        ({"mhz": 200.0}, {"period": 5.0}),
        ({"cycles": 500}, {"cycles": 500.0}),
    ],
)
def test_what_others_print_is_in_us_and_ns(
    monkeypatch: pytest.MonkeyPatch, printed: dict[str, float], values: dict[str, float]
) -> None:
    """The time as it is printed, or else cycles by MHz."""
    one = Accelerator("theirs", "Artix-7", 32, "d", "999", **printed)
    monkeypatch.setattr(eval.report.space, "accelerators", lambda: (one,))
    _, place = places(found_of(simulated(SMALL, "d", {"xcel_cycles_d": 9})))
    assert place["values"] == pytest.approx(
        values | ({"cycles": 500.0} if "cycles" in printed else {})
    )


@pytest.mark.parametrize(("node", "scaled"), [("Virtex-E", 1.0), ("Artix-7", 45 / 7), ("?", None)])
def test_a_printed_time_is_scaled_to_45_nm(node: str, scaled: float | None) -> None:
    """4 ms at 180 nm, and at 28."""
    found = Accelerator("theirs", node, 32, "d", "999", time_ms=4.0).scaled_ms
    assert found == (scaled if scaled is None else pytest.approx(scaled))
    assert Accelerator("theirs", node, 32, "d", "999", cycles=4).scaled_ms is None
