"""What keys name of traces at a level: nothing here computes."""

from eval.tasks.flow_run.task import TIMING
from eval.tasks.keyed import steps_to
from eval.tasks.leakage.levels import LAYOUT, RTL
from eval.tasks.versions import energy_tools, flow_tools, simulation_tools
from flow.technologies.asked import DEFAULT
from flow.technologies.rules import layout_hash


def tools_of(level: str) -> dict[str, str]:
    """Name what simulates, maps, and lays out."""
    mapped = {} if level == RTL else flow_tools() | energy_tools()
    rules = {"layout files": layout_hash(DEFAULT)[:12]} if level == LAYOUT else {}
    return simulation_tools() | mapped | rules


def stages_at(level: str) -> list[str]:
    """List the stages that map, lay out and simulate gates for traces of a level."""
    if level == RTL:
        return []
    if level == LAYOUT:
        return ["outcome", "replay", *steps_to(LAYOUT, energy=False)]
    return ["replay", *steps_to(TIMING, energy=False)]
