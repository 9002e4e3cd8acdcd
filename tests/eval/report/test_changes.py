"""What changed between two measurements, and whether that is noise."""

import msgspec
import pytest

from eval.catalog.point import Point
from eval.cli.compare import store_of
from eval.report.changes import (
    Bands,
    Change,
    between_points,
    between_stores,
    changes,
    changes_grid,
)
from eval.report.records import records
from eval.tasks import noise_section
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.noise import Noise
from eval.tasks.noise_section import MEASURED, USUAL, USUALLY, bands_of
from eval.tasks.placements import Placements
from eval.tasks.store import Key, Store, metrics_of
from eval.tasks.unit import ACCELERATOR
from tests.command_line import assert_refused, run, run_json
from tests.eval.made_up import flow_row, found_of, row, simulated
from tests.eval.tasks.test_layout import RESULT
from tests.eval.tasks.test_placements import FOUND

pytestmark = pytest.mark.quick
POINT = Point("mul-rem", 32)
BANDS = Bands(noise_section.NetlistBands(area=0.01, period=0.05, energy=None))


def found_with(area, cycles, period, clock_ns=3.0):
    """A study of a point of such figures."""
    metrics = {
        **{"area_um2": area, "cells": 10, "period_ns": period},
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
        "period_ns": "beyond the noise",
        "xcel_cycles_d": "differs",
        "time_d_us": "differs",
        "energy_glitches_d_nj": "equal",
    }
    found = verdicts(found_with(1000.0, 100, 3.1), found_with(1011.0, 100, 3.2))
    assert found["area_um2"] == "beyond the noise"
    assert found["xcel_cycles_d"] == "equal"
    assert found["time_d_us"] == "within the noise"  # at the minimum period
    for periods in ((2.9, 3.1), (3.1, 2.9)):  # of one of them
        one, other = (found_with(1000.0, 100, period) for period in periods)
        assert verdicts(one, other)["time_d_us"] == "within the noise"


def test_a_table_shows_changes_with_their_commands():
    change = Change("d", "area_um2", 1000.0, 900.0, 0.01, "modexplorer a", "modexplorer b")
    shown = changes_grid("two", [change], Bands())
    assert shown.lines[0].cells == (
        "d",
        "area, um2",
        "1000.0",
        "900.0",
        "-10.0",
        "beyond the noise",
    )
    assert shown.lines[0].commands == ("modexplorer a", "modexplorer b")
    assert "2.0 % (area), 4.0 % (shortest period), 5.0 % (energy), the most that" in shown.note
    assert changes_grid("none", [], Bands()) is None
    assert Change("d", "slack", 0.0, 1.0, 0.01).verdict == "-"


