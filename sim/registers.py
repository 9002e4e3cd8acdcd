"""The registers of a translated design: what its clocked blocks write, instance by instance."""

import re
from dataclasses import dataclass

from sim.translate import Translation

_MODULE = re.compile(r"^module (\w+)\n(.*?)^endmodule", re.M | re.S)
_INSTANCE = re.compile(r"^  (\w+) (\w+)\s*\(", re.M)
_CLOCKED = re.compile(r"^  always_ff @\(posedge clk\) begin[^\n]*\n(.*?)^  end$", re.M | re.S)
_WRITTEN = re.compile(r"^\s*(\w+)(?:\[[^\n]*?\]|\.\w+)* <= ", re.M)


@dataclass(frozen=True)
class DesignRegister:
    """A register: the names of the instances that lead to it and its own, and its module."""

    path: tuple[str, ...]
    module: str

    def __str__(self) -> str:
        return ".".join(self.path)

    def member(self, top: str) -> str:
        """Return its name in the Verilated model."""
        return "__DOT__".join(name.replace("__", "___05F") for name in (top, *self.path))


def registers_of(design: Translation) -> tuple[DesignRegister, ...]:
    """List the registers of all instances."""
    bodies = {found[1]: found[2] for found in _MODULE.finditer(design.text)}
    written = {
        name: dict.fromkeys(
            line[1] for block in _CLOCKED.finditer(body) for line in _WRITTEN.finditer(block[1])
        )
        for name, body in bodies.items()
    }
    inside = {
        name: [(found[2], found[1]) for found in _INSTANCE.finditer(body) if found[1] in bodies]
        for name, body in bodies.items()
    }

    def below(module: str, path: tuple[str, ...]) -> list[DesignRegister]:
        own = [DesignRegister((*path, name), module) for name in written[module]]
        parts = [one for name, kind in inside[module] for one in below(kind, (*path, name))]
        return own + parts

    return tuple(below(design.top, ()))
