"""What a report shows of a crosscheck."""

from collections.abc import Iterator, Mapping

from eval.tasks.crosscheck.task import WORKLOAD, Crosscheck, CrosscheckResult, Power
from eval.tasks.grid import Grid, Line, grid, line, numbers, words
from eval.tasks.section import Section, measured

Rows = Mapping[Crosscheck, CrosscheckResult | None]
EDGES = 2  # of both, OpenSTA 2.0 counts the energies for each toggle
INTERNAL = "internal"


def more(flow: float, again: float | None) -> float | None:
    """Tell by how many per cent the second figure is more."""
    return 100 * (again / flow - 1) if flow and again is not None else None


def netlists_grid(rows: Rows) -> Grid | None:
    """Show area and period by the flow, and by hand."""
    return grid(
        "Area and period a second time",
        words("design", "netlist")
        + (numbers(1, "area\num2", "\n+-%") + numbers(3, "period\nns") + numbers(1, "\n+-%")),
        (
            line(
                *(str(task.point), name),
                *(area, more(said_area, area), period, more(said_period, period)),
                commands=(task.command,),
            )
            for task, result in measured(rows).items()
            for said_area, said_period in [result.netlists.flow]
            for name, (area, period) in (
                ("the flow's, as it says", result.netlists.flow),
                ("the same, by count.ys and time.tcl", result.netlists.counted),
                ("of plain yosys, by map.ys and time.tcl", result.netlists.mapped),
            )
        ),
        "Plain yosys has no clock to meet, tries one recipe, and maps the design as one module.",
    )


def power_grid(rows: Rows) -> Grid | None:
    """Show power by part, by the flow and by OpenSTA."""
    return grid(
        f"Power in workload {WORKLOAD} a second time, mW",
        words("design", "cycles", "part") + numbers(4, "flow", "OpenSTA") + numbers(1, "+-%"),
        (
            each
            for task, result in measured(rows).items()
            for cycles, powers in result.powers.items()
            for each in _power_lines(task, cycles, powers)
        ),
        "By the same netlist and toggles, which OpenSTA takes from a SAIF file. Behind inputs it "
        "reckons itself what gates do, as if their pins were independent. Its internal power has "
        "what both edges take for each toggle, does not share a toggle among the inputs that may "
        "have caused it, and takes a register's two outputs to be independent; its leakage is the "
        "mean of all states. Edges once: its internal power halved, with our net of the clock.",
    )


def _power_lines(task: Crosscheck, cycles: str, powers: list[Power]) -> Iterator[Line]:
    def row(part: str, flow: float, again: float | None) -> Line:
        cells = (str(task.point), cycles, part, flow, again, more(flow, again))
        return line(*cells, commands=(task.command,))

    for power in powers:
        yield row(power.part, power.flow, power.again)
    flow = sum(power.flow for power in powers)
    yield row("all", flow, sum(power.again or 0.0 for power in powers))
    yield row("all, edges once", flow, edges_once(powers))


def edges_once(powers: list[Power]) -> float:
    """Sum up what OpenSTA has, each edge once; of what it leaves out, what the flow says."""
    return sum(
        power.flow
        if power.again is None
        else power.again / (EDGES if power.part.startswith(INTERNAL) else 1)
        for power in powers
    )


TASK = Crosscheck
SECTION = Section(results=lambda rows: [netlists_grid(rows), power_grid(rows)])
