"""Solve what the supply of a layout loses on the way to its cells.

A row has a rail at its lower and at its upper edge, which it shares with the rows beside it: VSS
and VDD in turn. Cells take their mean current from one rail and give it to the other, each in its
middle. On a stretch of rail that is fed at both ends of its length L, a current I at x lowers the
voltage at y by I R min(x, y) (L - max(x, y)) / L, R being the resistance of a um; on one that is
fed at its beginning alone, by I R min(x, y). Currents add up.

Pillars feed rails from the straps of their supply, and these are fed at their two ends, the pins of
the layout, which are taken to lose nothing: as far beyond the outermost of these rails as rails are
apart. What straps lose is solved mode by mode along them: to a strap all rails are alike. In a
technology without straps each rail is fed at both of its ends.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from flow.layout.design import SUPPLIES, Design
from flow.layout.lef import UNITS_PER_UM
from flow.layout.straps import cuts_up, rails_of, strap_shape, straps
from flow.layout.technology import Stack
from flow.results.closing import SupplyDrop

MV_OF_UA_OHM = 1e-3


class Tap(NamedTuple):
    """A cell on a rail: where, um, and its current, uA."""

    um: float
    ua: float


class Ohms(NamedTuple):
    """The resistances of a um of a rail, of a pillar, and of a strap from rail to rail of its
    supply."""

    rail: float
    pillar: float
    strap: float


def ohm_per_um(stack: Stack) -> float:
    """Tell the resistance of a um of a rail."""
    rails = stack.rules.rails
    return stack.layers[rails.metal].resistance / rails.width_um


def ohms(design: Design) -> Ohms:
    """Tell the resistances of a supply with straps."""
    stack = design.stack
    said, [first, *_] = stack.rules.straps, straps(design)
    _, left, _, right, _ = strap_shape(design, first)
    assert said
    return Ohms(
        rail=ohm_per_um(stack),
        pillar=sum(stack.layers[cut].resistance for cut in cuts_up(stack)),
        strap=said.ohm_per_square * len(SUPPLIES) * stack.row_height / (right - left),
    )


def drops(taps: Iterable[Tap], length: float, ohm: float) -> np.ndarray:
    """Tell what the voltage loses at each tap of a rail that is fed at both ends, mV; `ohm` is the
    resistance of a um."""
    where, current = _columns(taps)
    near = np.minimum.outer(where, where) * (length - np.maximum.outer(where, where)) / length
    found: np.ndarray = near @ current * ohm * MV_OF_UA_OHM
    return found


def drops_to_end(taps: Iterable[Tap], ohm: float) -> np.ndarray:
    """Tell the same of a rail that is fed at its beginning alone."""
    where, current = _columns(taps)
    found: np.ndarray = np.minimum.outer(where, where) @ current * ohm * MV_OF_UA_OHM
    return found


def _columns(taps: Iterable[Tap]) -> np.ndarray:
    found: np.ndarray = np.array([*taps]).reshape(-1, 2).T
    return found


def on_grid(rails: Sequence[Sequence[Tap]], places: Sequence[float], ohm: Ohms) -> list[np.ndarray]:
    """Tell the same of the taps of each rail of a supply, from the lowest up, that straps at these
    places feed. A strap is fed at its two ends, as far from the outer rails as rails are apart."""
    fed = np.array(places)
    drawn = np.zeros((len(rails), len(fed)))
    for row, taps in enumerate(rails):
        for tap in taps:
            drawn[row] += tap.ua * _shares(fed, tap.um)
    rail, pillar = _conductance(np.array([0, *1 / (ohm.rail * np.diff(fed)), 0])), 1 / ohm.pillar
    one = np.eye(len(places))
    # What a rail loses where pillars are, if straps lose nothing, and what it is to the straps.
    rail_alone = np.linalg.inv(rail + pillar * one)
    seen = pillar * (one - pillar * rail_alone)
    modes, shapes = np.linalg.eigh(_conductance(np.full(len(rails) + 1, 1 / ohm.strap)))
    at_rails = drawn @ rail_alone
    asked = shapes.T @ (pillar * at_rails)
    solved = [
        np.linalg.solve(seen + mode * one, of_mode)
        for mode, of_mode in zip(modes, asked, strict=True)
    ]
    on_straps = shapes @ np.array(solved)
    lost = at_rails + pillar * on_straps @ rail_alone  # where pillars are, in uA ohm
    found = []
    for taps, mv in zip(rails, lost * MV_OF_UA_OHM, strict=True):
        own = np.array([_shares(fed, tap.um) @ mv for tap in taps])
        for low, high in zip([-np.inf, *fed], [*fed, np.inf], strict=True):
            inside = [n for n, tap in enumerate(taps) if low < tap.um <= high]
            end = low if np.isfinite(low) else high
            part = [Tap(abs(taps[n].um - end), taps[n].ua) for n in inside]
            if np.isfinite(high - low):
                own[inside] += drops(part, high - low, ohm.rail)
            else:
                own[inside] += drops_to_end(part, ohm.rail)
        found.append(own)
    return found


def _shares(fed: np.ndarray, um: float) -> np.ndarray:
    """Tell how much of what is taken at a place comes from each place that feeds a rail: between
    two of them from the nearer one more."""
    return np.array([np.interp(um, fed, one) for one in np.eye(len(fed))])


def _conductance(steps: np.ndarray) -> np.ndarray:
    """Make the matrix of conductance of places in a row, joined by steps; both ends are fed."""
    found: np.ndarray = np.diag(steps[:-1] + steps[1:])
    return found - np.diag(steps[1:-1], 1) - np.diag(steps[1:-1], -1)


def supply_drop(design: Design, stack: Stack, ua: Mapping[str, float], volt: float) -> SupplyDrop:
    """Find the cell that the supply leaves the least of the voltage, by the uA of all cells."""
    sites_um = stack.site_width / UNITS_PER_UM
    rails: dict[int, list[tuple[int, Tap]]] = defaultdict(list)
    for number, cell in enumerate(design.cells):
        if current := ua.get(cell.name, 0.0):
            middle = (cell.site + design.shape(cell).sites / 2) * sites_um
            for rail in (cell.row, cell.row + 1):
                rails[rail].append((number, Tap(middle, current)))
    length = design.width / UNITS_PER_UM
    feeds: dict[str, list[float]] = defaultdict(list)
    for strap in straps(design):
        feeds[strap.supply].append(strap.x / UNITS_PER_UM)
    lost: dict[int, float] = defaultdict(float)
    worst = dict.fromkeys(SUPPLIES, 0.0)
    for name in SUPPLIES:
        own = [rails[rail] for rail in rails_of(design, name)]
        taps = [[tap for _, tap in on] for on in own]
        if of := feeds[name]:
            found = on_grid(taps, of, ohms(design))
        else:
            found = [drops(on, length, ohm_per_um(stack)) for on in taps]
        for on, mvs in zip(own, found, strict=True):
            worst[name] = max(worst[name], *map(float, mvs), 0.0)
            for (number, _), mv in zip(on, mvs, strict=True):
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
