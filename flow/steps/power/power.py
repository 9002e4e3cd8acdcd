"""Compute the power of the netlist in each window of the recording: outputs/power.json."""

import numpy as np

from flow.gates.liberty import Library
from flow.gates.replayed import Replayed
from flow.layout_wires import layout_wires
from flow.netlist import read_netlist
from flow.recording import Recording
from flow.results.energy import Simulation
from flow.step import IN, POWER_LIBERTY, leave, step, taken


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
    found = replayed.energy(Library(POWER_LIBERTY), clock_period, clock_port, layout_wires(netlist))
    leave("power", found, found.metrics())
