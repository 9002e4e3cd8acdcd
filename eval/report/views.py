"""The views of a report: each joins rows of several kinds, and says which kinds it is made of."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from importlib import import_module

from eval.tasks.section import Section

POINTS = ("simulate", "flow", "clocks")  # the kinds that give a point its metrics
RSA = (*POINTS, "rsa")


@dataclass(frozen=True)
class View:
    """Names a module of this folder whose SECTION shows something in some places of the report,
    of a StudyResult that has rows of one of the kinds; of any where no kind is named."""

    module: str
    places: tuple[str, ...]
    kinds: tuple[str, ...] = ()

    @property
    def section(self) -> Section:
        """Load what it shows."""
        return import_module(f"eval.report.{self.module}").SECTION


# In the order of the report.
VIEWS = (
    View("wrong", ("fronts",)),
    View("secure", ("findings", "results"), ("faults",)),
    View("headline", ("findings",), POINTS),
    View("signatures", ("fronts", "results"), RSA),
    View("overview", ("overview", "fronts", "designs"), POINTS),
    View("chart", ("chart",), POINTS),
    View("products_chart", ("chart",), POINTS),
    View("scaling_chart", ("chart",), POINTS),
    View("signatures_chart", ("chart",), RSA),
    View("countermeasures", ("results",), ("leakage",)),
    View("comparison", ("beside",), POINTS),
    View("of_documents", ("chart", "results", "beside", "reasons")),
    View("products", ("results",), POINTS),
    View("scaling", ("results",), POINTS),
    View("technologies", ("results",), POINTS),
    View("sources", ("details",)),
    View("making", ("making",)),
)


def sections(place: str, kinds: Collection[str]) -> Iterator[Section]:
    """Load the views that have something for a place of a report on rows of these kinds."""
    for view in VIEWS:
        if place in view.places and (not view.kinds or any(kind in kinds for kind in view.kinds)):
            yield view.section
