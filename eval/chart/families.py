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
