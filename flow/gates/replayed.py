"""Tell power and energy in the windows of a recording, once it was replayed on a netlist."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import PowerModel
from flow.gates.timing import Timing
from flow.gates.window_power import (
    ARRAYS,
    MW,
    NJ,
    TWICE,
    Modules,
    Piece,
    operations,
    piece_power,
    window,
)
from flow.netlist import Netlist
from flow.recording import Recording
from flow.results.energy import Energy, Pieces, Simulation


@dataclass(frozen=True)
class Replayed:
    """A netlist, the instance and module of each cell, and what its nets did in a recording."""

    netlist: Netlist
    owners: Mapping[str, tuple[str, str]]
    recording: Recording
    simulation: Simulation
    activity: Mapping[str, np.ndarray]

    def energy(
        self, library: Library, period: float, clock_port: str, wires: Mapping[int, float] | None
    ) -> Energy:
        """Tell it by the figures of a library, with the fF of a layout's wires, if there is one."""
        timing = Timing(MappedNetlist(self.netlist, library), clock_port, wires)
        modules, model = Modules(self.netlist, self.owners), PowerModel(timing, period)
        windows = {}
        for name, row in self.simulation.windows.items():
            pieces = [
                Piece(
                    piece.cycles,
                    piece.sampled,
                    *(self.activity[f"{name}.{number}.{what}"] for what in ARRAYS),
                )
                for number, piece in enumerate(row.pieces)
            ]
            found = window(model, modules, pieces, row.cycles, period, row.toggle_factor)
            if found.pieces and found.pieces.cycles == row.cycles:
                error = glitch_error(model, modules, pieces, period)
                whole = Pieces(len(pieces), row.cycles, 0.0, error)
                found = msgspec.structs.replace(found, pieces=whole)
            windows[name] = found
        return Energy(
            windows=windows,
            operations=operations(self.recording.operations, windows),
            clock_period_ns=period,
            voltage_v=library.voltage,
            wires=library.wire_load.name if wires is None else "those of the layout",
            method={
                "clock": "ideal: clock pins and the clock net's wire, no buffers"
                + "; gates, and nets and pins behind them" * (len(timing.clocks.gated) > 0),
                "activity": "without delays in all cycles, or in pieces of those of long "
                "operations; with delays in the sampled ones",
            },
        )


def glitch_error(
    model: PowerModel, modules: Modules, parts: Sequence[Piece], period: float
) -> float:
    """Tell by how many nJ the energy of a window with glitches may be off if its parts, which are
    all of it, have stretches with delays: twice the standard error of what glitches add, by their
    spread, less as more of the cycles are simulated."""
    added = []
    for part in parts:
        _, _, sampled = piece_power(model, modules, part, period)
        assert sampled, "parts have sampled cycles"
        without, with_glitches = sampled
        added.append(with_glitches - without)
    cycles, simulated = (
        sum(getattr(part, what) for part in parts) for what in ("cycles", "sampled")
    )
    error = np.std(added, ddof=1) * ((1 - simulated / cycles) / len(parts)) ** 0.5
    return float(TWICE * error * cycles * period / MW * NJ)
