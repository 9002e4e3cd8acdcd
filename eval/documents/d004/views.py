"""What reports show of document 004 beside its kind of measurement."""

from collections.abc import Iterator

from eval.documents.d004.on_fpga import Rows, clocks_grid, savings_grid
from eval.tasks.section import Chart, Section


def charts(rows: Rows) -> Iterator[Chart | None]:
    """Draw figures 6 and 7."""
    from eval.documents.d004.on_fpga_chart import cost_chart

    yield cost_chart(rows)


SECTIONS = {
    "fpga": Section(results=lambda rows: [clocks_grid(rows), savings_grid(rows)], charts=charts)
}
