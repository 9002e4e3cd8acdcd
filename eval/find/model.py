"""Estimates of area, period and energy before anything is mapped, each with its doubt.

A Gaussian process for each family and figure, over the logarithms of width, clock and parameters:
what rises with a parameter by some power, and a rough rest. It knows the netlists that were
measured, of whatever width and clock. Where there are none near, the doubt is large. The figures
are relative: area for each bit of width; energy for each um2 and cycle.

How far figures change with a parameter is believed beforehand, and not fitted: a family has ten
netlists or so. GaussianProcessRegressor of scikit-learn gives the same to the last digit with this
kernel (DotProduct + Matern 1/2), and takes scipy, 200 MB and 3 s to be there. Fitted by it, 85 of
100 periods that texts quote were within two standard deviations of what the others said, and of
these 97. BoTorch, and Optuna's GPSampler, which proposes points and does not say what to expect of
others, take torch.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import cache
from math import log, log2
from typing import Any

import numpy as np
from numpy.typing import NDArray

from eval.find.space import place_of

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]
DOUBTS = 2.0  # standard deviations between an estimate and its optimistic value
NUMBERED = re.compile(r"(.*?)-?(\d+)")
USUAL_BITS, USUAL_NS = 32, 3.0  # in the middle of what is measured
WHIM = 0.025  # by which netlists differ that are next to each other


@dataclass(frozen=True)
class Figure:
    """What is believed of a figure where nothing was measured: its usual logarithm in a family and
    how families differ; by how much it changes when width, clock or a number doubles, or a choice
    changes, on a straight line in logarithms; and how far it strays from that. It rises with
    numbers by so much usually. `shared` is the part of its straying that is the same of a design
    at all widths and clocks."""

    name: str
    usual: float
    families: float
    rises: float
    by_width: float
    by_clock: float
    by_number: float
    by_choice: float
    astray: float
    shared: float = 0.0


AREA = Figure("area", log(200), 0.9, 0.4, 0.16, 0.08, 0.28, 0.24, 0.28)
PERIOD = Figure("period", log(1.8), 0.5, 0.3, 0.08, 0.25, 0.17, 0.14, 0.14)
ENERGY = Figure("energy", log(2e-6), 0.7, 0.0, 0.05, 0.1, 0.3, 0.25, 0.3, shared=0.85)
FIGURES = {figure.name: figure for figure in (AREA, PERIOD, ENERGY)}
# How far apart two netlists are strangers: doublings of width, clock and numbers, steps of a count.
REACH = {"width": 4.0, "clock": 4.0, "number": 2.0, "count": 4.0, "choice": 4.0}


@dataclass(frozen=True)
class Spot:
    """A netlist that is measured or may be: a design, its width, the clock it is mapped for."""

    design: str
    nbits: int
    clock_ns: float
    gated: bool = False


@dataclass(frozen=True)
class Known:
    """The figures that were measured of a spot; None are those that were not. Energy is that of an
    operation of so many cycles."""

    spot: Spot
    area_um2: float | None
    period_ns: float | None
    energy_nj: float | None = None
    cycles: int = 0

    def logarithm(self, figure: str) -> float | None:
        """Return the logarithm of the relative figure; None if it was not measured."""
        if figure == "period":
            return log(self.period_ns) if self.period_ns else None
        if not self.area_um2:
            return None
        if figure == "area":
            return log(self.area_um2 / self.spot.nbits)
        return log(self.energy_nj / self.area_um2 / self.cycles) if self.energy_nj else None


Coordinates = dict[str, tuple[str, float]]


def coordinates(spot: Spot) -> Coordinates:
    """Tell where a spot is: coordinates by name, each of a kind of REACH; a choice has one of its
    own, which others do not have."""
    return {
        "width": ("width", log2(spot.nbits / USUAL_BITS)),
        "clock": ("clock", log2(spot.clock_ns / USUAL_NS)),
        f"gated {spot.gated}": ("choice", 1.0),
    } | _of_design(spot.design)


@cache
def _of_design(design: str) -> Coordinates:
    found: Coordinates = {}
    for name, value in place_of(design).values:
        if isinstance(value, bool):
            found[f"{name} {value}"] = "choice", 1.0
        elif isinstance(value, int | float):
            found[name] = "number", log2(value) if value else -1.0
        elif match := NUMBERED.fullmatch(value):
            found[f"{name} {match[1]}"] = "choice", 1.0
            found[f"{name} count"] = "count", float(match[2])
        else:
            found[f"{name} {value}"] = "choice", 1.0
    return found


Columns = dict[str, tuple[str, Array]]  # by the name of a coordinate its kind, and all its values


def columns_of(spots: Sequence[Spot]) -> Columns:
    """Tell where spots are, coordinate by coordinate."""
    where = [coordinates(spot) for spot in spots]
    kinds = {name: kind for one in where for name, (kind, _) in one.items()}
    absent = ("", 0.0)
    return {
        name: (kind, np.array([one.get(name, absent)[1] for one in where]))
        for name, kind in sorted(kinds.items())
    }


@dataclass
class Group:
    """The spots of a family: their numbers among all; where they are, once that was asked; and what
    was estimated of them last by figure, by what was known then."""

    numbers: list[int] = field(default_factory=list)
    spots: list[Spot] = field(default_factory=list)
    columns: Columns | None = None
    told: dict[str, tuple[list[Known], tuple[Array, Array]]] = field(default_factory=dict)

    def add(self, number: int, spot: Spot) -> None:
        """Take one more."""
        self.numbers.append(number)
        self.spots.append(spot)
        self.columns, self.told = None, {}

    def where(self) -> Columns:
        """Tell where they are."""
        self.columns = self.columns or columns_of(self.spots)
        return self.columns


class Places:
    """Spots that are estimated again and again, by family."""

    def __init__(self, spots: Iterable[Spot] = ()) -> None:
        self.count = 0
        self.families: dict[str, Group] = defaultdict(Group)
        for spot in spots:
            self.add(spot)

    def add(self, spot: Spot) -> None:
        """Take one more spot."""
        self.families[place_of(spot.design).family].add(self.count, spot)
        self.count += 1


class Process:
    """A Gaussian process of one figure of a family, which knows some netlists."""

    def __init__(self, figure: Figure, known: Sequence[Known]) -> None:
        self.figure = figure
        values = [(one.spot, one.logarithm(figure.name)) for one in known]
        told = [(spot, value) for spot, value in values if value is not None]
        self._count, self._where = len(told), columns_of([spot for spot, _ in told])
        if told:
            y = np.array([value for _, value in told]) - self._usually(self._where, self._count)
            kernel = self._covariance(self._where, self._count)
            self._inverse = np.linalg.inv(kernel + WHIM**2 * np.eye(self._count))
            self._solved = self._inverse @ y

    def estimate(self, where: Columns, count: int) -> tuple[Array, Array]:
        """Return the logarithms of so many relative figures, and their standard deviations."""
        mean, variance = self._usually(where, count), self._variances(where, count)
        if not self._count:
            return mean, np.sqrt(variance)
        cross = self._covariance(where, count)
        told = np.sum((cross @ self._inverse) * cross, axis=1)
        return mean + cross @ self._solved, np.sqrt(np.maximum(variance - told, 0) + WHIM**2)

    def _usually(self, where: Columns, count: int) -> Array:
        """Tell what is believed where nothing was measured."""
        usual = np.full(count, self.figure.usual)
        for kind, x in where.values():
            if kind == "number":
                usual += self.figure.rises * x
        return usual

    def _slope(self, kind: str) -> float:
        figure = self.figure
        return {
            "width": figure.by_width,
            "clock": figure.by_clock,
            "number": figure.by_number,
            "count": figure.by_number / 2,
            "choice": figure.by_choice,
        }[kind]

    def _covariance(self, where: Columns, count: int) -> Array:
        """Tell how figures of spots go together with those that are known."""
        straight = np.full((count, self._count), self.figure.families**2)
        apart, of_designs = np.zeros_like(straight), np.zeros_like(straight)
        for name in where.keys() | self._where.keys():
            kind = where[name][0] if name in where else self._where[name][0]
            x = where[name][1] if name in where else np.zeros(count)
            z = self._where[name][1] if name in self._where else np.zeros(self._count)
            straight += self._slope(kind) ** 2 * np.outer(x, z)
            square = (np.subtract.outer(x, z) / REACH[kind]) ** 2
            apart += square
            if kind not in ("width", "clock"):
                of_designs += square
        shared = self.figure.shared
        alike = (1 - shared) * np.exp(-np.sqrt(apart)) + shared * np.exp(-np.sqrt(of_designs))
        covariance: Array = straight + self.figure.astray**2 * alike
        return covariance

    def _variances(self, where: Columns, count: int) -> Array:
        figure = self.figure
        found = np.full(count, figure.families**2 + figure.astray**2)
        for kind, x in where.values():
            found += (self._slope(kind) * x) ** 2
        return found


class Model:
    """Estimates of figures, by what was measured of each family."""

    def __init__(self, known: Iterable[Known]) -> None:
        self._known: dict[str, list[Known]] = defaultdict(list)
        for one in known:
            self._known[place_of(one.spot.design).family].append(one)

    def known_of(self, family: str) -> list[Known]:
        """Return what was measured of a family."""
        return self._known.get(family, [])

    def estimate(self, figure: str, places: Places) -> tuple[Array, Array]:
        """Return the logarithms of relative figures of places, and their standard deviations."""
        mean, doubt = np.zeros(places.count), np.zeros(places.count)
        for family, group in places.families.items():
            known = self.known_of(family)
            before = group.told.get(figure)
            if before is None or before[0] != known:
                process = Process(FIGURES[figure], known)
                before = known, process.estimate(group.where(), len(group.numbers))
                group.told[figure] = before
            mean[group.numbers], doubt[group.numbers] = before[1]
        return mean, doubt


def left_out(known: Sequence[Known], figure: str) -> list[tuple[float, float]]:
    """Estimate each of the spots by the others of its family: by how much the logarithm is off, and
    the doubt that it was given with. What a family's only row says is left out."""
    found: list[tuple[float, float]] = []
    groups: dict[Any, list[Known]] = defaultdict(list)
    for one in known:
        groups[place_of(one.spot.design).family].append(one)
    for some in groups.values():
        for one in some:
            value = one.logarithm(figure)
            others = [other for other in some if other.spot != one.spot]
            if value is None or all(other.logarithm(figure) is None for other in others):
                continue
            mean, doubt = Process(FIGURES[figure], others).estimate(columns_of([one.spot]), 1)
            found.append((value - float(mean[0]), float(doubt[0])))
    return found
