"""What reports show of document 004 beside its kind of measurement."""

from collections.abc import Iterator

from eval.documents.d004.on_fpga import CLOCKS, SAVINGS, Rows
from eval.tasks.section import Chart, Section, tables


def charts(rows: Rows) -> Iterator[Chart | None]:
    """Draw figures 6 and 7."""
    from eval.documents.d004.on_fpga_chart import cost_chart

    yield cost_chart(rows)


SECTIONS = {"fpga": Section(results=tables(CLOCKS, SAVINGS), charts=charts)}
