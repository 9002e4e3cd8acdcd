"""Time the netlist: outputs/timing.json, and outputs/timing.rpt for people."""

import os
import re
from pathlib import Path

from flow import opensta
from flow.critical_path import critical_path
from flow.results.netlist import Timing
from flow.step import IN, LIBERTY, OUT, leave, run, taken

NETLIST = IN / "netlist.v"
METRICS = ("setup_slack_ns", "hold_slack_ns", "period_reached_ns", "clock_met")


def main() -> None:
    """Time the step's netlist."""
    env, top = os.environ, os.environ["design_name"]
    period = float(env["clock_period"])
    text = opensta.run_sta(NETLIST, top, LIBERTY, period, env["clock_port"], report=True)
    Path("sta.log").write_text(text)
    summary, report = opensta.summary(text, period), opensta.path_report(text)
    wires = re.search(r'default_wire_load\s*:\s*"(\w+)"', LIBERTY.read_text())
    found = Timing(
        clock_period_ns=period,
        critical_path=critical_path(
            summary, report, top, taken("cells", dict[str, tuple[str, str]])
        ),
        registers=summary.registers,
        unconstrained_endpoints=summary.unconstrained_endpoints,
        combinational_loops=summary.combinational_loops,
        constraints=opensta.CONSTRAINTS | {"wire_load": wires[1] if wires else None},
        enable_slack_ns=summary.enable_slack_ns,
    )
    (OUT / "timing.rpt").write_text(report)
    metrics = {name: getattr(summary, name) for name in METRICS}
    leave("timing", found, metrics, {"opensta": opensta.version()})


if __name__ == "__main__":
    run(main)
