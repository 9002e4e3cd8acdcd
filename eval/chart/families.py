"""The families of designs have one shape and one colour each, told apart without the colour."""

from eval.chart.panel import GREY, Marker

PRINTED = "printed"  # what others print of theirs
ASSUMED = "what if"  # what is only assumed
ESTIMATE = "estimate"  # what a search has looked at, and nothing has measured
FAMILIES = {
    "naive": ("circle", "#000000"),
    "shift-sub": ("square", "#d55e00"),
    "Montgomery": ("triangle-up", "#0072b2"),
    "pseudo-modulus": ("cross", "#009e73"),
    "processor": ("triangle-down", "#a65e00"),
    PRINTED: ("diamond", "#555555"),
    ASSUMED: ("triangle-right", "#882255"),
    ESTIMATE: ("stroke", "#999999"),
}
OTHER = ("triangle-left", "#cc79a7")
# The outline of each shape in keys of a page, about the middle of a square of 16.
GLYPHS = {
    "circle": "M5,0A5,5,0,1,1,-5,0A5,5,0,1,1,5,0Z",
    "square": "M-4.5,-4.5H4.5V4.5H-4.5Z",
    "triangle-up": "M0,-5L5.5,4.5H-5.5Z",
    "triangle-down": "M0,5L5.5,-4.5H-5.5Z",
    "triangle-left": "M-5,0L4.5,5.5V-5.5Z",
    "triangle-right": "M5,0L-4.5,5.5V-5.5Z",
    "cross": "M-2,-6H2V-2H6V2H2V6H-2V2H-6V-2H-2Z",
    "diamond": "M0,-6L4.5,0L0,6L-4.5,0Z",
    "stroke": "M-6,-1H6V1H-6Z",
}


def rank(family: str) -> tuple[int, str]:
    """Order families as FAMILIES has them, others by name."""
    names = list(FAMILIES)
    return (names.index(family) if family in names else len(names), family)


def look(family: str) -> tuple[str, str]:
    """Return the shape and the colour of a family."""
    return FAMILIES.get(family, OTHER)


def marker(family: str, filled: bool = True, grey: bool = False) -> Marker:
    """Return how a design of a family is marked."""
    shape, colour = look(family)
    return Marker(shape, GREY if grey else colour, filled)
