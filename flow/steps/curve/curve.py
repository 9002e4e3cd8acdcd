"""Compose the curve of a design from its modules: outputs/curve.json."""

import os

from flow.results.netlist import Rtl
from flow.step import IN, LIBERTY, leave, listed, run, taken
from flow.synthesis.chosen import tools
from flow.synthesis.ladder import composed
from flow.synthesis.netlists import Goal, write_library
from flow.synthesis.portfolio import portfolio


def main() -> None:
    """Compose the curve that the step's parameters ask for; exit 1 if no recipe succeeds."""
    env = os.environ
    goal = Goal(
        IN / "design.v",
        LIBERTY,
        env["design_name"],
        float(env["clock_period"]),
        env["clock_port"],
        listed("flatten"),
        float(env["recipe_seconds"]),
    )
    write_library(LIBERTY)
    carry_save = env["carry_save"] == "True"
    recipes = portfolio(listed("recipes"), taken("rtl", Rtl), carry_save, goal.period)
    leave("curve", composed(recipes, goal), {}, tools())


if __name__ == "__main__":
    run(main)
