"""Put the modules of a mapped hierarchy into one."""

import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from flow.netlist import HIGH, LOW, Instance, Netlist, Port
from flow.synthesis.hierarchy import TOP, Owner
from flow.synthesis.structural import Structure

OutputPins = Mapping[str, Collection[str]]  # of each kind of cell
OF_REGISTER = re.compile(r"\bcell\s*\(\s*\"?(\w+)|\bclocked_on\s*:\s*\"?(\w+)")
OF_PIN = re.compile(r"\b(cell|pin)\s*\(\s*\"?(\w+)|\bdirection\s*:\s*\"?(\w+)")


def output_pins(liberty: str) -> dict[str, list[str]]:
    """List the outputs of each cell of a library, from its text."""
    found: dict[str, list[str]] = {}
    cell = pin = ""
    for kind, name, direction in OF_PIN.findall(liberty):
        if kind == "cell":
            cell = name
            found[cell] = []
        elif kind == "pin":
            pin = name
        elif direction == "output":
            found[cell].append(pin)
    return found


def register_clocks(liberty: str) -> dict[str, str]:
    """Tell the clock pin of each cell of a library that is a register, from its text."""
    found: dict[str, str] = {}
    cell = ""
    for name, clock in OF_REGISTER.findall(liberty):
        if name:
            cell = name
        else:
            found[cell] = clock
    return found


class Flattened:
    """A mapped hierarchy as one module: without the cells that nothing depends on, as outputs of a
    module may lead nowhere, the others in the order of their names.

    A name begins with the path of the instance; a net has the one that is least deep. `owners` are
    the instance and module that each cell stood in; `held` has all cells, of whichever kind.
    """

    def __init__(self, texts: Mapping[str, str], top: str, output_pins: OutputPins) -> None:
        """texts: of the modules; what else they hold is cells with these `output_pins`."""
        self.owners: dict[str, Owner] = {}
        self._modules = {name: Structure(text) for name, text in texts.items()}
        self._joined = [LOW, HIGH]  # for each net a lower one that is the same net, or itself
        self._cells: list[Instance] = []
        self._names: list[tuple[int, str, int]] = []  # depth, name, net
        self._expand(top, TOP, {})
        self.held = Netlist(top, instances=self._cells)
        # The nets of the top are the first.
        inside = self._modules[top]
        ports = {name: _with_nets(inside.wires[name], self._first) for name in inside.ports}
        self._keep_what_matters(ports, output_pins)
        self.netlist = self._numbered(top, ports)

    def _expand(self, module: str, path: str, ports: Mapping[str, Collection[int]]) -> None:
        """Add the cells and names of an instance with these nets at its ports."""
        inside = self._modules[module]
        new = len(self._joined) - (HIGH + 1)
        self._joined += range(len(self._joined), new + inside.nets)

        def net(number: int) -> int:
            return number if number <= HIGH else new + number

        for one, same in inside.joined:
            self._join(net(one), net(same))
        for port, outside in ports.items():
            for one, same in zip(inside.wires[port].nets, outside, strict=bool(outside)):
                self._join(net(one), same)
        prefix = f"{path}." if path else ""
        depth, owner = prefix.count("."), (path, module)
        for name, wire in inside.wires.items():
            self._names += [(depth, bit, net(n)) for bit, n in wire.bits(prefix + name)]
        for name, kind, connected in inside.instances:
            if kind in self._modules:
                below = {port: list(map(net, nets)) for port, nets in connected.items()}
                self._expand(kind, prefix + name, below)
            else:
                pins = {pin: net(nets[0]) for pin, nets in connected.items() if nets}
                self._cells.append(Instance(prefix + name, kind, pins))
                self.owners[prefix + name] = owner

    def _join(self, net: int, same: int) -> None:
        low, high = sorted((self._first(net), self._first(same)))
        self._joined[high] = low

    def _first(self, net: int) -> int:
        """Find the lowest net that is the same."""
        while self._joined[net] != net:
            net = self._joined[net]
        return net

    def _keep_what_matters(self, ports: Mapping[str, Port], output_pins: OutputPins) -> None:
        """Keep the cells that outputs depend on, with the lowest nets, in the order of names."""
        driver = {}
        for cell in self._cells:
            cell.pins = {pin: self._first(net) for pin, net in cell.pins.items()}
            for pin in output_pins.get(cell.master, ()):
                if pin in cell.pins:
                    driver[cell.pins[pin]] = cell
        seen = {net for port in ports.values() if port.output for net in port.nets}
        waiting, kept = list(seen), {}
        while waiting:
            below = driver.get(waiting.pop())
            if below and below.name not in kept:
                kept[below.name] = below
                waiting += (new := set(below.pins.values()) - seen)
                seen |= new
        self._cells = [kept[name] for name in sorted(kept)]
        self.owners = {cell.name: self.owners[cell.name] for cell in self._cells}

    def _numbered(self, top: str, ports: Mapping[str, Port]) -> Netlist:
        """Make the netlist, its nets numbered as they are met."""
        number = {LOW: LOW, HIGH: HIGH}
        found = Netlist(top)

        def numbered(net: int) -> int:
            return number.setdefault(net, len(number))

        found.ports = {name: _with_nets(port, numbered) for name, port in ports.items()}
        for cell in self._cells:
            cell.pins = {pin: numbered(net) for pin, net in cell.pins.items()}
        found.instances = self._cells
        found.name_ports()
        named = set(found.names.values())
        for _, name, net in sorted(self._names):
            net = number.get(self._first(net), LOW)
            if net > HIGH and net not in named:
                named.add(net)
                found.name(name, net)
        return found


def _with_nets(port: Port, net: Callable[[int], int]) -> Port:
    return replace(port, nets=tuple(map(net, port.nets)))
