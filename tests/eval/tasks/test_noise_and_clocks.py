"""Noise and area-delay curves: which flow runs they ask for, and what they say of them."""

import pytest

import eval.tasks.clocks
import eval.tasks.noise
from eval.catalog.point import Point
from eval.cli.flow import say_if_missed
from eval.tasks.clocks import Curve, clocks_grid
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.noise import SEEDS, Noise, area_band, noise_grid
from flow.results.run import Results, Steps
from tests.eval.made_up import flow_row, module

pytestmark = pytest.mark.quick
POINT = Point("ssmm-small", 8)


def figures(area, period, clock):
    return {"area_um2": area, "shortest_period_ns": period, "setup_slack_ns": clock - period}


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


@pytest.mark.parametrize("reachable", [2.0, 2.9, 5.0])
def test_a_curve_goes_down_to_the_first_clock_that_is_missed(monkeypatch, reachable):
    found = curve_with(monkeypatch, reachable)
    clocks = [run.clock_ns for run in found.runs]
    assert clocks == sorted(clocks, reverse=True)
    assert found.shortest_period_ns == reachable
    missed = [run for run in found.runs if run.setup_slack_ns < 0]
    assert missed
    assert missed[-1] is found.runs[-1]
    assert clocks[0] == 2 * max(3.0, reachable)
    [*_, last] = clocks_grid({Curve(POINT, 3.0): found}).lines
    assert last.cells[-2:] == ("no", "shortest")
    assert last.commands == (f"modexplorer flow ssmm-small --nbits 8 --clock {clocks[-1]:.10g}",)


@pytest.mark.parametrize(
    ("flat", "recipes"),
    [(None, ["area", "fast"]), ("fast", ["area", "fast"]), ("mixed", ["mixed"])],
)
def test_noise_maps_each_seed_by_the_recipes_of_the_design(monkeypatch, flat, recipes):
    parts = [module(name, 1, 1.0, 0.0, {}) for name in "abc"]
    for part, recipe in zip(parts, ("fast", "area", "fast"), strict=True):
        part["recipe"] = recipe

    def own(task, *_):
        netlist = {"area_um2": 1.0, "cells": 1, "setup_slack_ns": 0.5, "shortest_period_ns": 2.5}
        netlist |= {"recipe": flat, "clock_met": True, "seconds": 1.0}
        more = {"modules": parts, "recipe": "mixed", "flat": netlist if flat else None}
        return flow_row(task, figures(100.0, 2.5, 3.0), **more)

    monkeypatch.setattr(eval.tasks.noise, "measure", own)
    asked = []

    def run(task, to, on_step, recipes, seed):
        asked.append((recipes, seed))
        return Results(figures(100.0 + (-1) ** seed * seed, 2.5, 3.0), {}, Steps(), [])

    monkeypatch.setattr(FlowRun, "run", run)
    task = Noise(POINT, 3.0)
    found = task.compute(lambda step: None)
    assert asked == [(recipes, seed) for seed in SEEDS]
    assert area_band([found]) == pytest.approx(0.05)
    grid = noise_grid({task: found})
    assert grid.lines[0].cells == (
        *("ssmm-small", "8", "100.0", "95.0", "104.0", "0.500", "0.500", "0.500", "5.0"),
    )
    assert "less than 5.0 %" in grid.note


def test_nothing_measured_is_no_table():
    assert noise_grid({}) is None
    assert clocks_grid({}) is None
