"""Compute the power of the netlist in each window of the recording: outputs/power.json."""

import numpy as np

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import PowerModel
from flow.gates.timing import Timing
from flow.gates.window_power import ARRAYS, Modules, Piece, operations, window
from flow.netlist import Netlist, read_netlist
from flow.recording import Recording
from flow.results.energy import Energy, Simulation
from flow.step import IN, POWER_LIBERTY, leave, step, taken

WIRES = IN / "wires.json"


def wires(netlist: Netlist) -> dict[int, float]:
    """Read the fF of the wires of nets, where a layout gives them."""
    given = taken("wires", dict[str, float]) if WIRES.exists() else {}
    return {netlist.names[name]: value for name, value in given.items()}


@step
def main(clock_period: float, clock_port: str) -> None:
    """Compute the power."""
    recording = Recording.from_json(IN / "recording.json")
    library, netlist = Library(POWER_LIBERTY), read_netlist(IN / "flat.json")
    timing = Timing(MappedNetlist(netlist, library), clock_port, wires(netlist))
    modules = Modules(netlist, taken("cells", dict[str, tuple[str, str]]))
    model = PowerModel(timing, clock_period)
    activity = np.load(IN / "activity.npz")

    windows = {}
    for name, row in taken("simulation", Simulation).windows.items():
        pieces = [
            Piece(
                piece.cycles,
                piece.sampled,
                *(activity[f"{name}.{number}.{what}"] for what in ARRAYS),
            )
            for number, piece in enumerate(row.pieces)
        ]
        windows[name] = window(model, modules, pieces, row.cycles, clock_period, row.toggle_factor)
    found = Energy(
        windows=windows,
        operations=operations(recording.operations, windows),
        clock_period_ns=clock_period,
        voltage_v=library.voltage,
        wires="those of the layout" if WIRES.exists() else library.wire_load.name,
        method={
            "clock": "ideal: clock pins and the clock net's wire, no buffers"
            + "; gates, and nets and pins behind them" * (len(timing.clocks.gated) > 0),
            "activity": "without delays in all cycles, or in pieces of those of long operations; "
            "with delays in the sampled ones",
        },
    )
    leave("power", found, found.metrics())
