"""What records of results say beside what is in them."""

import pytest

from flow.results.clock_tree import ClockTree
from flow.results.curve import ComposedPoint
from flow.results.energy import Energy, Power, Window
from flow.results.layout import Buffers
from flow.results.netlist import Module

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(("period", "met"), [(1.5, True), (1.50001, False), (1.2, True)])
def test_a_clock_is_met_by_a_netlist_that_is_as_fast(period: float, met: bool) -> None:
    assert ComposedPoint(1.5, 9.0, period, {}).met is met


def test_buffers_are_the_clocks_or_others() -> None:
    assert Buffers(clock_buffers=8, clock_levels=4, fanout_buffers=2, port_buffers=1).others == 3


def test_a_clock_tree_takes_what_is_behind_each_gate_too() -> None:
    assert ClockTree(3.0, {"a": 0.5, "b": 2.0}, 100.0, 9.0).all_fj == 5.5


def test_the_clocks_share_is_of_all_power() -> None:
    power = Power(internal=1.0, switching=2.0, clock=4.0, leakage=1.0, total=8.0)
    assert power.clock_share == 0.5


@pytest.mark.parametrize(("recipe", "by"), [("area@3", "area"), ("fast+fa", "fast+fa")])
def test_a_recipe_is_named_without_its_clock(recipe: str, by: str) -> None:
    part = Module("Top", 1, {}, 1, 1.0, 1.0, 1.0, 0.0, recipe)
    assert part.by == by


def test_metrics_of_energy_are_those_of_each_window() -> None:
    power = Power(internal=1.0, switching=2.0, clock=4.0, leakage=1.0, total=8.0)
    windows = {"e": Window(9, power, 5.0, 6.0, []), "idle": Window(9, power, 0.5, 0.25, [])}
    assert Energy(windows, {}, 3.0, 1.1, "none", {}).metrics() == {
        **{"power_e_mw": 8.0, "energy_e_nj": 5.0, "energy_e_with_glitches_nj": 6.0},
        **{"power_idle_mw": 8.0, "energy_idle_nj": 0.5, "energy_idle_with_glitches_nj": 0.25},
    }
