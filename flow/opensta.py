"""Ask OpenSTA for the setup and hold slack, the shortest clock period and the critical path.

The clock is ideal. Inputs arrive at the clock edge and outputs are due at the next edge, unless the
technology says otherwise. Wires are the library's wire load model. After layout, wires are those of
the SPEF file, and the clock arrives as late as its tree makes it; what drives inputs and takes
outputs has a clock that is as late, on the mean, as that of the registers with the largest skew.
"""

import os
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

from flow.results.netlist import InCorner
from flow.technologies.files import SAYS, in_corner
from flow.technologies.technology import Technology, beside
from sim.errors import RunError

SCRIPT = Path(__file__).with_name("opensta.tcl")
WIRE_LOAD = re.compile(r'default_wire_load\s*:\s*"(\w+)"')
CELL = re.compile(r"\s*cell\s*\(")
UNIT = re.compile(r"capacitive_load_unit\s*\(\s*([\d.]+)\s*,\s*\"?(\w+)")
TYPICAL, TYPICAL_PERIOD = "typical", "period_typical_ns"
FF = {"ff": 1, "pf": 1000}  # in a unit of capacitance

SKEW = re.compile(r"^Latency +CRPR +Skew\n\S.*\n +(\S+)\n\S.*\n +(\S+) .* (\S+)$", re.MULTILINE)
POINT = re.compile(r"([\d.]+)\s+([\d.]+)\s+[v^]\s+(\S+)\s+\((\S+)\)$")


@dataclass(frozen=True)
class Summary:
    """The slacks and counts of a netlist; None where it has no such path. The enable slack is that
    of clock gates; the setup slack is that of all paths, these among them. Of the unconstrained
    endpoints those are untimed that are not constant."""

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
    hold_start: str | None = None
    untimed: tuple[str, ...] = ()


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
        "input_delay_ns": outside.input_delay_ns,
        "output_delay_ns": outside.output_delay_ns,
    }


def load_of(found: Technology, liberty: Path) -> float:
    """Tell the load of outputs in the unit of a library, which sta counts in."""
    unit = re.search(UNIT, _header(liberty))
    assert unit, liberty
    scale = float(unit[1]) * FF[unit[2].lower()]
    return found.outside.load_ff / scale


def wire_load_of(liberty: Path) -> str | None:
    """Name the default model of wires of a library; None if it has none. Newer versions of sta take
    it only where it is asked for."""
    found = re.search(WIRE_LOAD, _header(liberty))
    return found[1] if found else None


def _header(liberty: Path) -> str:
    """Read what a library says before its cells."""
    with liberty.open() as file:
        return "".join(takewhile(lambda line: not CELL.match(line), file))


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
        "INPUT_DELAY": found.outside.input_delay_ns,
        "OUTPUT_DELAY": found.outside.output_delay_ns,
        "WIRE_LOAD": wire_load_of(design.liberty),
        "TIES": " ".join(one.cell for one in (found.cells.high, found.cells.low) if one) or "-",
        "SPEF": design.spef,
        "QUICK": True,
        **more,
    }
    kept = {
        name: value
        for name, value in said.items()
        if value is not None and value is not False and value != ""
    }
    env = os.environ | {name: str(value) for name, value in kept.items()}
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
        hold_start=result.get("hold_start"),
        untimed=tuple(re.findall(r"^UNTIMED (.+)$", text, re.MULTILINE)),
    )


def in_corners(
    netlist: Path, top: str, kit: Path, period: float, clock_port: str, spef: Path | None = None
) -> tuple[str, list[InCorner]]:
    """Time a netlist in each corner of a kit; what sta prints in the corner of setup, with the
    critical path, and what it finds in each."""
    found, said, corners = beside(kit / SAYS), "", []
    for name, corner in found.timed.items():
        setup = name == found.signoff.setup
        text = run_sta(netlist, top, kit / in_corner(name), period, clock_port, setup, spef)
        said = text if setup else said
        told = summary(text, period)
        slacks = told.setup_slack_ns, told.hold_slack_ns, told.period_ns, told.hold_start
        corners.append(InCorner(name, corner.process, *slacks))
    return said, corners


def hold_slack(corners: Iterable[InCorner], found: Technology) -> float | None:
    """Return the slack of hold in the corner in which it is told."""
    return next(one.hold_slack_ns for one in corners if one.corner == found.signoff.hold)


def typical_period(corners: Iterable[InCorner], found: Technology) -> dict[str, float | None]:
    """Return the minimum period in the typical corner, where setup is told in another."""
    others = [one for one in corners if one.corner != found.signoff.setup]
    told = [one.period_ns for one in others if one.process == TYPICAL]
    return {TYPICAL_PERIOD: told[0]} if told else {}


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
