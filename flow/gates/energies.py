"""Look up what the cells of a netlist take inside and leak, from the Liberty tables."""

from collections.abc import Mapping

import numpy as np

from flow.gates.cells import EDGES, Energy
from flow.gates.mapped import OPEN, Kind
from flow.gates.timing import Timing

NW_NS = 1e-3  # fJ of a nW in a ns


class CellEnergies:
    """What cells take and leak, kind by kind, at their slews and loads and this period (ns)."""

    def __init__(self, timing: Timing, period: float) -> None:
        self.timing, self.period = timing, period
        self._edges: dict[tuple[str, str], list[tuple[Energy, np.ndarray]]] = {}

    def edges(self, kind: Kind, pin: str) -> list[tuple[Energy, np.ndarray]]:
        """List the energies of a pin, with what a rising and a falling edge take in each cell,
        fJ."""
        key = (kind.cell.name, pin)
        if key not in self._edges:
            energies = kind.cell.pins[pin].energies
            self._edges[key] = [(energy, self._look_up(kind, pin, energy)) for energy in energies]
        return self._edges[key]

    def _look_up(self, kind: Kind, pin: str, energy: Energy) -> np.ndarray:
        at, output = kind.nets[pin], kind.cell.pins[pin].output
        load = np.where(at == OPEN, 0.0, self.timing.load[at]) if output else np.zeros(len(at))
        source = kind.nets[energy.related] if output and energy.related else at
        slew = np.where((source == OPEN)[:, None], 0.0, self.timing.slew[source])
        bank, found = self.timing.bank, np.zeros((len(EDGES), len(at)))
        for edge, table in enumerate(energy.tables):
            slews = slew.mean(axis=1) if output else slew[:, edge]
            found[edge] = bank.look_up(np.full(len(at), bank.add(table)), slews, load)
        return found

    def leakage(self, kind: Kind, high: Mapping[str, np.ndarray], cycles: float) -> np.ndarray:
        """Tell the fJ that each cell leaks over the cycles if its pins are high so often."""
        power: np.ndarray | float = 0.0 if kind.cell.leakage else kind.cell.mean_leakage
        for state, value in kind.cell.leakage:
            power = power + state.probability(high, kind.cell.opposites) * value
        return np.full(len(kind.cells), power) * cycles * self.period * NW_NS

    def late(self, kind: Kind, pin: str) -> np.ndarray:
        """Tell of each cell whether the clock has fallen when this input of it changes."""
        return self.timing.arrival[kind.nets[pin]].max(axis=1) > self.period / 2
