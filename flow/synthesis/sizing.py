"""Size the gates of a mapped netlist by the slacks of all its paths.

ABC takes a full adder for a black box: what drives it seems to have the whole period, and the
buffers to a word's multiplexers stay as weak as they are. It sees no path that goes through several
modules either. So gates on paths that are too slow become stronger, those first that gain most for
their area, until none is too slow or nothing is gained; then gates with slack become weaker.

A netlist is a module by itself or a whole hierarchy, whose module may stand in many places: a gate
of a module is as strong in all of them. Of a module by itself inputs come as from a register in
another one, and outputs leave OUTSIDE for what follows there.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from flow.gates.strengths import Cells
from flow.netlist import HIGH, Netlist
from flow.synthesis.structural import Structure

OUTSIDE = 0.1  # ns, before an input and after an output
SLEW = 0.02  # ns, of an input
NEAR = 0.02  # ns: what is so little better than the slowest path counts as it
PART = 0.05  # of what could be made stronger is, in a trial
FEW = (4, 1)  # are in trials after that
LEAST_PART = 0.01  # of what could be made weaker
PATIENCE = 16  # trials without a gain
LEAST_GAIN = 0.0005  # ns
LEAST_AREA = 1.0  # um2, of what a gain costs
MOST_TRIALS = 120  # of which the netlist is timed in each
MOST_ARCS = 40_000_000  # timed in all trials


@dataclass
class Gates:
    """Cells: where each stands, as what (all that are one gate of a module have one number), the
    nets at its pins; the nets that come from outside and that go there, and how many nets."""

    masters: list[str] = field(default_factory=list)  # by the number of the gate
    names: list[tuple[str, str]] = field(default_factory=list)  # module and cell, by this number
    gates: list[int] = field(default_factory=list)
    pins: list[dict[str, int]] = field(default_factory=list)
    entering: list[int] = field(default_factory=list)
    leaving: list[int] = field(default_factory=list)
    nets: int = 0

    def add(self, number: dict[tuple[str, str], int], module: str, name: str, kind: str) -> None:
        """Count one more place of the gate of a module."""
        if (module, name) not in number:
            number[module, name] = len(self.masters)
            self.masters.append(kind)
            self.names.append((module, name))
        self.gates.append(number[module, name])


def gates_of_module(text: str, cells: Cells) -> Gates:
    """Read a module; what is in it beside library cells is outside."""
    inside = Structure(text)
    net = _joined(inside)
    known = [one for one in inside.instances if one.kind in cells.library]
    others = [one for one in inside.instances if one.kind not in cells.library]
    found = Gates(nets=inside.nets)
    number: dict[tuple[str, str], int] = {}
    for one in known:
        found.add(number, "", one.name, one.kind)
        found.pins.append({pin: net[nets[0]] for pin, nets in one.ports.items() if nets})
    outputs = {master: {*cells.library[master].outputs} for master in set(found.masters)}
    driven = {
        pins[pin]
        for gate, pins in zip(found.gates, found.pins, strict=True)
        for pin in outputs[found.masters[gate]] & pins.keys()
    }
    ports = [inside.wires[name] for name in inside.ports]
    entering = {net[n] for port in ports if not port.output for n in port.nets}
    leaving = {net[n] for port in ports if port.output for n in port.nets}
    around = {net[n] for one in others for nets in one.ports.values() for n in nets}
    found.entering = sorted(entering | (around - driven - entering))
    found.leaving = sorted(leaving | (around & (driven | entering)))
    return found


def gates_of_netlist(netlist: Netlist, owners: Mapping[str, tuple[str, str]]) -> Gates:
    """Take the cells of a hierarchy that was put into one module; the owner of a cell is the path
    of an instance, and its module."""
    found = Gates(nets=1 + max(netlist.names.values(), default=HIGH))
    number: dict[tuple[str, str], int] = {}
    for cell in netlist.instances:
        path, module = owners[cell.name]
        name = cell.name.removeprefix(f"{path}.") if path else cell.name
        found.add(number, module, name, cell.master)
        found.pins.append(cell.pins)
    used = [net for pins in found.pins for net in pins.values()]
    found.nets = 1 + max(found.nets - 1, *used, HIGH)
    for port in netlist.ports.values():
        (found.leaving if port.output else found.entering).extend(port.nets)
    return found


@dataclass(frozen=True)
class State:
    """How strong gates are, the worst slack so, by how much paths are too slow together, and area
    times the period that is reached."""

    sizes: Sequence[int]
    worst: float
    missed: float
    price: float

    def better(self, other: "State") -> bool:
        """Tell whether the slowest path is faster, and not by a hair at the cost of all others; or
        whether the others are, and the slowest is none the slower for it."""
        gained, less = self.worst - other.worst, other.missed - self.missed
        return gained > 1e-4 or (gained > -1e-6 and less > 1e-4)


class Sizing:
    """The gates of a netlist, as strong as `sizes` says, and the slack of each at a period."""

    def __init__(self, gates: Gates, cells: Cells, period: float, whole: bool = False) -> None:
        """whole: inputs come from a cell at the clock edge, and outputs have the whole period."""
        self.cells, self.period, self.whole = cells, period, whole
        technology = cells.library.technology
        self.pace, self.outside = technology.pace, technology.outside
        self.gates, self.nets = gates, gates.nets
        self.gate_of, self.pins = np.array(gates.gates, np.int64), gates.pins
        self.variants = [cells.variants(master) for master in gates.masters]
        self.sizes = [
            next(i for i, v in enumerate(variants) if v.cell.name == master)
            for variants, master in zip(self.variants, gates.masters, strict=True)
        ]
        self.first_sizes = [*self.sizes]
        self.places: list[list[int]] = [[] for _ in gates.masters]
        for place, gate in enumerate(gates.gates):
            self.places[gate].append(place)
        self.areas = [
            [v.cell.area * len(places) for v in variants]
            for variants, places in zip(self.variants, self.places, strict=True)
        ]
        self.entering, self.leaving = gates.entering, gates.leaving
        self._required_at_ends()
        self._connect()
        self._load()
        self.trials = 0
        self.tighter = 0.0  # ns, by which OpenSTA finds paths longer than they are found here

    def _required_at_ends(self) -> None:
        """Tell when what registers take and what leaves must stand; clocks are ideal."""
        outside = 0.0 if self.whole else OUTSIDE * self.pace
        self.ends = np.full(self.nets, np.inf)
        self.ends[self.leaving] = self.period - outside
        self.clocks: set[int] = set()
        for gate, pins in zip(self.gates.gates, self.pins, strict=True):
            cell = self.variants[gate][0].cell
            if cell.next_state or cell.enable:
                inputs = [pins[p] for p in cell.inputs if p != cell.clock_pin and p in pins]
                self.clocks.add(pins[cell.clock_pin])
                self.ends[inputs] = np.minimum(self.ends[inputs], self.period)
        self.ends[: HIGH + 1] = np.inf
        self.ends[[*self.clocks]] = np.inf

    def _connect(self) -> None:
        """Find the arcs of all cells, and in which order they are gone through."""
        rows: list[tuple[int, int, int]] = []
        self.rows_of: list[tuple[slice, np.ndarray]] = []
        for place, pins in enumerate(self.pins):
            first = len(rows)
            used = []
            for related, pin, cause, edge in self.variants[self.gates.gates[place]][0].arcs:
                is_used = pin in pins and pins[pin] not in self.clocks
                used.append(is_used)
                if is_used:
                    rows.append((2 * pins[related] + cause, 2 * pins[pin] + edge, place))
            self.rows_of.append((slice(first, len(rows)), np.array(used, bool)))
        table = np.array(rows, np.int64).reshape(-1, 3)
        self.source, self.target, self.place = table.T.copy()
        self.delays, self.slews = np.zeros((2, len(rows)), np.int64)
        self.clocked = np.array([bool(v[0].cell.next_state) for v in self.variants], bool)
        self.free = self.clocked[self.gate_of[self.place]] if rows else np.zeros(0, bool)
        self.levels = self._levels()
        order = np.argsort(self.levels, kind="stable")
        ends = np.searchsorted(self.levels[order], np.arange(self.levels.max(initial=-1) + 2))
        self.order = [order[a:b] for a, b in zip(ends, ends[1:], strict=False)]
        for place in range(len(self.pins)):
            self._take_tables(place)
        self._find_setups()
        # the arcs that end at an edge of a net
        self.by_target = np.argsort(self.target, kind="stable")
        edges = np.arange(2 * self.nets)
        self.driven_from, self.driven_to = (
            np.searchsorted(self.target[self.by_target], edges, side=side)
            for side in ("left", "right")
        )

    def _levels(self) -> np.ndarray:
        """Count for each arc the gates before it on the longest way; those of registers are 0."""
        level_of = np.zeros(self.nets, np.int64)
        source, target = self.source // 2, self.target // 2
        free = self.free
        for _ in range(len(self.pins) + 1):
            new = np.where(free, 0, level_of[source])
            before = level_of.copy()
            np.maximum.at(level_of, target, new + 1)
            if (before == level_of).all():
                return new
        raise ValueError("a combinational loop")

    def _take_tables(self, place: int) -> None:
        rows, used = self.rows_of[place]
        gate = self.gates.gates[place]
        variant = self.variants[gate][self.sizes[gate]]
        self.delays[rows], self.slews[rows] = variant.delays[used], variant.slews[used]

    def _find_setups(self) -> None:
        """Find the setup times of registers: tables, and the edge of a net that each is of."""
        self.setups_of: dict[int, list[tuple[int, tuple[str, int]]]] = defaultdict(list)
        ends: list[int] = []
        for place, gate in enumerate(self.gates.gates):
            for pin, edge in self.variants[gate][0].setups:
                if pin in self.pins[place]:
                    self.setups_of[gate].append((len(ends), (pin, edge)))
                    ends.append(2 * self.pins[place][pin] + edge)
        self.setup_ends = np.array(ends, np.int64)
        self.setups = np.zeros(len(ends), np.int64)
        for gate in self.setups_of:
            self._take_setups(gate)

    def _take_setups(self, gate: int) -> None:
        for row, kind in self.setups_of.get(gate, ()):
            self.setups[row] = self.variants[gate][self.sizes[gate]].setups[kind]

    def _load(self) -> None:
        """Add up what each net drives: pins, a wire by their number, and a port's load."""
        load, fanout = np.zeros(self.nets), np.zeros(self.nets)
        for gate, pins in zip(self.gates.gates, self.pins, strict=True):
            known = self.variants[gate][self.sizes[gate]].capacitance
            for pin, net in pins.items():
                if pin in known:
                    load[net] += known[pin]
                    fanout[net] += 1
        np.add.at(load, self.leaving, self.outside.load_ff)
        np.add.at(fanout, self.leaving, 1)
        self.load = load + self.cells.library.wire_load.capacitances(fanout)

    def resize(self, gate: int, size: int) -> None:
        """Make a gate stronger or weaker, wherever it stands."""
        old, new = (self.variants[gate][s].capacitance for s in (self.sizes[gate], size))
        self.sizes[gate] = size
        heavier = {pin: new[pin] - old[pin] for pin in old}
        for place in self.places[gate]:
            for pin, net in self.pins[place].items():
                if pin in heavier:
                    self.load[net] += heavier[pin]
            self._take_tables(place)
        self._take_setups(gate)

    def _enter(self) -> tuple[np.ndarray, np.ndarray]:
        """Tell when inputs come, and how steep: as the outside drives them."""
        arrival, slew = np.zeros((2, 2 * self.nets))
        nets = np.array([n for n in self.entering if n not in self.clocks], np.int64)
        if not self.whole:
            for edge in (0, 1):
                arrival[2 * nets + edge] = OUTSIDE * self.pace
                slew[2 * nets + edge] = SLEW * self.pace
            return arrival, slew
        driver = self.cells.library[self.outside.driving_cell]
        [arc] = driver.pins[driver.outputs[0]].arcs
        zero, bank = np.zeros(len(nets)), self.cells.bank
        for edge, delay, steep in arc.edges():
            numbers = np.full(len(nets), bank.add(delay))
            loaded = bank.look_up(numbers, zero, self.load[nets])
            arrival[2 * nets + edge] = loaded - bank.look_up(numbers, zero, zero)
            numbers = np.full(len(nets), bank.add(steep))
            slew[2 * nets + edge] = bank.look_up(numbers, zero, self.load[nets])
        return arrival, slew

    def time(self) -> float:
        """Find arrivals, slews, and slacks of nets by edge; return the worst slack."""
        self.trials += 1
        arrival, slew = self._enter()
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
        zero = np.zeros(len(self.setups))
        setup = bank.look_up(self.setups, slew[self.setup_ends], zero)
        np.minimum.at(required, self.setup_ends, self.period - setup)
        required -= self.tighter
        self.required_at_ends = required.copy()
        for rows in reversed(self.order):
            some = rows[~self.free[rows]]
            np.minimum.at(
                required, self.source[some], required[self.target[some]] - self.took[some]
            )
        self.arrival, self.slew = arrival, slew
        self.slack = required - arrival
        return float(self.slack.min(initial=np.inf))

    def state(self) -> State:
        """Tell what was timed last."""
        slack = self.required_at_ends - self.arrival
        missed = -float(np.minimum(slack, 0.0).sum())
        worst = float(self.slack.min(initial=np.inf))
        return State([*self.sizes], worst, missed, self.area() * (self.period - worst))

    def gains(
        self, ways: Sequence[tuple[int, int]], at: Sequence[int], beside: bool = False
    ) -> np.ndarray:
        """Guess by how much other strengths of gates shorten the slowest path through each, at the
        place of each where it is slowest: what it takes itself, unless it is beside the path, and
        what the one before it takes with its input."""
        if not ways:
            return np.zeros(0)
        bank = self.cells.bank
        rows = [np.arange(self.rows_of[p][0].start, self.rows_of[p][0].stop) for p in at]
        starts = np.cumsum([0, *(len(one) for one in rows[:-1])])
        row = np.concatenate(rows)
        new = [self.variants[gate][size] for gate, size in ways]
        used = [self.rows_of[p][1] for p in at]
        delays = np.concatenate([v.delays[u] for v, u in zip(new, used, strict=True)])
        heavier = np.concatenate(
            [
                (v.loads - self.variants[gate][self.sizes[gate]].loads)[u]
                for v, u, (gate, _) in zip(new, used, ways, strict=True)
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
        ends = source[worst]
        counts = np.where(self.free[row[worst]], 0, self.driven_to[ends] - self.driven_from[ends])
        places = np.repeat(self.driven_from[ends] - np.cumsum(counts) + counts, counts)
        before = self.by_target[places + np.arange(counts.sum())]
        tables, slews = self.delays[before], self.slew[self.source[before]]
        loads = self.load[self.target[before] // 2]
        more = np.repeat(heavier[worst], counts)
        later = bank.look_up(tables, slews, loads + more) - bank.look_up(tables, slews, loads)
        most = np.zeros(len(ways))
        np.maximum.at(most, np.repeat(np.arange(len(ways)), counts), np.abs(later))
        return (0.0 if beside else own) - np.sign(heavier[worst]) * most

    def gain_of(self, steps: Sequence[int], limit: float) -> list[tuple[float, int, int]]:
        """List the gains of gates whose slack is below a limit, and these in other strengths."""
        slack, at = self.slack_of_gates()
        ways = [
            (int(gate), self.sizes[gate] + step)
            for gate in np.flatnonzero(slack < limit)
            for step in steps
            if 0 <= self.sizes[gate] + step < len(self.variants[gate])
        ]
        gains = self.gains(ways, [int(at[gate]) for gate, _ in ways])
        return [(float(gain), *way) for gain, way in zip(gains, ways, strict=True)]

    def relief(self, limit: float) -> list[tuple[float, int, int]]:
        """List by how much paths whose slack is below a limit gain if gates beside them, which have
        more slack than they lose, become weaker; these, and their strengths."""
        slack, _ = self.slack_of_gates()
        before = np.full(len(self.pins), np.inf)
        np.minimum.at(before, self.place, self.slack[self.source])
        least = np.full(len(self.sizes), np.inf)
        np.minimum.at(least, self.gate_of, before)
        beside = np.flatnonzero((least < limit) & (slack >= limit))
        beside = beside[[self.sizes[gate] > 0 for gate in beside]]
        at = {int(self.gate_of[place]): int(place) for place in np.flatnonzero(before < limit)}
        ways = [(int(gate), self.sizes[gate] - 1) for gate in beside]
        gains = self.gains(ways, [at[gate] for gate, _ in ways], beside=True)
        loss = self.gains(ways, [at[gate] for gate, _ in ways])
        return [
            (float(gain), *way)
            for gain, lost, way in zip(gains, loss, ways, strict=True)
            if slack[way[0]] - 2 * abs(lost) > limit
        ]

    def slack_of_gates(self) -> tuple[np.ndarray, np.ndarray]:
        """Tell the slack at the outputs of each gate, where it is least, and at which place."""
        by_place = np.full(len(self.pins), np.inf)
        np.minimum.at(by_place, self.place, self.slack[self.target])
        slack = np.full(len(self.sizes), np.inf)
        np.minimum.at(slack, self.gate_of, by_place)
        at = np.zeros(len(self.sizes), np.int64)
        is_worst = np.flatnonzero(by_place == slack[self.gate_of])
        at[self.gate_of[is_worst]] = is_worst
        return slack, at

    def area(self) -> float:
        """Tell the area of all gates, in um2."""
        return sum(areas[size] for areas, size in zip(self.areas, self.sizes, strict=True))

    def may_try(self) -> bool:
        """Tell whether the netlist may be timed once more."""
        most = max(MOST_ARCS // max(len(self.source), 1), 15)
        return self.trials < min(most, MOST_TRIALS)

    def changed(self) -> dict[str, dict[str, str]]:
        """Tell the new cell of each gate that has one, by module and name."""
        found: dict[str, dict[str, str]] = defaultdict(dict)
        for (module, name), variants, size, first in zip(
            self.gates.names, self.variants, self.sizes, self.first_sizes, strict=True
        ):
            if size != first:
                found[module][name] = variants[size].cell.name
        return found


def sized(text: str, cells: Cells, period: float) -> dict[str, str]:
    """Size the gates of a module for a period: the new cell of each instance that changes."""
    module = Sizing(gates_of_module(text, cells), cells, period)
    strengthen(module)
    weaken(module)
    return module.changed().get("", {})


def strengthen(module: Sizing) -> None:
    """Make gates on paths that are too slow stronger, or those beside them weaker, as long as paths
    become less too slow by it: many at once, then ever fewer; of those that gained nothing no more
    is tried as many at once. The area of a whole netlist grows by no greater part than its period
    becomes shorter."""
    worst = module.time()
    best, waited, few = module.state(), 0, iter(FEW)
    most_price = best.price if module.whole else np.inf
    part, most = PART, None
    fruitless: set[tuple[int, int]] = set()
    while worst < 0 and module.may_try():
        limit = min(0.0, worst + max(NEAR * module.pace, -worst / 4))
        ways = []
        for gain, gate, size in [*module.gain_of((-1, 1, 2), limit), *module.relief(limit)]:
            if gain > LEAST_GAIN * module.pace and (gate, size) not in fruitless:
                more = module.areas[gate][size] - module.areas[gate][module.sizes[gate]]
                ways.append((gain / (max(more, 0.0) + LEAST_AREA), gate, size))
        if ways:
            ways.sort(reverse=True)
            tried = _change(module, ways, most or 1 + int(part * len(ways)))
            worst, waited = module.time(), waited + 1
            now = module.state()
            if now.better(best) and now.price <= most_price:
                best, waited = now, 0
                continue
            if most:
                fruitless |= {*tried}
            elif waited < PATIENCE:
                continue
        elif (most := next(few, None)) is None:
            break
        else:
            fruitless.clear()
        most = most or next(few)
        restore(module, best.sizes)
        worst = best.worst
    restore(module, best.sizes)


def weaken(module: Sizing) -> None:
    """Make gates with slack weaker, as long as no path becomes too slow or slower than before; of a
    whole netlist also, as long as its area times the period that it reaches grows none by it."""
    worst, part = module.time(), 0.5
    least = min(worst, 0.0)
    while part > LEAST_PART and module.may_try():
        slack, _ = module.slack_of_gates()
        ways = []
        for gain, gate, size in module.gain_of((-1,), np.inf):
            left = slack[gate] + 2 * min(gain, 0.0)
            if left > least + LEAST_GAIN * module.pace:
                saved = module.areas[gate][size + 1] - module.areas[gate][size]
                ways.append((saved * min(left, module.period), gate, size))
        if not ways:
            break
        sizes, area = [*module.sizes], module.area()
        _change(module, sorted(ways, reverse=True), 1 + int(part * len(ways)))
        now = module.time()
        pays = module.area() * (module.period - now) <= area * (module.period - worst)
        if now < least - 1e-6 or (module.whole and not pays):
            restore(module, sizes)
            part /= 2
        else:
            worst = now


def _change(
    module: Sizing, ways: Iterable[tuple[float, int, int]], most: int
) -> list[tuple[int, int]]:
    """Change the strength of the first of these gates that have no net in common; list them."""
    seen: set[int] = set()
    changed = []
    for _, gate, size in ways:
        nets = {
            net
            for place in module.places[gate]
            for net in module.pins[place].values()
            if net not in module.clocks
        }
        if not nets & seen:
            seen |= nets
            module.resize(gate, size)
            changed.append((gate, size))
        if len(changed) == most:
            break
    return changed


def restore(module: Sizing, sizes: Sequence[int]) -> None:
    """Make gates as strong as they were, and time them."""
    for gate, size in enumerate(sizes):
        if module.sizes[gate] != size:
            module.resize(gate, size)
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
