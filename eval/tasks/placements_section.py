"""What a report shows of layouts whose cells were placed from other orders."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from eval.catalog.point import Point
from eval.table import Row, Table, numbers, percent, words
from eval.tasks.columns import NBITS, marked_by
from eval.tasks.noise_section import MEASURED, largest, stored
from eval.tasks.placements import SEEDS, Laid, Placements, PlacementsResult
from eval.tasks.section import Section, measured, tables

ORDERS = ("as it is", *map(str, SEEDS))
Rows = Mapping[Placements, PlacementsResult | None]


class LayoutBands(NamedTuple):
    """The largest relative changes that any seed made."""

    area: float
    period: float
    wires: float
    energy: float


def bands(result: PlacementsResult) -> LayoutBands:
    """Find how far the seeds moved the figures of a layout."""
    figures = ("area_um2", "period_ns", "wire_um", "energy_nj")
    return LayoutBands(
        *(largest(getattr(result.own, name), by_seed(result, name)) for name in figures)
    )


# The largest of ssmm-small, mont-best and array-4 at 32 bits, rounded up.
USUAL = LayoutBands(area=0.01, period=0.03, wires=0.02, energy=0.02)
USUALLY = "the most that layouts of three designs were seen to move"


def bands_of(points: Iterable[tuple[Point, float]]) -> tuple[LayoutBands, str]:
    """Return the bands that were measured of layouts of points at clocks, as the store has them,
    the largest of each figure, and whose they are; the usual ones if it has none."""
    found = stored(Placements(point, clock_ns) for point, clock_ns in points)
    if not found:
        return USUAL, USUALLY
    return LayoutBands(*map(max, zip(*map(bands, found), strict=True))), MEASURED


def said(whole: LayoutBands) -> str:
    """Say the bands in words."""
    return ", ".join(f"{100 * band:.1f} % ({name})" for name, band in whole._asdict().items())


def by_seed(result: PlacementsResult, name: str) -> list[float]:
    """List a figure under each seed."""
    return [getattr(run, name) for run in result.runs]


def _moved(rows: Rows) -> Iterator[Row]:
    """Find by how much the seeds moved each layout's figures."""
    for task, result in measured(rows).items():
        slacks = by_seed(result, "setup_slack_ns")
        clean = sum(run.clean for run in result.runs)
        more = {"least": min(slacks), "most": max(slacks), "clean": f"{clean} of {len(SEEDS)}"}
        yield Row(task, result, band=bands(result), **more)


def _each(rows: Rows) -> Iterator[Row]:
    """Go through the layouts of each row."""
    for task, result in measured(rows).items():
        for name, laid in zip(ORDERS, (result.own, *result.runs), strict=True):
            yield Row(task, result, order=name, laid=laid)


def _clean(row: Row) -> str:
    laid: Laid = row.laid
    return "clean" if laid.clean else "not clean"


NOISE = Table(
    "Noise of the layout",
    marked_by("own.setup_slack_ns")
    + NBITS
    + numbers(1, {"area\num2": "own.area_um2", "\n+-%": percent("band.area")})
    + numbers(3, {"slack\nns": "own.setup_slack_ns", "\nleast": "least", "\nmost": "most"})
    + numbers(3, {"period\nns": "own.period_ns"})
    + numbers(1, {"\n+-%": percent("band.period"), "wires\n+-%": percent("band.wires")})
    + numbers(2, {"energy d\nnJ": "own.energy_nj"})
    + numbers(1, {"\n+-%": percent("band.energy")})
    + words({"clean": "clean"}),
    f"The same netlist, its cells given to the placer in {len(SEEDS)} other orders. Two layouts "
    "are equal as far as this flow can tell if their figures differ by less. Energy with glitches; "
    "area with the buffers that placement and closing add.",
    rows=_moved,
)
EACH = Table(
    "Layouts by the order of the cells",
    marked_by("own.setup_slack_ns")
    + words({"order": "order"})
    + numbers(1, {"area\num2": "laid.area_um2"})
    + numbers(3, {"slack\nns": "laid.setup_slack_ns", "hold\nns": "laid.hold_slack_ns"})
    + numbers(3, {"period\nns": "laid.period_ns"})
    + numbers(0, {"wires\num": "laid.wire_um"})
    + numbers(3, {"energy d\nnJ": "laid.energy_nj"})
    + words({"checks": _clean}),
    rows=_each,
)

TASK = Placements
SECTION = Section(results=tables(NOISE), alone=tables(NOISE, EACH))
