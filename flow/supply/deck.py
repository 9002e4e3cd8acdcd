"""Write a path of cells for ngspice, and read the delay and the charge that it finds.

A register at the beginning takes three edges of its clock: the first makes it ready, the second is
that of the path, and the third brings back what was. A gate at an input gets the last two itself.
Each net has what it has in the netlist: the next cell of the path, and a capacitor for the rest.
"""

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from flow.gates.liberty import Library
from flow.supply.conditions import Conditions, Found
from flow.supply.models import models_of, sizes_in
from flow.supply.path import Stage
from flow.supply.side import register_data, side_inputs
from flow.technologies.transistors import Transistors
from sim.errors import RunError

PORTS = re.compile(r"^\.subckt\s+(\S+)\s+(.*(?:\n\+.*)*)", re.MULTILINE | re.IGNORECASE)
MEASURED = re.compile(r"^(delay|charge)\s*=\s*(\S+)", re.MULTILINE)
EDGE_NS = 0.1  # that an edge at the beginning takes
STEPS = 400  # between two edges, at least
MOST_DOUBLINGS = 6
MINUTES = 10
PER_NS, PER_FF, PER_PJ = 1e9, 1e-15, 1e12
LOW, HIGH, DATA, BEGIN = "0", "vdd", "data", "begin"


@dataclass(frozen=True)
class SlowPath:
    """A path whose cells are those of a library, with their transistors in a folder."""

    stages: Sequence[Stage]
    library: Library
    said: Transistors
    folder: Path

    def simulated(self, at: Conditions, guess_ns: float, scratch: Path) -> Found:
        """Simulate it, with more time between edges until it is done before the next one."""
        between = 2 * guess_ns
        for _ in range(MOST_DOUBLINGS):
            found = _run("".join(f"{line}\n" for line in self.deck(at, between)), scratch, at.volt)
            if found and 0 < found.delay_ns < 0.8 * between:
                return found
            between *= 2
        raise RunError(f"ngspice: no edge gets through the path at {at.volt} V")

    def deck(self, at: Conditions, between_ns: float) -> Iterator[str]:
        """Write the lines: `between_ns` is the time from an edge to the next one."""
        first, last = self.stages[0], self.stages[-1]
        yield "* a path of cells"
        yield from self.said.settings
        cells = {one.master: self._cell(one.master) for one in self.stages}
        files = [self.folder / name for name in self.said.of_process(at.process)]
        yield models_of(files, sizes_in(cells.values()))
        yield from cells.values()
        yield f".temp {at.celsius:g}"
        yield f"Vdd vdd 0 {at.volt:g}"
        yield from self._sources(at.volt, between_ns)
        for number, stage in enumerate(self.stages):
            yield self._instance(number, stage)
            yield f"C{number} n{number} 0 {self._beside(number) * PER_FF:.5g}"
        step = between_ns / STEPS
        yield f".tran {step:.5g}n {3.3 * between_ns:.5g}n 0 {step:.5g}n"
        half, edges = at.volt / 2, ("FALL", "RISE")
        begins, ends = edges[first.enters_rising], edges[last.leaves_rising]
        since = f"TD={1.25 * between_ns:.5g}n"
        yield (
            f".meas tran delay TRIG v({BEGIN}) VAL={half:g} {begins}=1 {since} "
            f"TARG v(n{len(self.stages) - 1}) VAL={half:g} {ends}=1 {since}"
        )
        yield (
            f".meas tran charge INTEG i(Vdd) FROM={1.25 * between_ns:.5g}n "
            f"TO={3.25 * between_ns:.5g}n"
        )
        yield ".end"

    def _sources(self, volt: float, between_ns: float) -> Iterator[str]:
        """Write what drives the path: the edge at 1.5 times the time between two of them."""
        first, cell = self.stages[0], self.library[self.stages[0].master]
        levels = (0.0, volt) if first.enters_rising else (volt, 0.0)
        if cell.next_state:
            _, before, _ = register_data(cell, first)
            at = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0]
            yield _steps(BEGIN, [*levels, *levels, *levels, levels[0]], at, between_ns)
            data = (volt, 0.0) if before else (0.0, volt)
            yield _steps(DATA, [data[0], data[1], data[0]], [1.0, 2.0], between_ns)
        else:
            yield _steps(BEGIN, [levels[0], levels[1], levels[0]], [1.5, 2.5], between_ns)

    def _instance(self, number: int, stage: Stage) -> str:
        cell = self.library[stage.master]
        nodes = {stage.enters: f"n{number - 1}" if number else BEGIN, stage.leaves: f"n{number}"}
        if number == 0 and cell.next_state:
            data, _, side = register_data(cell, stage)
            nodes[data] = DATA
        else:
            side = side_inputs(cell, stage)
        nodes |= {pin: HIGH if value else LOW for pin, value in side.items()}
        nodes |= dict.fromkeys(self.said.high, HIGH) | dict.fromkeys(self.said.low, LOW)
        text = self._cell(stage.master)
        found = {match[1]: match[2].replace("+", " ").split() for match in PORTS.finditer(text)}
        at = " ".join(nodes.get(port, f"open{number}_{port}") for port in found[stage.master])
        return f"X{number} {at} {stage.master}"

    def _cell(self, master: str) -> str:
        return (self.folder / f"{master}.spice").read_text()

    def _beside(self, number: int) -> float:
        """Tell what is on a net beside the next cell of the path, fF."""
        if number + 1 == len(self.stages):
            return self.stages[number].load_ff
        behind = self.stages[number + 1]
        pin = self.library[behind.master].pins[behind.enters]
        return max(0.0, self.stages[number].load_ff - pin.capacitance)


def _steps(node: str, levels: Sequence[float], at: Sequence[float], between_ns: float) -> str:
    """Write a source that goes from level to level at these times."""
    points = [f"0 {levels[0]:g}"]
    for when, before, after in zip(at, levels, levels[1:], strict=False):
        points.append(f"{when * between_ns:.5g}n {before:g}")
        points.append(f"{when * between_ns + EDGE_NS:.5g}n {after:g}")
    return f"V{node} {node} 0 PWL({' '.join(points)})"


def version() -> str:
    """Ask ngspice for its version; "missing" without one."""
    if not shutil.which("ngspice"):
        return "missing"
    done = subprocess.run(["ngspice", "--version"], capture_output=True, text=True, timeout=60)
    return next(w for w in done.stdout.split() if w.startswith("ngspice-")).removeprefix("ngspice-")


def check_installed() -> None:
    """RunError if there is no ngspice."""
    if not shutil.which("ngspice"):
        raise RunError("ngspice is missing: install it, by apt-get install ngspice")


def _run(deck: str, scratch: Path, volt: float) -> Found | None:
    """Run ngspice on a path at a supply; None if the edge did not arrive."""
    file = scratch / "path.sp"
    file.write_text(deck)
    try:
        done = subprocess.run(
            ["ngspice", "-b", file.name],
            cwd=scratch,
            text=True,
            timeout=60 * MINUTES,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )
    except subprocess.TimeoutExpired:
        raise RunError(f"ngspice: not done after {MINUTES} minutes: {file}") from None
    found = dict(MEASURED.findall(done.stdout))
    if "charge" not in found:
        raise RunError(f"ngspice: {done.stdout.strip()[-500:]}")
    if found.get("delay", "failed") == "failed":
        return None
    return Found(float(found["delay"]) * PER_NS, -volt * float(found["charge"]) * PER_PJ)
