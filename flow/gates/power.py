"""Compute the power of a netlist from the Liberty tables and what its nets did.

- switching: 1/2 C V^2 for each toggle of a net, C of its wire and of the pins that it drives;
- internal: the tables of the cells by slew and load. A condition (`when`) counts with its
  probability, the pins being high independently of each other as often as the simulation found,
  but for a register's two outputs, which are never alike;
  the edge of an output is put down to its inputs in proportion to their toggles;
- clock: the tables of the registers' clock pins, and 1/2 C V^2 of the clock net, two toggles per
  cycle. The clock is ideal: there are no buffers yet, whose power is not in it. A register behind
  a clock gate, and the net between, have two toggles in the cycles in which the gate is open; all
  that the gate takes inside is clock, too;
- leakage: by state, with the same probabilities.
"""

from dataclasses import dataclass

import numpy as np

from flow.gates.cells import Energy
from flow.gates.energies import CellEnergies
from flow.gates.gate_power import gate_energy, gate_leakage
from flow.gates.mapped import OPEN, Kind
from flow.gates.timing import Timing

COMPONENTS = ("internal", "switching", "clock", "leakage")
CLOCK_TOGGLES = 2  # per cycle
HALF = 0.5


@dataclass(frozen=True)
class Nets:
    """What nets did in a number of cycles: toggles of each, and the share of time at 1."""

    cycles: float
    toggles: np.ndarray
    high: np.ndarray


