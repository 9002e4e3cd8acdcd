"""Compose the curve of a design from its modules: outputs/curve.json."""

from flow.asked import asked
from flow.step import leave, step
from flow.synthesis.chosen import tools
from flow.synthesis.curve import composed


@step
def main(
    design_name: str,
    clock_period: float,
    clock_port: str,
    flatten: tuple[str, ...],
    recipes: tuple[str, ...],
    recipe_seconds: float,
    carry_save: bool,
    shortest_clock: float,
) -> None:
    """Compose the curve that the step's parameters ask for; exit 1 if no recipe succeeds."""
    portfolio_for, goal = asked(
        design_name, clock_period, clock_port, flatten, recipe_seconds, recipes, carry_save
    )
    found = composed(portfolio_for(clock_period), goal, shortest_clock)
    leave("curve", found, tools=tools())
