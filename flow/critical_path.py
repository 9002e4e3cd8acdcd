"""Describe the slowest path of a netlist by the instances that it goes through."""

from itertools import groupby

from flow import opensta


def critical_path(
    summary: dict, report: str, top: str, owners: dict[str, list[str]]
) -> dict | None:
    """Describe the slowest path: start, end, its cells, and the stretch in each instance on the
    way.

    `owners` has the instance path ("" for the top) and module of each cell of the netlist as one
    module. A cell's name there begins with the path, joined by dots; where the timed netlist has a
    hierarchy, OpenSTA joins by slashes.
    """
    if summary["start"] is None:
        return None
    modules = dict(owners.values())
    points = opensta.path_points(report)
    for point in points:
        cell = point["pin"].rpartition("/")[0]
        path = cell.rpartition("/")[0]
        inside = (path, modules.get(path.replace("/", "."), top))
        point["instance"], point["module"] = owners.get(cell, inside)
    through = []
    for (instance, module), group in groupby(points, lambda p: (p["instance"], p["module"])):
        delay = round(sum(point["delay_ns"] for point in group), 4)
        through.append({"instance": instance, "module": module, "delay_ns": delay})
    return {
        "start": summary["start"],
        "end": summary["end"],
        "arrival_ns": points[-1]["at_ns"] if points else 0.0,
        "through": through,
        "points": points,
    }
