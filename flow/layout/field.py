"""Find capacitances of wires in a cross-section: charges on their sides, by the method of moments.

Each side of a conductor is cut into panels, narrower to its corners, each with a charge that is
even along it. What all charges make at the middle of each panel is the conductor's voltage: a
system of linear equations. Below all is a plane at 0 V, at y = 0, by charges mirrored in it; the
insulator is the same everywhere. Lengths are in um, capacitances in fF for a um into the picture.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

EPSILON_0 = 8.8541878e-3  # fF/um
TINY = 1e-12
PANELS = 16  # on each side of a wire


@dataclass(frozen=True)
class Box:
    """A conductor: left, bottom, right, top; a sheet where top is bottom."""

    left: float
    bottom: float
    right: float
    top: float
    panels: int = PANELS


@dataclass(frozen=True)
class Panels:
    """Panels by their two ends, and which conductor each is of."""

    x0: np.ndarray
    y0: np.ndarray
    x1: np.ndarray
    y1: np.ndarray
    owner: np.ndarray

    @property
    def middle(self) -> tuple[np.ndarray, np.ndarray]:
        """Where the middle of each is."""
        return (self.x0 + self.x1) / 2, (self.y0 + self.y1) / 2

    @property
    def length(self) -> np.ndarray:
        """How long each is."""
        return np.hypot(self.x1 - self.x0, self.y1 - self.y0)


def panels(boxes: Sequence[Box]) -> Panels:
    """Cut the sides of conductors into panels."""
    rows = []
    for number, box in enumerate(boxes):
        steps = (1 - np.cos(np.linspace(0, np.pi, box.panels + 1))) / 2
        x = box.left + (box.right - box.left) * steps
        y = box.bottom + (box.top - box.bottom) * steps
        sides = [(x, np.full_like(x, box.bottom))]
        if box.top > box.bottom:
            sides.append((x, np.full_like(x, box.top)))
            sides += [(np.full_like(y, at), y) for at in (box.left, box.right)]
        for xs, ys in sides:
            owner = np.full(box.panels, number)
            rows.append((xs[:-1], ys[:-1], xs[1:], ys[1:], owner))
    return Panels(*(np.concatenate(column) for column in zip(*rows, strict=True)))


def _log_integral(x: np.ndarray, y: np.ndarray, of: Panels, mirrored: bool) -> np.ndarray:
    """Integrate ln(distance) from each point along each panel, or along its mirror image."""
    sign = -1 if mirrored else 1
    length = of.length
    along_x, along_y = (of.x1 - of.x0) / length, sign * (of.y1 - of.y0) / length
    dx, dy = x[:, None] - of.x0, y[:, None] - sign * of.y0
    u = dx * along_x + dy * along_y
    v = np.abs(dx * along_y - dy * along_x)

    def part(t: np.ndarray) -> np.ndarray:
        log = np.log(np.maximum(np.hypot(t, v), TINY))
        found: np.ndarray = t * log - t + v * np.arctan2(t, np.maximum(v, TINY))
        return found

    return part(u) - part(u - length)


def charges(boxes: Sequence[Box], volts: Sequence[float], permittivity: float) -> np.ndarray:
    """Tell the charge of each conductor, fC for a um, at these voltages."""
    cut = panels(boxes)
    sums: np.ndarray = np.bincount(cut.owner, panel_charges(cut, volts, permittivity), len(boxes))
    return sums


def panel_charges(cut: Panels, volts: Sequence[float], permittivity: float) -> np.ndarray:
    """Tell the charge of each panel if conductors have these voltages."""
    x, y = cut.middle
    of_unit = _log_integral(x, y, cut, True) - _log_integral(x, y, cut, False)
    of_unit /= 2 * np.pi * EPSILON_0 * permittivity
    found: np.ndarray = np.linalg.solve(of_unit, np.asarray(volts)[cut.owner]) * cut.length
    return found
