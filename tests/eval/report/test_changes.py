"""What changed between two measurements, and whether that is noise."""

import pytest

from eval.catalog.point import Point
from eval.cli.compare import store_of
from eval.report.changes import Change, between_stores, changes, changes_grid
from eval.report.records import records
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.noise import Noise
from eval.tasks.noise_section import MEASURED, USUAL, USUALLY, Bands, bands_of
from eval.tasks.store import Key, Store, metrics_of
from eval.tasks.unit import ACCELERATOR
from tests.command_line import assert_refused, run, run_json
from tests.eval.made_up import flow_row, found_of, simulated

pytestmark = pytest.mark.quick
POINT = Point("mul-rem", 32)
BANDS = Bands(area=0.01, period=0.05, energy=None)


def found_with(area, cycles, period, clock_ns=3.0):
    """A study of a point of such figures."""
    metrics = {
        **{"area_um2": area, "cells": 10, "period_reached_ns": period},
        **{"setup_slack_ns": clock_ns - period, "energy_glitches_d_nj": 2.0},
    }
    return found_of(
        simulated(POINT, "d", {"cycles_d": cycles - 5, "xcel_cycles_d": cycles}),
        flow_row(FlowRun(POINT, ACCELERATOR, clock_ns), metrics),
        clock_ns=clock_ns,
    )


def verdicts(before, after):
    """What is said of each metric."""
    (one,), (other,) = records([before]), records([after])
    return {change.metric: change.verdict for change in changes(one, other, BANDS)}


def test_noise_is_of_area_period_and_energy_and_cycles_have_none():
    found = verdicts(found_with(1000.0, 100, 2.0), found_with(1009.9, 101, 2.11))
    assert found == {
        "area_um2": "within the noise",
        "setup_slack_ns": "-",
        "period_reached_ns": "beyond the noise",
        "xcel_cycles_d": "differs",
        "time_d_us": "differs",
        "energy_glitches_d_nj": "equal",
    }
    found = verdicts(found_with(1000.0, 100, 3.1), found_with(1011.0, 100, 3.2))
    assert found["area_um2"] == "beyond the noise"
    assert found["xcel_cycles_d"] == "equal"
    assert found["time_d_us"] == "within the noise"  # at the minimum period


def test_a_table_shows_changes_with_their_commands():
    change = Change("d", "area_um2", 1000.0, 900.0, 0.01, "modexplorer a", "modexplorer b")
    shown = changes_grid("two", [change], USUAL, USUALLY)
    assert shown.lines[0].cells == (
        "d",
        "area, um2",
        "1000.0",
        "900.0",
        "-10.0",
        "beyond the noise",
    )
    assert shown.lines[0].commands == ("modexplorer a", "modexplorer b")
    assert "1.0 % (area), 11.0 % (shortest period), 7.0 % (energy), the most that" in shown.note
    assert changes_grid("none", [], USUAL, USUALLY) is None
    assert Change("d", "slack", 0.0, 1.0, 0.01).verdict == "-"


def test_the_noise_measured_of_a_point_is_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    assert bands_of([(POINT, 3.0)]) == (USUAL, USUALLY)
    own = {"area_um2": 100.0, "setup_slack_ns": 0.1, "period_reached_ns": 2.0}
    moved = own | {"area_um2": 103.0, "period_reached_ns": 1.8}
    result = {"own": own, "runs": [moved], "hurried_own": own, "hurried_runs": [moved]}
    with Store() as store:
        store.put(Noise(POINT, 3.0).key, result | {"recipes": [], "tools": {}})
    found, whose = bands_of([(Point("mont-best", 32), 3.0), (POINT, 3.0)])
    assert found == pytest.approx((0.03, 0.1, USUAL.energy))
    assert whose == MEASURED


def filled(path, areas, tools="t"):
    """A store of flow rows with such areas by design."""
    with Store(path) as store:
        for design, area in areas.items():
            key = Key("flow", design, 32, '{"clock_ns": 3.0}', "", design, tools)
            store.put(key, {"metrics": {"area_um2": area, "cells": 5}})
    return path


def test_two_stores_are_compared_row_by_row(tmp_path):
    before = filled(tmp_path / "before" / "results.sqlite", {"a": 100.0, "b": 50.0, "c": 1.0})
    after = filled(tmp_path / "after" / "results.sqlite", {"a": 100.5, "b": 60.0, "d": 1.0}, "u")
    rows = []
    for path in (before, after):
        with Store(path) as store:
            rows.append(metrics_of(store)[0])
    found = {change.of: change.verdict for change in between_stores(*rows, USUAL)}
    assert found == {
        "a-32 flow clock_ns 3.0": "within the noise",
        "b-32 flow clock_ns 3.0": "beyond the noise",
    }
    line = f"compare {tmp_path}/before {after}"
    assert [change["after"] for change in run_json(line)["changes"]] == [100.5, 60.0]
    assert "of 2 rows that both stores have" in run(line).stdout
    assert "both stores have: nothing" in run(f"compare {before} {before}").stdout
    filled(after, {"a": 100.5}, "v")
    found = run_json(line)
    assert [change["of"] for change in found["changes"]] == ["b-32 flow clock_ns 3.0"]
    assert found["title"].endswith("but 0 and 1 measured with several codes or tools")


def test_what_cannot_be_compared_is_said(tmp_path):
    store = filled(tmp_path / "results.sqlite", {"a": 1.0})
    assert store_of(str(tmp_path)) == store
    assert store_of("mul-rem") is None
    assert_refused(f"compare {store} mul-rem", "after: one is a store, the other is none")
    assert_refused(f"compare {store} {store} --nbits 8", "--nbits: two stores are compared as they")
    assert_refused(f"compare {store} {store} --to none", "--to: two stores are compared as they")
    assert_refused("compare mul-rem nothing", "design: no design named 'nothing'")
    assert_refused("compare mul-rem mul-rem --clock 3,2,1", "--clock: 3 are given")
