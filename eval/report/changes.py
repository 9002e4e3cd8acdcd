"""Two measurements beside each other: what changed, by how much, and whether that is noise."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from eval.report.records import Record, records
from eval.study.results import StudyResult
from eval.table import Grid, Table, numbers, percent, words
from eval.table.marks import ASSUMED, MEANINGS
from eval.tasks import noise_section, placements_section
from eval.tasks.layout.task import LaidOut, LayoutResult
from eval.tasks.marks import marked
from eval.tasks.metrics import METRICS, Metric
from eval.tasks.section import measured

EXACT = 0.0  # the band of what is counted
COUNTED = "counted"
# Of what is compared: the metric, and whose noise it has.
COMPARED = {
    "area": ("area_um2", "area"),
    "slack": ("setup_slack_ns", None),
    "period": ("period_ns", "period"),
    "cycles": ("xcel_cycles_{}", COUNTED),
    "time": ("time_{}_us", "period"),
    "power": ("power_{}_mw", "energy"),
    "energy": ("energy_glitches_{}_nj", "energy"),
}
# Of layouts: the metric, and whose noise it has.
LAID = "layout "
WIRES = f"{LAID}wires"
BY_LAYOUT = ("area", "period", "energy")  # the kinds that layouts have of their own
# The kind of a metric, by the first of these that is in its name.
KINDS = {
    **dict.fromkeys(("open_nets", "shorted_pairs", "drc_violations", "antennas"), COUNTED),
    "wire_um": WIRES,
    "cycles": COUNTED,
    "area": "area",
    "energy": "energy",
    "power": "energy",
    "period": "period",
}
_OF_LAYOUTS = (
    (Metric("layout_area_um2", "area laid out", "um2", 1), f"{LAID}area"),
    (Metric("layout_setup_slack_ns", "slack laid out", "ns", 3), None),
    (Metric("layout_hold_slack_ns", "hold slack laid out", "ns", 3), None),
    (Metric("layout_period_ns", "period laid out", "ns", 3), f"{LAID}period"),
    (Metric("wire_um", "wires", "um", 0), WIRES),
)
_VIOLATIONS = Metric("violations", "what the checks found", "", 0)
_ENERGY = Metric("layout_energy_nj", "energy laid out", "nJ", 2)
_KNOWN = METRICS | {m.name: m for m in (_VIOLATIONS, _ENERGY, *(m for m, _ in _OF_LAYOUTS))}
MAPPED = {"wires": "area"}  # whose noise from synthesis a layout's figure has, if not its own


@dataclass(frozen=True)
class Bands:
    """By how much noise moves figures of netlists, what placement adds for layouts, and whose noise
    that is."""

    netlists: noise_section.NetlistBands = noise_section.USUAL
    whose: str = noise_section.USUALLY
    layouts: placements_section.LayoutBands = placements_section.USUAL
    whose_layouts: str = placements_section.USUALLY

    def of(self, kind: str | None) -> float | None:
        """Return the band of a kind of figure; nothing moves what is counted."""
        if kind is None:
            return None
        if kind == COUNTED:
            return EXACT
        if not kind.startswith(LAID):
            return getattr(self.netlists, kind)
        figure = kind.removeprefix(LAID)
        mapped = getattr(self.netlists, MAPPED.get(figure, figure)) or 0.0
        return mapped + getattr(self.layouts, figure)

    def said(self, layouts: bool) -> str:
        """Say them in words."""
        text = f"Noise: {noise_section.said(self.netlists)}, {self.whose}"
        if layouts:
            found = placements_section.said(self.layouts)
            text += f"; of layouts {found} more, {self.whose_layouts}"
        return f"{text}; cycles, and times at a clock that is met, have none."


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
        if self.band == EXACT:
            return "differs"
        if self.band is None or self.relative is None:
            return "-"
        return "within the noise" if abs(self.relative) <= self.band else "beyond the noise"

    @property
    def is_worse(self) -> bool:
        """Return whether it is more than noise, and not for the better."""
        if "slack" in self.metric:
            return self.before >= 0 > self.after
        return self.after > self.before and self.verdict in ("differs", "beyond the noise")

    def as_dict(self) -> dict[str, Any]:
        """Return all that is known of it."""
        return asdict(self) | {"relative": self.relative, "verdict": self.verdict}


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
            EXACT if counted else bands.of(kind),
            _command(before, kind),
            _command(after, kind),
        )


def _command(record: Record, kind: str | None) -> str:
    """Name what reproduces a figure of a kind; nothing does so of what is only assumed."""
    if kind == COUNTED:
        return record.commands[-1]
    return "" if record.point.point.entry.assumed else record.commands[0]


def _meets(record: Record) -> bool:
    """Return whether the time is cycles x the clock asked for."""
    return record.value("slack") is not None and record.value("slack") >= 0


def kind_of(metric: str) -> str | None:
    """Say whose noise a metric has, by its name."""
    for part, kind in KINDS.items():
        if part in metric:
            laid = metric.startswith("layout_") and kind in BY_LAYOUT
            return f"{LAID}{kind}" if laid else kind
    return None


def between_points(founds: Sequence[StudyResult]) -> tuple[str, list[Change], Bands]:
    """Compare what two studies found of a point each: return a title, the changes, and the bands of
    noise."""
    rows = [{record.workload: record for record in records([found])} for found in founds]
    points = [(found.points[0].point, found.study.clock_ns) for found in founds]
    made = [pair for pair in points if not pair[0].entry.assumed]
    laid = [one for found in founds for one in measured(found.of(LaidOut)).items()]
    of_placements = placements_section.bands_of(made) if laid else ()
    bands = Bands(*noise_section.bands_of(made), *of_placements)
    found = [
        change
        for workload, record in rows[0].items()
        for change in changes(record, rows[1][workload], bands)
    ]
    if len(laid) == len(founds):
        of_layouts = _of_layouts(laid[0], laid[1], bands)
        found += [change for change in of_layouts if not change.of or change.of in rows[0]]
    title = " and ".join(f"{marked(point)} at {clock_ns:g} ns" for point, clock_ns in points)
    if len(made) < len(points):
        bands = replace(bands, whose=f"{bands.whose}. {MEANINGS[ASSUMED].rstrip('.')}")
    return title, list(dict.fromkeys(found)), bands


Laid = tuple[LaidOut, LayoutResult]


def _of_layouts(before: Laid, after: Laid, bands: Bands) -> Iterator[Change]:
    """Compare two layouts."""
    (old_task, old), (new_task, new) = before, after
    commands = old_task.command, new_task.command
    for metric, kind in _OF_LAYOUTS:
        was, now = old.metrics.get(metric.name), new.metrics.get(metric.name)
        if was is not None and now is not None:
            yield Change("", metric.name, was, now, bands.of(kind), *commands)
    was, now = sum(old.violations.values()), sum(new.violations.values())
    yield Change("", _VIOLATIONS.name, was, now, EXACT, *commands)
    for name in [name for name in old.operations if name in new.operations]:
        was, now = (one.operations[name].energy_with_glitches_nj for one in (old, new))
        yield Change(name, _ENERGY.name, was, now, bands.of(f"{LAID}energy"), *commands)


Metrics = Mapping[str, float]


def between_stores(
    before: Mapping[str, Metrics], after: Mapping[str, Metrics], bands: Bands
) -> list[Change]:
    """Compare the metrics of rows that two stores have; equal ones are left out."""
    return [
        Change(row, metric, value, after[row][metric], bands.of(kind_of(metric)))
        for row, metrics in before.items()
        for metric, value in metrics.items()
        if row in after and metric in after[row] and value != after[row][metric]
    ]


def changes_grid(title: str, found: Sequence[Change], bands: Bands) -> Grid | None:
    """Show changes; None if there is none."""
    layouts = any((kind_of(change.metric) or "").startswith(LAID) for change in found)
    return Table(
        title,
        words({"of": lambda change: change.of or "-", "metric": _heading})
        + numbers(2, {"before": _shown("before"), "after": _shown("after")})
        + numbers(1, {"change\n%": percent("relative")})
        + words({"noise": "verdict"}),
        bands.said(layouts),
        commands=lambda change: filter(None, (change.command_before, change.command_after)),
    ).of(found)


def _heading(change: Change) -> str:
    return _KNOWN[change.metric].heading if change.metric in _KNOWN else change.metric


def _shown(when: str) -> Callable[[Change], str]:
    def of(change: Change) -> str:
        value, metric = getattr(change, when), _KNOWN.get(change.metric)
        return metric.format(value) if metric else f"{value:.6g}"

    return of
