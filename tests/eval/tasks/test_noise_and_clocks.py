"""Noise and area-delay curves: which flow runs they ask for, and what they say of them."""

import math
from itertools import pairwise

import msgspec
import pytest

import eval.tasks.clocks
import eval.tasks.noise
from eval.catalog.point import Point
from eval.cli.flow import say_if_missed
from eval.quoting.stored import load
from eval.tasks.at_clock import hurried
from eval.tasks.clocks import APART, LARGER, Curve, Run, beside_best
from eval.tasks.clocks_section import CLOCKS, ENERGIES
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.noise import SEEDS, Noise
from eval.tasks.noise_section import (
    MEASURED,
    NOISE,
    USUAL,
    USUALLY,
    bands,
    bands_or_usual,
)
from flow.results.energy import Energy
from flow.results.run import Results, Steps
from tests.eval.made_up import energy_of, flow_row, metrics_of, module

pytestmark = pytest.mark.quick
POINT = Point("ssmm-small", 8)


def figures(area, period, clock):
    return {"area_um2": area, "period_ns": period, "setup_slack_ns": clock - period}


def curve_with(monkeypatch, reachable):
    """The curve of a design that reaches any clock down to `reachable` exactly."""

    def measure(task, on_step):
        on_step("synthesis")
        period = max(task.clock_ns, reachable)
        return flow_row(task, figures(100 / period, period, task.clock_ns), tools={"t": "1"})

    monkeypatch.setattr(eval.tasks.clocks, "measure", measure)
    return Curve(POINT, 3.0).compute(lambda step: None)


@pytest.mark.parametrize(
    ("task", "run"),
    [
        (FlowRun(POINT, "accelerator", 0.5), "ssmm_small_8-0.5ns"),
        (FlowRun(POINT, "accelerator", 0.5, gated=True), "ssmm_small_8-0.5ns-gated"),
        (LaidOut(POINT, "accelerator", 0.5), "ssmm_small_8-0.5ns"),
    ],
)
def test_a_missed_clock_is_said_with_the_place_of_the_logs(capsys, task, run):
    say_if_missed(task, 0.0)
    assert capsys.readouterr().out == ""
    say_if_missed(task, -0.345)
    said = capsys.readouterr().out
    assert "The clock of 0.5 ns is missed by 0.345 ns." in said
    assert said.endswith(f"flow/{run}/logs\n")
    assert max(map(len, said.splitlines()[:-1])) <= 100


@pytest.mark.parametrize("reachable", [0.2, 2.0, 2.9, 5.0])
def test_the_shortest_period_is_searched_and_longer_clocks_are_tried(monkeypatch, reachable):
    found = curve_with(monkeypatch, reachable)
    clocks = [run.clock_ns for run in found.runs]
    assert clocks == sorted(set(clocks), reverse=True)
    assert len(clocks) <= 7
    assert found.metrics["shortest_period_ns"] == reachable
    assert found.runs[-1].setup_slack_ns < 0  # asked for what no netlist meets
    assert clocks[0] == (3.0 if reachable <= 3.0 else 2 * reachable)
    assert (reachable in clocks) == (max(3.0, clocks[0]) > LARGER * reachable)
    met = [run.clock_ns for run in found.runs if run.setup_slack_ns >= 0]
    assert max(long / short for long, short in pairwise([3.1, *met])) < APART + 0.1
    lines = CLOCKS.of({Curve(POINT, 3.0): found}).lines
    [shortest] = {line.cells[4] for line in lines if line.cells[-1] == "shortest"}
    assert shortest == f"{found.metrics['shortest_period_ns']:.3f}"
    assert lines[-1].cells[-2] == "no"
    assert lines[-1].commands == (
        f"modexplorer flow ssmm-small --nbits 8 --clock {clocks[-1]:.10g}",
    )


def asked_of(monkeypatch, netlist, clock=3.0):
    """The curve of a design whose netlists at a clock have an area and a period."""
    asked = []

    def measure(task, on_step):
        asked.append(task.clock_ns)
        return flow_row(task, figures(*netlist(task.clock_ns), task.clock_ns), tools={"t": "1"})

    monkeypatch.setattr(eval.tasks.clocks, "measure", measure)
    found = Curve(POINT, clock).compute(lambda step: None)
    assert sorted(asked) == sorted(set(asked)) == sorted(run.clock_ns for run in found.runs)
    return found, asked


def test_of_two_netlists_of_the_shortest_period_the_smaller_counts(monkeypatch):
    """The larger one was asked for at the shorter clock, or at the longer one."""
    for areas in ((100.0, 300.0), (300.0, 100.0)):
        found, _ = asked_of(monkeypatch, lambda clock, areas=areas: (areas[clock < 1], 2.0))
        assert found.metrics == {"shortest_period_ns": 2.0, "fastest_area_um2": 100.0}


