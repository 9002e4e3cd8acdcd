"""Run the recipes, mix them, keep the best netlist: outputs/netlist.v, outputs/synthesis.json."""

from flow.results.netlist import Attempt, Rtl
from flow.step import IN, LIBERTY, OUT, leave, step, taken
from flow.synthesis.chosen import report, tools
from flow.synthesis.front import search
from flow.synthesis.netlists import Goal, write_library
from flow.synthesis.portfolio import portfolio
from sim.errors import RunError


@step
def main(
    design_name: str,
    clock_period: float,
    clock_port: str,
    flatten: tuple[str, ...],
    recipes: tuple[str, ...],
    recipe_seconds: float,
    carry_save: bool,
    gated: bool,
    gate_registers: int,
    seed: int,
) -> None:
    """Run the portfolio that the step's parameters ask for; exit 1 if no recipe succeeds."""
    asked = (design_name, clock_period, clock_port, flatten, recipe_seconds, seed)
    goal = Goal(IN / "design.v", LIBERTY, *asked, gate_registers if gated else 0)
    write_library(LIBERTY)
    found = search(portfolio(recipes, taken("rtl", Rtl), carry_save, clock_period), goal)
    if not found.best():
        failures = dict.fromkeys(row.error for row in found.tried if isinstance(row, Attempt))
        raise RunError("\n".join(f"no recipe succeeded: {failure}" for failure in failures))
    leave("synthesis", *report(found, goal, OUT), tools())
