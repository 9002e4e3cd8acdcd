"""What a report shows of simulated workloads: their cycles."""

from collections.abc import Mapping

from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.section import Section, measured
from eval.tasks.simulation import Simulation, SimulationResult


def cycles_grid(rows: Mapping[Simulation, SimulationResult | None]) -> Grid | None:
    """Show the cycles of every workload on every point; None if nothing was measured."""
    lines = []
    for task, result in measured(rows).items():
        exponent, workload = result.request["exp"], task.workload
        cells = (
            *(marked(task.point, name=task.point.design), task.point.nbits, workload),
            f"{exponent.bit_length()} / {exponent.bit_count()}",
            *(result.metrics.get(f"{name}_{workload}") for name in ("cycles", "xcel_cycles")),
        )
        lines.append(line(*cells, commands=(task.command, task.port_command)))
    return grid(
        "Cycles of one exponentiation",
        (
            words("design")
            + numbers(0, "bits")
            + words("workload")
            + numbers(0, "exponent bits / ones", "exponentiator", "accelerator")
        ),
        lines,
        "Accelerator: through its port, from the first operand word pushed to the last result word "
        "popped. Exponentiator: from request to response, which is that less the words' way. "
        "Simulated: translated Verilog, compiled (level batch); every answer was checked.",
    )


SECTION = Section(designs=lambda rows: [cycles_grid(rows)])
