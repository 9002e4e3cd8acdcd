"""Checks of a student's front.py: fronts, needs and bands, compared with all pairs of points."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from operator import attrgetter
from pathlib import Path
from random import Random
from types import ModuleType
from typing import Any, NamedTuple

from eval.labs.cases import read_cases
from eval.labs.lab import OWN_CASES, TEACHER, Items, Mark, drawn
from eval.labs.python_code import Stage, called, mark_python
from eval.labs.stages import Wrong

FILE = "front.py"
OWN = 2  # cases that a student adds to the two that are there
TRIED = 40  # sets of points of a stage
FRONT, NEED, NOISE = "fronts", "needs", "bands"
NAMES = {"points", "front", "limit", "smallest", "area_band", "time_band", "uncertain"}


class Spot(NamedTuple):
    """Stands for a design: its name, area and time."""

    name: str
    area: float
    time: float


class Case(NamedTuple):
    """Points with a limit of the time, and bands of the noise."""

    points: tuple[Spot, ...]
    limit: float
    area_band: float
    time_band: float


Names = list[str]
Variant = tuple[str, Callable[[Case], Any]]


def beats(one: Spot, other: Spot) -> bool:
    """Return whether a point is better in a metric, and no worse in the other."""
    return one[1:] != other[1:] and one.area <= other.area and one.time <= other.time


def front(case: Case, beaten: Callable[[Spot, Spot], bool] = beats) -> Names:
    """Name the points that no other beats, the smallest area first."""
    rest = (p for p in case.points if not any(beaten(o, p) for o in case.points if o is not p))
    return [p.name for p in sorted(rest, key=lambda p: p.area)]


def smallest(case: Case) -> str:
    """Name the smallest point within the limit, of equal areas the faster; "" if there is none."""
    return _least([p for p in case.points if p.time <= case.limit], "area", "time")


def uncertain(case: Case, own: int = 1, others: int = -1, of_front: bool = True) -> Names:
    """Name those of the front that another one beats where noise moves them and the others."""
    found = []
    names = front(case)
    for spot in sorted(case.points, key=lambda p: p.area):
        worse = _moved(spot, case, own)
        rivals = [_moved(p, case, others) for p in case.points if p is not spot]
        if (spot.name in names or not of_front) and any(beats(r, worse) for r in rivals):
            found.append(spot.name)
    return found


def _moved(spot: Spot, case: Case, side: int) -> Spot:
    area, time = 1 + side * case.area_band, 1 + side * case.time_band
    return Spot(spot.name, spot.area * area, spot.time * time)


def _least(points: Sequence[Spot], *metrics: str) -> str:
    return min(points, key=attrgetter(*metrics)).name if points else ""


OF_FRONT: tuple[Variant, ...] = (
    ("all names: nothing is left out (GAP 2)", lambda c: [p.name for p in c.points]),
    (
        "all names, sorted: does beats ever say True (GAP 1), and is it asked (GAP 2)?",
        lambda c: [p.name for p in sorted(c.points, key=lambda p: p.area)],
    ),
    ("no names: does beats say True of a point and itself (GAP 1)?", lambda c: []),
    (
        "as if a point had to be better in both metrics to beat another (GAP 1)",
        lambda c: front(c, lambda o, p: o.area < p.area and o.time < p.time),
    ),
    (
        "as if equal points beat each other (GAP 1)",
        lambda c: front(c, lambda o, p: o.area <= p.area and o.time <= p.time),
    ),
    (
        "as if the larger area and time were better (GAP 1)",
        lambda c: front(c, lambda o, p: beats(p, o)),
    ),
    (
        "as if one metric alone decided (GAP 1)",
        lambda c: front(c, lambda o, p: o.area < p.area or o.time < p.time),
    ),
    ("the front in the order of the points, not of their areas (GAP 2)", lambda c: _in_order(c)),
    (
        "the front with the largest area first (GAP 2)",
        lambda c: sorted(front(c), key=lambda name: -_area(c, name)),
    ),
)
OF_NEED: tuple[Variant, ...] = (
    (
        "of equal areas the first one: the one of less time is asked (GAP 3)",
        lambda c: _least([p for p in c.points if p.time <= c.limit], "area"),
    ),
    ('always "" (GAP 3)', lambda c: ""),
    (
        "the smallest of all: is the limit looked at (GAP 3)?",
        lambda c: _least(c.points, "area", "time"),
    ),
    ("the fastest of all: the smallest is asked (GAP 3)", lambda c: _least(c.points, "time")),
    (
        "as if a time equal to the limit missed it (GAP 3)",
        lambda c: _least([p for p in c.points if p.time < c.limit], "area", "time"),
    ),
    (
        "the smallest of those that miss the limit (GAP 3)",
        lambda c: _least([p for p in c.points if p.time > c.limit], "area", "time"),
    ),
)
OF_NOISE: tuple[Variant, ...] = (
    ("always none: is noise against the point, and for the others (GAP 4)?", lambda c: []),
    (
        "as if noise moved the point alone: the others move, too (GAP 4)",
        lambda c: uncertain(c, 1, 0),
    ),
    (
        "as if noise moved the others alone: the point moves, too (GAP 4)",
        lambda c: uncertain(c, 0, -1),
    ),
    (
        "as if all points were asked, not those of the front alone (GAP 4)",
        lambda c: uncertain(c, of_front=False),
    ),
    ("the whole front (GAP 4)", front),
    (
        "as if the bands were per cents: 0.01 is one per cent (GAP 4)",
        lambda c: uncertain(c._replace(area_band=c.area_band / 100, time_band=c.time_band / 100)),
    ),
    (
        "as if there were no band of the time (GAP 4)",
        lambda c: uncertain(c._replace(time_band=0.0)),
    ),
)
ASKED: dict[str, tuple[str, Callable[[Case], Any], tuple[Variant, ...]]] = {
    FRONT: ("front", front, OF_FRONT),
    NEED: ("smallest", smallest, OF_NEED),
    NOISE: ("uncertain", uncertain, OF_NOISE),
}


def check_front(folder: Path, items: Items, teacher: str) -> list[Mark]:
    """Check front.py by a folder's own cases, then by drawn points."""
    stages: dict[str, Stage] = {OWN_CASES: lambda module: _own(folder, module)}
    for item in ASKED:
        stages[item] = partial(_compare, item, [*_edges(), *_drawn(drawn("", item))])

    def by_teacher(module: ModuleType) -> None:
        cases = [*_drawn(drawn(teacher, "front"))]
        for item in ASKED:
            _compare(item, cases, module)

    return mark_python(folder / FILE, items, stages | {TEACHER: by_teacher})


