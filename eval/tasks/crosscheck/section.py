"""What a report shows of a crosscheck."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.crosscheck.task import WORKLOAD, Crosscheck, CrosscheckResult, Power
from eval.tasks.section import Section, tables

Rows = Mapping[Crosscheck, CrosscheckResult | None]
EDGES = 2  # of both, OpenSTA 2.0 counts the energies for each toggle
INTERNAL = "internal"


def more(flow: float, again: float | None) -> float | None:
    """Tell by how many per cent the second figure is more."""
    return 100 * (again / flow - 1) if flow and again is not None else None


def edges_once(powers: list[Power]) -> float:
    """Sum up what OpenSTA has, each edge once; of what it leaves out, what the flow says."""
    return sum(
        power.flow
        if power.again is None
        else power.again / (EDGES if power.part.startswith(INTERNAL) else 1)
        for power in powers
    )


def _netlists(rows: Rows) -> Iterator[Row]:
    """Go through the netlists, each beside what the flow says."""
    for row in rows_of(rows):
        found = row.result.netlists
        for name, (area, period) in (
            ("the flow's, as it says", found.flow),
            ("the same, by count.ys and time.tcl", found.counted),
            ("of plain yosys, by map.ys and time.tcl", found.mapped),
        ):
            yield Row(row.task, found.flow, name=name, area=area, period=period)


NETLISTS = Table(
    "Area and period a second time",
    words({"design": "point", "netlist": "name"})
    + numbers(1, {"area\num2": "area", "\n+-%": lambda row: more(row.result[0], row.area)})
    + numbers(3, {"period\nns": "period"})
    + numbers(1, {"\n+-%": lambda row: more(row.result[1], row.period)}),
    "Plain yosys has no clock to meet, tries one recipe, and maps the design as one module.",
    rows=_netlists,
)


def _powers(rows: Rows) -> Iterator[Row]:
    """Go through the parts of each netlist's power, and sum them up in two ways."""
    for row in rows_of(rows):
        for cycles, powers in row.result.powers.items():
            flow = sum(power.flow for power in powers)
            again = sum(power.again or 0.0 for power in powers)
            sums = Power("all", flow, again), Power("all, edges once", flow, edges_once(powers))
            for power in (*powers, *sums):
                yield Row(row.task, power, cycles=cycles)


POWERS = Table(
    f"Power in workload {WORKLOAD} a second time, mW",
    words({"design": "point", "cycles": "cycles", "part": "part"})
    + numbers(4, {"flow": "flow", "OpenSTA": "again"})
    + numbers(1, {"+-%": lambda row: more(row.result.flow, row.result.again)}),
    "By the same netlist and toggles, which OpenSTA takes from a SAIF file. Behind inputs it "
    "reckons itself what gates do, as if their pins were independent. Its internal power has "
    "what both edges take for each toggle, does not share a toggle among the inputs that may "
    "have caused it, and takes a register's two outputs to be independent; its leakage is the "
    "mean of all states. Edges once: its internal power halved, with our net of the clock.",
    rows=_powers,
)

TASK = Crosscheck
SECTION = Section(results=tables(NETLISTS, POWERS))
