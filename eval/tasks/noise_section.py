"""What the noise of the flow's figures comes to, and what a report shows of it."""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from eval.catalog.point import Point
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.marks import marked
from eval.tasks.noise import SEEDS, Noise, NoiseResult
from eval.tasks.section import Section, measured
from eval.tasks.store import Store


class Bands(NamedTuple):
    """The largest relative changes that any seed made; None for what was not measured."""

    area: float
    period: float
    energy: float | None


def bands(results: Iterable[NoiseResult]) -> Bands | None:
    """Find the bands of all results; None if there are none."""
    found = [_bands(result) for result in results]
    if not found:
        return None
    energies = [band.energy for band in found if band.energy is not None]
    return Bands(
        max(band.area for band in found),
        max(band.period for band in found),
        max(energies, default=None),
    )


# The largest that study `doubt` measured of the designs on the default study's fronts, rounded up.
USUAL = Bands(area=0.01, period=0.11, energy=0.07)
USUALLY = "the most that designs of the catalog were seen to move"
MEASURED = "the most that was measured of these"


def bands_or_usual(results: Iterable[NoiseResult]) -> tuple[Bands, str]:
    """Return the bands of all results, and whose they are; the usual ones if there are none."""
    own = bands(results)
    if own is None:
        return USUAL, USUALLY
    return own._replace(energy=own.energy or USUAL.energy), MEASURED


def bands_of(points: Iterable[tuple[Point, float]]) -> tuple[Bands, str]:
    """Return the bands that were measured of points at clocks, as the store has them, and whose
    they are; the usual ones if it has none."""
    found = []
    with Store() as store:
        for task in (Noise(point, clock_ns) for point, clock_ns in points):
            if values := store.get(task.key):
                found.append(msgspec.convert(values, NoiseResult))
    return bands_or_usual(found)


def _bands(result: NoiseResult) -> Bands:
    own, fast = result.own, result.hurried_own

    def moved(base: float, values: Sequence[float]) -> float:
        return max(abs(value / base - 1) for value in values)

    return Bands(
        moved(own.area_um2, [run.area_um2 for run in result.runs]),
        moved(fast.period_reached_ns, [run.period_reached_ns for run in result.hurried_runs]),
        own.energy_nj and moved(own.energy_nj, [run.energy_nj for run in result.runs]),
    )


def noise_grid(rows: Mapping[Noise, NoiseResult | None]) -> Grid | None:
    """Show each point's figures, and how far the seeds moved them; None if nothing was measured."""
    found = measured(rows)
    whole = bands(found.values())
    if not whole:
        return None
    lines = []
    for task, result in found.items():
        own, fast, band = result.own, result.hurried_own, _bands(result)
        cells = (
            *(marked(task.point, own.setup_slack_ns, task.point.design), task.point.nbits),
            *(own.area_um2, 100 * band.area, own.setup_slack_ns),
            min(run.setup_slack_ns for run in result.runs),
            max(run.setup_slack_ns for run in result.runs),
            *(fast.period_reached_ns, 100 * band.period),
            *(own.energy_nj, band.energy and 100 * band.energy),
        )
        lines.append(line(*cells, commands=(task.command,)))
    return grid(
        "Noise of the synthesis",
        (
            words("design")
            + numbers(0, "bits")
            + (numbers(1, "area\num2", "\n+-%"))
            + numbers(3, "slack\nns", "\nleast", "\nmost")
            + (numbers(3, "period\nns") + numbers(1, "\n+-%"))
            + (numbers(2, "energy d\nnJ") + numbers(1, "\n+-%"))
        ),
        lines,
        f"The same design with nets renamed and modules reordered, {len(SEEDS)} seeds. Designs are "
        f"equal as far as this flow can tell whose figures differ by less than {said(whole)}. "
        "Period: reached when asked for a clock that no netlist meets.",
    )


def said(whole: Bands) -> str:
    """Say the bands in words."""
    named = {"area": whole.area, "shortest period": whole.period, "energy": whole.energy}
    return ", ".join(f"{100 * b:.1f} % ({name})" for name, b in named.items() if b is not None)


TASK = Noise
SECTION = Section(results=lambda rows: [noise_grid(rows)])
