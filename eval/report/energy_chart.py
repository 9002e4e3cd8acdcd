"""The energy chart of the report, readable without colour: where an accelerator's energy goes, and
energy against cycles for the processor's systems with document 001's beside them."""

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval.catalog.processor import TABLE_1
from eval.report.drawing import as_svg
from eval.report.energy_tables import PARTS, SystemEnergy, system_energies
from eval.report.labels import place
from eval.study.results import PointResult, StudyResult, of_one_width

Label = tuple[float, float, str]

WIDTH, BAR_HEIGHT, PANEL_HEIGHT = 9.0, 0.34, 5.2  # inches
WORKLOAD = "d"
SHADES = {"clock": "0.25", "internal": "0.55", "switching": "0.75", "leakage": "0.9"}
GLITCHES = "glitches"


def energy_svg(found: StudyResult) -> str:
    """The chart as an SVG element; "" if nothing was measured. Accelerators of one width: that of
    which there are most."""
    points = of_one_width([p for p in found.points if "energy" in p.units.get("accelerator", {})])
    systems = system_energies(found)
    heights = [1.2 + BAR_HEIGHT * len(points)] * bool(points) + [PANEL_HEIGHT] * bool(systems)
    if not heights:
        return ""
    figure = Figure(figsize=(WIDTH, sum(heights)), layout="constrained")
    panels = list(figure.subplots(len(heights), height_ratios=heights, squeeze=False)[:, 0])
    if points:
        bars(panels[0], points)
    labels = scatter(panels[-1], systems) if systems else []
    figure.draw_without_rendering()  # from here on nothing moves
    place(panels[-1], labels)
    return as_svg(figure, "energy")


def bars(axes: Axes, points: Sequence[PointResult]) -> None:
    """For each accelerator the energy of workload d by what takes it."""
    for row, point in enumerate(points):
        window = point.units["accelerator"]["energy"]["windows"][WORKLOAD]
        power, energy = window["power_mw"], window["energy_nj"]
        shares = {part: power[part] / power["total"] * energy for part in PARTS}
        shares[GLITCHES] = window["energy_with_glitches_nj"] - energy
        left = 0.0
        for part, share in shares.items():
            style = {"color": SHADES[part]} if part in SHADES else {"color": "w", "hatch": "////"}
            label = part if row == 0 else None
            axes.barh(row, share, left=left, edgecolor="k", linewidth=0.6, label=label, **style)
            left += share
    axes.set_yticks(range(len(points)), [str(p.point) for p in points])
    axes.set_ylim(len(points) - 0.4, -1.4)  # the first at the top, below the legend
    axes.set_xlabel(f"energy of workload {WORKLOAD} through the port, nJ")
    axes.set_title("Where an accelerator's energy goes", loc="left")
    axes.legend(fontsize="small", frameon=False, ncols=5, loc="upper right")


def scatter(axes: Axes, systems: Sequence[SystemEnergy]) -> list[Label]:
    """Energy over cycles of a call: ours without and with glitches, and the document's. What to
    write beside the points of workload d."""
    printed_cycles = {(s.title, w): getattr(s, f"cycles_{w}") for s in TABLE_1 for w in "ed"}
    labels: list[Label] = []
    for system in systems:
        low, high = system.row["energy_nj"], system.row["energy_with_glitches_nj"]
        labelled = system.workload == WORKLOAD
        filled = "k" if labelled else "w"
        axes.plot([system.cycles] * 2, [low, high], "-", color="k", linewidth=1)
        axes.plot(system.cycles, high, "o", markerfacecolor=filled, markeredgecolor="k")
        if labelled:
            labels.append((system.cycles, high, system.title))
        if system.printed:
            at = printed_cycles[system.title, system.workload], system.printed.energy_nj
            filled = "0.6" if labelled else "w"
            axes.plot(*at, "s", markerfacecolor=filled, markeredgecolor="0.6")
            if labelled:
                labels.append((*at, f"001: {system.title}"))
    axes.set(xscale="log", yscale="log")
    axes.set_xlabel("cycles of a call, less those of a dummy call")
    axes.set_ylabel("energy of a call, less that of a dummy call, nJ")
    axes.set_title("Energy against cycles of a call on the processor", loc="left")
    axes.grid(True, which="major", color="0.9", linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(0.15)
    return labels
