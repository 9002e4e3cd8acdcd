"""The energy chart of the report, readable without colour: where an accelerator's energy goes, and
energy against cycles for the processor's systems with document 001's beside them."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, pairwise

from eval.catalog.workloads import WORKLOADS
from eval.chart.panel import BLACK, DOTTED, GREY, Axis, Bar, Line, Marker, Panel, Point, joined
from eval.tasks.flow_run.energy import PARTS, SystemEnergy, system_energies
from eval.tasks.flow_run.grids import Rows, plain
from eval.tasks.flow_run.task import FlowResult, FlowRun
from eval.tasks.marks import MEANINGS, marked
from eval.tasks.section import Chart, commonest
from eval.tasks.unit import ACCELERATOR

CAPTION = (
    "Bars: the energy of workload d in one accelerator by what takes it; the hatched end are "
    "glitches. Points: a call on the processor; the line goes from the energy without glitches up "
    "to the one with them; a dotted line joins the two workloads of a system. Left and low is "
    "better. " + " ".join(MEANINGS.values())
)
BAR_HEIGHT = 32
WORKLOAD = "d"
SHADES = dict(zip(PARTS, ("#404040", "#8c8c8c", "#bfbfbf", "#e6e6e6"), strict=True))
GLITCHES = "glitches"
OURS, PRINTED = ("circle", BLACK), ("square", GREY)


def energy_chart(rows: Rows) -> Chart | None:
    """Draw the chart; None if no energy was measured. Its accelerators are those of one width: that
    of which there are most."""
    found = {
        task: result
        for task, result in plain(rows).items()
        if task.unit == ACCELERATOR and result.energy
    }
    width = commonest(task.point.nbits for task in found)
    points = {task: result for task, result in found.items() if task.point.nbits == width}
    systems = system_energies(rows)
    panels = [_bars(points)] if points else []
    panels += [_scatter(systems)] if systems else []
    return Chart("Where energy goes", panels, CAPTION) if panels else None


def _bars(points: Mapping[FlowRun, FlowResult]) -> Panel:
    """Draw for each accelerator the energy of workload d by what takes it."""
    names = [marked(t.point, r.metrics.get("setup_slack_ns")) for t, r in points.items()]
    bars = [bar for row, result in enumerate(points.values()) for bar in _parts(row, result)]
    most = max(bar.end for bar in bars)
    glitches = [hatch for bar in bars if bar.fill == "white" for hatch in bar.hatches(most / 100)]
    looks = {part: Marker("square", shade) for part, shade in SHADES.items()}
    return Panel(
        Axis(
            f"energy of workload {WORKLOAD} through the port, nJ", "linear", ends=(0, 1.05 * most)
        ),
        Axis("", "linear", range(len(names)), names, (len(names) - 0.4, -0.6)),
        lines=glitches,
        bars=bars,
        title="Where an accelerator's energy goes",
        keys=looks | {GLITCHES: Marker("square", filled=False)},
        height=BAR_HEIGHT * len(names),
    )


def _parts(row: int, result: FlowResult) -> Iterator[Bar]:
    assert result.energy is not None, row
    window = result.energy.windows[WORKLOAD]
    power, energy = window.power_mw, window.energy_nj
    shares = [getattr(power, part) / power.total * energy for part in PARTS]
    ends = [*accumulate(shares, initial=0.0)]
    for part, (start, end) in zip(PARTS, pairwise(ends), strict=True):
        yield Bar(row, start, end, SHADES[part])
    yield Bar(row, ends[-1], ends[-1] + window.energy_with_glitches_nj - energy)


def _scatter(systems: Sequence[SystemEnergy]) -> Panel:
    """Draw energy over cycles of a call: ours without and with glitches, and the document's, the
    workloads of a system joined."""
    lines: list[Line] = []
    own: dict[tuple[str, str], list[Point]] = {}
    for system in systems:
        cycles = system.row.cycles
        low, high = system.row.energy_nj, system.row.energy_with_glitches_nj
        lines.append(Line([(cycles, low), (cycles, high)]))
        spots = [(system.title, OURS, (cycles, high))]
        if printed := system.printed:
            spots.append((f"001: {system.title}", PRINTED, (printed.cycles, printed.energy_nj)))
        for title, look, spot in spots:
            named = system.workload == WORKLOAD
            point = Point(*spot, Marker(*look, filled=named), title * named)
            own.setdefault((title, look[1]), []).append(point)
    lines += [joined(points, colour, DOTTED) for (_, colour), points in own.items()]
    return Panel(
        Axis("cycles of a call, less those of a dummy call", "log"),
        Axis("energy of a call, less that of a dummy call, nJ", "log"),
        [point for points in own.values() for point in points],
        lines,
        title="Energy against cycles of a call on the processor",
        keys={
            f"{whose}, workload {workload}": Marker(*look, filled=workload == WORKLOAD)
            for whose, look in (("ours", OURS), ("document 001's", PRINTED))
            for workload in WORKLOADS
        },
    )
