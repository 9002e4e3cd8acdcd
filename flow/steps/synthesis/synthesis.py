"""Run the recipes, mix them, keep the best netlist: outputs/netlist.v, outputs/synthesis.json."""

from flow.asked import asked
from flow.results.netlist import Attempt
from flow.step import OUT, leave, step
from flow.synthesis.chosen import report, tools
from flow.synthesis.front import search
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
    least_gated = gate_registers if gated else 0
    of_design = (design_name, clock_period, clock_port, flatten, recipe_seconds)
    portfolio_for, goal = asked(*of_design, recipes, carry_save, seed, least_gated)
    found = search(portfolio_for, goal)
    if not found.best():
        failures = dict.fromkeys(row.error for row in found.tried if isinstance(row, Attempt))
        raise RunError("\n".join(f"no recipe succeeded: {failure}" for failure in failures))
    leave("synthesis", *report(found, goal, OUT), tools())
