"""What the noise of the flow's figures comes to, and what a report shows of it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

import msgspec

from eval.catalog.point import Point
from eval.table import Row, Table, numbers, percent
from eval.tasks.columns import NBITS, marked_by
from eval.tasks.noise import SEEDS, Noise, NoiseResult
from eval.tasks.section import Section, measured, tables
from eval.tasks.store import Store
from eval.tasks.task import R, Task


class NetlistBands(NamedTuple):
    """The largest relative changes that any seed made; None for what was not measured."""

    area: float
    period: float
    energy: float | None


def bands(results: Iterable[NoiseResult]) -> NetlistBands | None:
    """Find the bands of all results; None if there are none."""
    found = [_bands(result) for result in results]
    if not found:
        return None
    energies = [band.energy for band in found if band.energy is not None]
    return NetlistBands(
        max(band.area for band in found),
        max(band.period for band in found),
        max(energies, default=None),
    )


# The largest of the designs on the default study's fronts, by study `error-bars`, rounded up.
USUAL = NetlistBands(area=0.02, period=0.04, energy=0.05)
USUALLY = "the most that designs of the catalog were seen to move"
MEASURED = "the most that was measured of these"


def bands_or_usual(results: Iterable[NoiseResult]) -> tuple[NetlistBands, str]:
    """Return the bands of all results, and whose they are; the usual ones if there are none."""
    own = bands(results)
    if own is None:
        return USUAL, USUALLY
    return own._replace(energy=own.energy or USUAL.energy), MEASURED


def bands_of(points: Iterable[tuple[Point, float]]) -> tuple[NetlistBands, str]:
    """Return the bands that were measured of points at clocks, as the store has them, and whose
    they are; the usual ones if it has none."""
    return bands_or_usual(stored(Noise(point, clock_ns) for point, clock_ns in points))


def stored(tasks: Iterable[Task[R]]) -> list[R]:
    """Return the results that the store has of tasks; measures nothing."""
    with Store() as store:
        found = [(task, store.get(task.key)) for task in tasks]
    return [msgspec.convert(values, task.Result) for task, values in found if values]


def largest(base: float, values: Iterable[float]) -> float:
    """Find the largest relative change of a figure."""
    return max(abs(value / base - 1) for value in values)


def _bands(result: NoiseResult) -> NetlistBands:
    own, fast = result.own, result.hurried_own
    return NetlistBands(
        largest(own.area_um2, [run.area_um2 for run in result.runs]),
        largest(fast.period_ns, [run.period_ns for run in result.hurried_runs]),
        own.energy_nj and largest(own.energy_nj, [run.energy_nj or 0.0 for run in result.runs]),
    )


def said(whole: NetlistBands) -> str:
    """Say the bands in words."""
    named = {"area": whole.area, "shortest period": whole.period, "energy": whole.energy}
    return ", ".join(f"{100 * b:.1f} % ({name})" for name, b in named.items() if b is not None)


def _moved(rows: Mapping[Noise, NoiseResult | None]) -> Iterator[Row]:
    """Find by how much the seeds moved each point's figures."""
    for task, result in measured(rows).items():
        slacks = [run.setup_slack_ns for run in result.runs]
        yield Row(task, result, band=_bands(result), least=min(slacks), most=max(slacks))


def _note(rows: Mapping[Noise, NoiseResult | None]) -> str:
    found = bands(measured(rows).values())
    assert found is not None, rows
    return (
        f"The same design with nets renamed and modules reordered, {len(SEEDS)} seeds. Designs are "
        "equal as far as this flow can tell whose figures differ by less than "
        f"{said(found)}. "
        "Period: reached when asked for a clock that no netlist meets."
    )


NOISE = Table(
    "Noise of the synthesis",
    marked_by("own.setup_slack_ns")
    + NBITS
    + numbers(1, {"area\num2": "own.area_um2", "\n+-%": percent("band.area")})
    + numbers(3, {"slack\nns": "own.setup_slack_ns", "\nleast": "least", "\nmost": "most"})
    + numbers(3, {"period\nns": "hurried_own.period_ns"})
    + numbers(1, {"\n+-%": percent("band.period")})
    + numbers(2, {"energy d\nnJ": "own.energy_nj"})
    + numbers(1, {"\n+-%": percent("band.energy")}),
    _note,
    rows=_moved,
)

TASK = Noise
SECTION = Section(results=tables(NOISE))
