"""Run the recipes, mix them, keep the best netlist: outputs/netlist.v, outputs/synthesis.json."""

import os

from flow.results.netlist import Attempt, Rtl
from flow.step import IN, LIBERTY, OUT, leave, listed, run, taken
from flow.synthesis.chosen import report, tools
from flow.synthesis.front import search
from flow.synthesis.netlists import Goal, write_library
from flow.synthesis.portfolio import portfolio
from sim.errors import RunError


def main() -> None:
    """Run the portfolio that the step's parameters ask for; exit 1 if no recipe succeeds."""
    env = os.environ
    goal = Goal(
        IN / "design.v",
        LIBERTY,
        env["design_name"],
        float(env["clock_period"]),
        env["clock_port"],
        listed("flatten"),
        float(env["recipe_seconds"]),
        int(env["seed"]),
        int(env["gate_registers"]) if env["gated"] == "True" else 0,
    )
    write_library(LIBERTY)
    carry_save = env["carry_save"] == "True"
    found = search(portfolio(listed("recipes"), taken("rtl", Rtl), carry_save, goal.period), goal)
    if not found.best():
        failures = dict.fromkeys(row.error for row in found.tried if isinstance(row, Attempt))
        raise RunError("\n".join(f"no recipe succeeded: {failure}" for failure in failures))
    leave("synthesis", *report(found, goal, OUT), tools())


if __name__ == "__main__":
    run(main)
