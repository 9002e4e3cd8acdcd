"""Order the gates of a netlist so that each comes after those that it depends on."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flow.gates.logic import Logic
from flow.gates.mapped import OPEN, MappedNetlist, NetlistError

MOST_INPUTS = 6


@dataclass(frozen=True)
class Gates:
    """The gates: a row for each output of each cell that computes, with its truth table and nets,
    and its level: how many gates are before it at the most."""

    tables: np.ndarray
    outputs: np.ndarray
    inputs: np.ndarray  # a column per pin, OPEN where a gate has fewer
    levels: np.ndarray

    @cached_property
    def depth(self) -> int:
        """How many levels there are."""
        return int(self.levels.max(initial=-1)) + 1


def read_gates(netlist: MappedNetlist) -> Gates:
    """Order the gates of a netlist by levels; NetlistError if they form a loop."""
    tables, outputs, inputs = [], [], []
    for kind, pin in netlist.gates():
        names = kind.cell.inputs
        if len(names) > MOST_INPUTS:
            raise NetlistError(f"cell {kind.cell.name} has more than {MOST_INPUTS} inputs")
        nets = kind.nets[pin]
        table = Logic(kind.cell.pins[pin].function).table(names)
        tables.append(np.full(len(nets), table, np.uint64))
        outputs.append(nets)
        columns = [kind.nets[name] for name in names] + [np.full(len(nets), OPEN)] * MOST_INPUTS
        inputs.append(np.stack(columns[:MOST_INPUTS], axis=1))
    if not tables:
        empty = np.zeros(0, np.int64)
        return Gates(empty.astype(np.uint64), empty, np.zeros((0, MOST_INPUTS), np.int64), empty)
    driven, read = np.concatenate(outputs), np.concatenate(inputs)
    return Gates(np.concatenate(tables), driven, read, _levels(netlist.nets, driven, read))


def _levels(nets: int, outputs: np.ndarray, inputs: np.ndarray) -> np.ndarray:
    """Count, for each gate, the gates before it on the longest path."""
    driven = np.zeros(nets, bool)
    driven[outputs[outputs != OPEN]] = True
    gate, pin = np.nonzero((inputs != OPEN) & driven[np.where(inputs == OPEN, 0, inputs)])
    source = inputs[gate, pin]
    order = np.argsort(source, kind="stable")
    gate, starts = gate[order], np.searchsorted(source[order], np.arange(nets + 1))
    waiting = np.bincount(gate, minlength=len(outputs))
    levels = np.full(len(outputs), -1)
    front, level = np.nonzero(waiting == 0)[0], 0
    while len(front):
        levels[front] = level
        made = outputs[front][outputs[front] != OPEN]
        lengths = starts[made + 1] - starts[made]
        places = np.repeat(starts[made], lengths) + _counts(lengths)
        reached, times = np.unique(gate[places], return_counts=True)
        waiting[reached] -= times
        front, level = reached[waiting[reached] == 0], level + 1
    if (levels < 0).any():
        raise NetlistError("the netlist has a combinational loop")
    return levels


def _counts(lengths: np.ndarray) -> np.ndarray:
    """Count 0, 1, ... up to each length in turn."""
    return np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
