"""Two measurements beside each other: what changed, by how much, and whether that is noise."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from eval.report.records import Record, records
from eval.study.results import StudyResult
from eval.table import Grid, Table, numbers, percent, words
from eval.table.marks import ASSUMED, MEANINGS
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS
from eval.tasks.noise_section import Bands, bands_of, said

EXACT = 0.0  # the band of what is counted
# Of what is compared: the metric, and whose noise it has.
COMPARED = {
    "area": ("area_um2", "area"),
    "slack": ("setup_slack_ns", None),
    "period": ("period_reached_ns", "period"),
    "cycles": ("xcel_cycles_{}", "cycles"),
    "time": ("time_{}_us", "period"),
    "power": ("power_{}_mw", "energy"),
    "energy": ("energy_glitches_{}_nj", "energy"),
}


@dataclass(frozen=True)
class Change:
    """A metric before and after; band is by how much noise moves it, None where nobody says."""

    of: str
    metric: str
    before: float
    after: float
    band: float | None
    command_before: str = ""
    command_after: str = ""

    @property
    def relative(self) -> float | None:
        """Return by which part it changed."""
        return self.after / self.before - 1 if self.before else None

    @property
    def verdict(self) -> str:
        """Say whether it changed."""
        if self.after == self.before:
            return "equal"
        if self.band is None or self.relative is None:
            return "-"
        if self.band == EXACT:
            return "differs"
        return "within the noise" if abs(self.relative) <= self.band else "beyond the noise"

    def as_dict(self) -> dict[str, Any]:
        """Return all that is known of it."""
        return asdict(self) | {"relative": self.relative, "verdict": self.verdict}


def band_of(kind: str | None, bands: Bands) -> float | None:
    """Return by how much noise moves a kind of figure; nothing moves cycles."""
    return EXACT if kind == "cycles" else getattr(bands, kind) if kind else None


def changes(before: Record, after: Record, bands: Bands) -> Iterator[Change]:
    """Compare all that both rows have."""
    for name, (metric, kind) in COMPARED.items():
        values = before.value(name), after.value(name)
        if None in values:
            continue
        counted = name == "time" and _meets(before) and _meets(after)
        yield Change(
            "" if name in ("area", "slack", "period") else before.workload,
            metric.format(before.workload),
            *values,
            EXACT if counted else band_of(kind, bands),
            _command(before, kind),
            _command(after, kind),
        )


def _command(record: Record, kind: str | None) -> str:
    """Name what reproduces a figure of a kind; nothing does so of what is only assumed."""
    if kind == "cycles":
        return record.commands[-1]
    return "" if record.point.point.entry.assumed else record.commands[0]


def _meets(record: Record) -> bool:
    """Return whether the time is cycles x the clock asked for."""
    return record.value("slack") is not None and record.value("slack") >= 0


def kind_of(metric: str) -> str | None:
    """Say whose noise a metric has, by its name."""
    for part, kind in (
        ("cycles", "cycles"),
        ("area", "area"),
        ("energy", "energy"),
        ("power", "energy"),
        ("period", "period"),
    ):
        if part in metric:
            return kind
    return None


def between_points(
    founds: Sequence[StudyResult],
) -> tuple[str, list[Change], Bands, str]:
    """Compare what two studies found of a point each: return a title, the changes, and the bands of
    noise with whose they are."""
    rows = [{record.workload: record for record in records([found])} for found in founds]
    points = [(found.points[0].point, found.study.clock_ns) for found in founds]
    bands, whose = bands_of([pair for pair in points if not pair[0].entry.assumed])
    found = [
        change
        for workload, record in rows[0].items()
        for change in changes(record, rows[1][workload], bands)
    ]
    title = " and ".join(f"{marked(point)} at {clock_ns:g} ns" for point, clock_ns in points)
    if any(point.entry.assumed for point, _ in points):
        whose += f". {MEANINGS[ASSUMED].rstrip('.')}"
    return title, list(dict.fromkeys(found)), bands, whose


Metrics = Mapping[str, float]


def between_stores(
    before: Mapping[str, Metrics], after: Mapping[str, Metrics], bands: Bands
) -> list[Change]:
    """Compare the metrics of rows that two stores have; equal ones are left out."""
    return [
        Change(row, metric, value, after[row][metric], band_of(kind_of(metric), bands))
        for row, metrics in before.items()
        for metric, value in metrics.items()
        if row in after and metric in after[row] and value != after[row][metric]
    ]


def changes_grid(title: str, found: Iterable[Change], bands: Bands, whose: str) -> Grid | None:
    """Show changes; None if there is none."""
    return Table(
        title,
        words({"of": lambda change: change.of or "-", "metric": _heading})
        + numbers(2, {"before": _shown("before"), "after": _shown("after")})
        + numbers(1, {"change\n%": percent("relative")})
        + words({"noise": "verdict"}),
        f"Noise: {said(bands)}, {whose}; cycles, and times at a clock that is met, have none.",
        commands=lambda change: filter(None, (change.command_before, change.command_after)),
    ).of(found)


def _heading(change: Change) -> str:
    return METRICS[change.metric].heading if change.metric in METRICS else change.metric


def _shown(when: str) -> Callable[[Change], str]:
    def of(change: Change) -> str:
        value, metric = getattr(change, when), METRICS.get(change.metric)
        return metric.format(value) if metric else f"{value:.6g}"

    return of