def test_the_clock_that_is_met_is_hurried_until_none_is(monkeypatch):
    """3 ns is met at 2.4: 0.6 is asked for, and met exactly: 0.15, and then no less than 0.1."""
    found, asked = asked_of(
        monkeypatch, lambda clock: (9.0, 2.4 if clock == 3.0 else clock if clock > 0.2 else 0.16)
    )
    assert asked[:3] == [3.0, 0.6, 0.15]
    assert found.metrics["shortest_period_ns"] == 0.16
    _, asked = asked_of(monkeypatch, lambda clock: (9.0, clock))
    assert asked[:4] == [3.0, 0.75, 0.188, 0.1]


def test_a_clock_that_is_missed_is_relaxed_to_twice_what_was_reached(monkeypatch):
    found, asked = asked_of(monkeypatch, lambda clock: (9.0, max(clock / 2, 4.0)))
    assert asked == [3.0, 8.0]  # 4 ns was reached at both: there is nothing between
    assert found.metrics["shortest_period_ns"] == 4.0


@pytest.mark.parametrize(("area", "again"), [(150.0, False), (150.1, True)])
def test_the_shortest_period_is_asked_for_where_its_netlist_is_large(monkeypatch, area, again):
    _, asked = asked_of(monkeypatch, lambda clock: (100.0, 2.0) if clock > 1 else (area, 1.9))
    assert asked == [3.0, 0.5] + [1.9] * again


def test_energies_are_of_the_smallest_the_densest_and_the_fastest(monkeypatch):
    """Each at the period that it reaches: window d of 205 cycles, operation d of 200, leaks 1 mW;
    the clock that none meets has no energies, and what it reached is asked for again. Next to the
    densest, of 1.7 ns, clocks are asked for until none is 1.3 times as long as another."""
    netlists = {4.0: (100.0, 3.2), 0.8: (400.0, 1.0), 1.0: (390.0, 0.99), 1.789: (120.0, 1.7)}
    netlists |= {2.393: (119.0, 2.3), 1.304: (300.0, 1.3), 1.489: (250.0, 1.489)}
    asked = []

    def measure(task, on_step):
        asked.append((task.clock_ns, task.to))
        area, period = netlists[task.clock_ns]
        energy = energy_of()
        energy["clock_period_ns"] = task.clock_ns
        metrics = figures(area, period, task.clock_ns)
        if task.to == "power":
            return flow_row(task, metrics | metrics_of(energy), energy=energy)
        return flow_row(task, metrics)

    monkeypatch.setattr(eval.tasks.clocks, "measure", measure)
    found = Curve(POINT, 4.0, energy=True).compute(lambda step: None)
    assert {clock for clock, _ in asked} == {*netlists}
    of_power = [clock for clock, to in asked if to == "power"]
    assert sorted(of_power) == [1.0, 1.789, 4.0]
    runs = {run.clock_ns: run for run in found.runs}
    assert not runs[0.8].energies_nj
    whole = metrics_of(energy_of())["energy_glitches_d_nj"]
    for clock in of_power:
        rest_ns = clock - runs[clock].period_ns
        assert runs[clock].energies_nj["d"] == pytest.approx(whole - 200 * rest_ns * 1.0 / 1000)
        assert runs[clock].energies_nj.keys() == {"e", "d"}
    [least, dense, fast] = ENERGIES.of({Curve(POINT, 4.0, energy=True): found}).lines
    assert [line.cells[2] for line in (least, dense, fast)] == ["3.200", "1.700", "0.990"]
    assert least.commands == ("modexplorer flow ssmm-small --nbits 8 --clock 4 --to power",)
    assert (
        ENERGIES.of({Curve(POINT, 4.0): msgspec.structs.replace(found, runs=[runs[0.8]])}) is None
    )


def run_of(clock, area, period):
    return Run(clock_ns=clock, **figures(area, period, clock))


