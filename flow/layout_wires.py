"""The wires of a layout, for a step that takes them where there is one."""

from flow.netlist import Netlist
from flow.step import IN, taken

WIRES = IN / "wires.json"


def layout_wires(netlist: Netlist) -> dict[int, float] | None:
    """Read the fF of the wires of nets; None before layout."""
    if not WIRES.exists():
        return None
    return {netlist.names[name]: ff for name, ff in taken("wires", dict[str, float]).items()}
