"""A recorded workload: what every port of a design did, cycle by cycle, in RTL simulation."""

import json
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

OTHERS = ("windows", "unchecked", "operations")


@dataclass(frozen=True)
class Recorded:
    """A port: its value in each cycle. An output may count only when another port, `valid`, is 1;
    one with `stray` bits may pass on what was never written to a register."""

    name: str
    output: bool
    nbits: int
    values: list[int] = field(repr=False)
    valid: str | None = None
    stray: bool = False


@dataclass(frozen=True)
class Workload:
    """The ports of a design over time, and windows of cycles [begin, end) by name.

    Outputs count but in the cycles `unchecked`, [begin, end): there the design is in reset.
    `operations` maps windows to those with what is subtracted from their energy, a dummy call.
    """

    ports: tuple[Recorded, ...]
    windows: dict[str, tuple[int, int]]
    unchecked: tuple[tuple[int, int], ...] = ()
    operations: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        lengths = {len(port.values) for port in self.ports}
        if len(lengths) != 1:
            raise ValueError("a workload's ports must all have a value in each cycle")
        end = 0
        for name, (begin, until) in self.windows.items():
            if not end <= begin < until <= self.cycles:
                raise ValueError(f"window {name}: cycles {begin} to {until} overlap or are none")
            end = until
        for name in (*self.operations, *self.operations.values()):
            if name not in self.windows:
                raise ValueError(f"there is no window {name}")

    @property
    def cycles(self) -> int:
        """How many cycles were recorded."""
        return len(self.ports[0].values)

    @property
    def inputs(self) -> list[str]:
        """The recorded input ports."""
        return [port.name for port in self.ports if not port.output]

    @property
    def outputs(self) -> list[str]:
        """The recorded output ports."""
        return [port.name for port in self.ports if port.output]

    def bits(self, columns: list[tuple[str, int]]) -> np.ndarray:
        """A row a cycle, a column for each (port, bit)."""
        found = np.zeros((self.cycles, len(columns)), np.uint8)
        for column, (name, bit) in enumerate(columns):
            found[:, column] = self._bits[name][:, bit]
        return found

    def expected(self, columns: list[tuple[str, int]], any_value: int) -> np.ndarray:
        """As `bits`, with `any_value` where the output does not count."""
        found = self.bits(columns)
        for begin, end in self.unchecked:
            found[begin:end] = any_value
        for column, (name, _) in enumerate(columns):
            if valid := self._port[name].valid:
                found[self._bits[valid][:, 0] == 0, column] = any_value
        return found

    def may_stray(self, columns: list[tuple[str, int]]) -> np.ndarray:
        """Which of the columns may depend on what registers start with."""
        return np.array([self._port[name].stray for name, _ in columns], bool)

    def difference(self, cycle: int, port: str, bit: int) -> str:
        """The message for an output that is not what was recorded."""
        window = next((n for n, (a, b) in self.windows.items() if a <= cycle < b), "no window")
        return (
            f"cycle {cycle} ({window}): bit {bit} of {port} differs from the RTL, "
            f"which has {self._port[port].values[cycle]:#x} there"
        )

    def to_json(self) -> str:
        """The workload as text, for `from_json`."""
        ports = [
            vars(port) | {"values": [f"{value:x}" for value in port.values]} for port in self.ports
        ]
        rest = {name: getattr(self, name) for name in OTHERS}
        return json.dumps({"ports": ports} | rest)

    @classmethod
    def from_json(cls, path: Path) -> "Workload":
        """The workload of a file that holds what `to_json` gave."""
        data = json.loads(path.read_text())
        ports = tuple(
            Recorded(**p | {"values": [int(value, 16) for value in p["values"]]})
            for p in data.pop("ports")
        )
        data["windows"] = {name: tuple(cycles) for name, cycles in data["windows"].items()}
        data["unchecked"] = tuple(map(tuple, data["unchecked"]))
        return cls(ports, **data)

    @cached_property
    def _port(self) -> dict[str, Recorded]:
        return {port.name: port for port in self.ports}

    @cached_property
    def _bits(self) -> dict[str, np.ndarray]:
        """Of each port a row a cycle, the lowest bit first."""
        found = {}
        for port in self.ports:
            size = (port.nbits + 7) // 8
            raw = b"".join(value.to_bytes(size, "little") for value in port.values)
            rows = np.frombuffer(raw, np.uint8).reshape(self.cycles, size)
            found[port.name] = np.unpackbits(rows, axis=1, bitorder="little")
        return found
