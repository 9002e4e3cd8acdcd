"""What reports show of document 001."""

from collections.abc import Iterator

from eval.documents.d001 import accelerators, energy, systems
from eval.documents.d001.add_red import AS_ORDERED
from eval.documents.d001.parts import parts_grid
from eval.documents.d001.reasons import system_reasons
from eval.documents.published import compared
from eval.documents.views import ALL
from eval.study.results import StudyResult, accelerator_run
from eval.table import Grid
from eval.tasks.section import Chart, Section, tables


def chart(found: StudyResult) -> Iterator[Chart | None]:
    """Draw figure 17."""
    from eval.documents.d001.systems_chart import systems_chart

    yield from systems_chart(found)


def beside(found: StudyResult) -> Iterator[Grid | None]:
    """Show what the multipliers are made of."""
    for p in found.points:
        result = found.results.get(accelerator_run(found, p))
        if result and compared(p.point):
            yield parts_grid(p.point, result)


SECTIONS = {
    "run": Section(results=tables(systems.CALLS, systems.TABLE_1)),
    "flow": Section(results=tables(energy.CALLS, energy.TABLE_3, AS_ORDERED)),
    ALL: Section(
        chart=chart,
        beside=beside,
        reasons=lambda found: [*accelerators.reasons(found), *system_reasons(found)],
    ),
}
