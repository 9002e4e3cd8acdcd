"""The netlists whose figures are known: those in the store, and kept ones that come with this.

Kept ones are for estimates alone, never for an answer. `python -m eval.find.known` keeps what the
store has of the flow's accelerators.
"""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from eval.catalog import find
from eval.find.formula import cycles_of
from eval.find.model import Known, Spot
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.store import Store
from eval.tasks.unit import ACCELERATOR
from sim.errors import ArgumentError

FILE = Path(__file__).with_name("kept.json")
DIGITS = 5


@dataclass(frozen=True)
class Netlist:
    """A netlist of the flow, with the energies of its workloads that were measured."""

    spot: Spot
    area_um2: float
    period_ns: float
    energies_nj: tuple[tuple[str, float], ...] = ()

    def known(self, workload: str) -> Known:
        """Tell its figures under a workload."""
        spot, energy = self.spot, dict(self.energies_nj).get(workload)
        cycles = 0 if energy is None else cycles_of(spot.design, spot.nbits, workload)
        return Known(spot, self.area_um2, self.period_ns, energy, cycles)


def kept() -> list[Netlist]:
    """Read the kept netlists, of designs that there are still."""
    found = (_netlist(*one) for one in json.loads(FILE.read_text()))
    return [one for one in found if one]


def _netlist(
    design: str, nbits: int, clock_ns: float, gated: bool, *figures: Any
) -> Netlist | None:
    area_um2, period_ns, energies = figures
    try:
        name = find(design).name
    except ArgumentError:  # of somebody's own, or of a design that is no more
        return None
    pairs = tuple((str(workload), float(nj)) for workload, nj in energies)
    return Netlist(Spot(name, nbits, clock_ns, gated), area_um2, period_ns, pairs)


def stored() -> list[Netlist]:
    """Read the netlists of accelerators that the store has, whatever code and tools made them: the
    last one of each spot, with energies if it has them."""
    found: dict[Spot, Netlist] = {}
    with Store() as store:
        for key, result in store.rows():
            if key.kind != FlowRun.kind:
                continue
            asked, metrics = json.loads(key.parameters), result["metrics"]
            if asked["unit"] != ACCELERATOR:
                continue
            energies = [
                (workload, metrics[f"energy_glitches_{workload}_nj"])
                for workload in ("e", "d")
                if f"energy_glitches_{workload}_nj" in metrics
            ]
            where = key.design, key.nbits, asked["clock_ns"], asked.get("gated", False)
            one = _netlist(*where, metrics["area_um2"], metrics["period_reached_ns"], energies)
            if one and (one.energies_nj or one.spot not in found):
                found[one.spot] = one
    return [*found.values()]
