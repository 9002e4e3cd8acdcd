"""A mapped netlist of one module, as yosys writes it, as arrays: nets by number, cells by kind."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from flow.gates.cells import Cell
from flow.gates.liberty import Library

OPEN = -1  # a pin that is connected to nothing
LOW, HIGH = 0, 1  # the nets of the constants
NAME = r"(\\\S+(?= )|[A-Za-z_][\w$]*)"
DECLARATION = re.compile(rf"^  (input|output|wire) (?:\[(\d+):(\d+)\] )?{NAME} *;$", re.MULTILINE)
ASSIGNMENT = re.compile(r"^  assign (.+?) = (.+);$", re.MULTILINE)
INSTANCE = re.compile(rf"^  (\w+) {NAME} *\(\n((?:    \..*\n)+)  \);$", re.MULTILINE)
CONNECTION = re.compile(r"^    \.(\w+)\((.*)\),?$", re.MULTILINE)
MODULE = re.compile(rf"^module {NAME} ?\(", re.MULTILINE)
CONSTANT = re.compile(r"(\d+)'([bhd])([0-9a-fxz]+)$")
RANGE = re.compile(r"^(.*?)\s*\[(\d+)(?::(\d+))?\]$")


class NetlistError(Exception):
    """The text is not a netlist of the library's cells that can be simulated."""


@dataclass(frozen=True)
class Kind:
    """The instances of one cell of the library: their numbers, and the net at each pin."""

    cell: Cell
    cells: np.ndarray
    nets: dict[str, np.ndarray]


@dataclass(frozen=True)
class Port:
    """A port: its direction and the nets of its bits, the lowest first."""

    name: str
    output: bool
    nets: tuple[int, ...]


class Netlist:
    """The one module of the text; nets 0 and 1 are the constants."""

    def __init__(self, text: str, library: Library) -> None:
        modules = MODULE.findall(text)
        if len(modules) != 1:
            raise NetlistError(f"{len(modules)} modules, expected one: flatten the netlist")
        self.top = modules[0].lstrip("\\")
        self._reader = _Reader(text)
        found = list(INSTANCE.finditer(text))
        self.cell_names = [match[2].lstrip("\\") for match in found]
        self.kinds = self._kinds(found, library)
        self.ports = self._reader.ports()
        self.nets = self._reader.count
        self.net_names = self._reader.names()
        del self._reader

    def _kinds(self, found: list[re.Match], library: Library) -> dict[str, Kind]:
        members: dict[str, list[int]] = {}
        pins: dict[str, list[dict[str, int]]] = {}
        net = self._reader.net
        for number, match in enumerate(found):
            members.setdefault(match[1], []).append(number)
            connected = {pin: net(text) for pin, text in CONNECTION.findall(match[3])}
            pins.setdefault(match[1], []).append(connected)
        kinds = {}
        for name in sorted(members):
            if name not in library:
                raise NetlistError(f"cell {name} is not in the library")
            cell = library[name]
            nets = {
                pin: np.array([at.get(pin, OPEN) for at in pins[name]], np.int64)
                for pin in cell.pins
            }
            missing = [pin for pin in cell.inputs if (nets[pin] == OPEN).any()]
            if missing:
                raise NetlistError(f"an instance of {name} has nothing at pin {missing[0]}")
            kinds[name] = Kind(cell, np.array(members[name], np.int64), nets)
        return kinds

    @cached_property
    def loads(self) -> np.ndarray:
        """For each net, how many input pins it drives."""
        counts = np.zeros(self.nets, np.int64)
        for kind in self.kinds.values():
            for pin in kind.cell.inputs:
                np.add.at(counts, kind.nets[pin], 1)
        return counts

    def registers(self) -> Iterator[Kind]:
        """The kinds that store a bit."""
        return (kind for kind in self.kinds.values() if kind.cell.next_state)

    def clock_gates(self) -> Iterator[Kind]:
        """The kinds that gate a clock."""
        return (kind for kind in self.kinds.values() if kind.cell.enable)

    def gates(self) -> Iterator[tuple[Kind, str]]:
        """The kinds that compute, once for each output pin."""
        for kind in self.kinds.values():
            if not kind.cell.next_state and not kind.cell.enable:
                yield from ((kind, pin) for pin in kind.cell.outputs)


class _Reader:
    """Numbers for the nets of the text; those that an assign joins have one."""

    def __init__(self, text: str) -> None:
        self._ids: dict[str, int] = {}
        self._widths: dict[str, tuple[int, int]] = {}
        self._directions: dict[str, str] = {}
        self.count = 2
        for direction, left, right, name in DECLARATION.findall(text):
            name = name.lstrip("\\")
            self._widths[name] = (int(left or 0), int(right or 0))
            if direction != "wire":
                self._directions[name] = direction
        self._join(ASSIGNMENT.findall(text))

    def net(self, text: str) -> int:
        """The number of a net of one bit, as written at a pin."""
        if text in self._ids:  # most are plain names
            return self._ids[text]
        if not text.strip():
            return OPEN
        [key] = self._bits(text)
        self._ids[text] = number = self._number(key)
        return number

    def ports(self) -> dict[str, Port]:
        """The ports, once all cells are read."""
        return {
            name: Port(name, direction == "output", tuple(map(self._number, self._bits(name))))
            for name, direction in self._directions.items()
        }

    def names(self) -> dict[str, int]:
        """The numbers of all nets by name, as written without backslash."""
        return {key.strip().lstrip("\\"): number for key, number in self._ids.items()}

    def _number(self, key: str) -> int:
        if key not in self._ids:
            self._ids[key] = self.count
            self.count += 1
        return self._ids[key]

    def _join(self, pairs: list[tuple[str, str]]) -> None:
        """Give the bits of each pair one number: that of a constant, or a new one."""
        parent: dict[str, str] = {}

        def root(key: str) -> str:
            while key in parent:
                key = parent[key]
            return key

        for left, right in pairs:
            for a, b in zip(self._bits(left), self._bits(right), strict=True):
                a, b = sorted((root(a), root(b)))  # constants sort first
                if a != b:
                    parent[b] = a
        for key in parent:
            self._ids[key] = self._number(root(key))

    def _bits(self, text: str) -> list[str]:
        """The names of the bits of an expression, the lowest first."""
        text = text.strip()
        if text.startswith("{"):
            parts = [self._bits(part) for part in text.strip("{}").split(",")]
            return [bit for part in reversed(parts) for bit in part]
        if match := CONSTANT.match(text):
            return self._constant(int(match[1]), match[2], match[3])
        name = text.lstrip("\\")
        if name in self._widths:
            left, right = self._widths[name]
            return [_bit(name, i, left == right) for i in _span(right, left)]
        if not (match := RANGE.match(name)):
            raise NetlistError(f"net {text} is not declared")
        name = match[1]
        left, right = self._widths.get(name, (0, 0))
        single = left == right
        high = int(match[2])
        return [_bit(name, i, single) for i in _span(int(match[3] or high), high)]

    def _constant(self, width: int, base: str, digits: str) -> list[str]:
        if set(digits) & set("xz"):
            digits, base = "0", "b"  # an undefined bit that nothing depends on
        value = int(digits, {"b": 2, "h": 16, "d": 10}[base])
        self._ids |= {"": LOW, " ": HIGH}
        return [" " if value >> i & 1 else "" for i in range(width)]


def _span(right: int, left: int) -> range:
    return range(right, left + 1) if left >= right else range(right, left - 1, -1)


def _bit(name: str, index: int, single: bool) -> str:
    return name if single else f"{name}[{index}]"
