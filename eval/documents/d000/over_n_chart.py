"""The charts of document 000's figures 13, 14 and 24 to 29: units for a fixed modulus over n."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Any

from eval.chart.panel import BLACK, DASHED, GREY, Axis, Marker, Panel, Point, joined
from eval.documents.d000.over_n import PSEUDO, Rows, by_form, products_by_n, reductions_by_n
from eval.tasks.section import Chart

HEIGHT = 370
DASHED_ARE = "Dashed lines are of the pseudo-modulus, 2^(n+2) - 1, the others of 2^n + k."
Lines = Mapping[str, Mapping[int, float]]  # a value for each n, by name


def _panel(title: str, unit: str, values: Lines, kind: str = "linear") -> Panel:
    points, lines = [], []
    for name, of in values.items():
        colour, dash = (GREY, DASHED) if PSEUDO in name else (BLACK, ())
        own = [Point(*spot, Marker(colour=colour)) for spot in sorted(of.items())]
        name = name.removesuffix(f", {PSEUDO}").removesuffix(", modulus")
        lines.append(joined(own, colour, dash))
        points += [*own[:-1], replace(own[-1], name=name)]
    across = Axis("n", "linear", sorted({point.x for point in points}))
    return Panel(across, Axis(unit, kind), points, lines, title=title, height=HEIGHT)


def multiplier_charts(rows: Mapping[Any, Any]) -> Iterator[Chart]:
    """Draw the forms over n, and the ways of multiplying; those of which several n were
    measured."""
    if forms := by_form(rows):
        delays = {form: {n: r.delay_ns for n, r in of.items()} for form, of in forms.items()}
        areas = {form: {n: r.area_um2 for n, r in of.items()} for form, of in forms.items()}
        panels = [
            _panel("Delay (document 000, figure 13)", "ns", delays),
            _panel("Area (figure 14)", "um2", areas),
        ]
        how = "Compression trees in the document's order, mapped to cells."
        yield Chart("Forms of the modulus over n", panels, how)
    products = {
        f"{way}, {which}": values
        for which, of in products_by_n(rows).items()
        for way, values in of.items()
    }
    if any(len(values) > 1 for values in products.values()):
        title = "Delay of a product (document 000, figures 27 to 29)"
        yield Chart("Multipliers over n", [_panel(title, "ns", products, "log")], DASHED_ARE)


def reduction_charts(rows: Rows) -> Iterator[Chart]:
    """Draw the reductions over n, if several n were measured."""
    panels = []
    for fixed, of in reductions_by_n(rows).items():
        delays = {way: {n: r.delay_ns for n, r in values.items()} for way, values in of.items()}
        if any(len(values) > 1 for values in delays.values()):
            title = (
                "Delay of reducing 32 bits (document 000, figures 24 and 25)"
                if fixed
                else "Delay of reducing as many bits as the modulus has (figure 26)"
            )
            panels.append(_panel(title, "ns", delays, "log" if fixed else "linear"))
    if panels:
        yield Chart("Reductions over n", panels, DASHED_ARE)
