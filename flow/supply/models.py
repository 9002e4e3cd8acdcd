"""Take of models of transistors what a path's cells need.

Models are in bins of widths and lengths, a hundred and more for a device, and ngspice makes all of
them anew for each transistor: minutes for a path of some hundred transistors. Those of other sizes
are left out.
"""

import re
from collections.abc import Iterable
from pathlib import Path

INCLUDED = re.compile(r'^\.include\s+"(.+)"\s*$', re.MULTILINE)
MODEL = re.compile(r"^\.model .*\n(?:[+*].*\n)*", re.MULTILINE)
BIN = re.compile(r"([lw])(min|max) = (\S+)")
SIZE = re.compile(r"\bw=(\S+)u\s+l=(\S+)u")
UM_PER_M, MICRO = 1e6, 1e-6
Size = tuple[float, float]  # width and length, um


def sizes_in(cells: Iterable[str]) -> set[Size]:
    """Find the sizes of the transistors of cells, by their texts, which count in um."""
    found = (match.groups() for text in cells for match in SIZE.finditer(text))
    return {(MICRO * float(width), MICRO * float(length)) for width, length in found}


def models_of(files: Iterable[Path], sizes: set[Size]) -> str:
    """Read models with all that they include, for transistors of these sizes."""

    def needed(match: re.Match[str]) -> str:
        ends = {axis + end: UM_PER_M * float(at) for axis, end, at in BIN.findall(match[0])}
        if not ends:
            return match[0]
        fits = (
            ends["wmin"] <= width <= ends["wmax"] and ends["lmin"] <= length <= ends["lmax"]
            for width, length in sizes
        )
        return match[0] if any(fits) else ""

    return "".join(MODEL.sub(needed, _whole(file)) for file in files)


def _whole(file: Path) -> str:
    """Read a file with what it includes in place."""
    text = file.read_text()
    return INCLUDED.sub(lambda match: _whole(file.parent / match[1]), text) + "\n"
