"""Figures of ours beside document 000's tables, worked out by hand."""

from types import SimpleNamespace

import pytest

from eval.documents.d000.tables import _area_delay, _mhz, _time

pytestmark = pytest.mark.quick


def point(**metrics: float) -> SimpleNamespace:
    return SimpleNamespace(get=metrics.get, point=None, metrics=metrics)


def test_figures_of_tables_of_000() -> None:
    whole = point(cycles_d=2000, period_ns=2.5, area_um2=400.0)
    assert _time(whole, "d") == 5.0  # us
    assert _mhz(whole) == 400.0
    for missing in (point(period_ns=2.5), point(cycles_d=2000), point()):
        assert _time(missing, "d") is None
    assert _mhz(point(area_um2=1.0)) is None


def test_area_times_delay_is_in_thousands(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("eval.documents.d000.tables.product_ns", lambda p: p.get("delay"))
    assert _area_delay(point(area_um2=400.0, delay=5.0)) == 2.0
    assert _area_delay(point(delay=5.0)) is None
    assert _area_delay(point(area_um2=400.0)) is None
