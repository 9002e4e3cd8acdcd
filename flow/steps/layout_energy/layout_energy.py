"""Say what operations take with the layout's wires, and took before: outputs/layout_energy.json."""

from collections.abc import Mapping

import msgspec
import numpy as np

from flow.gates.window_power import operations
from flow.layout.clock_tree import fj_in, with_tree
from flow.netlist import read_netlist
from flow.recording import Recording
from flow.results.clock_tree import ClockTree
from flow.results.energy import Energy, Simulation
from flow.results.layout import LayoutEnergy
from flow.step import IN, leave, step, taken


def with_clock_tree(energy: Energy, simulation: Simulation, tree: ClockTree) -> Energy:
    """Add what the clock tree takes to all windows."""
    names = read_netlist(IN / "flat.json").names
    activity: Mapping[str, np.ndarray] = np.load(IN / "activity.npz")
    windows = {}
    for name, window in energy.windows.items():
        pieces = simulation.windows[name].pieces
        each = [activity[f"{name}.{number}.toggles"] for number in range(len(pieces))]
        toggles = np.sum(each, axis=0)
        gated = {net: float(toggles[names[net]]) for net in tree.gated_fj}
        fj = fj_in(tree, gated, sum(piece.cycles for piece in pieces))
        windows[name] = with_tree(window, fj, tree.leakage_nw, energy.clock_period_ns)
    recorded = Recording.from_json(IN / "recording.json")
    return msgspec.structs.replace(
        energy, windows=windows, operations=operations(recorded.operations, windows)
    )


@step
def main() -> None:
    """Put together what simulation and power have found of the layout's netlist."""
    simulation, tree = taken("simulation", Simulation), taken("clock_tree", ClockTree)
    energy = with_clock_tree(taken("power", Energy), simulation, tree)
    compared, before = simulation.outputs_compared, taken("before", Energy).operations
    found = LayoutEnergy(energy.operations, compared, before)
    metrics = {f"layout_{name}": value for name, value in energy.metrics().items()}
    leave("layout_energy", found, metrics)
