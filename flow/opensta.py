"""Ask OpenSTA for the setup and hold slack, the shortest clock period and the critical path.

The clock is ideal. Inputs arrive at the clock edge; outputs are due at the next edge. Wires are the
library's wire load model, which OpenSTA applies by itself. After layout, wires are those of the
SPEF file, and the clock arrives as late as its tree makes it.
"""

import os
import re
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

from flow.technologies.technology import Technology, beside
from sim.errors import RunError

SCRIPT = Path(__file__).with_name("opensta.tcl")
UNIT = re.compile(r"capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*\"?(\w+)")
FF = {"ff": 1, "pf": 1000}  # in a unit of capacitance

SKEW = re.compile(r"^Latency +CRPR +Skew\n\S.*\n +(\S+)\n\S.*\n +(\S+) .* (\S+)$", re.MULTILINE)
POINT = re.compile(r"([\d.]+)\s+([\d.]+)\s+[v^]\s+(\S+)\s+\((\S+)\)$")


@dataclass(frozen=True)
class Summary:
    """The slacks and counts of a netlist; None where it has no such path. The enable slack is that
    of clock gates; the setup slack is that of all paths, these among them."""

    setup_slack_ns: float | None
    hold_slack_ns: float | None
    period_ns: float | None
    clock_met: bool
    start: str | None
    end: str | None
    registers: int
    unconstrained_endpoints: int
    combinational_loops: int
    enable_slack_ns: float | None = None


class Point(NamedTuple):
    """A cell on a path, by its output pin: its delay and arrival in ns."""

    pin: str
    cell: str
    delay_ns: float
    at_ns: float


class StaError(RunError):
    """sta printed an error or stopped early; the message is what it said."""


def constraints(found: Technology) -> dict[str, str | float | None]:
    """Say what is around a design."""
    outside = found.outside
    return {
        "driving_cell": outside.driving_cell,
        "load_ff": outside.load_ff,
        "input_delay_ns": 0.0,
    }


def load_of(found: Technology, liberty: Path) -> float:
    """Tell the load of outputs in the unit of a library, which sta counts in."""
    with liberty.open() as file:
        unit = next(match for line in file if (match := UNIT.search(line)))
    scale = float(unit[1]) * FF[unit[2].lower()]
    return found.outside.load_ff / scale


def version() -> str:
    """Ask the `sta` found on PATH for its version; FileNotFoundError without one."""
    done = subprocess.run(["sta", "-version"], capture_output=True, text=True, timeout=60)
    return done.stdout.strip()


@dataclass(frozen=True)
class Timed:
    """A netlist that is timed, and its clock; after layout, the wires."""

    netlist: Path
    top: str
    liberty: Path
    period: float
    clock_port: str
    spef: Path | None = None


def run_script(
    script: Path, design: Timed, more: Mapping[str, object], done: str = "SCRIPT DONE"
) -> str:
    """Run a script, which may begin with ours, in sta and return what it prints; StaError if
    anything at all went wrong, or the line `done` is missing. `more` is the script's own
    environment; what is false is left out."""
    found = beside(design.liberty)
    said = {
        "OPENSTA": SCRIPT,
        "NETLIST": design.netlist,
        "TOP": design.top,
        "LIBERTY": design.liberty,
        "CLOCK_PORT": design.clock_port,
        "CLOCK_PERIOD": design.period,
        "DRIVING_CELL": found.outside.driving_cell,
        "LOAD": load_of(found, design.liberty),
        "SPEF": design.spef,
        "QUICK": True,
        **more,
    }
    env = os.environ | {name: str(value) for name, value in said.items() if value}
    command = ["sta", "-no_init", "-no_splash", "-exit", str(script)]
    ran = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=env
    )
    lines = ran.stdout.splitlines()
    errors = [line for line in lines if line.startswith("Error")]
    if errors or ran.returncode or done not in lines:
        why = "; ".join(errors) or f"sta stopped early: {ran.stdout[-500:].strip()}"
        raise StaError(f"sta: {why}")
    return ran.stdout


def run_sta(
    netlist: Path,
    top: str,
    liberty: Path,
    period: float,
    clock_port: str,
    report: bool = False,
    spef: Path | None = None,
    quick: bool = False,
    rough: bool = False,
) -> str:
    """Time a netlist and return what sta prints; StaError if anything at all went wrong.

    With `spef`, wires are those of a layout, and the clock goes through its tree. A `quick` run
    finds setup paths only; a `rough` one takes half the time, and paths may be half a percent off.
    """
    gate = beside(liberty).cells.clock_gate
    more = {"ENABLE": gate and gate.enable, "REPORT": report, "QUICK": quick, "ROUGH": rough}
    design = Timed(netlist, top, liberty, period, clock_port, spef)
    return run_script(SCRIPT, design, more, "ALL DONE")


def summary(text: str, period: float) -> Summary:
    """Read the slacks and counts in sta's output."""
    result = dict(re.findall(r"^RESULT (\S+) (.*)$", text, re.MULTILINE))
    unconstrained = re.search(r"There (?:is|are) (\d+) unconstrained endpoint", text)
    loops = re.search(r"There (?:is|are) (\d+) combinational loop", text)
    setup = float(result["setup_slack"]) if "setup_slack" in result else None
    hold = float(result["hold_slack"]) if "hold_slack" in result else None
    return Summary(
        setup_slack_ns=setup,
        hold_slack_ns=hold,
        period_ns=None if setup is None else round(period - setup, 5),
        clock_met=setup is None or setup >= 0,
        start=result.get("setup_start"),
        end=result.get("setup_end"),
        registers=int(result["registers"]),
        unconstrained_endpoints=int(unconstrained[1]) if unconstrained else 0,
        combinational_loops=int(loops[1]) if loops else 0,
        enable_slack_ns=float(result["enable_slack"]) if "enable_slack" in result else None,
    )


def clock_tree(text: str) -> dict[str, float | None]:
    """Read how long a layout's clock takes to two registers of the greatest skew, at most, and that
    skew, among registers with paths between; None where there are none."""
    match = SKEW.search(text)
    if match is None:
        return {"clock_latency_ns": None, "clock_skew_ns": None}
    first, second, skew = map(float, match.groups())
    return {"clock_latency_ns": max(first, second), "clock_skew_ns": skew}


def path_report(text: str) -> str:
    """Cut the critical path out of sta's output, for people."""
    inside = text.split("CRITICAL PATH\n", 1)[1]
    return inside.split("END OF CRITICAL PATH", 1)[0]


def path_points(report: str, found: Technology) -> list[Point]:
    """List the cells of a path report in order."""
    gate = found.cells.clock_gate
    clocks = (f"/{found.cells.flop.clock}", *([f"/{gate.clock}"] if gate else []))
    data_path = report.split("data arrival time", 1)[0]
    points = []
    for line in data_path.splitlines():
        if match := POINT.search(line.strip()):
            delay, arrival, pin, cell = match.groups()
            if not pin.endswith(clocks):
                points.append(Point(pin, cell, float(delay), float(arrival)))
    return points


def path_cells(report: str, found: Technology) -> list[str]:
    """Name the cells of a path report in order; a port by its own name."""
    pins = [point.pin for point in path_points(report, found)]
    return [pin.rpartition("/")[0] or pin for pin in pins]
