"""The chart of document 000's figures 30 to 33: exponentiators over the key's bits, beside ours."""

from collections.abc import Callable, Iterator, Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure

from eval.printed.document_000 import KEY_BITS, TWO
from eval.report.panels import over_widths
from eval.report.tables_000 import COLUMNS, alms_of, columns_of, product_ns
from eval.study.results import PointResult, StudyResult
from eval.tasks.drawing import as_svg
from eval.tasks.labels import Label, place_all
from eval.tasks.section import Chart

WIDTH, PANEL_HEIGHT = 9.0, 5.0  # inches
TITLE = "Exponentiators over the key's bits (document 000, figures 30 to 33)"
CAPTION = (
    "Two multipliers, both axes logarithmic. Grey squares: what the document prints in its tables "
    "7 and 8, for a Cyclone V; black circles: ours, logic mapped for that family, delays in 45 nm. "
    "Dashed lines are of the pseudo-modulus."
)
Lines = Mapping[str, Mapping[int, float]]


def tables_chart(found: StudyResult) -> Iterator[Chart]:
    """Draw logic and delay of an iteration, in studies that have such exponentiators."""
    ours = columns_of(found, 2)
    if not ours:
        return

    def over_bits(value: Callable[[PointResult], float | None]) -> Lines:
        return {
            column: {p.point.nbits: v for p in of if (v := value(p))} for column, of in ours.items()
        }

    panels = (
        (
            "logic elements, or adaptive logic modules",
            TWO.elements,
            over_bits(lambda p: alms_of(found, p)),
        ),
        ("delay of an iteration, ns", TWO.delay_ns, over_bits(product_ns)),
    )
    figure = Figure(figsize=(WIDTH, PANEL_HEIGHT * len(panels)), layout="constrained")
    drawn = [
        (axes, _panel(axes, title, printed, own))
        for axes, (title, printed, own) in zip(figure.subplots(len(panels)), panels, strict=True)
    ]
    place_all(figure, drawn)
    yield Chart(TITLE, as_svg(figure, "exponentiators of document 000"), CAPTION)


def _panel(
    axes: Axes, title: str, printed: Mapping[str, tuple[float, ...]], own: Lines
) -> list[Label]:
    labels: list[Label] = []
    widths = {*KEY_BITS, *(nbits for values in own.values() for nbits in values)}
    for column in COLUMNS:
        way, form = column.split("-")
        style = {"linestyle": "--" if form == "pseudo" else "-", "linewidth": 0.8, "markersize": 4}
        spots = list(zip(KEY_BITS, printed[column], strict=True))
        axes.plot(*zip(*spots, strict=True), color="0.6", marker="s", **style)
        labels.append((*spots[-1], f"000: {way.upper()}"))
        if mine := sorted(own.get(column, {}).items()):
            axes.plot(*zip(*mine, strict=True), color="black", marker="o", **style)
            labels.append((*mine[-1], way.upper()))
    over_widths(axes, widths, title)
    return labels
