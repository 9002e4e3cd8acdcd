"""What traces are of: registers at RTL, nets of the mapped cells, or nets of the layout."""

from collections.abc import Iterable

from eval.tasks.flow_run.task import TIMING
from eval.tasks.keyed import steps_to
from eval.tasks.versions import energy_tools, flow_tools, simulation_tools
from flow.technologies.asked import DEFAULT
from flow.technologies.rules import layout_hash

RTL, GATES, GLITCHES, LAYOUT = LEVELS = ("rtl", "gates", "glitches", "layout")
DELAYED = (GLITCHES, LAYOUT)  # nets may toggle several times in a cycle
AT_ONCE = {RTL: 5000, GATES: 500, GLITCHES: 500, LAYOUT: 500}  # traces that are told of at once


def tools_of(level: str) -> dict[str, str]:
    """Name what simulates, maps, and lays out."""
    mapped = {} if level == RTL else flow_tools() | energy_tools()
    rules = {"layout files": layout_hash(DEFAULT)[:12]} if level == LAYOUT else {}
    return simulation_tools() | mapped | rules


def steps_of(level: str) -> Iterable[str]:
    """Name the steps that map, and those that lay out."""
    if level == RTL:
        return ()
    return steps_to(LAYOUT if level == LAYOUT else TIMING, energy=False)
