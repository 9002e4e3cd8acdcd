"""Crosscheck: area, period and power of a netlist once more, by plain scripts of yosys and OpenSTA.

The flow's own power is that of flow/gates. OpenSTA reckons it here of the same netlist and the same
toggles, which it is told by a SAIF file.
"""

import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

import numpy as np

from eval.tasks.at_clock import folder_of
from eval.tasks.crosscheck.parts import Parts
from eval.tasks.crosscheck.saif import write_saif
from eval.tasks.crosscheck.scripts import FLAT, FLOW, OWN, VERILOG, ByHand, write_scripts
from eval.tasks.flow_run.task import POWER, EnergyAtClock
from eval.tasks.task import Result
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.gates.power import Nets
from flow.netlist import read_netlist
from flow.results.record import Record
from flow.results.run import Results
from flow.step import IN, KIT, LIBERTY, OUT, POWER_LIBERTY
from flow.technologies.files import SAYS
from sim.paths import build_dir

WORKLOAD = "d"
PLAIN, GLITCHES = "without delays", "with glitches"


class Netlists(Record):
    """Area (um2) and shortest period (ns): what the flow says of its netlist, what the scripts find
    of it, and of one that they map themselves."""

    flow: tuple[float, float]
    counted: tuple[float, float]
    mapped: tuple[float, float]


class Power(Record):
    """The mW of a part of the netlist: by the flow, and by OpenSTA; None if it leaves it out."""

    part: str
    flow: float
    again: float | None


class CrosscheckResult(Result):
    """The netlists; power in the cycles of workload d that were replayed, by part, without and with
    glitches; and where the files are."""

    netlists: Netlists
    powers: dict[str, list[Power]]
    folder: str
    beside: ClassVar[frozenset[str]] = Result.beside | {"folder"}


@dataclass(frozen=True)
class Crosscheck(EnergyAtClock[CrosscheckResult]):
    """Find area, period and power of DESIGN's accelerator a second time, by other means.

    Short scripts of yosys and OpenSTA, which you can run by hand, count and time the flow's
    netlist, and map one of their own; OpenSTA reckons the power of workload d from a SAIF file.
    """

    kind = "crosscheck"
    Result = CrosscheckResult

    def compute(self, on_step: OnStep) -> CrosscheckResult:
        """Run the flow, lay its files beside the scripts, and run these."""
        found = self.flow_run.run(POWER, on_step, energy=True)
        here = self._files(found)
        again = ByHand(here, self.point.top_of(ACCELERATOR), self.clock_ns)
        on_step("yosys and OpenSTA by plain scripts")
        netlists = Netlists(
            (found.metrics["area_um2"], found.metrics["period_ns"]),
            (again.area("count.ys"), again.period(FLOW)),
            (again.area("map.ys"), again.period(OWN)),
        )
        on_step("power by OpenSTA")
        powers = {name: list(rows) for name, rows in self._powers(found, again)}
        return CrosscheckResult(found.tools, netlists, powers, str(here))

    def _files(self, found: Results) -> Path:
        """Lay what the scripts take into a folder with them."""
        synthesis = folder_of(found, "synthesis")
        here = build_dir("crosscheck", self.flow_run.folder)
        for file, name in (
            (synthesis / IN / "design.v", VERILOG),
            *((synthesis / KIT / name, name) for name in (LIBERTY.name, POWER_LIBERTY.name, SAYS)),
            (synthesis / OUT / "netlist.v", FLOW),
        ):
            shutil.copyfile(file, here / name)
        write_scripts(here, here / LIBERTY.name)
        return here

    def _powers(self, found: Results, again: ByHand) -> Iterator[tuple[str, Iterator[Power]]]:
        """Reckon the power of the workload in both ways, and of the cycles with delays."""
        here = again.folder
        netlist = read_netlist(folder_of(found, "synthesis") / OUT / "flat.json")
        netlist.write_verilog(here / FLAT)
        assert found.steps.power is not None, self
        window = found.steps.power.windows[WORKLOAD]
        assert window.sampled is not None, self
        count, replayed = 1, window.cycles
        if pieces := window.pieces:  # of a long operation
            count, replayed = pieces.count, pieces.cycles
        did = np.load(folder_of(found, "simulation") / OUT / "activity.npz")

        def whole(what: str) -> np.ndarray:
            return sum(did[f"{WORKLOAD}.{piece}.{what}"].astype(float) for piece in range(count))

        high = whole("high") / replayed
        parts = Parts(netlist, here / POWER_LIBERTY.name, self.clock_ns)
        for name, toggles, cycles in (
            (PLAIN, "toggles", replayed),
            (GLITCHES, "delayed_toggles", window.sampled.cycles),
        ):
            nets = Nets(cycles, whole(toggles), high)
            saif = here / f"{name.replace(' ', '-')}.saif"
            write_saif(saif, netlist, nets, self.clock_ns)
            compared = parts.compared(nets, again.power(saif.name))
            yield name, (Power(*row) for row in compared)
