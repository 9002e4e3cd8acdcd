"""A figure as an SVG element of a page."""

import io
import re

import matplotlib
from matplotlib.figure import Figure


def as_svg(figure: Figure, label: str) -> str:
    """The figure as an SVG element that refers to nothing outside the page; equal for equal
    figures. `label` says what it shows, and keeps the names within it apart from those of others.
    """
    text = io.StringIO()
    with matplotlib.rc_context({"svg.hashsalt": label, "svg.fonttype": "path"}):
        figure.savefig(text, format="svg", metadata={"Date": None})
    return element(text.getvalue(), label)


def element(drawing: str, label: str) -> str:
    """An SVG file as an element of a page; `label` says what it shows."""
    drawing = drawing[drawing.index("<svg") :]
    drawing = re.sub(r"<metadata>.*?</metadata>", "", drawing, flags=re.S)
    drawing = re.sub(r' xmlns(:\w+)?="[^"]*"', "", drawing)
    return drawing.replace("<svg", f'<svg role="img" aria-label="{label}"', 1)
