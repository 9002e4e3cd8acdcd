"""Compute the power of the netlist in each window of the recording: outputs/power.json."""

import numpy as np

from flow.gates.liberty import Library
from flow.gates.replayed import Replayed
from flow.netlist import Netlist, read_netlist
from flow.recording import Recording
from flow.results.energy import Simulation
from flow.step import IN, POWER_LIBERTY, leave, step, taken

WIRES = IN / "wires.json"


def wires(netlist: Netlist) -> dict[int, float] | None:
    """Read the fF of the wires of nets, where a layout gives them."""
    if not WIRES.exists():
        return None
    return {netlist.names[name]: ff for name, ff in taken("wires", dict[str, float]).items()}


@step
def main(clock_period: float, clock_port: str) -> None:
    """Compute the power."""
    netlist = read_netlist(IN / "flat.json")
    replayed = Replayed(
        netlist,
        taken("cells", dict[str, tuple[str, str]]),
        Recording.from_json(IN / "recording.json"),
        taken("simulation", Simulation),
        np.load(IN / "activity.npz"),
    )
    found = replayed.energy(Library(POWER_LIBERTY), clock_period, clock_port, wires(netlist))
    leave("power", found, found.metrics())
