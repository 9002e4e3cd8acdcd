"""Compute the power of the netlist in each window of the recording: outputs/power.json."""

import os

import numpy as np

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import PowerModel
from flow.gates.timing import Timing
from flow.gates.window_power import ARRAYS, Modules, operations, window
from flow.netlist import Netlist, read_netlist
from flow.recording import Recording
from flow.step import IN, LIBERTY, leave, run, taken

WIRES = IN / "wires.json"


def wires(netlist: Netlist) -> dict[int, float]:
    """Read the fF of the wires of nets, where a layout gives them."""
    given = taken("wires") if WIRES.exists() else {}
    return {netlist.names[name]: value for name, value in given.items()}


def main() -> None:
    """Compute the power."""
    env = os.environ
    period = float(env["clock_period"])
    recording = Recording.from_json(IN / "recording.json")
    library, netlist = Library(LIBERTY), read_netlist(IN / "flat.json")
    timing = Timing(MappedNetlist(netlist, library), env["clock_port"], wires(netlist))
    modules = Modules(netlist, taken("cells"))
    model = PowerModel(timing, period)
    activity = np.load(IN / "activity.npz")

    windows, metrics = {}, {}
    for name, row in taken("simulation")["windows"].items():
        pieces = [
            {what: activity[f"{name}.{number}.{what}"] for what in ARRAYS}
            | {"cycles": piece["cycles"], "sampled": piece["sampled"]}
            for number, piece in enumerate(row["pieces"])
        ]
        windows[name] = window(model, modules, pieces, row["cycles"], period)
        if "sampled" in windows[name]:
            windows[name]["sampled"]["toggle_factor"] = row["toggle_factor"]
        metrics |= {
            f"power_{name}_mw": windows[name]["power_mw"]["total"],
            f"energy_{name}_nj": windows[name]["energy_nj"],
            f"energy_{name}_with_glitches_nj": windows[name]["energy_with_glitches_nj"],
        }
    data = {
        "metrics": metrics,
        "windows": windows,
        "operations": operations(recording, windows),
        "clock_period_ns": period,
        "voltage_v": library.voltage,
        "wires": "those of the layout" if WIRES.exists() else library.wire_load.name,
        "method": {
            "clock": "ideal: clock pins and the clock net's wire, no buffers"
            + "; gates, and nets and pins behind them" * (len(timing.clocks.gated) > 0),
            "activity": "without delays in all cycles, or in pieces of those of long operations; "
            "with delays in the sampled ones",
        },
    }
    leave("power", data)


if __name__ == "__main__":
    run(main)