@pytest.mark.parametrize(
    ("runs", "between"),
    [
        ([], None),
        ([(3.0, 100.0, 1.2)], None),  # nothing to compare it with
        ([(3.0, 100.0, 1.3), (1.0, 120.0, 1.0)], None),  # no more than 1.3 apart
        ([(3.0, 100.0, 1.44), (1.0, 120.0, 0.9)], 1.2),  # between 1.0 and what 3.0 reached
        ([(3.0, 100.0, 1.44), (1.0, 120.0, 0.9), (0.5, 130.0, 0.9)], 1.2),  # 0.5 is missed
        ([(9.0, 100.0, 8.0), (4.0, 110.0, 3.9), (2.0, 120.0, 2.0), (1.0, 150.0, 1.0)], 1.415),
        ([(9.0, 100.0, 8.0), (4.0, 110.0, 2.9), (1.0, 999.0, 1.0)], 1.703),  # the wider gap
    ],
)
def test_a_clock_is_asked_for_next_to_the_least_area_by_period(runs, between):
    assert beside_best(run_of(*run) for run in runs) == between


def test_a_curve_with_energies_has_another_key_and_says_so():
    plain, whole = Curve(POINT, 3.0), Curve(POINT, 3.0, energy=True)
    assert plain == whole  # a report finds either
    assert plain.asked != whole.asked
    assert whole.command == f"{plain.command} --energy"
    assert {*plain.stages()} < {*whole.stages()}
    assert plain.parameters() == {"clock_ns": 3.0, "rule": (2.0, 0.25, 1.5, 2.0, 1.3)}


@pytest.mark.parametrize(
    ("longest", "between"),
    [
        (2.0, []),
        (2.001, [1.415]),
        (4.0, [2.0]),
        (8.0, [2.0, 4.0]),
        (8.1, [1.688, 2.025, 2.847, 4.802]),
    ],
)
def test_clocks_between_are_at_most_twice_apart(monkeypatch, longest, between):
    """From 1 ns to the longest period, by equal ratios."""
    _, asked = asked_of(
        monkeypatch, lambda clock: (9.0, longest if clock == 9.0 else 1.0), clock=9.0
    )
    assert sorted(clock for clock in asked if 1.0 < clock < 9.0) == between


def netlists(own, hurried, runs, hurried_runs, energy=None, energies=()):
    """A result of noise in which areas, periods and energies are these."""
    energies = [*energies] or [None] * len(runs)
    parts = [
        {"area_um2": area, "period_ns": 9.0, "setup_slack_ns": 0.1, "energy_nj": each}
        for area, each in zip([own, *runs], [energy, *energies], strict=True)
    ]
    fast = [
        {"area_um2": 7.0, "period_ns": period, "setup_slack_ns": -1.0}
        for period in (hurried, *hurried_runs)
    ]
    fields = {"own": parts[0], "runs": parts[1:], "recipes": []}
    fields |= {"hurried_own": fast[0], "hurried_runs": fast[1:]}
    return msgspec.convert({"tools": {}} | fields, Noise.Result)


def test_bands_are_the_largest_moves_either_way():
    """Area by 10 % down, the period of the hurry by 5 % up, energy by 25 % down."""
    one = netlists(100.0, 2.0, [105.0, 90.0, 100.0], [2.1, 1.96], 4.0, [4.1, 3.0, 4.4])
    assert bands([one]) == pytest.approx((0.10, 0.05, 0.25))
    other = netlists(100.0, 2.0, [112.0, 99.0], [2.02, 1.98])
    assert bands([other]) == pytest.approx((0.12, 0.01, None))
    assert bands([one, other]) == bands([other, one]) == pytest.approx((0.12, 0.05, 0.25))
    assert bands([]) is None


def test_the_usual_bands_are_the_largest_that_the_page_shows():
    """Rounded up to whole per cent; of area, period and energy, in the columns of +-%."""
    text = load()["report error-bars --tables"].printed["Noise of the synthesis"]
    lines = text.splitlines()
    shown = [line.split("|") for line in lines if line.startswith("| ")]
    rows = [cells for cells in shown if cells[2].strip() == "32"]
    assert len(rows) >= 8
    for usual, column in zip(USUAL, (4, 9, 11), strict=True):
        most = max(float(cells[column]) for cells in rows)
        assert usual == pytest.approx(math.ceil(most) / 100), column


def test_what_was_not_measured_is_as_usual():
    one = netlists(100.0, 2.0, [105.0], [2.1])
    found, whose = bands_or_usual([one])
    assert found == pytest.approx((0.05, 0.05, USUAL.energy))
    assert whose == MEASURED
    assert bands_or_usual([]) == (USUAL, USUALLY)
    whole = netlists(100.0, 2.0, [105.0], [2.1], 4.0, [5.0])
    assert bands_or_usual([whole])[0].energy == pytest.approx(0.25)


@pytest.mark.parametrize(
    ("reached", "clock"), [(2.4, 0.6), (0.3, 0.1), (0.4, 0.1), (0.7777, 0.194)]
)
def test_a_hurry_asks_for_a_quarter_and_no_less_than_commands_take(reached, clock):
    assert hurried(reached) == clock