class PowerModel:
    """A netlist whose energies can be told of what its nets did."""

    def __init__(self, timing: Timing, period: float) -> None:
        self.timing, self.netlist = timing, timing.netlist
        self.voltage = timing.library.voltage
        self.cells = CellEnergies(timing, period)

    def energies(self, nets: Nets) -> dict[str, np.ndarray]:
        """Tell the fJ of every cell (in the order of the instances) by each of COMPONENTS.

        `ports` is, in total, the switching energy of nets that ports drive, but for the clock net:
        that is in `clock` of the registers.
        """
        nets = self._with_clocks(nets)
        cells = len(self.netlist.instances)
        found = {name: np.zeros(cells) for name in COMPONENTS}
        switching = HALF * self.timing.load * self.voltage**2 * nets.toggles
        for kind in self.netlist.kinds.values():
            toggles, high = self._pins(kind, nets)
            if kind.cell.enable:
                found["clock"][kind.cells] = self._clock_net(kind, switching)
                found["clock"][kind.cells] += gate_energy(self.cells, kind, toggles, nets.cycles)
                found["leakage"][kind.cells] = gate_leakage(self.cells, kind, high, nets.cycles)
                continue
            for name, pin in kind.cell.pins.items():
                at = kind.nets[name]
                if pin.clock:
                    found["clock"][kind.cells] += self._clock_pin(kind, name, toggles, high)
                    found["clock"][kind.cells] += self._clock_net(kind, switching)
                    continue
                if pin.output:
                    found["internal"][kind.cells] += self._output(kind, name, toggles, high)
                    found["switching"][kind.cells] += np.where(at == OPEN, 0, switching[at])
                else:
                    found["internal"][kind.cells] += self._input(kind, name, toggles, high)
            found["leakage"][kind.cells] = self.cells.leakage(kind, high, nets.cycles)
        driven = [
            net
            for port in self.netlist.ports.values()
            if not port.output
            for net in port.nets
            if net != self.timing.clock
        ]
        return found | {"ports": switching[driven].sum()}

    def _with_clocks(self, nets: Nets) -> Nets:
        """Add what the clock nets did: two toggles in each cycle, or in those that the gate lets
        through; and so they were at 1 for half of that time."""
        clocks, toggles, high = self.timing.clocks, nets.toggles.astype(float), nets.high.copy()
        if clocks.port is not None:
            toggles[clocks.port] = CLOCK_TOGGLES * nets.cycles
            high[clocks.port] = HALF
        high[clocks.gated] = HALF * toggles[clocks.gated] / (CLOCK_TOGGLES * nets.cycles)
        return Nets(nets.cycles, toggles, high)

    def _pins(self, kind: Kind, nets: Nets) -> tuple[dict[str, np.ndarray], dict[str, np.ndarray]]:
        """Tell how often pins toggle and are 1; a register's open output follows its other one."""
        toggles, high = {}, {}
        for name in kind.cell.pins:
            at = kind.nets[name]
            toggles[name] = np.where(at == OPEN, 0.0, nets.toggles[at])
            high[name] = np.where(at == OPEN, HALF, nets.high[at])
        if kind.cell.next_state:
            for name, other in zip(kind.cell.outputs, kind.cell.outputs[::-1], strict=True):
                hidden = (kind.nets[name] == OPEN) & (name != other)
                toggles[name] = np.where(hidden, toggles[other], toggles[name])
                high[name] = np.where(hidden, 1 - high[other], high[name])
        return toggles, high

    def _means(self, kind: Kind, pin: str) -> list[tuple[Energy, np.ndarray]]:
        """List the energies of a pin, with the mean of both edges in each cell, fJ."""
        return [(energy, HALF * edges.sum(axis=0)) for energy, edges in self.cells.edges(kind, pin)]

    def _output(
        self, kind: Kind, pin: str, toggles: dict[str, np.ndarray], high: dict[str, np.ndarray]
    ) -> np.ndarray:
        """Tell what the edges of an output take inside."""
        means = self._means(kind, pin)
        if not means:
            return np.zeros(len(kind.cells))
        weighted, weights, plain = np.zeros((3, len(kind.cells)))
        for energy, each in means:
            weight = toggles[energy.related or pin] * energy.share(high)
            weighted, weights, plain = weighted + weight * each, weights + weight, plain + each
        known = weights > 0
        mean = np.where(known, weighted / np.where(known, weights, 1), plain / len(means))
        return toggles[pin] * mean

    def _input(
        self, kind: Kind, pin: str, toggles: dict[str, np.ndarray], high: dict[str, np.ndarray]
    ) -> np.ndarray:
        """Tell what those edges of an input take inside that no output follows."""
        total = np.zeros(len(kind.cells))
        if kind.cell.next_state:
            clock = kind.cell.clock_pin  # how often it is high when the input changes
            high = high | {clock: np.where(self.cells.late(kind, pin), 0.0, high[clock] / HALF)}
        for energy, each in self._means(kind, pin):
            total += toggles[pin] * energy.share(high, kind.cell.opposites) * each
        return total

    def _clock_pin(
        self, kind: Kind, pin: str, toggles: dict[str, np.ndarray], high: dict[str, np.ndarray]
    ) -> np.ndarray:
        """Tell what the clock's edges take in registers.

        A register is about to change as often as its output changes.
        """
        data, [state, *_] = kind.cell.next_state, kind.cell.outputs
        clocked = toggles[pin] / CLOCK_TOGGLES
        changing = np.minimum(toggles[state] / np.maximum(clocked, 1), 1.0)
        total = np.zeros(len(kind.cells))
        for energy, each in self._means(kind, pin):
            total += _share_of(energy, data, state, changing, high[state]) * each
        total *= toggles[pin]
        return total

    def _clock_net(self, kind: Kind, switching: np.ndarray) -> np.ndarray:
        """Tell the part of each cell's clock pin in the energy of the net that it is on."""
        net = kind.nets[kind.cell.clock_pin]
        return switching[net] / self.netlist.loads[net]


def _share_of(
    energy: Energy, data: str, state: str, changing: np.ndarray, high: np.ndarray
) -> np.ndarray | float:
    """Tell how often a register that changes so often is in the states of a condition."""
    if energy.when is None:
        return 1.0
    total: np.ndarray | float = 0.0
    for bits in energy.when.minterms:
        inverse = [pin for pin in bits if pin not in (data, state)]
        if data not in bits or state not in bits:
            raise ValueError(f"the condition {energy.when.text} of a clock pin is not understood")
        if any(bits[pin] == bits[state] for pin in inverse):
            continue  # both outputs alike
        stay = (1 - changing) * (high if bits[state] else 1 - high)
        total = total + (stay if bits[data] == bits[state] else changing / 2)
    return total
