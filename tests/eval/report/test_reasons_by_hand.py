"""Figures that reports compute for their sentences and tables, worked out by hand."""

from types import SimpleNamespace

import pytest

from eval.catalog.processor import NULL, Processor
from eval.report import findings, systems
from eval.report.changes import EXACT, changes
from eval.report.scaling import marking
from eval.report.systems import _areas, _change, _line, _montgomery, _naive, products
from eval.report.tables_000 import _area_delay, _mhz, _time
from eval.tasks.execution import Call
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.noise_section import Bands
from tests.eval.made_up import flow_row, found_of

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("ours", "printed", "said"),
    [
        (110.0, 100.0, "10.0 % larger"),
        (250.0, 200.0, "25.0 % larger"),
        (150.0, 200.0, "25.0 % smaller"),
    ],
)
def test_by_how_much_ours_differs(ours: float, printed: float, said: str) -> None:
    assert _change(ours, printed) == said


def test_a_line_through_two_workloads(monkeypatch: pytest.MonkeyPatch) -> None:
    """10 and 30 products in 500 and 1300 cycles: 40 each, and 100 besides."""
    monkeypatch.setattr(systems, "products", {"e": 10, "d": 30}.get)
    assert _line(500, 1300) == (40, 100)


def test_products_of_a_workload(monkeypatch: pytest.MonkeyPatch) -> None:
    """11010: five squares and three products."""
    request = SimpleNamespace(exp=0b11010)
    workload = SimpleNamespace(request=lambda nbits: request)
    monkeypatch.setattr(systems, "WORKLOADS", {"e": workload})
    assert products("e") == 8


def stand_in(monkeypatch: pytest.MonkeyPatch, seed: dict, fast: dict | None = None) -> None:
    """10 and 30 products; of either divider what a call took, if it was measured; and what the
    document prints."""
    monkeypatch.setattr(systems, "products", {"e": 10, "d": 30}.get)
    measured = {"seed": seed, "fast": fast or {}}
    monkeypatch.setattr(systems, "_calls", lambda found, system, divider: measured[divider])
    calls = {"e": SimpleNamespace(cycles=8400), "d": SimpleNamespace(cycles=9400)}
    one = SimpleNamespace(printed=SimpleNamespace(calls=calls))
    monkeypatch.setattr(systems, "NAIVE", one)
    monkeypatch.setattr(systems, "MONTGOMERY", one)


SEED = {
    "e": Call(cycles=7000, instructions=900, divisions=100),
    "d": Call(cycles=8000, instructions=990, divisions=200),
}


def test_naive_c_is_its_divisions_and_the_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    """100 divisions of 32 steps are 3200 of 7000 cycles: 380 of a product are others, and of the
    document's 8400 cycles 520."""
    fast = {name: Call(cycles=c, instructions=0, divisions=0) for name, c in (("e", 1), ("d", 2))}
    stand_in(monkeypatch, SEED, fast)
    first, second = _naive(None)
    for part in (
        "an encryption is 10 products, 900 instructions, 100 of them divisions",
        "remainder of 10 divisions of 32 bits",
        "32 steps each, 3200 of the 7000 cycles",
        "520 cycles per product there and 380 here: 90 instructions",
    ):
        assert part in first
    assert "1 and 2 cycles for the same" in second
    stand_in(monkeypatch, SEED)
    assert [*_naive(None)] == []


def test_montgomery_c_is_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """1000 cycles more for 20 products: 50 each; 8400 and 7000 less 500."""
    stand_in(monkeypatch, SEED)
    [said] = _montgomery(None)
    assert "takes 50 cycles per product, which leaves 7900 for the way" in said
    assert "ours takes 50 and 6500. Ours is 900 instructions with 100 division" in said


