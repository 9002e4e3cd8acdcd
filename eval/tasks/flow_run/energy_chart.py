"""The energy chart of the report, readable without colour: where an accelerator's energy goes, and
energy against cycles for the processor's systems with document 001's beside them."""

from collections.abc import Mapping, Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from eval.catalog.workloads import WORKLOADS
from eval.tasks.drawing import as_svg
from eval.tasks.flow_run.energy import PARTS, SystemEnergy, system_energies
from eval.tasks.flow_run.grids import Rows, plain
from eval.tasks.flow_run.task import FlowResult, FlowRun
from eval.tasks.labels import place_all
from eval.tasks.marks import MEANINGS, marked
from eval.tasks.section import Chart, commonest
from eval.tasks.unit import ACCELERATOR

Label = tuple[float, float, str]

CAPTION = (
    "Bars: the energy of workload d in one accelerator by what takes it; the hatched end are "
    "glitches. Points: a call on the processor; the line goes from the energy without glitches up "
    "to the one with them; a dotted line joins the two workloads of a system. Left and low is "
    "better. " + " ".join(MEANINGS.values())
)
WIDTH, BAR_HEIGHT, PANEL_HEIGHT = 9.0, 0.34, 5.2  # inches
WORKLOAD = "d"
SHADES = {"clock": "0.25", "internal": "0.55", "switching": "0.75", "leakage": "0.9"}
GLITCHES = "glitches"


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
    heights = [1.2 + BAR_HEIGHT * len(points)] * bool(points) + [PANEL_HEIGHT] * bool(systems)
    if not heights:
        return None
    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    panels = list(figure.subplots(len(heights), height_ratios=heights, squeeze=False)[:, 0])
    if points:
        bars(panels[0], points)
    labels = scatter(panels[-1], systems) if systems else []
    place_all(figure, [(panels[-1], labels)])
    return Chart("Where energy goes", as_svg(figure, "energy"), CAPTION)


def bars(axes: Axes, points: Mapping[FlowRun, FlowResult]) -> None:
    """Draw for each accelerator the energy of workload d by what takes it."""
    for row, result in enumerate(points.values()):
        window = result.energy.windows[WORKLOAD]
        power, energy = window.power_mw, window.energy_nj
        shares = {part: getattr(power, part) / power.total * energy for part in PARTS}
        shares[GLITCHES] = window.energy_with_glitches_nj - energy
        left = 0.0
        for part, share in shares.items():
            style = {"color": SHADES[part]} if part in SHADES else {"color": "w", "hatch": "////"}
            label = part if row == 0 else None
            axes.barh(row, share, left=left, edgecolor="k", linewidth=0.6, label=label, **style)
            left += share
    axes.set_yticks(
        range(len(points)),
        [marked(t.point, r.metrics.get("setup_slack_ns")) for t, r in points.items()],
    )
    axes.set_ylim(len(points) - 0.4, -1.4)  # the first at the top, below the legend
    axes.set_xlabel(f"energy of workload {WORKLOAD} through the port, nJ")
    axes.set_title("Where an accelerator's energy goes", loc="left")
    axes.legend(fontsize="small", frameon=False, ncols=5, loc="upper right")


def scatter(axes: Axes, systems: Sequence[SystemEnergy]) -> list[Label]:
    """Draw energy over cycles of a call: ours without and with glitches, and the document's, the
    workloads of a system joined. Return what to write beside the points of workload d."""
    labels: list[Label] = []
    joined: dict[tuple[str, str], list[tuple[float, float]]] = {}
    for system in systems:
        cycles = system.row.cycles
        low, high = system.row.energy_nj, system.row.energy_with_glitches_nj
        axes.plot([cycles] * 2, [low, high], "-", color="k", linewidth=1)
        marks = [(system.title, "o", "k", (cycles, high))]
        if system.printed:
            at = system.printed.cycles, system.printed.energy_nj
            marks.append((f"001: {system.title}", "s", "0.6", at))
        for title, marker, colour, at in marks:
            labelled = system.workload == WORKLOAD
            filled = colour if labelled else "w"
            axes.plot(*at, marker, markerfacecolor=filled, markeredgecolor=colour)
            joined.setdefault((title, colour), []).append(at)
            if labelled:
                labels.append((*at, title))
    for (_, colour), ends in joined.items():
        axes.plot(*zip(*ends, strict=True), ":", color=colour, linewidth=0.7, zorder=1)
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel("cycles of a call, less those of a dummy call")
    axes.set_ylabel("energy of a call, less that of a dummy call, nJ")
    axes.set_title("Energy against cycles of a call on the processor", loc="left")
    axes.grid(True, which="major", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(0.15)
    samples = (("ours", "o", "k"), ("document 001's", "s", "0.6"))
    handles = [
        Line2D(
            [],
            [],
            linestyle="",
            marker=marker,
            markeredgecolor=colour,
            **{
                "markerfacecolor": colour if workload == WORKLOAD else "w",
                "label": f"{whose}, workload {workload}",
            },
        )
        for whose, marker, colour in samples
        for workload in WORKLOADS
    ]
    axes.legend(handles=handles, fontsize="small", frameon=False, loc="lower right")
    return labels
