"""Time the netlist: outputs/timing.json, and outputs/timing.rpt for people."""

import re
from dataclasses import replace
from pathlib import Path

from flow import opensta
from flow.critical_path import critical_path
from flow.results.netlist import Timing
from flow.step import HOLD_LIBERTY, IN, LIBERTY, OUT, leave, step, taken
from flow.technologies.technology import beside

NETLIST = IN / "netlist.v"
METRICS = ("setup_slack_ns", "hold_slack_ns", "period_ns", "clock_met")


@step
def main(design_name: str, clock_period: float, clock_port: str) -> None:
    """Time the step's netlist."""
    text = opensta.run_sta(NETLIST, design_name, LIBERTY, clock_period, clock_port, report=True)
    Path("sta.log").write_text(text)
    summary, report = opensta.summary(text, clock_period), opensta.path_report(text)
    technology = beside(LIBERTY)
    if technology.signoff.hold != technology.signoff.setup:
        text = opensta.run_sta(NETLIST, design_name, HOLD_LIBERTY, clock_period, clock_port)
        summary = replace(summary, hold_slack_ns=opensta.summary(text, clock_period).hold_slack_ns)
    wires = re.search(r'default_wire_load\s*:\s*"(\w+)"', LIBERTY.read_text())
    found = Timing(
        clock_period_ns=clock_period,
        critical_path=critical_path(
            *(summary, report, design_name),
            *(taken("cells", dict[str, tuple[str, str]]), technology),
        ),
        registers=summary.registers,
        unconstrained_endpoints=summary.unconstrained_endpoints,
        combinational_loops=summary.combinational_loops,
        constraints=opensta.constraints(technology) | {"wire_load": wires[1] if wires else None},
        enable_slack_ns=summary.enable_slack_ns,
    )
    (OUT / "timing.rpt").write_text(report)
    metrics = {name: getattr(summary, name) for name in METRICS}
    leave("timing", found, metrics, {"opensta": opensta.version()})
