"""Finds the front of designs, the design for a need, and what noise leaves of both. Four gaps are
marked. Less area and less time are better.

    modexplorer explore --designs LIST ... --json > rows.json
    python3 lab5/front.py rows.json
"""

import json
import sys
from typing import NamedTuple


class Point(NamedTuple):
    """A design, its area in um2 and its time in us."""

    name: str
    area: float
    time: float


def beats(one: Point, other: Point) -> bool:
    """Return whether one point is better than another in a metric, and no worse in the other."""
    # GAP 1: compare areas and times.
    return False


def front(points: list[Point]) -> list[str]:
    """Return the names of those that no other point beats, the smallest area first."""
    # GAP 2: sort by area, and leave out what is beaten.
    return [point.name for point in points]


def smallest(points: list[Point], limit: float) -> str:
    """Return the name of the point of least area whose time is at most the limit, of equal areas
    that of less time, "" if none is."""
    # GAP 3: which points meet the limit, and which of them is the smallest?
    return ""


def uncertain(points: list[Point], area_band: float, time_band: float) -> list[str]:
    """Return the names of those on the front that another point would beat if noise were against
    them: their own area and time larger by the bands, those of all others smaller by the bands.
    A band of 0.01 is one per cent. The smallest area is first."""
    # GAP 4: move a point of the front one way, all others the other way, and ask `beats`.
    return []


def main() -> None:
    """Show what comes of the rows that `modexplorer explore --json` has written. Given."""
    with open(sys.argv[1]) as file:
        rows = json.load(file)["rows"]
    points = [Point(row["design"], row["area"], row["time"]) for row in rows]
    names = front(points)
    for point in sorted(points, key=lambda point: point.area):
        mark = "*" if point.name in names else " "
        print(f"{mark} {point.name:16} {point.area:9.1f} um2 {point.time:7.3f} us")
    print("front:", ", ".join(names))


if __name__ == "__main__":
    main()
