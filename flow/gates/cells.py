"""What is known of a cell of the library: its functions, loads, delays, energies and leakage.

Units are ns, fF, V and nW, and so fJ for energies.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from flow.gates.logic import Logic

EDGES = ("rise", "fall")


@dataclass(frozen=True)
class Table:
    """A look-up table: values over input slew (rows, ns) and load (columns, fF)."""

    slews: np.ndarray
    loads: np.ndarray
    values: np.ndarray


ZERO = Table(np.zeros(1), np.zeros(1), np.zeros((1, 1)))


@dataclass(frozen=True)
class Arc:
    """A timing arc to an output: delay and slew for either edge; None for one it has not."""

    related: str
    clocked: bool  # from a clock edge to the register's output
    sense: str
    delay: tuple[Table | None, Table | None]
    slew: tuple[Table | None, Table | None]

    def edges(self) -> list[tuple[int, Table, Table]]:
        """List the edges that it has, each with its delay and slew."""
        both = enumerate(zip(self.delay, self.slew, strict=True))
        return [(edge, delay, slew) for edge, (delay, slew) in both if delay and slew]


@dataclass(frozen=True)
class Energy:
    """What a cell takes inside for an edge at a pin, in fJ, under a condition."""

    related: str | None
    when: Logic | None
    tables: tuple[Table, Table]

    def share(
        self, high: Mapping[str, np.ndarray | float], opposites: Sequence[str] = ()
    ) -> np.ndarray | float:
        """Tell how often the condition holds if pins are high so often; always without one."""
        return self.when.probability(high, opposites) if self.when else 1.0


@dataclass(frozen=True)
class Pin:
    """A pin of a cell."""

    name: str
    output: bool
    clock: bool
    capacitance: float
    function: str  # empty if it has none
    arcs: tuple[Arc, ...]
    energies: tuple[Energy, ...]


@dataclass(frozen=True)
class Cell:
    """A cell: pins, leakage in nW by state, and what it stores if it is a register."""

    name: str
    area: float
    pins: dict[str, Pin]
    leakage: tuple[tuple[Logic, float], ...]
    mean_leakage: float
    next_state: str = ""  # of a register, with the names of its two states
    states: tuple[str, ...] = ()
    enable: str = ""  # of a clock gate: the pin that opens it

    @property
    def clock_pin(self) -> str:
        """The one clock pin of a register or clock gate."""
        [pin] = [name for name, pin in self.pins.items() if pin.clock]
        return pin

    @property
    def opposites(self) -> list[str]:
        """The outputs of a register, one of which is the other's inverse."""
        return self.outputs if self.next_state else []

    @property
    def inputs(self) -> list[str]:
        """The input pins, in the order of the file."""
        return [name for name, pin in self.pins.items() if not pin.output]

    @property
    def outputs(self) -> list[str]:
        """The output pins, in the order of the file."""
        return [name for name, pin in self.pins.items() if pin.output]


@dataclass(frozen=True)
class WireLoad:
    """A wire load model: the length of a net by its fanout, and so its capacitance in fF."""

    name: str
    capacitance: float
    slope: float
    lengths: tuple[tuple[int, float], ...]

    def capacitances(self, fanouts: np.ndarray) -> np.ndarray:
        """Tell the wires' capacitance of nets of these fanouts; 0 for one without loads."""
        points, lengths = (np.array(column, float) for column in zip(*self.lengths, strict=True))
        found = np.interp(fanouts, points, lengths)
        found += self.slope * np.maximum(fanouts - points[-1], 0)
        return np.where(fanouts > 0, self.capacitance * found, 0.0)
