"""Document 000's figures 24 to 26 in the report: reductions of one number."""

from collections.abc import Iterable

from eval.documents.d000.over_n import Rows, reductions_over_n
from eval.tasks.section import Chart, Section


def _charts(rows: Rows) -> Iterable[Chart]:
    from eval.documents.d000.over_n_chart import reduction_charts

    return reduction_charts(rows)


SECTION = Section(results=reductions_over_n, charts=_charts)
