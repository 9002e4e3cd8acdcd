"""Say what a netlist did in the windows of a recording."""

import numpy as np

from flow.gates.clocks import Clocks
from flow.gates.mapped import MappedNetlist
from flow.gates.simulator import Activity
from flow.recording import Recording
from flow.results.energy import SimulatedPiece, SimulatedWindow

ARRAYS = ("toggles", "high", "sampled_toggles", "delayed_toggles")


def window_row(
    cycles: int, pieces: list[Activity], netlist: MappedNetlist, clocks: Clocks
) -> SimulatedWindow:
    """Say what all nets but clocks did in the pieces of a window, and, if some clocks are gated, in
    how many of all cycles a register is clocked, on average."""
    toggles, before, after = (
        np.sum([getattr(piece, what) for piece in pieces], axis=0)
        for what in ("toggles", "sampled_toggles", "delayed_toggles")
    )
    data = np.ones(len(toggles), bool)
    data[clocks.gated] = False
    before, after = int(before[data].sum()), int(after[data].sum())
    clocked = {}
    if len(clocks.gated):
        replayed = sum(piece.cycles for piece in pieces)
        clocked["clocked"] = round(clocked_share(toggles, replayed, netlist, clocks), 4)
    return SimulatedWindow(
        cycles=cycles,
        pieces=[SimulatedPiece(piece.cycles, piece.sampled) for piece in pieces],
        toggles=int(toggles[data].sum()),
        sampled_cycles=sum(piece.sampled for piece in pieces),
        sampled_toggles=before,
        delayed_toggles=after,
        toggle_factor=round(after / before, 3) if before else 1.0,
        **clocked,
    )


def clocked_share(
    toggles: np.ndarray, cycles: int, netlist: MappedNetlist, clocks: Clocks
) -> float:
    """Tell in which share of all cycles a register is clocked, on average over the registers."""
    registers = sum(len(kind.cells) for kind in netlist.registers())
    behind = netlist.loads[clocks.gated]
    pulses = behind @ toggles[clocks.gated] / 2
    return float(registers - behind.sum() + pulses / cycles) / registers


def cycles_of(recording: Recording, window: str) -> int:
    """Tell how long a window is, whether all of it was recorded or pieces."""
    if window in recording.sampled:
        return recording.sampled[window].cycles
    begin, end = recording.windows[window]
    return end - begin
