"""Find edges that are slower than the library allows, with the wires of a layout."""

import re
from pathlib import Path

from flow.layout.design import Design
from flow.opensta import Timed, run_script

SCRIPT = Path(__file__).with_name("slews.tcl")
SLOW = re.compile(r"^(\S+) +([\d.]+) +([\d.]+) +-[\d.]+ \(VIOLATED\)$", re.MULTILINE)


def slow_pins(timed: Timed) -> dict[str, tuple[float, float]]:
    """Tell for each such pin the longest edge that is allowed, and its own, ns."""
    found = SLOW.findall(run_script(SCRIPT, timed, {}))
    return {pin: (float(most), float(slew)) for pin, most, slew in found}


def slow_nets(design: Design, timed: Timed) -> dict[str, float]:
    """Find the nets with such pins: how many times as long as allowed the slowest edge is."""
    pins, found = slow_pins(timed), dict[str, float]()
    for net, connected in design.routable():
        for cell, pin in connected:
            if at := pins.get(f"{design.cells[cell].name}/{pin}"):
                most, slew = at
                found[net] = max(found.get(net, 0.0), slew / most)
    return found
