"""Hold nets at constants by cells of the library."""

from flow.technologies.technology import Cells


def ties(cells: Cells) -> str:
    """Write the pass that does so; none if the library has no such cells."""
    if not (cells.high and cells.low):
        return ""
    high, low = (f"{tie.cell} {tie.output}" for tie in (cells.high, cells.low))
    return f"hilomap -hicell {high} -locell {low}"
