"""One netlist in every corner of its technology: area, periods, leakage, energies.

The netlist is made once, for the corners that the technology is signed off in. OpenSTA times it by
the library of each corner, and what its nets did in the workloads is weighed by that library.
Glitches are those of the corner in which power is told: delays decide which there are.
"""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from eval.catalog.workloads import WORKLOADS
from eval.tasks.at_clock import folder_of
from eval.tasks.flow_run.task import POWER, EnergyAtClock
from eval.tasks.task import Result
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.results.record import Record
from flow.results.run import Results
from flow.step import OUT
from flow.technologies.asked import joined, split
from flow.technologies.files import LIBRARIES
from flow.technologies.technology import technology
from sim.errors import UserError

if TYPE_CHECKING:
    from flow.gates.replayed import Replayed

CLOCK_PORT = "clk"
LONGEST = "d"  # the workload by which leakage is told


class InCorner(Record):
    """What a netlist does in a corner, at the clock that was asked for."""

    corner: str
    process: str
    volt: float
    celsius: float
    period_ns: float
    hold_slack_ns: float | None
    leakage_mw: float
    energies_nj: dict[str, float]


class CornersResult(Result):
    """The area of the netlist, and what it does in each corner."""

    area_um2: float
    corners: list[InCorner]


@dataclass(frozen=True)
class Corners(EnergyAtClock[CornersResult]):
    """Tell area, shortest period, leakage and energies of DESIGN's accelerator in each corner.

    The netlist is mapped once, for the corners that the technology is signed off in, and is timed
    and weighed in each. There is nothing between corners: the libraries have tables of these alone.
    """

    kind = "corners"
    Result = CornersResult

    def __post_init__(self) -> None:
        name, corner = split(self.tech)
        if corner:
            raise UserError(f"corner: {corner} is one; leave it out to go through all of {name}")

    def compute(self, on_step: OnStep) -> CornersResult:
        """Map it, replay the workloads, and go through the corners."""
        found = self.flow_run.run(POWER, on_step, energy=True)
        replayed = self._replayed(found)
        rows = []
        for one in technology(self.tech).corners:
            on_step(f"corner {one}")
            rows.append(self._in_corner(joined(self.tech, one), found, replayed))
        return CornersResult(found.tools, found.metrics["area_um2"], rows)

    def _replayed(self, found: Results) -> "Replayed":
        import numpy as np

        from flow.gates.replayed import Replayed
        from flow.netlist import read_netlist
        from flow.recording import Recording

        synthesis, simulation = (folder_of(found, n) / OUT for n in ("synthesis", "simulation"))
        assert found.steps.simulation, self
        return Replayed(
            read_netlist(synthesis / "flat.json"),
            json.loads((synthesis / "cells.json").read_text()),
            Recording.from_json(simulation / "recording.json"),
            found.steps.simulation,
            np.load(simulation / "activity.npz"),
        )

    def _in_corner(self, tech: str, found: Results, replayed: "Replayed") -> InCorner:
        from flow import opensta
        from flow.gates.liberty import Library
        from flow.technologies.kit import view

        liberty = view(tech) / LIBRARIES["setup"]
        netlist = folder_of(found, "synthesis") / OUT / "netlist.v"
        top = self.point.top_of(ACCELERATOR)
        text = opensta.run_sta(netlist, top, liberty, self.clock_ns, CLOCK_PORT)
        timed = opensta.summary(text, self.clock_ns)
        energy = replayed.energy(Library(liberty), self.clock_ns, CLOCK_PORT, None)
        said = technology(tech)
        corner = said.corners[said.corner]
        assert timed.period_ns is not None, self
        return InCorner(
            corner=said.corner,
            process=corner.process,
            volt=corner.volt,
            celsius=corner.celsius,
            period_ns=timed.period_ns,
            hold_slack_ns=timed.hold_slack_ns,
            leakage_mw=energy.windows[LONGEST].power_mw.leakage,
            energies_nj={
                name: energy.operations[name].energy_with_glitches_nj for name in WORKLOADS
            },
        )
