"""Run the scripts in by_hand, which need nothing of ours but the files beside them."""

import os
import re
import sys
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from flow import opensta
from flow.synthesis.ties import ties
from flow.technologies.technology import beside
from sim.errors import RunError
from sim.toolchain import run_tool

SCRIPTS = Path(__file__).with_name("by_hand")
# The files that they take and make: Verilog; the flow's netlist, as it is and as one
# module; their own netlist.
VERILOG, FLOW, FLAT, OWN = "design.v", "flow.v", "flat.v", "netlist.v"
YOSYS = "import sys; from pyosys import libyosys as y; y.run_pass(sys.argv[1], y.Design())"
AREA = re.compile(r"Chip area for (?:top )?module '[^']+': ([\d.]+)")
PERIOD = re.compile(r"^period ([\d.]+)$", re.M)
CELL = re.compile(r"^CELL (\S+) (\S+) (\S+) (\S+)$", re.M)
ERROR = re.compile(r"^Error.*", re.M)


def write_scripts(folder: Path, liberty: Path) -> None:
    """Write the scripts into a folder, with the cells of a library's technology in them."""
    found = beside(liberty)
    names = {
        "TIES": ties(found.cells),
        "DRIVING_CELL": found.outside.driving_cell,
        "LOAD": f"{opensta.load_of(found, liberty):g}",
        "WIRE_LOAD": opensta.wire_load_of(liberty) or "",
        "INPUT_DELAY": f"{found.outside.input_delay_ns:g}",
        "OUTPUT_DELAY": f"{found.outside.output_delay_ns:g}",
    }
    for script in SCRIPTS.iterdir():
        text = script.read_text()
        for name, said in names.items():
            text = re.sub(rf"\b{name}\b", said, text)
        (folder / script.name).write_text(text)


@dataclass(frozen=True)
class ByHand:
    """The scripts in a folder, for a top module and a clock period in ns."""

    folder: Path
    top: str
    clock_ns: float

    def area(self, script: str) -> float:
        """Run a script of yosys: the um2 of the top module that it tells."""
        text = run_tool([sys.executable, "-c", YOSYS, f"script {script}"], self.folder)
        return float(self._found(AREA, script, text)[-1])

    def period(self, netlist: str) -> float:
        """Time a netlist: its shortest period, ns."""
        [period] = self._found(PERIOD, "time.tcl", self._sta("time.tcl", NETLIST=netlist))
        return float(period)

    def power(self, saif: str) -> dict[str, np.ndarray]:
        """Reckon the power of a SAIF file: internal, switching and leakage of each cell, mW."""
        text = self._sta("power.tcl", SAIF=saif)
        cells = self._found(CELL, "power.tcl", text)
        return {name.replace("\\", ""): 1000 * np.array(w, float) for name, *w in cells}

    def _sta(self, script: str, **names: str) -> str:
        """Run a script of OpenSTA, which exits with 0 whatever happens."""
        env = os.environ | {"TOP": self.top, "CLOCK_PERIOD": f"{self.clock_ns:.10g}"} | names
        return run_tool(["sta", "-no_init", "-no_splash", "-exit", script], self.folder, env)

    def _found(self, pattern: re.Pattern[str], script: str, text: str) -> list:
        """Find what a script says; RunError if it failed or says nothing of the kind."""
        found = pattern.findall(text)
        if ERROR.search(text) or not found:
            raise RunError(f"{self.folder / script} failed:\n{text[-500:].strip()}")
        return found
