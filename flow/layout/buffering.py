"""Add the clock tree, and buffers on nets with many sinks, to a placed design.

Sinks are split in two along the longer side of the box around them, again and again, until each
group is small; a buffer goes to the middle of its group, and drives it. So every register is behind
the same number of buffers; a clock gate counts as one. It stands where other registers have the
buffer above their last one, and drives the last ones of its own registers.
"""

from collections import defaultdict
from collections.abc import Mapping
from types import MappingProxyType

from flow.layout.design import Cell, Design
from flow.layout.placement import row_orientation
from flow.layout.technology import Stack
from flow.netlist import HIGH, LOW, Instance, Netlist
from flow.results.layout import Buffers

MOST_CLOCK_LEAVES, MOST_CLOCK_BRANCHES = 16, 6
MOST_SINKS = 20
CLOCK_PREFIX, FANOUT_PREFIX, PORT_PREFIX = "clock_buffer_", "fanout_buffer_", "port_buffer_"
HOLD_PREFIX, REPEATER_PREFIX = "hold_buffer_", "repeater_buffer_"
PREFIXES = (CLOCK_PREFIX, FANOUT_PREFIX, PORT_PREFIX, HOLD_PREFIX, REPEATER_PREFIX)

Sink = tuple[tuple[float, float], tuple[int, str]]  # where it is, and the cell's index and pin


def called(design: Design, prefix: str) -> int:
    """Count the cells whose names begin so."""
    return sum(cell.name.startswith(prefix) for cell in design.cells)


def split(sinks: list[Sink], groups: int) -> list[list[Sink]]:
    """Split the sinks into so many groups of nearly equal size, each close together."""
    if groups <= 1 or len(sinks) <= 1:
        return [sinks]
    xs, ys = [s[0][0] for s in sinks], [s[0][1] for s in sinks]
    axis = 0 if max(xs) - min(xs) >= max(ys) - min(ys) else 1
    ordered = sorted(sinks, key=lambda sink: (sink[0][axis], sink[1]))
    first = groups // 2
    cut = round(len(sinks) * first / groups)
    return split(ordered[:cut], first) + split(ordered[cut:], groups - first)


