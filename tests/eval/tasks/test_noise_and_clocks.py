"""Noise and area-delay curves: which flow runs they ask for, and what they say of them."""

from itertools import pairwise

import msgspec
import pytest

import eval.tasks.clocks
import eval.tasks.noise
from eval.catalog.point import Point
from eval.cli.flow import say_if_missed
from eval.tasks.clocks import APART, LARGER, Curve, clocks_grid
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.noise import SEEDS, Noise, bands, noise_grid
from flow.results.energy import Energy
from flow.results.run import Results, Steps
from tests.eval.made_up import energy_of, flow_row, module

pytestmark = pytest.mark.quick
POINT = Point("ssmm-small", 8)


def figures(area, period, clock):
    return {"area_um2": area, "period_reached_ns": period, "setup_slack_ns": clock - period}


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
    lines = clocks_grid({Curve(POINT, 3.0): found}).lines
    [shortest] = {line.cells[4] for line in lines if line.cells[-1] == "shortest"}
    assert shortest == f"{found.metrics['shortest_period_ns']:.3f}"
    assert lines[-1].cells[-2] == "no"
    assert lines[-1].commands == (
        f"modexplorer flow ssmm-small --nbits 8 --clock {clocks[-1]:.10g}",
    )


@pytest.mark.parametrize(
    ("flat", "recipes"),
    [(None, ["area", "fast"]), ("fast", ["area", "fast"]), ("mixed", ["mixed"])],
)
def test_noise_maps_each_seed_by_the_recipes_of_the_design(monkeypatch, flat, recipes):
    parts = [module(name, 1, 1.0, 0.0, {}) for name in "abc"]
    for part, recipe in zip(parts, ("fast", "area", "fast"), strict=True):
        part["recipe"] = recipe

    def own(task, *_):
        netlist = {"area_um2": 1.0, "cells": 1, "setup_slack_ns": 0.5, "period_reached_ns": 2.5}
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
        *((0.625, recipes, seed, "timing", False) for seed in SEEDS),
    ]
    assert bands([found]) == pytest.approx((0.05, 0.05, 0.0))
    grid = noise_grid({task: found})
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
    [line] = noise_grid({task: found}).lines
    assert line.cells[0] == "ssmm-small!"
    assert line.cells[-2:] == ("-", "-")


def test_nothing_measured_is_no_table():
    assert noise_grid({}) is None
    assert clocks_grid({}) is None
