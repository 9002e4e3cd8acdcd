"""Read and write structural Verilog of library cells in one module, as yosys writes it."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

TOKEN = re.compile(r"\\(\S+)\s|(\d+'[bdh][0-9a-fA-FxzXZ]+|\d+)|([A-Za-z_][\w$]*)|([^\s\w])")
SIMPLE = re.compile(r"[A-Za-z_]\w*$")
COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
Range = tuple[int, int] | None


@dataclass
class Port:
    """A port of the module: "input" or "output", and its range (msb, lsb) if it has one."""

    direction: str
    range: Range = None

    def bits(self, name: str) -> list[str]:
        """The names of its bits, lowest first."""
        if self.range is None:
            return [name]
        high, low = self.range
        return [f"{name}[{index}]" for index in range(low, high + 1)]


@dataclass
class Instance:
    """A cell: its name, the library's name for it, and the net on each pin."""

    name: str
    master: str
    pins: dict[str, str]


@dataclass
class Netlist:
    """A module of library cells. Nets are single bits; `joined` maps port bits to a net's name."""

    top: str
    ports: dict[str, Port] = field(default_factory=dict)
    instances: list[Instance] = field(default_factory=list)
    joined: dict[str, str] = field(default_factory=dict)

    def port_bits(self) -> dict[str, str]:
        """The direction of each bit of each port."""
        return {bit: port.direction for name, port in self.ports.items() for bit in port.bits(name)}

    def net_of(self, bit: str) -> str:
        """The net of a port bit."""
        return self.joined.get(bit, bit)


class _Parser:
    def __init__(self, text: str) -> None:
        self.tokens = [
            ("name", t[0] or t[2]) if t[0] or t[2] else ("number", t[1]) if t[1] else ("sign", t[3])
            for t in TOKEN.findall(COMMENT.sub("", text))
        ]
        self.at = 0
        self.ranges: dict[str, Range] = {}
        self.same: dict[str, str] = {}

    def next(self) -> str:
        """Take the next token."""
        self.at += 1
        return self.tokens[self.at - 1][1]

    def accept(self, sign: str) -> bool:
        """Take the sign if it comes next."""
        if self.tokens[self.at] == ("sign", sign):
            self.at += 1
            return True
        return False

    def expect(self, sign: str) -> None:
        """Take the sign; ValueError if something else comes."""
        if not self.accept(sign):
            raise ValueError(f"expected {sign!r}, found {self.tokens[self.at][1]!r}")

    def range(self) -> Range:
        """[msb:lsb] or [bit], if it comes next."""
        if not self.accept("["):
            return None
        high = low = int(self.next())
        if self.accept(":"):
            low = int(self.next())
        self.expect("]")
        return high, low

    def expression(self) -> list[str]:
        """The bits of a name, selection, concatenation or constant, lowest first."""
        if self.accept("{"):
            parts = [self.expression()]
            while self.accept(","):
                parts.append(self.expression())
            self.expect("}")
            return [bit for part in reversed(parts) for bit in part]
        kind, text = self.tokens[self.at]
        self.at += 1
        if kind != "name":
            raise ValueError(f"{text!r} on a pin: constants need tie cells")
        declared = self.ranges.get(text)
        # An escaped name may end like a selection: the two differ by the declaration alone.
        selected = self.range()
        if declared is None:
            return [text]
        high, low = selected or declared
        return [self.bit(text, index) for index in range(low, high + 1)]

    def bit(self, name: str, index: int) -> str:
        """The net of a bit of a vector: not that of an escaped name that is spelled alike."""
        bit = f"{name}[{index}]"
        return f"{name}.{index}" if bit in self.ranges else bit

    def find(self, net: str) -> str:
        """The one name of all nets that are assigned to each other."""
        while net in self.same:
            net = self.same[net]
        return net

    def statements(self, netlist: Netlist) -> Iterator[Instance]:
        """The module's instances; its ports and assignments on the way."""
        while (word := self.next()) != "endmodule":
            if word in ("input", "output", "wire"):
                declared = self.range()
                for name in self._names():
                    self.ranges[name] = declared
                    if word != "wire":
                        netlist.ports[name] = Port(word, declared)
            elif word == "assign":
                target = self.expression()
                self.expect("=")
                for left, right in zip(target, self.expression(), strict=True):
                    if (a := self.find(left)) != (b := self.find(right)):
                        self.same[a] = b
                self.expect(";")
            else:
                yield self._instance(word)

    def _names(self) -> Iterator[str]:
        yield self.next()
        while self.accept(","):
            yield self.next()
        self.expect(";")

    def _instance(self, master: str) -> Instance:
        name, pins = self.next(), {}
        self.expect("(")
        while self.accept("."):
            pin = self.next()
            self.expect("(")
            if not self.accept(")"):
                [pins[pin]] = self.expression()
                self.expect(")")
            self.accept(",")
        self.expect(")")
        self.expect(";")
        return Instance(name, master, pins)


def read_netlist(path: Path) -> Netlist:
    """The one module of a Verilog file."""
    parser = _Parser(path.read_text())
    if parser.next() != "module":
        raise ValueError(f"{path}: not a Verilog module")
    netlist = Netlist(parser.next())
    while not parser.accept(";"):
        parser.next()
    netlist.instances = list(parser.statements(netlist))
    bits = netlist.port_bits()
    # A net is called after a port bit on it, an input's if there is one.
    named: dict[str, str] = {}
    for bit in sorted(bits, key=lambda bit: bits[bit] != "input"):
        net = named.setdefault(parser.find(bit), bit)
        if net != bit:
            netlist.joined[bit] = net
    for instance in netlist.instances:
        for pin, net in instance.pins.items():
            net = parser.find(net)
            instance.pins[pin] = named.get(net, net)
    return netlist


def spelled(name: str, port_bits: dict[str, str]) -> str:
    """A name as Verilog has it: bits of ports and simple names as they are, others escaped."""
    return name if name in port_bits or SIMPLE.match(name) else f"\\{name} "


def write_netlist(netlist: Netlist, path: Path) -> None:
    """Write the module in the form that yosys has; read_netlist gives it back."""
    bits = netlist.port_bits()
    lines = [f"module {netlist.top}({', '.join(spelled(n, bits) for n in netlist.ports)});"]
    for name, port in netlist.ports.items():
        width = f"[{port.range[0]}:{port.range[1]}] " if port.range else ""
        lines.append(f"  {port.direction} {width}{spelled(name, bits)};")
    nets = dict.fromkeys(net for i in netlist.instances for net in i.pins.values())
    lines += [f"  wire {spelled(net, bits)};" for net in nets if net not in bits]
    for bit, net in netlist.joined.items():
        lines.append(f"  assign {spelled(bit, bits)} = {spelled(net, bits)};")
    for instance in netlist.instances:
        pins = [f"    .{pin}({spelled(net, bits)})" for pin, net in instance.pins.items()]
        lines += [f"  {instance.master} {spelled(instance.name, bits)} (", ",\n".join(pins), "  );"]
    path.write_text("\n".join([*lines, "endmodule", ""]))
