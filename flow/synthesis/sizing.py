"""Size the gates of a mapped module by the slacks of all its paths.

ABC takes a full adder for a black box: what drives it seems to have the whole period, and the
buffers to a word's multiplexers stay as weak as they are. So gates on paths that are too slow
become stronger, those first that gain most for their area, until none is too slow or nothing is
gained; then gates with slack become weaker.

Inputs come as from a register in another module, and outputs leave OUTSIDE for what follows there.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from flow.gates.cells import Cell
from flow.gates.liberty import Library
from flow.gates.liberty_tables import TableBank
from flow.gates.timing import INPUT_EDGES
from flow.synthesis.structural import Structure

OUTSIDE = 0.1  # ns, before an input and after an output
SETUP = 0.045  # ns, of a register
STRENGTH = re.compile(r"(\w+)_X(\d+)$")
PATIENCE = 12  # trials without a gain
NEAR = 0.02  # ns: what is so little better than the slowest path counts as it
PART = 0.08  # of what could be made stronger is, in a trial
LEAST_GAIN = 0.0005  # ns
ONLY_RISE, BOTH = ((0,), (0,)), ((0, 1), (0, 1))


@dataclass(frozen=True)
class Variant:
    """A cell of one strength: its arcs as (input pin, output pin, cause, edge) with tables."""

    cell: Cell
    arcs: tuple[tuple[str, str, int, int], ...]
    delays: np.ndarray  # table numbers
    slews: np.ndarray
    loads: np.ndarray  # of the input pin, in fF


class Cells:
    """The cells of a library by strength."""

    def __init__(self, library: Library) -> None:
        self.library, self.bank = library, TableBank()
        self._known: dict[str, list[Variant]] = {}
        self._names = re.findall(r"^\s*cell\s*\(\s*\"?(\w+)", library.text, re.MULTILINE)

    def variants(self, name: str) -> list[Variant]:
        """List the strengths of a cell from the weakest on; those with the same arcs."""
        kind = STRENGTH.match(name)
        base = kind[1] if kind else name
        if base not in self._known:
            like = [n for n in self._names if (m := STRENGTH.match(n)) and m[1] == base]
            found = [self._variant(self.library[n]) for n in like or [name]]
            found.sort(key=lambda variant: variant.cell.area)
            self._known[base] = [v for v in found if v.arcs == found[0].arcs]
        return self._known[base]

    def _variant(self, cell: Cell) -> Variant:
        rows = []
        for pin in cell.outputs:
            for arc in cell.pins[pin].arcs:
                causes = ONLY_RISE if arc.clocked else INPUT_EDGES.get(arc.sense, BOTH)
                for edge, delay, slew in arc.edges():
                    tables = self.bank.add(delay), self.bank.add(slew)
                    rows += [((arc.related, pin, cause, edge), *tables) for cause in causes[edge]]
        rows.sort(key=lambda row: row[0])
        arcs, delays, slews = zip(*rows, strict=True) if rows else ((), (), ())
        columns = np.array(delays, np.int64), np.array(slews, np.int64)
        loads = np.array([cell.pins[arc[0]].capacitance for arc in arcs])
        return Variant(cell, tuple(arcs), *columns, loads)


class Sizing:
    """The gates of one module, as strong as `sizes` says, and the slack of each at a period."""

    def __init__(self, text: str, cells: Cells, period: float) -> None:
        """Read a module; what is in it beside library cells is outside."""
        self.cells, self.period = cells, period
        inside = Structure(text)
        net = _joined(inside)
        known = [one for one in inside.instances if one.kind in cells.library]
        others = [one for one in inside.instances if one.kind not in cells.library]
        self.names = [one.name for one in known]
        self.masters = [one.kind for one in known]
        self.pins = [
            {pin: net[nets[0]] for pin, nets in one.ports.items() if nets} for one in known
        ]
        self.variants = [cells.variants(master) for master in self.masters]
        self.sizes = [
            next(i for i, v in enumerate(variants) if v.cell.name == master)
            for variants, master in zip(self.variants, self.masters, strict=True)
        ]
        self.nets = inside.nets
        self._connect()
        ports = [inside.wires[name] for name in inside.ports]
        entering = {net[n] for port in ports if not port.output for n in port.nets}
        leaving = {net[n] for port in ports if port.output for n in port.nets}
        around = {net[n] for one in others for nets in one.ports.values() for n in nets}
        driven = entering | set(np.flatnonzero(self.driver >= 0).tolist())
        self.entering = sorted(entering | (around - driven))
        self.leaving = sorted(leaving | (around & driven))
        self._load()
        self._required_at_ends()

    def _connect(self) -> None:
        """Find the arcs of all cells, and in which order they are gone through."""
        rows: list[tuple[int, int, int]] = []
        self.rows_of: list[tuple[slice, np.ndarray]] = []
        for cell, (pins, variants) in enumerate(zip(self.pins, self.variants, strict=True)):
            first = len(rows)
            arcs = variants[0].arcs
            rows += [
                (2 * pins[related] + cause, 2 * pins[pin] + edge, cell)
                for related, pin, cause, edge in arcs
                if pin in pins
            ]
            used = np.array([arc[1] in pins for arc in arcs], bool)
            self.rows_of.append((slice(first, len(rows)), used))
        table = np.array(rows, np.int64).reshape(-1, 3)
        self.source, self.target, self.cell = table.T
        self.delays, self.slews = np.zeros((2, len(rows)), np.int64)
        self.areas = [[v.cell.area for v in variants] for variants in self.variants]
        clocked = np.array([bool(v[0].cell.next_state) for v in self.variants])
        self.clocked = clocked
        self.driver = np.full(self.nets, -1)
        self.driver[self.target // 2] = self.cell
        self.levels = self._levels(clocked)
        order = np.argsort(self.levels, kind="stable")
        ends = np.searchsorted(self.levels[order], np.arange(self.levels.max(initial=-1) + 2))
        self.order = [order[a:b] for a, b in zip(ends, ends[1:], strict=False)]
        for cell in range(len(self.sizes)):
            self._take_tables(cell)
        # the arcs that end at an edge of a net
        self.by_target = np.argsort(self.target, kind="stable")
        edges = np.arange(2 * self.nets)
        self.driven_from, self.driven_to = (
            np.searchsorted(self.target[self.by_target], edges, side=side)
            for side in ("left", "right")
        )

    def _levels(self, clocked: np.ndarray) -> np.ndarray:
        """Count for each arc the gates before it on the longest way; those of registers are 0."""
        level_of = np.zeros(self.nets, np.int64)
        source, target = self.source // 2, self.target // 2
        free = clocked[self.cell]
        for _ in range(len(self.sizes) + 1):
            new = np.where(free, 0, level_of[source])
            before = level_of.copy()
            np.maximum.at(level_of, target, new + 1)
            if (before == level_of).all():
                return new
        raise ValueError("a combinational loop")

    def _take_tables(self, cell: int) -> None:
        rows, used = self.rows_of[cell]
        variant = self.variants[cell][self.sizes[cell]]
        self.delays[rows], self.slews[rows] = variant.delays[used], variant.slews[used]

    def _load(self) -> None:
        """Add up what each net drives: pins, a wire by their number, and a port's load."""
        load, fanout = np.zeros(self.nets), np.zeros(self.nets)
        for cell, pins in enumerate(self.pins):
            known = self.variants[cell][self.sizes[cell]].cell.pins
            for pin, net in pins.items():
                if not known[pin].output:
                    load[net] += known[pin].capacitance
                    fanout[net] += 1
        load[self.leaving] += self.cells.library.technology.outside.load_ff
        fanout[self.leaving] += 1
        self.load = load + self.cells.library.wire_load.capacitances(fanout)

    def _required_at_ends(self) -> None:
        """Tell when what registers take and what leaves must stand."""
        self.ends = np.full(self.nets, np.inf)
        self.ends[self.leaving] = self.period - OUTSIDE
        self.clocks: set[int] = set()
        for cell, pins in enumerate(self.pins):
            if self.clocked[cell]:
                kind = self.variants[cell][0].cell
                inputs = [pins[p] for p in kind.inputs if p != kind.clock_pin]
                self.clocks.add(pins[kind.clock_pin])
                self.ends[inputs] = np.minimum(self.ends[inputs], self.period - SETUP)

    def resize(self, cell: int, size: int) -> None:
        """Make a gate stronger or weaker."""
        old, new = (self.variants[cell][s].cell.pins for s in (self.sizes[cell], size))
        for pin, net in self.pins[cell].items():
            if not new[pin].output:
                self.load[net] += new[pin].capacitance - old[pin].capacitance
        self.sizes[cell] = size
        self._take_tables(cell)

    def time(self) -> float:
        """Find arrivals, slews, and slacks of nets by edge; return the worst slack."""
        arrival, slew = np.zeros((2, 2 * self.nets))
        entering = np.array([n for n in self.entering if n not in self.clocks], np.int64)
        for edge in (0, 1):
            arrival[2 * entering + edge] = OUTSIDE
            slew[2 * entering + edge] = 0.02
        self.took = np.zeros(len(self.source))
        bank = self.cells.bank
        for rows in self.order:
            source, target = self.source[rows], self.target[rows]
            load = self.load[target // 2]
            took = bank.look_up(self.delays[rows], slew[source], load)
            np.maximum.at(slew, target, bank.look_up(self.slews[rows], slew[source], load))
            np.maximum.at(arrival, target, arrival[source] + took)
            self.took[rows] = took
        required = np.repeat(self.ends, 2)
        for rows in reversed(self.order):
            free = ~self.clocked[self.cell[rows]]
            some = rows[free]
            np.minimum.at(
                required, self.source[some], required[self.target[some]] - self.took[some]
            )
        self.arrival, self.slew = arrival, slew
        self.slack = required - arrival
        return float(self.slack.min(initial=np.inf))

    def gains(self, ways: Sequence[tuple[int, int]]) -> np.ndarray:
        """Guess by how much other strengths of cells shorten the slowest path through each: what it
        takes itself, and what the one before it takes with its input."""
        if not ways:
            return np.zeros(0)
        bank = self.cells.bank
        rows = [
            np.arange(self.rows_of[cell][0].start, self.rows_of[cell][0].stop) for cell, _ in ways
        ]
        starts = np.cumsum([0, *(len(one) for one in rows[:-1])])
        row = np.concatenate(rows)
        new = [self.variants[cell][size] for cell, size in ways]
        used = [self.rows_of[cell][1] for cell, _ in ways]
        delays = np.concatenate([v.delays[u] for v, u in zip(new, used, strict=True)])
        heavier = np.concatenate(
            [
                (v.loads - self.variants[cell][self.sizes[cell]].loads)[u]
                for v, u, (cell, _) in zip(new, used, ways, strict=True)
            ]
        )
        source, target = self.source[row], self.target[row]
        took = bank.look_up(delays, self.slew[source], self.load[target // 2])
        slack = np.minimum(self.slack[target], self.slack[source])
        # of each way the first arc with the least slack
        way = np.repeat(np.arange(len(ways)), [len(one) for one in rows])
        order = np.lexsort((np.arange(len(row)), slack, way))
        worst = order[starts]
        own = self.took[row[worst]] - took[worst]
        clocked = self.clocked[self.cell[row[worst]]]
        ends = source[worst]
        counts = np.where(clocked, 0, self.driven_to[ends] - self.driven_from[ends])
        places = np.repeat(self.driven_from[ends] - np.cumsum(counts) + counts, counts)
        before = self.by_target[places + np.arange(counts.sum())]
        tables, slews = self.delays[before], self.slew[self.source[before]]
        loads = self.load[self.target[before] // 2]
        more = np.repeat(heavier[worst], counts)
        later = bank.look_up(tables, slews, loads + more) - bank.look_up(tables, slews, loads)
        most = np.zeros(len(ways))
        np.maximum.at(most, np.repeat(np.arange(len(ways)), counts), np.abs(later))
        return own - np.sign(heavier[worst]) * most

    def gain_of(self, steps: Sequence[int], limit: float) -> list[tuple[float, int, int]]:
        """List the gains of cells whose slack is below a limit, and these in other strengths."""
        slack = self.slack_of_cells()
        ways = [
            (int(cell), self.sizes[cell] + step)
            for cell in np.flatnonzero(slack < limit)
            for step in steps
            if 0 <= self.sizes[cell] + step < len(self.variants[cell])
        ]
        gains = self.gains(ways)
        return [(float(gain), *way) for gain, way in zip(gains, ways, strict=True)]

    def slack_of_cells(self) -> np.ndarray:
        """Tell the slack at the outputs of each cell."""
        slack = np.full(len(self.sizes), np.inf)
        np.minimum.at(slack, self.cell, self.slack[self.target])
        return slack


def sized(text: str, cells: Cells, period: float) -> dict[str, str]:
    """Size the gates of a module for a period: the new cell of each instance that changes."""
    module = Sizing(text, cells, period)
    _strengthen(module)
    _weaken(module)
    return {
        name: variants[size].cell.name
        for name, master, variants, size in zip(
            module.names, module.masters, module.variants, module.sizes, strict=True
        )
        if variants[size].cell.name != master
    }


def _strengthen(module: Sizing) -> None:
    """Make gates on paths that are too slow stronger, as long as the slowest gains by it."""
    worst = module.time()
    best, sizes, waited = worst, [*module.sizes], 0
    while worst < 0 and waited < PATIENCE:
        limit = min(0.0, worst + max(NEAR, -worst / 4))
        ways = [
            (gain / (module.areas[cell][size] - module.areas[cell][module.sizes[cell]]), cell, size)
            for gain, cell, size in module.gain_of((1, 2), limit)
            if gain > LEAST_GAIN
        ]
        if not ways:
            break
        _change(module, sorted(ways, reverse=True), 1 + int(PART * len(ways)))
        worst = module.time()
        waited += 1
        if worst > best + 1e-4:
            best, sizes, waited = worst, [*module.sizes], 0
    _restore(module, sizes)


def _weaken(module: Sizing) -> None:
    """Make gates with slack weaker, as long as no path becomes too slow or slower than before."""
    least, part = min(module.time(), 0.0), 0.5
    while part > 0.01:
        slack = module.slack_of_cells()
        ways = []
        for gain, cell, size in module.gain_of((-1,), np.inf):
            left = slack[cell] + 2 * min(gain, 0.0)
            if left > least + LEAST_GAIN:
                saved = module.areas[cell][size + 1] - module.areas[cell][size]
                ways.append((saved * left, cell, size))
        if not ways:
            break
        sizes = [*module.sizes]
        _change(module, sorted(ways, reverse=True), 1 + int(part * len(ways)))
        if module.time() < least - 1e-6:
            _restore(module, sizes)
            part /= 2


def _change(module: Sizing, ways: Iterable[tuple[float, int, int]], most: int) -> None:
    """Change the strength of the first of these cells that have no net in common."""
    seen: set[int] = set()
    for _, cell, size in ways:
        nets = {net for net in module.pins[cell].values() if net not in module.clocks}
        if not nets & seen:
            seen |= nets
            module.resize(cell, size)
            most -= 1
        if not most:
            break


def _restore(module: Sizing, sizes: Sequence[int]) -> None:
    for cell, size in enumerate(sizes):
        if module.sizes[cell] != size:
            module.resize(cell, size)
    module.time()


def _joined(inside: Structure) -> list[int]:
    """Number the nets of a module so that those that are the same have one number."""
    first = list(range(inside.nets))

    def find(net: int) -> int:
        while first[net] != net:
            first[net] = first[first[net]]
            net = first[net]
        return net

    for one, same in inside.joined:
        low, high = sorted((find(one), find(same)))
        first[high] = low
    return [find(net) for net in range(inside.nets)]
