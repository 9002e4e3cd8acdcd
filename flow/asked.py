"""What the steps that map a design are asked for."""

from collections.abc import Callable, Sequence

from flow.results.netlist import Rtl
from flow.step import IN, LIBERTY, taken
from flow.synthesis.netlists import Goal, write_library
from flow.synthesis.portfolio import portfolio
from flow.synthesis.recipes import Recipe


def asked(
    design_name: str,
    clock_period: float,
    clock_port: str,
    flatten: tuple[str, ...],
    recipe_seconds: float,
    recipes: Sequence[str],
    carry_save: bool,
    seed: int = 0,
    least_gated: int = 0,
) -> tuple[Callable[[float], list[list[Recipe]]], Goal]:
    """Write the libraries; the recipes that the design has a use for at a clock, and what their
    netlists are to be."""
    write_library(LIBERTY)
    rtl = taken("rtl", Rtl)
    of_design = (design_name, clock_period, clock_port, flatten, recipe_seconds, seed, least_gated)
    goal = Goal(IN / "design.v", LIBERTY, *of_design)
    found = goal.technology
    carry_save = carry_save and found.cells.full_adder is not None
    return lambda clock_ns: portfolio(recipes, rtl, carry_save, clock_ns, found.pace), goal
