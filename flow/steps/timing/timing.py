"""Time the netlist: outputs/timing.json, and outputs/timing.rpt for people."""

import os
import re
from pathlib import Path

from flow import opensta
from flow.critical_path import critical_path
from flow.step import IN, LIBERTY, OUT, leave, run, taken

NETLIST = IN / "netlist.v"


def main() -> None:
    """Time the step's netlist."""
    env, top = os.environ, os.environ["design_name"]
    period = float(env["clock_period"])
    text = opensta.run_sta(NETLIST, top, LIBERTY, period, env["clock_port"], report=True)
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
    run(main)
