"""Time the netlist: outputs/timing.json, and outputs/timing.rpt for people."""

import os
import re
import sys
from itertools import groupby
from pathlib import Path

from flow import opensta
from flow.step import IN, LIBERTY, OUT, leave, taken

NETLIST = IN / "netlist.v"


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


def main() -> None:
    """Time the step's netlist; exit 1 with what sta says if it fails."""
    env, top = os.environ, os.environ["design_name"]
    period = float(env["clock_period"])
    try:
        text = opensta.run_sta(NETLIST, top, LIBERTY, period, env["clock_port"], report=True)
    except opensta.StaError as error:
        sys.exit(f"ERROR: sta: {error}")
    Path("sta.log").write_text(text)
    summary, report = opensta.summary(text, period), opensta.path_report(text)
    wires = re.search(r'default_wire_load\s*:\s*"(\w+)"', LIBERTY.read_text())
    metrics = ("setup_slack_ns", "hold_slack_ns", "period_reached_ns", "clock_met")
    counts = ("registers", "unconstrained_endpoints", "combinational_loops")
    data = {
        "metrics": {key: summary[key] for key in metrics},
        "clock_period_ns": period,
        "critical_path": critical_path(summary, report, top, taken("cells")),
        **{key: summary[key] for key in (*counts, "enable_slack_ns") if key in summary},
        "constraints": opensta.CONSTRAINTS | {"wire_load": wires[1] if wires else None},
        "tools": {"opensta": opensta.version()},
    }
    (OUT / "timing.rpt").write_text(report)
    leave("timing", data)


if __name__ == "__main__":
    main()