def test_areas_beside_those_of_the_document(monkeypatch: pytest.MonkeyPatch) -> None:
    """The processor alone 10 % larger; what is attached adds 300 where the document adds 400."""
    monkeypatch.setattr(systems, "PRINTED_AREAS", {NULL: 1000.0, "mul-rem": 1400.0})
    rows = (
        flow_row(FlowRun(Processor(name), "system", 3.0), {"area_um2": area})
        for name, area in (("mul-rem", 1400.0), (NULL, 1100.0), ("mont-001", 1500.0))
    )
    said = [*_areas(found_of(*rows))]
    assert len(said) == 2
    assert "1100.0 um2, 10.0 % larger than the printed 1000.0" in said[0]
    assert said[1].startswith("mul-rem adds 300.0 um2 to it, 25.0 % smaller than the 400.0")


def point(**metrics: float) -> SimpleNamespace:
    return SimpleNamespace(get=metrics.get, point=None, metrics=metrics)


def test_figures_of_tables_of_000() -> None:
    whole = point(cycles_d=2000, period_reached_ns=2.5, area_um2=400.0)
    assert _time(whole, "d") == 5.0  # us
    assert _mhz(whole) == 400.0
    for missing in (point(period_reached_ns=2.5), point(cycles_d=2000), point()):
        assert _time(missing, "d") is None
    assert _mhz(point(area_um2=1.0)) is None


def test_area_times_delay_is_in_thousands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.report.tables_000.product_ns", lambda p: p.get("delay"))
    assert _area_delay(point(area_um2=400.0, delay=5.0)) == 2.0
    assert _area_delay(point(delay=5.0)) is None
    assert _area_delay(point(area_um2=400.0)) is None


def test_the_marks_of_several_are_those_of_the_first_that_misses() -> None:
    met, missed, worse = (point(setup_slack_ns=slack) for slack in (0.0, -0.1, -0.5))
    unknown = point()
    assert marking([met, missed, worse]) is missed
    assert marking([met, unknown]) is met
    assert marking([unknown, met]) is unknown


@pytest.mark.parametrize(
    ("before", "after", "exact"),
    [(0.1, 0.0, True), (-0.1, 0.1, False), (0.1, -0.1, False), (None, 0.1, False)],
)
def test_a_time_is_counted_where_the_clock_is_met_before_and_after(
    before: float | None, after: float | None, exact: bool
) -> None:
    """Else noise moves it as it moves the period."""

    def record(slack: float | None) -> SimpleNamespace:
        values = {"time": 3.0, "slack": slack}
        return SimpleNamespace(value=values.get, workload="d", commands=("one", "two"))

    bands = Bands(area=0.01, period=0.05, energy=None)
    found = [c for c in changes(record(before), record(after), bands) if c.before == 3.0]
    assert len(found) == 1
    assert (found[0].band == EXACT) == exact


def test_the_widest_width_with_several_designs_is_told_of_too(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Several on some axis are enough; widths in any order."""
    points = [SimpleNamespace(point=SimpleNamespace(nbits=n)) for n in (256, 32, 8, 128, 64)]
    many = {8: (1, 1), 32: (2, 2), 64: (1, 2), 128: (2, 1), 256: (1, 1)}

    def rankings(found, nbits: int, constant_time: bool = False) -> list:
        return [SimpleNamespace(points=[None] * count, nbits=nbits) for count in many[nbits]]

    monkeypatch.setattr(findings, "main_width", lambda found: 32)
    monkeypatch.setattr(findings, "rankings", rankings)
    monkeypatch.setattr(findings, "_best", lambda found, nbits, ranked: f"best at {nbits}")
    monkeypatch.setattr(findings, "_apart", lambda ranked: "apart")
    monkeypatch.setattr(findings, "_constant_time", lambda *_: ["constant time"])
    found = SimpleNamespace(points=points)
    assert findings.findings(found) == ["best at 32", "apart", "best at 128"]
    many |= {64: (1, 1), 128: (1, 1)}
    assert findings.findings(found) == ["best at 32", "apart", "constant time"]
    many[32] = (1, 2)
    assert findings.findings(found) == ["best at 32", "constant time"]
    many[32] = ()
    assert findings.findings(found) == []
