"""Find the slowest path of a netlist, cell by cell, as OpenSTA tells it."""

import re
from pathlib import Path
from typing import NamedTuple

from flow.opensta import FF, UNIT, Timed, run_script
from sim.errors import RunError

SCRIPT = Path(__file__).with_name("path.tcl")
PIN = re.compile(
    r"^(?P<figures>[\d. ]*) (?P<edge>[v^]) (?P<cell>\S+)/(?P<pin>\S+) \((?P<master>\w+)\)$"
)
RISES = "^"


class Stage(NamedTuple):
    """A cell on a path: the pins and edges by which the path enters and leaves it, and the fF of
    the net behind it."""

    master: str
    enters: str
    enters_rising: bool
    leaves: str
    leaves_rising: bool
    load_ff: float


def slowest_path(design: Timed) -> list[Stage]:
    """List the stages of the slowest path of a design: the first is a register, of which the clock
    is the pin that the path enters by, or a gate at an input."""
    with design.liberty.open() as file:
        unit = next(match for line in file if (match := UNIT.search(line)))
    return stages(run_script(SCRIPT, design, {}), float(unit[1]) * FF[unit[2].lower()])


def stages(report: str, ff: float) -> list[Stage]:
    """Read the stages out of a report, in which a unit of capacitance is so many fF."""
    data, found = report.split("data arrival time", 1)[0], []
    pins = [match for line in data.splitlines() if (match := PIN.match(line.rstrip()))]
    for enters, leaves in zip(pins, pins[1:], strict=False):
        if enters["cell"] == leaves["cell"]:
            load, *_ = leaves["figures"].split()
            found.append(
                Stage(
                    enters["master"],
                    *(enters["pin"], enters["edge"] == RISES),
                    *(leaves["pin"], leaves["edge"] == RISES),
                    float(load) * ff,
                )
            )
    if not found:
        raise RunError("the design has no path through a cell")
    return found