def _edges() -> Iterator[Case]:
    """Give points that are equal, or equal in a metric, or at the limit, or alone."""
    a, b, c = Spot("a", 100, 2.0), Spot("b", 100, 3.0), Spot("c", 90, 2.0)
    same = Spot("same", 100, 2.0)
    for points in ((b, a), (a, b), (a, c), (c, a), (a, same, b), (a,), (b, a, same, c)):
        yield Case(points, 2.0, 0.06, 0.01)
        yield Case(points, 1.0, 0.2, 0.2)


def _drawn(rng: Random) -> Iterator[Case]:
    """Draw points near a curve of constant area x time, some of them equal in a metric."""
    for _ in range(TRIED):
        points: list[Spot] = []
        for number in range(rng.randint(2, 9)):
            area = round(rng.uniform(1000, 9000), 1)
            time = round(5000 / area * rng.uniform(0.8, 1.5), 3)
            if points and rng.random() < 0.2:
                area = points[-1].area
            points.append(Spot(f"d{number}", area, time))
        rng.shuffle(points)
        limit = rng.choice([rng.choice(points).time, round(rng.uniform(0.4, 4), 2)])
        area_band, time_band = (round(rng.uniform(0.01, 0.2), 3) for _ in range(2))
        yield Case(tuple(points), limit, area_band, time_band)


def _own(folder: Path, module: ModuleType) -> None:
    """Try the cases of the folder; are they right themselves, and enough?"""
    told = "points, front, limit, smallest, area_band, time_band and uncertain"
    rows = read_cases(folder, NAMES, _fits, told)
    cases = []
    for number, row in enumerate(rows, 1):
        points = tuple(Spot(name, float(area), float(time)) for name, area, time in row["points"])
        case = Case(points, *(float(row[name]) for name in Case._fields[1:]))
        for name, right, _ in ASKED.values():
            if row[name] != right(case):
                raise Wrong(f"cases.toml: case {number}: {name} is {right(case)!r}, by all pairs")
        cases.append(case)
    if len(set(cases)) < OWN + 2:
        raise Wrong(f"cases.toml: has {len(cases)} cases; add {OWN} others to the two there were")
    for item in ASKED:
        _compare(item, cases, module)


def _fits(row: dict[str, Any]) -> bool:
    """Return whether a case has what it should."""
    points, numbers = row["points"], [row[name] for name in Case._fields[1:]]
    if not isinstance(points, list) or not points or not all(map(_is_point, points)):
        return False
    return all(map(_is_number, numbers)) and len({name for name, *_ in points}) == len(points)


def _is_point(point: Any) -> bool:
    right = isinstance(point, list) and len(point) == 3 and isinstance(point[0], str)
    return right and all(map(_is_number, point[1:]))


def _is_number(value: Any) -> bool:
    return type(value) in (int, float) and 0 <= value < 1e9


def _compare(item: str, cases: Sequence[Case], module: ModuleType) -> None:
    """Ask for each case; Wrong tells the first that is wrong, and which fault gives the same."""
    name, right, variants = ASKED[item]
    found = [_asked(module, name, case) for case in cases]
    rights = [right(case) for case in cases]
    wrong = next((i for i, answer in enumerate(found) if answer != rights[i]), None)
    if wrong is None:
        return
    case = cases[wrong]
    points = ", ".join(f"({p.name}, {p.area:g}, {p.time:g})" for p in case.points)
    told = f"{name} of {points}"
    told += f", limit {case.limit:g}" if item == NEED else ""
    told += f", bands {case.area_band:g} and {case.time_band:g}" if item == NOISE else ""
    told += f" is {rights[wrong]!r}, and was answered {str(found[wrong])[:80]!r}"
    for hint, variant in variants:
        if all(variant(c) == answer for c, answer in zip(cases, found, strict=True)):
            raise Wrong(f"{told}; all answers are {hint}")
    raise Wrong(told)


def _asked(module: ModuleType, name: str, case: Case) -> Any:
    """Call the student's function; names in a list, whatever holds them."""
    point: Any = getattr(module, "Point", Spot)
    points = [point(*spot) for spot in case.points]
    if name == "front":
        found = called(module, name, points)
    elif name == "smallest":
        return called(module, name, points, case.limit)
    else:
        found = called(module, name, points, case.area_band, case.time_band)
    return list(found) if isinstance(found, list | tuple) else found


def _area(case: Case, name: str) -> float:
    return next(p.area for p in case.points if p.name == name)


def _in_order(case: Case) -> Names:
    names = front(case)
    return [p.name for p in case.points if p.name in names]
