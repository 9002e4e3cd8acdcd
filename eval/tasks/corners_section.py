"""What a report shows of a netlist in the corners of its technology."""

from collections.abc import Iterator, Mapping

from eval.table import Row, Table, numbers, rows_of, words
from eval.tasks.corners import Corners, CornersResult
from eval.tasks.section import Section, tables

NOTE = (
    "One netlist, mapped for the corners that the technology is signed off in. Energies of "
    "workloads e and d with glitches, at the clock asked for; leakage in workload d. Nothing is "
    "known between the corners: the libraries have tables of these alone."
)


def _rows(rows: Mapping[Corners, CornersResult | None]) -> Iterator[Row]:
    """Go through the corners of each netlist."""
    for row in rows_of(rows):
        for one in row.result.corners:
            yield Row(
                row.task,
                one,
                area_um2=row.result.area_um2,
                energy_e=one.energies_nj.get("e"),
                energy_d=one.energies_nj.get("d"),
            )


CORNERS = Table(
    "Corners",
    words({"design": "point", "corner": "corner"})
    + numbers(2, {"V": "volt"})
    + numbers(0, {"C": "celsius"})
    + numbers(1, {"area\num2": "area_um2"})
    + numbers(3, {"period\nns": "period_ns"})
    + numbers(3, {"hold\nslack\nns": "hold_slack_ns"})
    + numbers(6, {"leakage\nmW": "leakage_mw"})
    + numbers(3, {"e\nnJ": "energy_e", "d\nnJ": "energy_d"}),
    NOTE,
    rows=_rows,
)

TASK = Corners
SECTION = Section(results=tables(CORNERS))
