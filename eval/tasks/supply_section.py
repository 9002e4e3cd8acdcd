"""What a report shows of a netlist at lower supplies."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.section import Section, tables
from eval.tasks.supply import Supply, SupplyResult

NOTE = (
    "ngspice simulates the cells of the slowest path with the technology's transistors, without "
    "what is parasitic within cells. The period and the energies of workloads e and d, with "
    "glitches, at the nominal supply are the tables'; at others, periods are longer by as much as "
    "the path is slower, and energies less by as much as its cells take less. Table: what the "
    "foundry's tables say in their corners; off: by how much ours is longer. Leakage and hold "
    "are not looked at."
)


def _rows(rows: Mapping[Supply, SupplyResult | None]) -> Iterator[Row]:
    """Go through the supplies of each netlist."""
    for row in rows_of(rows):
        for one in row.result.supplies:
            known = one.table_energies_nj or {}
            yield Row(
                row.task,
                one,
                energy_e=one.energies_nj.get("e"),
                energy_d=one.energies_nj.get("d"),
                table_d=known.get("d"),
                off_percent=None if one.off is None else round(100 * one.off, 6) + 0.0,  # no -0.0
            )


SUPPLIES = Table(
    "Supplies",
    words({"design": "point", "process": "process"})
    + numbers(2, {"V": "volt"})
    + numbers(0, {"C": "celsius"})
    + numbers(2, {"path\nns": "path_ns", "period\nns": "period_ns"})
    + numbers(3, {"e\nnJ": "energy_e", "d\nnJ": "energy_d"})
    + numbers(2, {"table\nns": "table_period_ns"})
    + numbers(1, {"off\n%": "off_percent"})
    + numbers(3, {"table\nd, nJ": "table_d"}),
    NOTE,
    rows=_rows,
)

TASK = Supply
SECTION = Section(results=tables(SUPPLIES))