def test_the_noise_measured_of_a_point_is_its_own(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    assert bands_of([(POINT, 3.0)]) == (USUAL, USUALLY)
    own = {"area_um2": 100.0, "setup_slack_ns": 0.1, "period_ns": 2.0}
    moved = own | {"area_um2": 103.0, "period_ns": 1.8}
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
            key = Key("flow", design, 32, '{"clock_ns": 3.0}', "", design, tools, "{}", "")
            store.put(key, {"metrics": {"area_um2": area, "cells": 5}})
    return path


def test_two_stores_are_compared_row_by_row(tmp_path):
    before = filled(tmp_path / "before" / "results.sqlite", {"a": 100.0, "b": 50.0, "c": 1.0})
    after = filled(tmp_path / "after" / "results.sqlite", {"a": 100.5, "b": 60.0, "d": 1.0}, "u")
    rows = []
    for path in (before, after):
        with Store(path) as store:
            rows.append(metrics_of(store)[0])
    found = {change.of: change.verdict for change in between_stores(*rows, Bands())}
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
    assert_refused(f"compare {store} mul-rem", "after: no results store at 'mul-rem'; give two")
    assert_refused(f"compare missing.sqlite {store}", "before: no results store at 'missing.sql")
    assert_refused("compare mul-rem missing.sqlite", "after: no results store at 'missing.sql")
    assert_refused(f"compare {tmp_path}/none {store}", "before: no results store at '/")
    assert_refused(f"compare {store} {store} --nbits 8", "--nbits: two stores are compared as they")
    assert_refused(f"compare {store} {store} --to none", "--to: two stores are compared as they")
    assert_refused("compare mul-rem nothing", "design: no design named 'nothing'")
    assert_refused("compare mul-rem mul-rem --clock 3,2,1", "--clock: 3 are given")


def laid_out(design, metrics, violations, energy_nj, area=1000.0):
    """A study of a point and its layout, of such figures."""
    point = Point(design, 32)
    spent = {"cycles": 9, "power_mw": 1.0, "energy_nj": 1.0, "dummy_energy_nj": 0.0}
    spent |= {"dummy_energy_with_glitches_nj": 0.0, "energy_with_glitches_nj": energy_nj}
    laid = RESULT | {"metrics": RESULT["metrics"] | metrics, "violations": violations}
    laid["operations"] = {"e": spent, "d": spent}  # e is not asked for
    return found_of(
        simulated(point, "d", {"cycles_d": 95, "xcel_cycles_d": 100}),
        flow_row(FlowRun(point, ACCELERATOR, 3.0), {"area_um2": area, "cells": 10}),
        row(LaidOut(point, ACCELERATOR, 3.0), **laid),
    )


BEFORE = laid_out("mul-rem", {"layout_setup_slack_ns": 0.1, "wire_um": 1000.0}, {}, 4.0)
WORSE = {"layout_setup_slack_ns": -0.1, "layout_period_ns": 3.25, "wire_um": 1075.0}


def test_layouts_are_compared_by_the_noise_of_placements(tmp_path, monkeypatch):
    """The slack has none, but that it is lost is worse; nothing excuses a short."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    after = laid_out("mul-rem", WORSE, {"shorted_pairs": 1}, 4.03)
    title, found, told = between_points([BEFORE, after])
    assert title == "mul-rem-32 at 3 ns and mul-rem-32 at 3 ns"
    assert told == Bands()
    laid = {change.metric: change for change in found}
    assert laid["layout_period_ns"].band == USUAL.period + told.layouts.period
    assert laid["wire_um"].band == USUAL.area + told.layouts.wires
    assert {name: change.verdict for name, change in laid.items()} == {
        **{"area_um2": "equal", "xcel_cycles_d": "equal"},
        **{"layout_area_um2": "equal", "layout_setup_slack_ns": "-"},
        **{"layout_period_ns": "beyond the noise", "wire_um": "beyond the noise"},
        **{"violations": "differs", "layout_energy_nj": "within the noise"},
    }
    assert {change.of for change in found} == {"", "d"}
    worse = [change.metric for change in found if change.is_worse]
    assert worse == [
        *("layout_setup_slack_ns", "layout_period_ns", "wire_um", "violations"),
    ]
    assert laid["wire_um"].command_after.endswith("--to layout")
    shown = changes_grid(title, found, told)
    assert "of layouts 1.0 % (area), " in shown.note
    assert " more, the most" in shown.note
    assert [line.cells[1] for line in shown.lines][2:4] == [
        "area laid out, um2",
        "slack laid out, ns",
    ]


def test_what_is_better_is_not_worse_and_a_lost_slack_is(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    after = laid_out("mul-rem", WORSE, {"shorted_pairs": 1}, 4.2, area=1011.0)
    _, found, _ = between_points([after, BEFORE])
    assert [change for change in found if change.is_worse] == []
    assert Change("", "setup_slack_ns", 0.0, -0.001, None).is_worse
    assert not Change("", "setup_slack_ns", -0.1, -0.2, None).is_worse
    assert Change("d", "xcel_cycles_d", 100, 101, 0.0).is_worse
    assert not Change("", "area_um2", 100.0, 100.9, 0.01).is_worse


def test_the_noise_of_a_layout_is_its_own_where_it_was_measured(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    with Store() as store:
        store.put(Placements(Point("mul-rem", 32), 3.0).key, msgspec.to_builtins(FOUND))
    _, found, told = between_points([BEFORE, laid_out("mul-rem", WORSE, {}, 4.19)])
    assert told.layouts == pytest.approx((0.01, 0.1, 0.1, 0.05))
    assert told.whose_layouts == MEASURED
    verdicts = {change.metric: change.verdict for change in found}
    assert verdicts["wire_um"] == verdicts["layout_energy_nj"] == "within the noise"


def test_one_layout_alone_is_not_compared(tmp_path, monkeypatch):
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path))
    _, found, _ = between_points([found_with(1000.0, 100, 2.0), BEFORE])
    assert not [change for change in found if "layout" in change.metric]


def test_layouts_of_two_stores_have_the_noise_of_layouts(tmp_path):
    for name, wires in (("before", 100.0), ("after", 104.0)):
        with Store(tmp_path / name) as store:
            key = Key("layout", "a", 32, "{}", "", "a", name, "{}", "")
            metrics = {"wire_um": wires, "layout_period_ns": wires}
            store.put(key, {"metrics": metrics})
    line = f"compare {tmp_path}/before {tmp_path}/after"
    bands = {change["metric"]: change["band"] for change in run_json(line)["changes"]}
    usual = Bands()
    assert bands == {
        "wire_um": usual.netlists.area + usual.layouts.wires,
        "layout_period_ns": usual.netlists.period + usual.layouts.period,
    }


def test_a_gate_fails_where_a_store_has_more_faults_of_a_layout(tmp_path):
    stores = []
    for name, found in (("before", 0), ("after", 1)):
        with Store(tmp_path / name) as store:
            key = Key("layout", "a", 32, "{}", "", "a", name, "{}", "")
            store.put(key, {"metrics": {"shorted_pairs": found, "layout_cells": 5 + found}})
        stores.append(str(tmp_path / name))
    failed = run(f"compare {' '.join(stores)} --gate")
    assert failed.exit_code == 1
    assert "1 of 2 figures are worse by more than noise" in failed.stderr
    assert run(f"compare {' '.join(reversed(stores))} --gate").exit_code == 0


def test_a_gate_fails_where_a_figure_is_worse(tmp_path):
    stores = [
        filled(tmp_path / name / "results.sqlite", {"a": area})
        for name, area in (("1", 100.0), ("2", 101.9), ("3", 102.1))
    ]
    first, second, third = stores
    assert run(f"compare {first} {second} --gate").exit_code == 0
    assert run(f"compare {third} {first} --gate").exit_code == 0
    failed = run(f"compare {first} {third} --gate")
    assert failed.exit_code == 1
    assert "1 of 1 figures are worse by more than noise" in failed.stderr
    assert "beyond the noise" in failed.stdout
    assert run(f"compare {first} {third}").exit_code == 0