@pytest.mark.parametrize(
    ("flat", "recipes", "in_a_hurry"),
    [
        (None, ["area", "fast"], ["depth", "fast"]),
        ("fast", ["area", "fast"], ["depth", "fast"]),
        ("mixed", ["mixed"], ["mixed"]),
    ],
)
def test_noise_maps_each_seed_by_the_recipes_of_the_design(monkeypatch, flat, recipes, in_a_hurry):
    """Those of the netlist for the same clock."""

    def own(task, *_):
        parts = [module(name, 1, 1.0, 0.0, {}) for name in "abc"]
        made_by = ("fast", "area" if task.clock_ns == 3.0 else "depth", "fast")
        for part, recipe in zip(parts, made_by, strict=True):
            part["recipe"] = recipe
        netlist = {"area_um2": 1.0, "cells": 1, "setup_slack_ns": 0.5, "period_ns": 2.5}
        netlist |= {"recipe": flat, "clock_met": True, "seconds": 1.0}
        more = {"modules": parts, "recipe": "mixed", "flat": netlist if flat else None}
        period = 2.5 if task.clock_ns == 3.0 else 2.0
        energy = energy_of() if task.energy else None
        return flow_row(task, figures(100.0, period, task.clock_ns), energy=energy, **more)

    monkeypatch.setattr(eval.tasks.noise, "measure", own)
    asked = []

    def run(task, to, on_step, recipes, seed, energy):
        asked.append((task.clock_ns, recipes, seed, to, energy))
        area, period = 100.0 + (-1) ** seed * seed, 2.0 + seed / 50
        steps = Steps(power=msgspec.convert(energy_of(), Energy) if energy else None)
        return Results(figures(area, period, task.clock_ns), {}, steps, [])

    monkeypatch.setattr(FlowRun, "run", run)
    task = Noise(POINT, 3.0)
    found = task.compute(lambda step: None)
    assert asked == [
        *((3.0, recipes, seed, "power", True) for seed in SEEDS),
        *((0.625, in_a_hurry, seed, "timing", False) for seed in SEEDS),
    ]
    assert found.recipes == recipes
    assert bands([found]) == pytest.approx((0.05, 0.05, 0.0))
    grid = NOISE.of({task: found})
    assert grid.lines[0].cells[:7] == (
        *("ssmm-small", "8", "100.0", "5.0", "0.500", "0.900", "0.980"),
    )
    assert grid.lines[0].cells[7:9] == ("2.000", "5.0")
    assert "less than 5.0 % (area), 5.0 % (shortest period), 0.0 % (energy)" in grid.note


def test_no_energy_is_measured_of_what_misses_the_clock(monkeypatch):
    def measure(task, on_step):
        return flow_row(task, figures(100.0, 4.0, task.clock_ns), modules=[])

    def run(task, to, on_step, recipes, seed, energy):
        assert not energy
        return Results(figures(100.0, 4.0, task.clock_ns), {}, Steps(), [])

    monkeypatch.setattr(eval.tasks.noise, "measure", measure)
    monkeypatch.setattr(FlowRun, "run", run)
    task = Noise(POINT, 3.0)
    found = task.compute(lambda step: None)
    assert bands([found]) == (0.0, 0.0, None)
    [line] = NOISE.of({task: found}).lines
    assert line.cells[0] == "ssmm-small!"
    assert line.cells[-2:] == ("-", "-")


def test_nothing_measured_is_no_table():
    assert NOISE.of({}) is None
    assert CLOCKS.of({}) is None


@pytest.mark.parametrize(("reached", "to"), [(2.9, "power"), (3.0, "power"), (3.1, "timing")])
def test_energies_under_each_seed_are_of_what_meets_the_clock(monkeypatch, reached, to):
    asked = []

    def measure(task, on_step):
        energy = energy_of() if task.energy else None
        return flow_row(task, figures(9.0, reached, task.clock_ns), modules=[], energy=energy)

    def run(task, to, on_step, recipes, seed, energy):
        asked.append((task.clock_ns, to, energy))
        steps = Steps(power=msgspec.convert(energy_of(), Energy) if energy else None)
        return Results(figures(9.0, reached, task.clock_ns), {}, steps, [])

    monkeypatch.setattr(eval.tasks.noise, "measure", measure)
    monkeypatch.setattr(FlowRun, "run", run)
    found = Noise(POINT, 3.0).compute(lambda step: None)
    assert [one for one in asked if one[0] == 3.0] == [(3.0, to, to == "power")] * len(SEEDS)
    assert (found.own.energy_nj is None) == (to == "timing")
