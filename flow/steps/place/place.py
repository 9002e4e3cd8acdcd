"""Place the netlist: outputs/placed.json, outputs/layout.v, outputs/place.json."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from random import Random

from flow import opensta
from flow.gates.liberty import Library
from flow.layout.buffering import add_buffers, differences
from flow.layout.crowding import Crowding
from flow.layout.design import Design
from flow.layout.estimate import estimated
from flow.layout.lef import UNITS_PER_UM
from flow.layout.limits import Limits
from flow.layout.parasitics import Parasitics
from flow.layout.placement import (
    ALIKE,
    EVEN,
    half_perimeter_um,
    illegal,
    legalise,
    place,
    unplaced,
)
from flow.layout.repeaters import relieve
from flow.layout.sizing import ENOUGH, families, kinds, needed, resize
from flow.layout.slews import slow_nets
from flow.layout.strips import CellShape, read_cells
from flow.layout.technology import Stack, stack_of
from flow.layout.weights import heavier, slacks
from flow.netlist import Netlist, read_netlist
from flow.opensta import Timed
from flow.results.layout import Buffers, Placement
from flow.results.netlist import Timing
from flow.step import IN, KIT, LIBERTY, OUT, leave, step, taken
from flow.technologies.cells import cell_files
from flow.technologies.technology import beside

ROOMS = 5  # at most: cells get more room where wires are crowded
PLACEMENTS = 4  # at most: slow nets are made heavier until there is enough slack
ROUNDS = 2  # of sizes and places, since each changes the other


@dataclass(frozen=True)
class Placer:
    """What places a netlist on a clock."""

    stack: Stack
    shapes: dict[str, CellShape]
    netlist: Netlist
    utilisation: float
    period: float
    clock_port: str
    limits: Limits
    sizes: list[list[str]]

    def placed(
        self, weights: Mapping[str, float], wider: Mapping[int, float]
    ) -> tuple[Design, Buffers]:
        """Place the netlist and its buffers, nets being of these weights and cells so much wider
        than usual."""
        design = unplaced(self.netlist, self.shapes, self.utilisation, self.stack)
        place(design, self.utilisation, weights, wider)
        buffers = add_buffers(design, self.clock_port)
        relieve(design, self.limits, self.sizes, self.clock_port)
        legalise(design, self.utilisation, weights, wider)
        return design, buffers

    def roomy(self) -> tuple[tuple[Design, Buffers], Mapping[int, float]]:
        """Place several times, cells wider from time to time where wires are crowded; the placement
        that is the least crowded, and how much wider cells are in it."""
        wider, tried = ALIKE, []
        for _ in range(ROOMS):
            placed = self.placed(EVEN, wider)
            crowding = Crowding(placed[0])
            print(
                f"placed: wires want {crowding.wanted.max():.2f} of the tracks of a square at most,"
                f" too much by {crowding.excess:.2f} in all",
                flush=True,
            )
            tried.append((crowding.excess, placed, wider))
            if crowding.has_room:
                break
            wider = crowding.roomier(wider)
        _, placed, wider = min(tried, key=lambda one: one[0])
        return placed, wider

    def timed(self, design: Design) -> tuple[Timed, Parasitics]:
        """Estimate the wires of a placed design."""
        return estimated(design, LIBERTY, self.period, self.clock_port, Path())

    def best(
        self, placed: tuple[Design, Buffers], wider: Mapping[int, float]
    ) -> tuple[Design, Buffers, dict[str, float]]:
        """Place several times more, the nets of slow paths heavier from time to time; the placement
        of the most slack, and its weights."""
        enough, weights = ENOUGH * self.period, dict[str, float]()
        tried = []
        for number in range(PLACEMENTS):
            design, buffers = self.placed(weights, wider) if number else placed
            found = slacks(design, self.timed(design)[0])
            worst = min(found.values(), default=enough)
            print(f"placed: slack {worst:.3f} ns", flush=True)
            tried.append((worst, design, buffers, weights))
            if worst >= enough:
                break
            weights = heavier(weights, found, enough)
        _, design, buffers, weights = max(tried, key=lambda one: one[0])
        return design, buffers, weights

    def resized(self, design: Design, eased: set[str]) -> bool:
        """Change sizes by estimated wires, then relieve what drives edges that are too slow;
        whether there was anything to change. Cells that got larger for their edges are added to
        those that were, which get no smaller."""
        timed, wires = self.timed(design)
        stay = {*needed(design, self.limits, self.sizes, wires.nets), *eased}
        changed = resize(design, timed, Path(), stay=stay)
        slow = slow_nets(design, self.timed(design)[0])
        if slow:
            before = design.cells.copy()
            relieve(design, self.limits, self.sizes, self.clock_port, slow)
            print(f"placed: {len(slow)} nets have edges that are too slow", flush=True)
            pairs = zip(before, design.cells, strict=False)  # behind them are new buffers
            eased.update(new.name for old, new in pairs if new != old)
        return bool(changed or slow)


def shuffled(netlist: Netlist, seed: int) -> Netlist:
    """Put the cells into another order; 0: as they are."""
    cells = list(netlist.instances)
    if seed:
        Random(seed).shuffle(cells)
    return replace(netlist, instances=cells)


@step
def main(clock_port: str, utilisation: float, placement_seed: int = 0) -> None:
    """Place the netlist."""
    netlist = shuffled(read_netlist(IN / "flat.json"), placement_seed)
    period = taken("timing", Timing).clock_period_ns
    stack = stack_of(beside(LIBERTY).name)
    shapes = read_cells(stack, cell_files(stack.tech, KIT).lef, Library(LIBERTY).names)
    given = (stack, shapes, netlist, utilisation, period, clock_port)
    placer = Placer(*given, Limits(LIBERTY), families(shapes, LIBERTY))
    placed, wider = placer.roomy()
    design, buffers, weights = placer.best(placed, wider)
    eased = set[str]()
    for _ in range(ROUNDS):
        if not placer.resized(design, eased):
            break
        legalise(design, utilisation, weights, wider)

    design.save(OUT / "placed.json")
    buffered = design.netlist()
    buffered.write_verilog(OUT / "layout.v")
    found = Placement(
        core_um=(design.width / UNITS_PER_UM, design.height / UNITS_PER_UM),
        rows=design.rows,
        half_perimeter_um=half_perimeter_um(design),
        buffers=buffers,
        illegal=illegal(design),
        differences=differences(design.stack, netlist, buffered, kinds(placer.sizes)),
    )
    before = {cell.name: cell.master for cell in netlist.instances}
    cells = design.instances()
    metrics = {
        "layout_resized": sum(before.get(one.name, one.master) != one.master for one in cells),
        "core_area_um2": round(design.width * design.height / UNITS_PER_UM**2, 3),
    }
    tools = {"coloquinte": version("coloquinte"), "opensta": opensta.version()}
    leave("place", found, metrics, tools)
