"""Time the netlist: outputs/timing.json, and outputs/timing.rpt for people."""

from dataclasses import replace
from pathlib import Path

from flow import opensta
from flow.critical_path import critical_path
from flow.results.netlist import Timing
from flow.step import IN, KIT, LIBERTY, OUT, leave, step, taken
from flow.technologies.technology import beside

NETLIST = IN / "netlist.v"
METRICS = ("setup_slack_ns", "hold_slack_ns", "period_ns", "clock_met")


@step
def main(design_name: str, clock_period: float, clock_port: str) -> None:
    """Time the step's netlist."""
    text, corners = opensta.in_corners(NETLIST, design_name, KIT, clock_period, clock_port)
    Path("sta.log").write_text(text)
    summary, report = opensta.summary(text, clock_period), opensta.path_report(text)
    technology = beside(LIBERTY)
    summary = replace(summary, hold_slack_ns=opensta.hold_slack(corners, technology))
    found = Timing(
        clock_period_ns=clock_period,
        critical_path=critical_path(
            *(summary, report, design_name),
            *(taken("cells", dict[str, tuple[str, str]]), technology),
        ),
        registers=summary.registers,
        unconstrained_endpoints=summary.unconstrained_endpoints,
        combinational_loops=summary.combinational_loops,
        constraints=opensta.constraints(technology) | {"wire_load": opensta.wire_load_of(LIBERTY)},
        enable_slack_ns=summary.enable_slack_ns,
        corners=corners,
        untimed=[*summary.untimed],
    )
    (OUT / "timing.rpt").write_text(report)
    metrics = {name: getattr(summary, name) for name in METRICS}
    metrics |= opensta.typical_period(corners, technology)
    leave("timing", found, metrics, {"opensta": opensta.version()})
