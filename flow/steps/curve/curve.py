"""Compose the curve of a design from its modules: outputs/curve.json."""

from flow.results.netlist import Rtl
from flow.step import IN, LIBERTY, leave, step, taken
from flow.synthesis.chosen import tools
from flow.synthesis.ladder import composed
from flow.synthesis.netlists import Goal, write_library
from flow.synthesis.portfolio import portfolio


@step
def main(
    design_name: str,
    clock_period: float,
    clock_port: str,
    flatten: tuple[str, ...],
    recipes: tuple[str, ...],
    recipe_seconds: float,
    carry_save: bool,
) -> None:
    """Compose the curve that the step's parameters ask for; exit 1 if no recipe succeeds."""
    asked = (design_name, clock_period, clock_port, flatten, recipe_seconds)
    goal = Goal(IN / "design.v", LIBERTY, *asked)
    write_library(LIBERTY)
    tried = portfolio(recipes, taken("rtl", Rtl), carry_save, clock_period)
    leave("curve", composed(tried, goal), tools=tools())
