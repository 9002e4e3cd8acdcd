"""Describe the slowest path of a netlist by the instances that it goes through."""

from collections.abc import Mapping
from itertools import groupby

from flow import opensta
from flow.results.netlist import Path, PathPoint, Stretch
from flow.technologies.technology import Technology


def critical_path(
    summary: opensta.Summary,
    report: str,
    top: str,
    owners: Mapping[str, tuple[str, str]],
    found: Technology,
) -> Path | None:
    """Describe the slowest path: start, end, its cells, and the stretch in each instance on the
    way.

    `owners` has the instance path ("" for the top) and module of each cell of the netlist as one
    module. A cell's name there begins with the path, joined by dots; where the timed netlist has a
    hierarchy, OpenSTA joins by slashes.
    """
    if summary.start is None or summary.end is None:
        return None
    modules = dict(owners.values())
    points = []
    for point in opensta.path_points(report, found):
        cell = point.pin.rpartition("/")[0]
        path = cell.rpartition("/")[0]
        inside = (path, modules.get(path.replace("/", "."), top))
        points.append(PathPoint(*point, *owners.get(cell, inside)))
    through = [
        Stretch(instance, module, round(sum(point.delay_ns for point in group), 4))
        for (instance, module), group in groupby(points, lambda p: (p.instance, p.module))
    ]
    return Path(summary.start, summary.end, points[-1].at_ns if points else 0.0, through, points)
