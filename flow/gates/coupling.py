"""Read from a SPEF file which nets have wires side by side, and what is between them.

The energy of a capacitance C between two nets depends on what both do at that time: it takes
1/2 C V^2 if one changes alone, nothing if both change alike, and four times as much as one alone
if they change to opposite sides. Loads of nets count C in both; what a change of both takes beside
that is C V^2 less, or more.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flow.gates.timing import Timing

ESCAPED = re.compile(r"\\(.)")
OTHER, TO_GROUND = 4, 3  # words of a capacitance in the file


@dataclass(frozen=True)
class Coupled:
    """Pairs of nets, the lower number first and in the order of these: the fJ by which a change of
    both at once differs from that of each, and the ns between two changes that are not at once."""

    pairs: np.ndarray
    energy: np.ndarray
    apart: np.ndarray


def read_couplings(path: Path) -> dict[tuple[str, str], float]:
    """Sum up the fF between each two nets, whose names are in the order of the alphabet."""
    net_of: dict[str, str] = {}
    between: list[tuple[str, str, float]] = []
    for net, words in _rows(path):
        net_of[words[1]] = net
        if len(words) == OTHER:
            between.append((net, words[2], float(words[3])))
    found: dict[tuple[str, str], float] = defaultdict(float)
    for net, node, ff in between:
        if net < (other := net_of[node]):  # and once more with the other net
            found[net, other] += ff
    return dict(found)


def _rows(path: Path) -> Iterator[tuple[str, list[str]]]:
    """Go through the capacitances, each with its net, and the words of its line."""
    net, inside = "", False
    for line in path.read_text().splitlines():
        words = line.split()
        if line.startswith("*"):
            inside = words[0] == "*CAP"
            net = ESCAPED.sub(r"\1", words[1]) if words[0] == "*D_NET" else net
        elif inside and len(words) in (TO_GROUND, OTHER):
            yield net, words


def coupled(
    timing: Timing, names: Mapping[str, int], couplings: Mapping[tuple[str, str], float]
) -> Coupled:
    """Put couplings to the nets of a netlist; those of clocks are left out, as a clock rises and
    falls in each cycle.

    Changes are ramps, as long as the slews of their nets: the more of them is at the same time, the
    more of the energy differs, and two are apart when the mean of both has passed between them.
    """
    clocks = {timing.clock, *timing.clocks.gated.tolist()}
    rows = sorted(
        (*sorted((names[a], names[b])), ff)
        for (a, b), ff in couplings.items()
        if a in names and b in names and not clocks & {names[a], names[b]}
    )
    pairs = np.array([row[:2] for row in rows], np.int64).reshape(-1, 2)
    energy = np.array([row[2] for row in rows]) * timing.library.voltage**2
    slew = timing.slew.max(axis=1)
    return Coupled(pairs, energy, slew[pairs].mean(axis=1))