class Buffering:
    """Buffers for a placed design, whose placement must be made legal afterwards."""

    def __init__(self, design: Design) -> None:
        self.design, self.cells = design, design.stack.cells
        self.added: dict[str, int] = defaultdict(int)
        self.names = {cell.name for cell in design.cells}
        # The clock gates, and the net of each one's gated clock.
        self.gated = {
            cell: net
            for net, pins in design.nets.items()
            for cell, pin in pins
            if pin == design.stack.gated
        }

    def sinks(self, net: str) -> tuple[list[tuple[int, str]], list[Sink]]:
        """Find the driver of a net, and its sinks."""
        drivers = []
        sinks: list[Sink] = []
        for cell, pin in self.design.nets[net]:
            if self.design.shape(self.design.cells[cell]).directions[pin] == "output":
                drivers.append((cell, pin))
            else:
                at = self.design.access(cell, pin)
                sinks.append(((at.x, at.via), (cell, pin)))
        return drivers, sinks

    def buffer(
        self,
        master: str,
        prefix: str,
        sinks: list[Sink],
        net: str = "",
        at: tuple[float, float] | None = None,
    ) -> Sink:
        """Put a new buffer at a place, or in the middle of the sinks, which it drives; it is a sink
        itself."""
        design, stack = self.design, self.design.stack
        xs, ys = zip(*([at] if at else (place for place, _ in sinks)), strict=True)
        x, y = sum(xs) / len(xs), sum(ys) / len(ys)
        name = f"{prefix}{self.added[prefix]}"
        self.added[prefix] += 1
        net = net or f"{name}_net"
        if name in self.names or net in design.nets:
            raise ValueError(f"the design has a {name} of its own")
        width = design.shapes[master].sites
        site = min(max(0, round(x / stack.site_width - width / 2)), design.sites - width)
        row = min(max(0, int(y / stack.row_height)), design.rows - 1)
        index = len(design.cells)
        design.cells.append(Cell(name, master, site, row, row_orientation(row)))
        design.nets[net] = [(index, self.cells.output), *(pin for _, pin in sinks)]
        return (x, y), (index, self.cells.input)

    def clock(self, net: str) -> int:
        """Build the tree of the clock's net, and that behind each of its gates; how many buffers
        are in a row, a gate being one of them."""
        driver, sinks = self.sinks(net)
        gates = [sink for sink in sinks if sink[1][0] in self.gated]
        sinks, levels = self._leaves([s for s in sinks if s[1][0] not in self.gated]), 1
        if gates:
            for _, (gate, _) in gates:
                self._behind(self.gated[gate])
            sinks, levels = self._trunk(sinks) + gates, 2
        while len(sinks) > 1:
            sinks, levels = self._trunk(sinks), levels + 1
        self.design.nets[net] = driver + [pin for _, pin in sinks]
        return levels

    def _behind(self, net: str) -> None:
        """Put the last buffers of a gate's registers behind it."""
        gate, registers = self.sinks(net)
        self.design.nets[net] = gate + [pin for _, pin in self._leaves(registers)]

    def _leaves(self, registers: list[Sink]) -> list[Sink]:
        return self._grouped(registers, MOST_CLOCK_LEAVES, self.cells.clock_leaf, CLOCK_PREFIX)

    def _trunk(self, sinks: list[Sink]) -> list[Sink]:
        return self._grouped(sinks, MOST_CLOCK_BRANCHES, self.cells.clock_trunk, CLOCK_PREFIX)

    def fanout(self, net: str) -> None:
        """Put buffers between the driver and its sinks if these are many. A port stays with the
        driver: the net is called as it is."""
        driver, sinks = self.sinks(net)
        ports = [sink for sink in sinks if self.design.cells[sink[1][0]].is_port]
        sinks = [sink for sink in sinks if sink not in ports]
        if len(ports + sinks) <= MOST_SINKS:
            return
        while len(ports + sinks) > MOST_SINKS:
            sinks = self._grouped(sinks, MOST_SINKS, self.cells.fanout, FANOUT_PREFIX)
        self.design.nets[net] = driver + [pin for _, pin in ports + sinks]

    def ports(self, net: str) -> None:
        """Give each output port but the first on a net, or all on an input's, its own buffer."""
        driver, sinks = self.sinks(net)
        cells = self.design.cells
        outputs = [sink for sink in sinks if cells[sink[1][0]].is_port]
        shared = outputs if any(cells[cell].is_port for cell, _ in driver) else outputs[1:]
        if shared:
            inside = [sink for sink in sinks if sink not in shared]
            own = [
                self.buffer(self.cells.port, PORT_PREFIX, [port], net=cells[port[1][0]].name)
                for port in shared
            ]
            self.design.nets[net] = driver + [pin for _, pin in inside + own]

    def _grouped(self, sinks: list[Sink], size: int, master: str, prefix: str) -> list[Sink]:
        groups = split(sinks, -(-len(sinks) // size)) if sinks else []
        return [self.buffer(master, prefix, group) for group in groups]


def add_buffers(design: Design, clock: str | None) -> Buffers:
    """Add all buffers; how many there are of each kind, and in a row from clock to register."""
    work = Buffering(design)
    levels, gated = 0, set(work.gated.values())
    for net in list(design.nets):
        work.ports(net)
    for net in list(design.nets):
        if net == clock:
            levels = work.clock(net)
        elif net not in gated:
            work.fanout(net)
    added = (work.added[prefix] for prefix in (FANOUT_PREFIX, PORT_PREFIX))
    return Buffers(work.added[CLOCK_PREFIX], levels, *added)


def sources(stack: Stack, netlist: Netlist, *prefixes: str) -> dict[int, int]:
    """Find, for each net that a buffer of such a name drives, the net before all such buffers."""
    buffers = (cell for cell in netlist.instances if cell.name.startswith(prefixes))
    pins = stack.cells
    before = {cell.pins[pins.output]: cell.pins[pins.input] for cell in buffers}

    def source(net: int) -> int:
        return source(before[net]) if net in before else net

    return {net: source(net) for net in before}


def differences(
    stack: Stack, before: Netlist, after: Netlist, kinds: Mapping[str, str] = MappingProxyType({})
) -> list[str]:
    """Say how a netlist differs from the one before, apart from buffers and from cells of the same
    kind in other sizes; [] if in no way."""
    old, new = (_connections(stack, netlist, kinds) for netlist in (before, after))
    changed = (what for what in old.keys() | new.keys() if old.get(what) != new.get(what))
    return sorted(f"{what}: {old.get(what)}, now {new.get(what)}" for what in changed)


def _connections(stack: Stack, netlist: Netlist, kinds: Mapping[str, str]) -> dict[str, object]:
    """Tell what each cell is and where the nets at its pins, and those of outputs, come from. What
    is called a buffer is left out if it is one."""
    source = sources(stack, netlist, *PREFIXES)
    buffers = {kinds.get(master, master) for master in stack.buffers}

    def origin(net: int) -> str | int:
        return net if net in (LOW, HIGH) else netlist.name_of[source.get(net, net)]

    def is_buffer(cell: Instance) -> bool:
        return cell.name.startswith(PREFIXES) and kinds.get(cell.master, cell.master) in buffers

    cells = {
        f"cell {cell.name}": (
            kinds.get(cell.master, cell.master),
            {pin: origin(net) for pin, net in cell.pins.items()},
        )
        for cell in netlist.instances
        if not is_buffer(cell)
    }
    return cells | {f"port {b.name}": origin(b.net) for b in netlist.port_bits() if b.output}
