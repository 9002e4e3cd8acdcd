"""The delay of an inverter that drives four like it: what a technology's delays are counted in."""

import numpy as np

from flow.gates.cells import EDGES, Table
from flow.gates.liberty import Library
from flow.gates.liberty_tables import TableBank

FANOUT = 4
ROUNDS = 30  # until slews in a chain of such inverters stay as they are


def fo4_ns(library: Library) -> float:
    """Tell it, in ns: the mean of both edges in a long chain, without wires."""
    gate = library.technology.cells.inverter
    cell, bank = library[gate.cell], TableBank()
    [arc] = cell.pins[gate.output].arcs
    load = np.array([FANOUT * cell.pins[gate.inputs[0]].capacitance])

    def at(table: Table, slew: float) -> float:
        return float(bank.look_up(np.array([bank.add(table)]), np.array([slew]), load)[0])

    slews, delays = [0.0, 0.0], [0.0, 0.0]
    for _ in range(ROUNDS):
        found = {edge: (delay, slew) for edge, delay, slew in arc.edges()}
        # An inverter's output rises as its input falls.
        delays = [at(found[edge][0], slews[1 - edge]) for edge in range(len(EDGES))]
        slews = [at(found[edge][1], slews[1 - edge]) for edge in range(len(EDGES))]
    return sum(delays) / len(delays)
