"""What a chart has drawn: where its names stand."""

from itertools import combinations

from eval.chart.names import inside, overlap
from eval.chart.panel import Panel
from eval.chart.vega_lite import LEFT, WIDTH, names_of


def check_names(panel: Panel, columns: int = 1) -> None:
    """Each name of a panel stands in it, by itself."""
    width = WIDTH // columns - LEFT
    names = names_of(panel, width)
    assert sorted(name.text for name in names) == sorted(p.name for p in panel.points if p.name)
    assert names
    assert all(inside(name.box, width, panel.height) for name in names)
    assert not any(overlap(one.box, other.box) for one, other in combinations(names, 2))
