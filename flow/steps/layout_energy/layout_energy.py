"""Say what operations take with the layout's wires, and took before, and what the supply rails
lose: outputs/layout_energy.json."""

from collections.abc import Mapping

import msgspec
import numpy as np

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import COMPONENTS, Nets, PowerModel
from flow.gates.timing import Timing
from flow.gates.window_power import operations
from flow.layout.buffering import CLOCK_PREFIX
from flow.layout.clock_tree import fj_in, with_tree
from flow.layout.design import Design
from flow.layout.irdrop import supply_drop
from flow.layout.layers import power_of_cells
from flow.layout_wires import layout_wires
from flow.netlist import read_netlist
from flow.recording import Recording
from flow.results.clock_tree import ClockTree
from flow.results.closing import ClockTreeOf, SuppliedEnergy, SupplyDrop
from flow.results.energy import Energy, Simulation
from flow.results.layers import Layers
from flow.step import IN, POWER_LIBERTY, leave, step, taken, write_json

PLACED = IN / "placed.json"


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


def currents(
    name: str, energy: Energy, simulation: Simulation, tree: ClockTreeOf
) -> dict[str, float]:
    """Tell the uA of all cells in a window, with glitches as they add to the whole; what the clock
    tree takes inside is shared by its buffers."""
    netlist, library = read_netlist(IN / "flat.json"), Library(POWER_LIBERTY)
    timing = Timing(MappedNetlist(netlist, library), tree.port, layout_wires(netlist))
    model = PowerModel(timing, energy.clock_period_ns)
    activity: Mapping[str, np.ndarray] = np.load(IN / "activity.npz")
    pieces = simulation.windows[name].pieces
    cycles = sum(piece.cycles for piece in pieces)
    toggles, high = (
        np.sum([activity[f"{name}.{number}.{what}"] for number in range(len(pieces))], axis=0)
        for what in ("toggles", "high")
    )
    found = model.energies(Nets(cycles, toggles, high / cycles))
    window = energy.windows[name]
    glitches = window.energy_with_glitches_nj / window.energy_nj
    scale = glitches / (cycles * energy.clock_period_ns * energy.voltage_v)
    cells = scale * np.sum([found[part] for part in COMPONENTS], axis=0)
    ua = dict(zip((cell.name for cell in netlist.instances), map(float, cells), strict=True))
    buffers = [c.name for c in Design.load(PLACED).instances() if c.name.startswith(CLOCK_PREFIX)]
    each = tree.all_fj / energy.clock_period_ns / energy.voltage_v / max(1, len(buffers))
    return ua | dict.fromkeys(buffers, each)


def supply(energy: Energy, simulation: Simulation, tree: ClockTreeOf) -> tuple[SupplyDrop, Layers]:
    """Tell what the rails lose in the window of the greatest power, and what each cell takes."""
    name = max(energy.windows, key=lambda one: energy.windows[one].power_mw.total)
    ua = currents(name, energy, simulation, tree)
    design = Design.load(PLACED)
    drop = supply_drop(design, design.stack, ua, energy.voltage_v)
    power = power_of_cells(design, ua, energy.voltage_v)
    return drop, msgspec.structs.replace(taken("layers", Layers), nw=power)


@step
def main() -> None:
    """Put together what simulation and power have found of the layout's netlist."""
    simulation, tree = taken("simulation", Simulation), taken("clock_tree", ClockTreeOf)
    power = taken("power", Energy)
    energy = with_clock_tree(power, simulation, tree)
    drop, layers = supply(power, simulation, tree)
    write_json("layers", msgspec.to_builtins(layers))
    compared, before = simulation.outputs_compared, taken("before", Energy).operations
    found = SuppliedEnergy(energy.operations, compared, before, drop)
    metrics = {f"layout_{name}": value for name, value in energy.metrics().items()}
    metrics["supply_drop_mv"] = round(drop.worst_mv, 3)
    leave("layout_energy", found, metrics)
