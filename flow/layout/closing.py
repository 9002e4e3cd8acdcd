"""Close the timing of a routed design, with the wires that it has.

Cells on the slowest paths, and those that drive too much or edges that are too slow, change their
sizes where there are free sites beside them, and buffers go before registers that data reaches too
early, and behind drivers that have no room to grow. Nothing else moves: wires follow the pins that
did (follow.py). What came of it is extracted and timed again, for some rounds, and the best is
taken.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from flow import opensta
from flow.layout.buffering import (
    CLOCK_PREFIX,
    HOLD_PREFIX,
    REPEATER_PREFIX,
    Buffering,
    called,
)
from flow.layout.checks import open_nets
from flow.layout.design import Cell, Design
from flow.layout.follow import follow
from flow.layout.gaps import Gaps
from flow.layout.limits import Limits, driver_of, overloaded
from flow.layout.parasitics import Parasitics, extract_wires, write_spef
from flow.layout.placement import row_orientation
from flow.layout.sizing import by_name, families, resize
from flow.layout.slews import slow_nets
from flow.layout.technology import Stack
from flow.layout.wires import Wires
from flow.opensta import Timed, run_script
from flow.technologies.wires import WireTables

HOLD = Path(__file__).with_name("hold.tcl")
EARLY = re.compile(r"^HOLD (\S+) (\S+) (\S+)$", re.MULTILINE)
MOST_ENDS = 2000
ROUNDS = 4
MARGIN = 0.02  # of the clock period: the slack that sizes are changed for; wires change after it


@dataclass(frozen=True)
class Routed:
    """A routed design, what its wires have, and its slacks, ns; None where it has no such path."""

    design: Design
    nets: dict[str, Wires]
    wires: Parasitics
    setup: float | None
    hold: float | None
    wrong: int = 0  # open nets, and pairs that are too close
    overloads: Mapping[str, float] = field(default_factory=dict)  # how many times too much, by net
    slow: Mapping[str, float] = field(default_factory=dict)  # how many times too slow edges are

    @property
    def faults(self) -> tuple[int, float, int]:
        """What is wrong, the worst first."""
        return self.wrong, self.missing, len(self.weak)

    @property
    def weak(self) -> dict[str, float]:
        """How many times as much the drivers of nets would have to drive."""
        both = [*self.overloads, *self.slow]
        return {net: max(self.overloads.get(net, 0), self.slow.get(net, 0)) for net in both}

    @property
    def missing(self) -> float:
        """The slack that is missing, ns."""
        return sum(max(0.0, -slack) for slack in (self.setup, self.hold) if slack is not None)


@dataclass(frozen=True)
class Closed:
    """A design whose timing is closed as far as it gets: rounds, and cells that changed."""

    routed: Routed
    before: Routed
    rounds: int
    resized: int


@dataclass(frozen=True)
class Closer:
    """What closes designs: rules, tables of wires, a library, and the clock. Hold is told by a
    library of its own if one is given."""

    stack: Stack
    tables: WireTables
    liberty: Path
    period: float
    clock_port: str
    folder: Path
    hold_liberty: Path | None = None

    @cached_property
    def limits(self) -> Limits:
        """What cells may drive."""
        return Limits(self.liberty)

    def _timed(self, design: Design, liberty: Path | None = None) -> Timed:
        netlist, spef = self.folder / "closing.v", self.folder / "closing.spef"
        library = liberty or self.liberty
        return Timed(netlist, design.top, library, self.period, self.clock_port, spef)

    def _summary(self, timed: Timed) -> opensta.Summary:
        text = opensta.run_sta(
            timed.netlist, timed.top, timed.liberty, timed.period, timed.clock_port, spef=timed.spef
        )
        return opensta.summary(text, self.period)

    def measured(self, design: Design, nets: dict[str, Wires], conflicts: int = 0) -> Routed:
        """Extract and time a routed design."""
        timed, wires = self._timed(design), extract_wires(self.stack, self.tables, design, nets)
        design.netlist().write_verilog(timed.netlist)
        assert timed.spef
        write_spef(timed.spef, design, nets, wires)
        found = early = self._summary(timed)
        if self.hold_liberty:
            early = self._summary(self._timed(design, self.hold_liberty))
        wrong = conflicts + len(open_nets(self.stack, nets))
        slacks = found.setup_slack_ns, early.hold_slack_ns
        weak = overloaded(design, self.limits, wires.nets), slow_nets(design, timed)
        return Routed(design, nets, wires, *slacks, wrong, *weak)

    def close(self, design: Design, nets: dict[str, Wires], say: Callable[[str], None]) -> Closed:
        """Change a routed design until nothing is missing, or nothing gets better."""
        before = best = self.measured(design, nets)
        rounds, resized = 0, set[str]()
        while (best.missing or best.weak) and rounds < ROUNDS:
            rounds += 1
            trial = copy(best.design)
            trial.cells, trial.nets = [*trial.cells], {n: [*p] for n, p in trial.nets.items()}
            wires = dict(best.nets)
            grown, added = self._strengthen(trial, wires, best.weak) if best.weak else ([], [])
            if (best.setup or 0) < 0:
                grown = [*dict.fromkeys([*grown, *self._grow(trial)])]
            if (best.hold or 0) < 0:
                added = [*added, *self._delay(trial)]
            if not grown and not added:
                break
            followed = follow(self.stack, trial, wires, [*grown, *added])
            buffers = len(trial.cells) - len(best.design.cells)
            tried = self.measured(trial, wires, followed.conflicts)
            say(
                f"closing, round {rounds}: {len(grown)} sizes, {buffers} buffers, "
                f"{followed.nets} nets; slack {_ns(tried.setup)}, of hold {_ns(tried.hold)}; "
                f"{len(tried.overloads)} cells drive too much, {len(tried.slow)} nets are slow"
                + (f"; {tried.wrong} nets open or too close" if tried.wrong else "")
            )
            if tried.faults >= best.faults:
                break
            best, resized = tried, resized | {trial.cells[number].name for number in grown}
        return Closed(best, before, rounds, len(resized))

    def _grow(self, design: Design) -> list[int]:
        """Change sizes where there is room for them; the numbers of these cells."""
        old, gaps = design.cells.copy(), Gaps(design)
        room = {
            cell.name: gaps.widest(number)
            for number, cell in enumerate(design.cells)
            if not cell.is_port
        }
        grown = resize(design, self._timed(design), self.folder, MARGIN * self.period, room)
        _fit(design, old, gaps, grown)
        return grown

    def _strengthen(
        self, design: Design, nets: dict[str, Wires], weak: Mapping[str, float]
    ) -> tuple[list[int], list[int]]:
        """Give the drivers of nets a size that drives so many times as much; or a buffer where
        there is no such size, or no room for it; or, where no buffer can be, the best there is. The
        numbers of the cells that got larger, and of those whose pins are on other nets now."""
        old, gaps, stronger = design.cells.copy(), Gaps(design), dict[int, None]()
        alike, left = by_name(families(design.shapes, self.liberty)), dict[str, float]()
        kept = {self.clock_port, *Buffering(design).gated.values()}
        for net, times in weak.items():
            driver = driver_of(design, design.nets[net])
            assert driver
            number, pin = driver
            cell = design.cells[number]
            if net in kept or cell.is_port or cell.name.startswith(CLOCK_PREFIX):
                continue
            wanted = times * self.limits.most_of(cell, pin)
            names, room = alike.get(cell.master, [cell.master]), gaps.widest(number)
            above = names[names.index(cell.master) + 1 :]
            larger = [name for name in above if design.shapes[name].sites <= room]
            master = self.limits.enough(larger, pin, wanted)
            if has_output(design, net):
                master = master or next(reversed(larger), None)
            elif not master:
                left[net] = wanted
            if master:
                design.cells[number] = cell._replace(master=master)
                stronger[number] = None
        _fit(design, old, gaps, stronger)
        fanout = self.stack.cells.fanout
        buffers = alike.get(fanout, [fanout])
        return [*stronger], helped(design, nets, self.limits, buffers, left)

    def early(self, design: Design) -> dict[str, tuple[float, float]]:
        """List the pins of registers that data reaches too early, with their slacks of hold and of
        setup. Outputs are never early: no tree is behind them."""
        enough = self.stack.rules.hold_margin_ns
        found = self._slacks(design, self.hold_liberty or self.liberty, enough)
        if self.hold_liberty and found:  # which says nothing of how late data is elsewhere
            late = self._slacks(design, self.liberty, self.period)
            found = {
                pin: (hold, late[pin][1] if pin in late else own)
                for pin, (hold, own) in found.items()
            }
        return found

    def _slacks(
        self, design: Design, liberty: Path, enough: float
    ) -> dict[str, tuple[float, float]]:
        more = {"ENDS": MOST_ENDS, "ENOUGH": enough}
        found = EARLY.findall(run_script(HOLD, self._timed(design, liberty), more))
        return {pin: (float(hold), float(late)) for pin, hold, late in found if "/" in pin}

    def _delay(self, design: Design) -> list[int]:
        """Put a buffer before each pin that data reaches too early and that can wait; the numbers
        of the buffers and of what they are before."""
        early, cost = self.early(design), self.stack.rules.buffer_ns
        return delayed(design, [pin for pin, (_, late) in early.items() if late > cost])


def has_output(design: Design, net: str) -> bool:
    """Whether an output of the design is on a net, which has its name."""
    return any(design.cells[cell].is_port for cell, _ in design.nets[net])


def _fit(design: Design, old: list[Cell], gaps: Gaps, grown: Iterable[int]) -> None:
    """Move cells that have grown to the left, as far as there is no room on the right."""
    for number in grown:
        cell = design.cells[number]
        more = design.shape(cell).sites - design.shape(old[number]).sites
        left = max(0, more - gaps.beside[number][1])
        design.cells[number] = cell._replace(site=cell.site - left)


def helped(
    design: Design,
    nets: dict[str, Wires],
    limits: Limits,
    buffers: list[str],
    weak: Mapping[str, float],
) -> list[int]:
    """Put a buffer between each driver that has to drive so much, fF, and its net's wires; the
    numbers of all cells whose pins are on other nets now."""
    gaps, cells, changed = Gaps(design), design.stack.cells, []
    count = called(design, REPEATER_PREFIX)
    for net, wanted in weak.items():
        driver = driver_of(design, design.nets[net])
        assert driver
        master = limits.enough(buffers, cells.output, wanted) or buffers[-1]
        name = f"{REPEATER_PREFIX}{count}"
        number = _buffer(design, gaps, name, master, driver)
        if number is None:
            continue  # no room for it
        count += 1
        rest = [at for at in design.nets[net] if at != driver]
        design.nets[net] = [driver, (number, cells.input)]
        design.nets[f"{name}_net"] = [(number, cells.output), *rest]
        nets[f"{name}_net"] = nets.pop(net)
        changed += [number, driver[0]]
    return changed


def delayed(design: Design, pins: Iterable[str]) -> list[int]:
    """Put a buffer before each of these pins; the numbers of all cells whose pins are on other nets
    now."""
    gaps, cells, changed = Gaps(design), design.stack.cells, []
    number_of = {cell.name: number for number, cell in enumerate(design.cells)}
    net_of = {connected: net for net, at in design.nets.items() for connected in at}
    count = called(design, HOLD_PREFIX)
    for full in pins:
        name, _, pin = full.rpartition("/")
        at, buffer = (number_of[name], pin), f"{HOLD_PREFIX}{count}"
        number = _buffer(design, gaps, buffer, design.stack.delay, at)
        if number is None:
            break  # the core is full
        count += 1
        before = net_of[at]
        after = f"{buffer}_net"
        own = (number, cells.input)
        design.nets[before] = [own if one == at else one for one in design.nets[before]]
        design.nets[after] = [(number, cells.output), at]
        net_of[at] = after
        net_of[own] = before
        changed += [number, at[0]]
    return changed


def _buffer(
    design: Design, gaps: Gaps, name: str, master: str, beside: tuple[int, str]
) -> int | None:
    """Put a buffer on the free sites that are nearest to a pin; its number, None if it fits
    nowhere."""
    reached = design.access(*beside)
    try:
        site, row = gaps.take(reached.x, reached.via, design.shapes[master].sites)
    except ValueError:
        return None
    design.cells.append(Cell(name, master, site, row, row_orientation(row)))
    return len(design.cells) - 1


def _ns(slack: float | None) -> str:
    return "none" if slack is None else f"{slack:.3f} ns"
