"""The supply of a netlist: period and energies where no library has tables, by ngspice.

OpenSTA finds the netlist's slowest path in the corner that power is told in. ngspice simulates the
path's cells with the transistors of the technology, at supplies below the nominal one and in the
other corners. By as much as the path is slower than at the nominal supply, the period is longer; by
as much as its cells take more or less for an edge and the one back, energies are more or less. In
the corners the foundry's tables say how far that is off.
"""

import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from eval.tasks.at_clock import folder_of
from eval.tasks.corners import CLOCK_PORT, Corners, InCorner
from eval.tasks.flow_run.task import POWER, EnergyAtClock
from eval.tasks.task import Result
from eval.tasks.unit import ACCELERATOR, OnStep
from flow.results.record import Record
from flow.step import OUT
from flow.supply.conditions import Conditions, Found
from flow.technologies.asked import joined, split
from flow.technologies.files import LIBRARIES
from flow.technologies.technology import technology
from flow.technologies.transistors import folder_of as transistors_in
from flow.technologies.transistors import transistors_of
from sim.errors import UserError
from sim.paths import build_dir

if TYPE_CHECKING:
    from flow.supply.deck import SlowPath

STEP = 0.1  # V
ROOM = 1.3  # of the delay found last, for the next one


class AtSupply(Record):
    """What a netlist does at a supply: the path's delay as simulated, and what follows from it;
    beside it the period that the foundry's tables tell, in their corners."""

    process: str
    volt: float
    celsius: float
    path_ns: float
    period_ns: float
    energies_nj: dict[str, float]
    table_period_ns: float | None = None
    table_energies_nj: dict[str, float] | None = None

    @property
    def off(self) -> float | None:
        """By how much the period is longer than in the tables, as a share; None without these."""
        return self.period_ns / self.table_period_ns - 1 if self.table_period_ns else None


class SupplyResult(Result):
    """The area of the netlist, the cells of its slowest path, and what it does at each supply."""

    area_um2: float
    path: list[str]
    supplies: list[AtSupply]


@dataclass(frozen=True)
class Supply(EnergyAtClock[SupplyResult]):
    """Tell period and energies of DESIGN's accelerator at lower supplies, by ngspice.

    ngspice simulates the cells of the slowest path with the transistors of the technology, from its
    nominal supply down, and in the other corners, where tables of the foundry stand beside.
    """

    kind = "supply"
    Result = SupplyResult

    def __post_init__(self) -> None:
        name, corner = split(self.tech)
        if corner:
            raise UserError(f"corner: {corner} is one; leave it out to go from the nominal supply")
        transistors_of(name)

    def tools(self) -> dict[str, str]:
        """Those of the flow, and ngspice."""
        from flow.supply.deck import version

        return super().tools() | {"ngspice": version()}

    def compute(self, on_step: OnStep) -> SupplyResult:
        """Map it, find its slowest path, and simulate that."""
        from flow.supply.deck import check_installed

        check_installed()
        transistors_in(self.tech)
        told = Corners(self.point, self.clock_ns, tech=self.tech).compute(on_step)
        tables = {_at(one): one for one in told.corners}
        power = technology(self.tech).signoff.power
        [usual] = [one for one in told.corners if one.corner == power]
        path = self._path(on_step, usual)
        with tempfile.TemporaryDirectory(dir=build_dir("scratch")) as scratch:
            found = self._simulated(path, told.corners, usual, Path(scratch), on_step)
        nominal = found[_at(usual)]
        supplies = [
            AtSupply(
                *at,
                path_ns=one.delay_ns,
                period_ns=usual.period_ns * one.delay_ns / nominal.delay_ns,
                energies_nj={
                    name: energy * one.energy_pj / nominal.energy_pj
                    for name, energy in usual.energies_nj.items()
                },
                table_period_ns=tables[at].period_ns if at in tables else None,
                table_energies_nj=tables[at].energies_nj if at in tables else None,
            )
            for at, one in found.items()
        ]
        masters = [stage.master for stage in path.stages]
        return SupplyResult(self.tools(), told.area_um2, masters, supplies)

    def _lower(self, usual: InCorner) -> Iterator[Conditions]:
        """Go from the nominal supply down."""
        least = transistors_of(self.tech).least_volt
        for step in range(round((usual.volt - least) / STEP) + 1):
            yield _at(usual)._replace(volt=round(usual.volt - STEP * step, 3))

    def _path(self, on_step: OnStep, usual: InCorner) -> "SlowPath":
        """Find the slowest path, in the corner that is the nominal one."""
        from flow.gates.liberty import Library
        from flow.opensta import Timed
        from flow.supply.deck import SlowPath
        from flow.supply.path import slowest_path
        from flow.technologies.kit import view

        found = self.flow_run.run(POWER, on_step, energy=True)
        liberty = view(joined(self.tech, usual.corner)) / LIBRARIES["setup"]
        netlist = folder_of(found, "synthesis") / OUT / "netlist.v"
        top = self.point.top_of(ACCELERATOR)
        stages = slowest_path(Timed(netlist, top, liberty, self.clock_ns, CLOCK_PORT))
        said, folder = transistors_of(self.tech), transistors_in(self.tech)
        return SlowPath(stages, Library(liberty), said, folder)

    def _simulated(
        self,
        path: "SlowPath",
        corners: list[InCorner],
        usual: InCorner,
        scratch: Path,
        on_step: OnStep,
    ) -> dict[Conditions, Found]:
        """Simulate the path from the nominal supply down, then in the other corners."""
        lower, others = [*self._lower(usual)], [one for one in corners if one != usual]
        count, found = len(lower) + len(others), dict[Conditions, Found]()

        def simulate(at: Conditions, about_ns: float) -> float:
            on_step(f"ngspice [{len(found) + 1}/{count}]: {at.volt:g} V, {at.process}")
            found[at] = path.simulated(at, ROOM * about_ns, scratch)
            return found[at].delay_ns

        about_ns = usual.period_ns
        for at in lower:
            about_ns = simulate(at, about_ns)
        for one in others:
            slower = one.period_ns / usual.period_ns
            simulate(_at(one), slower * found[lower[0]].delay_ns)
        return found


def _at(one: InCorner) -> Conditions:
    return Conditions(one.process, one.volt, one.celsius)
