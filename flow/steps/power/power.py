"""Compute the power of the netlist in each window of the recording: outputs/power.json."""

import os
import sys
from collections import defaultdict

import numpy as np

from flow.gates.liberty import LibertyError, Library
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.gates.power import COMPONENTS, Nets, PowerModel
from flow.gates.timing import Timing
from flow.netlist import Netlist, read_netlist
from flow.recording import Recording
from flow.step import IN, LIBERTY, leave, taken

WIRES = IN / "wires.json"
MW = 1e-3  # of a fJ in a ns
NJ = 1e-6  # of a fJ
PORTS = "(inputs of the design)"  # nets that nothing inside drives


class Modules:
    """The module that each cell of the netlist belongs to."""

    def __init__(self, netlist: Netlist, owners: dict[str, list[str]]) -> None:
        top = ("", netlist.top)
        names = [owners.get(cell.name, top)[1] for cell in netlist.instances]
        self.names, self.numbers = np.unique(np.array(names, object), return_inverse=True)

    def sums(self, cells: np.ndarray) -> np.ndarray:
        """Sum up what the cells of each module have."""
        return np.bincount(self.numbers, cells, len(self.names))


def rounded(values: dict[str, float]) -> dict[str, float]:
    """Make plain figures of these, with their sum as `total`."""
    found = {name: float(value) for name, value in values.items()}
    return found | {"total": sum(found.values())}


def window_power(
    model: PowerModel, modules: Modules, nets: Nets, period: float
) -> tuple[dict[str, float], list[dict]]:
    """Compute the mW of the whole by component, and rows for its modules, the largest first."""
    found = model.energies(nets)
    scale = MW / (nets.cycles * period)
    ports = float(found.pop("ports")) * scale
    whole = {name: found[name].sum() * scale for name in COMPONENTS}
    whole["switching"] += ports
    by_module = {name: modules.sums(found[name]) * scale for name in COMPONENTS}
    rows = [
        {"module": name} | rounded({part: by_module[part][i] for part in COMPONENTS})
        for i, name in enumerate(modules.names)
    ]
    if ports:
        parts = dict.fromkeys(COMPONENTS, 0.0) | {"switching": ports}
        rows.append({"module": PORTS} | rounded(parts))
    return rounded(whole), sorted(rows, key=lambda row: -row["total"])


def wires(netlist: Netlist) -> dict[int, float]:
    """Read the fF of the wires of nets, where a layout gives them."""
    given = taken("wires") if WIRES.exists() else {}
    return {netlist.names[name]: value for name, value in given.items()}


def operations(recording: Recording, windows: dict[str, dict]) -> dict[str, dict]:
    """Tell the cycles and nJ of each operation, those of the dummy call subtracted."""
    found = {}
    for name, dummy in recording.operations.items():
        found[name] = {
            "cycles": windows[name]["cycles"] - windows[dummy]["cycles"],
            "power_mw": windows[name]["power_mw"]["total"],
        }
        for key in ("energy_nj", "energy_with_glitches_nj"):
            found[name][key] = windows[name][key] - windows[dummy][key]
            found[name][f"dummy_{key}"] = windows[dummy][key]
    return found


def main() -> None:
    """Compute the power; exit 1 if the netlist cannot be understood."""
    env = os.environ
    period = float(env["clock_period"])
    recording = Recording.from_json(IN / "recording.json")
    try:
        library = Library(LIBERTY)
        netlist = read_netlist(IN / "flat.json", env["design_name"])
        timing = Timing(MappedNetlist(netlist, library), env["clock_port"], wires(netlist))
    except (LibertyError, NetlistError) as error:
        sys.exit(f"ERROR: {error}")
    modules = Modules(netlist, taken("cells"))
    model = PowerModel(timing, period)
    activity = np.load(IN / "activity.npz")

    windows, metrics = {}, defaultdict(float)
    for name, row in taken("simulation")["windows"].items():
        cycles, sampled = row["cycles"], row["sampled_cycles"]
        high = activity[f"{name}.high"] / cycles
        power, rows = window_power(
            model, modules, Nets(cycles, activity[f"{name}.toggles"], high), period
        )
        time = cycles * period
        energy = power["total"] / MW * time * NJ
        found = {"cycles": cycles, "power_mw": power, "energy_nj": energy, "modules": rows}
        found["energy_with_glitches_nj"] = energy
        if sampled:
            without, with_glitches = (
                window_power(
                    model, modules, Nets(sampled, activity[f"{name}.{what}_toggles"], high), period
                )[0]["total"]
                for what in ("sampled", "delayed")
            )
            found["sampled"] = {
                "cycles": sampled,
                "toggle_factor": row["toggle_factor"],
                "power_mw": without,
                "power_with_glitches_mw": with_glitches,
            }
            found["energy_with_glitches_nj"] += (with_glitches - without) / MW * time * NJ
        windows[name] = found
        metrics[f"power_{name}_mw"] = power["total"]
        metrics[f"energy_{name}_nj"] = energy
        metrics[f"energy_{name}_with_glitches_nj"] = found["energy_with_glitches_nj"]
    data = {
        "metrics": dict(metrics),
        "windows": windows,
        "operations": operations(recording, windows),
        "clock_period_ns": period,
        "voltage_v": library.voltage,
        "wires": "those of the layout" if WIRES.exists() else library.wire_load.name,
        "method": {
            "clock": "ideal: clock pins and the clock net's wire, no buffers"
            + "; gates, and nets and pins behind them" * (len(timing.clocks.gated) > 0),
            "activity": "without delays in all cycles, with delays in the sampled ones",
        },
    }
    leave("power", data)


if __name__ == "__main__":
    main()
