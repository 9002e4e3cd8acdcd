"""Find the pins whose edges are slower than the library allows, with the wires of a layout."""

import re
from pathlib import Path

from flow.opensta import Timed, run_script

SCRIPT = Path(__file__).with_name("slews.tcl")
SLOW = re.compile(r"^(\S+) +([\d.]+) +([\d.]+) +-[\d.]+ \(VIOLATED\)$", re.MULTILINE)


def slow_pins(timed: Timed) -> dict[str, tuple[float, float]]:
    """Tell for each such pin the longest edge that is allowed, and its own, ns."""
    found = SLOW.findall(run_script(SCRIPT, timed, {}))
    return {pin: (float(most), float(slew)) for pin, most, slew in found}
