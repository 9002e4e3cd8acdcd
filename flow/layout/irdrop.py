"""Solve what the supply rails of a layout lose on the way to its cells.

A row has a rail at its lower and at its upper edge, which it shares with the rows beside
it: VSS and VDD in turn. There is no grid above them. Each rail is fed at both of its ends, by what
is taken to lose nothing. Cells take their mean current from one rail and give it to the other, each
in its middle. On a rail that is fed at both ends of its length L, a current I at x lowers the
voltage at y by I R min(x, y) (L - max(x, y)) / L, R being the resistance of a um; currents add up.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple

import numpy as np

from flow.layout.design import Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.technology import Stack
from flow.results.closing import SupplyDrop

MV_OF_UA_OHM = 1e-3
SUPPLIES = ("VSS", "VDD")  # of rails of even and of odd numbers, from the bottom


class Tap(NamedTuple):
    """A cell on a rail: where, um, and its current, uA."""

    um: float
    ua: float


def ohm_per_um(stack: Stack) -> float:
    """Tell the resistance of a um of a rail."""
    rails = stack.rules.rails
    return stack.layers[rails.metal].resistance / rails.width_um


def drops(taps: Iterable[Tap], length: float, ohm: float) -> np.ndarray:
    """Tell what the voltage loses at each tap of a rail that is fed at both ends, mV; `ohm` is the
    resistance of a um."""
    where = np.array([tap.um for tap in taps])
    current = np.array([tap.ua for tap in taps])
    near = np.minimum.outer(where, where) * (length - np.maximum.outer(where, where)) / length
    found: np.ndarray = near @ current * ohm * MV_OF_UA_OHM
    return found


def supply_drop(design: Design, stack: Stack, ua: Mapping[str, float], volt: float) -> SupplyDrop:
    """Find the cell that the rails leave the least of the voltage, by the uA of all cells."""
    sites_um = stack.site_width / UNITS_PER_UM
    rails: dict[int, list[tuple[int, Tap]]] = defaultdict(list)
    for number, cell in enumerate(design.cells):
        if current := ua.get(cell.name, 0.0):
            middle = (cell.site + design.shape(cell).sites / 2) * sites_um
            for rail in (cell.row, cell.row + 1):
                rails[rail].append((number, Tap(middle, current)))
    length, ohm = design.width / UNITS_PER_UM, ohm_per_um(stack)
    lost: dict[int, float] = defaultdict(float)
    worst = dict.fromkeys(SUPPLIES, 0.0)
    for rail, on in rails.items():
        found = drops([tap for _, tap in on], length, ohm)
        name = SUPPLIES[rail % 2]
        worst[name] = max(worst[name], float(found.max()))
        for (number, _), mv in zip(on, found, strict=True):
            lost[number] += float(mv)
    least = max(lost, key=lambda number: lost[number], default=None)
    most = 0.0 if least is None else lost[least]
    return SupplyDrop(
        worst_mv=most,
        worst_percent=most / volt / 10,
        cell=None if least is None else design.cells[least].name,
        rails_mv=worst,
        current_ma=sum(ua.values()) / 1000,
    )
