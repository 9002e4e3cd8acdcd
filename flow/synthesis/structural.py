"""Read mapped modules as yosys writes them: instances and wires, nothing that calculates.

yosys takes longer to read a large netlist again than all else takes that is done with it.
"""

import re
from collections.abc import Mapping
from typing import NamedTuple

from flow.netlist import CONSTANTS, HIGH, Port

NAME = r"(?:\\\S+ |[A-Za-z_$][\w$]*)"
MODULE = re.compile(rf"module {NAME}\([^;]*\);\n")
DECLARATION = re.compile(rf"  (input|output|wire) (?:\[(\d+):(\d+)\] )?({NAME});\n")
INSTANCE = re.compile(rf"  ({NAME}) ({NAME}) \(\n((?:    \.[^\n]*\n)*)  \);\n")
PORT = re.compile(rf"    \.({NAME})\(([^\n]*)\),?\n")
ASSIGNMENT = re.compile(r"  assign ([^\n]+?) = ([^\n]+);\n")
PART = re.compile(rf"({NAME})(?:\[(\d+)(?::(\d+))?\])?|\d+'b([01xz]+)")


class Inside(NamedTuple):
    """An instance: its name, its module or cell, and the nets at its ports from the lowest on."""

    name: str
    kind: str
    ports: Mapping[str, tuple[int, ...]]


class Structure:
    """What is in a module. Nets are numbers; `joined` are pairs of those that are the same."""

    def __init__(self, text: str) -> None:
        """Read the text; ValueError if something in it is not read here."""
        self.wires: dict[str, Port] = {}  # the ports too
        self.ports: list[str] = []
        self.instances: list[Inside] = []
        self.joined: list[tuple[int, int]] = []
        self.nets = HIGH + 1  # how many there are, the constants included
        self._nets_of: dict[str, tuple[int, ...]] = {"": ()}  # of each expression met
        kinds = ((DECLARATION, self._declare), (INSTANCE, self._hold), (ASSIGNMENT, self._assign))
        start = MODULE.match(text)
        at = start.end() if start else 0
        while not (start and text.startswith("endmodule", at)):
            for pattern, read in kinds:
                if match := pattern.match(text, at):
                    read(match)
                    at = match.end()
                    break
            else:
                raise ValueError(f"no netlist: {text[at : at + 60]!r}")

    def _declare(self, match: re.Match[str]) -> None:
        direction, highest, lowest, name = match.groups(default="0")
        if _plain(name) in self.wires:  # a port is declared as a wire, too
            return
        if int(highest) < int(lowest):
            raise ValueError(f"no netlist: {match[0]!r} counts upwards")
        nets = tuple(range(self.nets, self.nets + int(highest) - int(lowest) + 1))
        self.nets += len(nets)
        self.wires[_plain(name)] = Port(direction == "output", nets, int(lowest))
        if direction != "wire":
            self.ports.append(_plain(name))
        self._nets_of[name] = nets

    def _hold(self, match: re.Match[str]) -> None:
        ports = {_plain(port): self._nets(text) for port, text in PORT.findall(match[3])}
        self.instances.append(Inside(_plain(match[2]), _plain(match[1]), ports))

    def _assign(self, match: re.Match[str]) -> None:
        left, right = self._nets(match[1]), self._nets(match[2])
        self.joined += zip(left, right, strict=True)

    def _nets(self, text: str) -> tuple[int, ...]:
        """Find the nets of an expression, from the lowest on."""
        found = self._nets_of.get(text)
        if found is None:
            if PART.sub("", text).strip("{}, "):
                raise ValueError(f"no nets: {text!r}")
            parts = [self._part(match) for match in PART.finditer(text)]
            found = tuple(net for part in reversed(parts) for net in part)
            self._nets_of[text] = found
        return found

    def _part(self, match: re.Match[str]) -> tuple[int, ...]:
        name, highest, lowest, bits = match.groups()
        if bits:
            return tuple(CONSTANTS[bit] for bit in reversed(bits))
        wire = self.wires[_plain(name)]
        if highest is None:
            return wire.nets
        first = int(lowest or highest) - wire.lowest
        return wire.nets[first : int(highest) - wire.lowest + 1]


def _plain(name: str) -> str:
    """Spell a name as it is, without what escapes it."""
    return name[1:-1] if name.startswith("\\") else name
