"""Document 004's figures 6 and 7: cost and performance at 128 and 1024 bits."""

from eval.chart.panel import GREY, Axis, Marker, Panel, Point
from eval.documents.d004.figures import cells
from eval.documents.d004.on_fpga import PRINTED_ON, Rows, cycles, ours_on
from eval.documents.d004.table_1 import DESIGNS
from eval.tasks.section import Chart

FIGURES = {128: "figure 6", 1024: "figure 7"}
ROOM = 1.25  # beyond the largest values, for the names
CAPTION = (
    "Cost and cycles of document 004's exponentiators; cycles are means of an encryption and a "
    "decryption. Squares: as printed; points: ours, ALMs as yosys counts them. Left and low is "
    "better."
)


def cost_chart(rows: Rows) -> Chart | None:
    """Draw figures 6 and 7, as far as ours were measured; None if neither was."""
    panels = []
    for nbits, figure in FIGURES.items():
        ours = [
            Point(result.metrics["alms"], cycles(algorithm, nbits), name=DESIGNS[algorithm])
            for algorithm, (_, result) in ours_on(rows, PRINTED_ON, nbits).items()
        ]
        printed = [
            Point(cell.alms, cell.cycles, Marker("square", GREY), f"004: {algorithm}")
            for algorithm, cell in cells(nbits).items()
            if cell.alms
        ]
        if ours:
            points = [*printed, *ours]
            across = Axis(
                "ALMs of a Cyclone V", "linear", ends=(0, ROOM * max(p.x for p in points))
            )
            up = Axis("cycles", ends=(0, ROOM * max(p.y for p in points)))
            panels.append(Panel(across, up, points, title=f"{nbits} bits ({figure})", height=320))
    return Chart("Document 004's figures 6 and 7", panels, CAPTION, 2) if panels else None
