"""Document 004's figures 6 and 7: cost and performance at 128 and 1024 bits."""

from matplotlib.figure import Figure

from eval.tasks.drawing import as_svg
from eval.tasks.fpga.table_004 import PRINTED_ON, Rows, cells, cycles, ours_on
from eval.tasks.labels import place_all
from eval.tasks.section import Chart
from eval.tasks.table_004 import DESIGNS

FIGURES = {128: "figure 6", 1024: "figure 7"}
ROOM = 1.25  # beyond the largest values, for the labels
CAPTION = (
    "Cost and cycles of document 004's exponentiators; cycles are means of an encryption and a "
    "decryption. Squares: as printed; points: ours, ALMs as yosys counts them. Left and low is "
    "better."
)


def cost_chart(rows: Rows) -> Chart | None:
    """Draw figures 6 and 7, as far as ours were measured; None if neither was."""
    found = {n: ours for n in FIGURES if (ours := ours_on(rows, PRINTED_ON, n))}
    if not found:
        return None
    figure = Figure(figsize=(9.0, 4.0), layout="constrained")
    labels = {}
    for axes, (nbits, ours) in zip(
        figure.subplots(1, len(found), squeeze=False)[0], found.items(), strict=True
    ):
        labels[axes] = []
        for algorithm, cell in cells(nbits).items():
            if cell.alms:
                axes.plot(cell.alms, cell.cycles, "s", color="0.6")
                labels[axes].append((cell.alms, cell.cycles, f"004: {algorithm}"))
        for algorithm, (_, result) in ours.items():
            at = result.metrics["alms"], cycles(algorithm, nbits)
            axes.plot(*at, "o", color="k")
            labels[axes].append((*at, DESIGNS[algorithm]))
        axes.set_title(f"{nbits} bits ({FIGURES[nbits]})", loc="left")
        axes.set_xlabel("ALMs of a Cyclone V")
        axes.set_ylabel("cycles")
        across, up = (max(spot[i] for spot in labels[axes]) for i in (0, 1))
        axes.set_xlim(0, ROOM * across)
        axes.set_ylim(0, ROOM * up)
    place_all(figure, labels.items())
    return Chart("Document 004's figures 6 and 7", as_svg(figure, "cost-004"), CAPTION)
