"""Compute the capacitance of wires from tables and what is around them.

A wire lies between what is below and what is above. The metals there are planes in part, the
nearest first, by the share of them that is wire: so the tables for pairs of planes are mixed. The
charge to the planes is the sum of two halves, one for either side, by the space there. What is no
wire, such as the pads of vias, has a capacitance by its area and by the length of its outline.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from flow.layout.lef import UNITS_PER_UM
from flow.layout.surroundings import Beside, Densities, Run, beside
from flow.technologies.wires import Metal, WireTables

# Along a piece, where is asked what is above and below.
PLACES = (1 / 8, 3 / 8, 5 / 8, 7 / 8)
ABOVE_ALL = ""


@dataclass(frozen=True)
class Coupled:
    """The fF between two wires, by their numbers."""

    one: int
    other: int
    ff: float


@dataclass(frozen=True)
class Found:
    """What wires have to what is at rest, fF, by their numbers, and what is between two."""

    ground: np.ndarray
    coupled: list[Coupled]


class Patch(NamedTuple):
    """What is no wire of the metal at a place: its area, and the length of its outline."""

    metal: str
    x: float
    y: float
    um2: float
    um: float


@dataclass(frozen=True)
class _Parts:
    """Stretches of wires of one metal: their directions, tracks, and both ends."""

    flat: np.ndarray
    track: np.ndarray
    low: np.ndarray
    high: np.ndarray

    @property
    def um(self) -> np.ndarray:
        """How long they are."""
        return (self.high - self.low) / UNITS_PER_UM

    def places(self) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """List places along all of them."""
        for share in PLACES:
            along = self.low + share * (self.high - self.low)
            yield np.where(self.flat, along, self.track), np.where(self.flat, self.track, along)


class Capacitances:
    """What tells the capacitance of wires."""

    def __init__(self, tables: WireTables, densities: Densities) -> None:
        self.tables, self.densities = tables, densities

    def of(self, runs: Sequence[Run], nets: Sequence[int], width: Mapping[str, int]) -> Found:
        """Compute those of all wires, of the nets of these numbers."""
        reach = {
            name: round(metal.spacing_um[-1] * UNITS_PER_UM)
            for name, metal in self.tables.metals.items()
        }
        pairs = beside(runs, width, reach)
        ground, coupled = np.zeros(len(runs)), []
        for name in self.tables.metals:
            own = [number for number, run in enumerate(runs) if run.metal == name]
            of_metal = [pair for pair in pairs if runs[pair.lower].metal == name]
            if own:
                coupled += self._of_metal(name, runs, own, of_metal, nets, ground)
        return Found(ground, coupled)

    def patches(self, patches: Sequence[Patch]) -> np.ndarray:
        """Compute what each patch has to what is at rest, fF: what is beside it is left out."""
        found = np.zeros(len(patches))
        for name, metal in self.tables.metals.items():
            own = [number for number, patch in enumerate(patches) if patch.metal == name]
            if not own:
                continue
            x, y, um2, um = np.array([patches[number][1:] for number in own]).T
            shares = self._shares(metal, _Parts(np.full(len(own), True), y, x, x))
            for between in metal.between:
                of_planes = between.area * um2 + between.edge * um
                found[own] += shares[between.below, between.above] * of_planes
        return found

    def _of_metal(
        self,
        name: str,
        runs: Sequence[Run],
        own: Sequence[int],
        pairs: Sequence[Beside],
        nets: Sequence[int],
        ground: np.ndarray,
    ) -> list[Coupled]:
        """Add to `ground` what wires of a metal have, and list what is between them."""
        metal, coupled = self.tables.metals[name], []
        free = np.array([2 * (runs[number].high - runs[number].low) for number in own])
        covered = np.zeros(len(runs), np.int64)
        if pairs:
            columns = np.array(
                [(runs[p.lower].flat, runs[p.lower].track, p.low, p.high) for p in pairs]
            )
            space = np.array([pair.space for pair in pairs]) / UNITS_PER_UM
            parts = _Parts(*columns.T)
            to_planes, between = self._per_um(metal, parts, space)
            half, between = to_planes * parts.um / 2, between * parts.um
            for end in ("lower", "upper"):
                numbers = np.array([getattr(pair, end) for pair in pairs])
                np.add.at(ground, numbers, half)
                np.add.at(covered, numbers, columns[:, 3] - columns[:, 2])
            coupled = [
                Coupled(pair.lower, pair.upper, float(ff))
                for pair, ff in zip(pairs, between, strict=True)
                if nets[pair.lower] != nets[pair.upper]
            ]
        parts = _Parts(*np.array([runs[number][1:] for number in own]).T)
        alone = self._per_um(metal, parts, None)[0]
        ground[own] += alone * (free - covered[own]) / UNITS_PER_UM / 2
        return coupled

    def _per_um(
        self, metal: Metal, parts: _Parts, space: np.ndarray | None
    ) -> tuple[np.ndarray, np.ndarray]:
        """Tell the fF/um to the planes, and to a wire on one side, by the space to it."""
        count = len(parts.low)
        to_planes, coupling = np.zeros(count), np.zeros(count)
        shares = self._shares(metal, parts)
        for between in metal.between:
            share = shares[between.below, between.above]
            if space is None:
                to_planes += share * between.alone
            else:
                to_planes += share * np.interp(space, metal.spacing_um, between.ground)
                coupling += share * np.interp(space, metal.spacing_um, between.coupling)
        return to_planes, coupling

    def _shares(self, metal: Metal, parts: _Parts) -> dict[tuple[str, str], np.ndarray]:
        """Tell for each pair of planes for how much it counts."""
        below = list(dict.fromkeys(between.below for between in metal.between))
        above = list(dict.fromkeys(between.above for between in metal.between))
        found: dict[tuple[str, str], np.ndarray] = {}
        for x, y in parts.places():
            low, high = self._first(metal, below, x, y), self._first(metal, above, x, y)
            for pair in ((a, b) for a in below for b in above):
                share = low[pair[0]] * high[pair[1]] / len(PLACES)
                found[pair] = found.get(pair, 0) + share
        return found

    def _first(
        self, metal: Metal, names: Sequence[str], x: np.ndarray, y: np.ndarray
    ) -> dict[str, np.ndarray]:
        """Tell how much of each metal is seen, the nearest first; the last has the rest."""
        left, found = np.ones(len(x)), {}
        *nearer, last = names
        for name in nearer:
            seen = 1 - (1 - self.densities.at(name, x, y)) ** metal.seen[name]
            found[name] = left * seen
            left = left * (1 - seen)
        return found | {last: left}
