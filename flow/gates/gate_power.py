"""Tell what a clock gate takes inside, all of which is power of the clock, and its leakage.

In a cycle that begins with enable at 1 the gate is open: clock and output rise, later both fall. In
another only the clock does. If enable changes while the clock is high, the latch follows when the
clock falls, else at once; the library has other energies for these edges.
"""

from collections.abc import Mapping
from types import MappingProxyType

import numpy as np

from flow.gates.energies import CellEnergies
from flow.gates.mapped import Kind

RISE, FALL = range(2)
NONE: Mapping[str, float] = MappingProxyType({})
TOGGLES = 2  # of a clock in a cycle, or of an enable that opens and shuts


def gate_energy(
    energies: CellEnergies, kind: Kind, toggles: Mapping[str, np.ndarray], cycles: float
) -> np.ndarray:
    """Tell the fJ that each gate of a kind takes in a number of cycles."""
    clock, enable, [output] = kind.cell.clock_pin, kind.cell.enable, kind.cell.outputs
    late = energies.late(kind, enable)
    opened = toggles[output] / TOGGLES
    shut = cycles - opened
    # How often enable changes while the clock is high.
    changes = np.where(late, 0.0, toggles[enable] / TOGGLES)
    opening, shutting = np.minimum(changes, shut), np.minimum(changes, opened)

    def taken(pin: str, edge: int, high: Mapping[str, np.ndarray | float] = NONE) -> np.ndarray:
        """What a pin's edge takes, the other pins being high so often."""
        levels = {clock: 0.0, enable: 0.0, output: 0.0, **high}
        total = np.zeros(len(kind.cells))
        for energy, edges in energies.edges(kind, pin):
            total += energy.share(levels) * edges[edge]
        return total

    enabled = {enable: 1.0}
    total: np.ndarray = shut * taken(clock, RISE)
    total += (shut - opening) * taken(clock, FALL)
    total += opening * taken(clock, FALL, enabled)
    total += opened * taken(output, RISE, enabled)
    total += (opened - shutting) * taken(output, FALL, enabled)
    total += shutting * taken(output, FALL)
    early = np.where(late, 0.0, 1.0)
    levels = {clock: early, output: early * opened / cycles}
    both = taken(enable, RISE, levels) + taken(enable, FALL, levels)
    total += toggles[enable] / TOGGLES * both
    return total


def gate_leakage(
    energies: CellEnergies, kind: Kind, high: Mapping[str, np.ndarray], cycles: float
) -> np.ndarray:
    """Tell the fJ that leak: half of the time the clock is low, and so is the output."""
    clock, [output] = kind.cell.clock_pin, kind.cell.outputs
    low = {clock: np.zeros(len(kind.cells)), output: np.zeros(len(kind.cells))}
    up = {clock: np.ones(len(kind.cells)), output: high[output] / high[clock]}
    total = energies.leakage(kind, {**high, **low}, cycles)
    total += energies.leakage(kind, {**high, **up}, cycles)
    total /= 2
    return total
