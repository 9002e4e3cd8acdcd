"""The charts of document 000's figures 13, 14 and 24 to 29: units for a fixed modulus over n."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from eval.tasks.drawing import as_svg
from eval.tasks.fixed_multiplier.over_n import (
    PSEUDO,
    Rows,
    by_form,
    products_by_n,
    reductions_by_n,
)
from eval.tasks.labels import place_all
from eval.tasks.section import Chart

WIDTH, PANEL_HEIGHT = 9.0, 4.6  # inches
DASHED = "Dashed lines are of the pseudo-modulus, 2^(n+2) - 1, the others of 2^n + k."


@dataclass(frozen=True)
class Panel:
    """Lines over n: a value for each n, by name."""

    title: str
    unit: str
    lines: Mapping[str, Mapping[int, float]]
    logarithmic: bool = False


def _draw(title: str, label: str, panels: Sequence[Panel], caption: str) -> Chart:
    figure = Figure(figsize=(WIDTH, PANEL_HEIGHT * len(panels)), layout="constrained")
    named = []
    for axes, panel in zip(figure.subplots(len(panels), squeeze=False)[:, 0], panels, strict=True):
        ends = []
        for name, values in panel.lines.items():
            dashed = PSEUDO in name
            spots = sorted(values.items())
            axes.plot(
                *zip(*spots, strict=True),
                linestyle="--" if dashed else "-",
                color="0.45" if dashed else "black",
                marker="o",
                markersize=3.5,
                linewidth=0.8,
            )
            ends.append((*spots[-1], name.removesuffix(f", {PSEUDO}").removesuffix(", modulus")))
        axes.set_title(panel.title, loc="left")
        axes.set(xlabel="n", ylabel=panel.unit, yscale="log" if panel.logarithmic else "linear")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(True, which="both", color="0.9", linewidth=0.6)
        axes.set_axisbelow(True)
        axes.margins(0.12)
        named.append((axes, ends))
    place_all(figure, named)
    return Chart(title, as_svg(figure, label), caption)


def multiplier_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the forms over n, and the ways of multiplying; those of which several n were
    measured."""
    if forms := by_form(rows):
        delays = {form: {n: r.delay_ns for n, r in of.items()} for form, of in forms.items()}
        areas = {form: {n: r.area_um2 for n, r in of.items()} for form, of in forms.items()}
        yield _draw(
            "Forms of the modulus over n",
            "forms over n",
            [
                Panel("Delay (document 000, figure 13)", "ns", delays),
                Panel("Area (figure 14)", "um2", areas),
            ],
            "Compression trees in the document's order, mapped to cells.",
        )
    if products := products_by_n(rows):
        lines = {f"{way}, {which}": v for which, of in products.items() for way, v in of.items()}
        if any(len(values) > 1 for values in lines.values()):
            yield _draw(
                "Multipliers over n",
                "multipliers over n",
                [Panel("Delay of a product (document 000, figures 27 to 29)", "ns", lines, True)],
                DASHED,
            )


def reduction_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the reductions over n, if several n were measured."""
    panels = []
    for fixed, of in reductions_by_n(rows).items():
        lines = {way: {n: r.delay_ns for n, r in values.items()} for way, values in of.items()}
        if any(len(values) > 1 for values in lines.values()):
            title = (
                "Delay of reducing 32 bits (document 000, figures 24 and 25)"
                if fixed
                else "Delay of reducing as many bits as the modulus has (figure 26)"
            )
            panels.append(Panel(title, "ns", lines, fixed))
    if panels:
        yield _draw("Reductions over n", "reductions over n", panels, DASHED)
