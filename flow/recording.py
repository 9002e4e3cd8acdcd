"""A recording of a design: what each of its ports did, cycle by cycle, in RTL simulation."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import msgspec
import numpy as np

OTHERS = ("windows", "unchecked", "operations")
WARM_UP = 2  # cycles of a piece: one finds registers that the RTL lacks, in one nets settle


@dataclass(frozen=True)
class RecordedPort:
    """A port and its value in each cycle.

    An output may count only while another port, `valid`, is 1. One that may have `stray` bits
    passes on what was never written to a register, which RTL and netlist start with differently.
    """

    name: str
    output: bool
    nbits: int
    values: list[int] = field(repr=False)
    valid: str | None = None
    stray: bool = False


@dataclass(frozen=True)
class Piece:
    """A stretch [begin, end) of the recorded cycles that does not go on from the one before it:
    what signals are when its first and second cycle begin, and when its last ends."""

    begin: int
    end: int
    first: list[int] = field(repr=False)
    second: list[int] = field(repr=False)
    after: list[int] = field(repr=False)


@dataclass(frozen=True)
class Sampled:
    """A window of so many cycles, of which pieces were recorded, evenly spread."""

    cycles: int
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Recording:
    """The ports of a design over time, and its windows: stretches of cycles [begin, end) by name.
    Of windows that are too long, those in `sampled`, pieces come after all else.

    Outputs are not compared in the cycles `unchecked`, [begin, end), where the design is in reset.
    `operations` maps a window to the one whose energy is subtracted from its own, a dummy call.
    `signals` tells where the value of each is among those that a piece has, by its name in the RTL.
    """

    ports: tuple[RecordedPort, ...]
    windows: dict[str, tuple[int, int]]
    unchecked: tuple[tuple[int, int], ...] = ()
    operations: dict[str, str] = field(default_factory=dict)
    sampled: dict[str, Sampled] = field(default_factory=dict)
    signals: dict[str, int] = field(default_factory=dict, repr=False)

    def __post_init__(self) -> None:
        lengths = {len(port.values) for port in self.ports}
        if len(lengths) != 1:
            raise ValueError("a recording's ports must all have a value in each cycle")
        end = 0
        for name, begin, until in self._stretches():
            if not end <= begin < until <= self.cycles:
                raise ValueError(f"window {name}: cycles {begin} to {until} overlap or are none")
            end = until
        for name in (*self.operations, *self.operations.values()):
            if name not in self.windows and name not in self.sampled:
                raise ValueError(f"there is no window {name}")

    def _stretches(self) -> Iterator[tuple[str, int, int]]:
        for name, (begin, end) in self.windows.items():
            yield name, begin, end
        for name, sampled in self.sampled.items():
            for piece in sampled.pieces:
                yield name, piece.begin + WARM_UP, piece.end

    @property
    def whole(self) -> int:
        """How many cycles there are before the first piece, each after the one before it."""
        begins = [piece.begin for sampled in self.sampled.values() for piece in sampled.pieces]
        return min(begins, default=self.cycles)

    @property
    def cycles(self) -> int:
        """How many cycles were recorded."""
        return len(self.ports[0].values)

    def bits(self, columns: list[tuple[str, int]]) -> np.ndarray:
        """The values as an array: a row per cycle, a column for each (port, bit)."""
        found = np.zeros((self.cycles, len(columns)), np.uint8)
        for column, (name, bit) in enumerate(columns):
            found[:, column] = self._bits[name][:, bit]
        return found

    def expected(self, columns: list[tuple[str, int]], any_value: int) -> np.ndarray:
        """The same as `bits`, with `any_value` where an output does not count."""
        found = self.bits(columns)
        for begin, end in self.unchecked:
            found[begin:end] = any_value
        for column, (name, _) in enumerate(columns):
            if valid := self._port[name].valid:
                found[self._bits[valid][:, 0] == 0, column] = any_value
        return found

    def may_stray(self, columns: list[tuple[str, int]]) -> np.ndarray:
        """Tell of each column whether it may depend on what registers start with."""
        return np.array([self._port[name].stray for name, _ in columns], bool)

    def difference(self, cycle: int, port: str, bit: int) -> str:
        """Say which output is not what was recorded, and when."""
        window = next((n for n, a, b in self._stretches() if a <= cycle < b), "no window")
        return (
            f"cycle {cycle} ({window}): bit {bit} of {port} differs from the RTL, "
            f"which has {self._port[port].values[cycle]:#x} there"
        )

    def to_json(self) -> str:
        """Write the recording as text, for `from_json`."""
        ports = [
            vars(port) | {"values": [f"{value:x}" for value in port.values]} for port in self.ports
        ]
        rest = {name: getattr(self, name) for name in OTHERS}
        sampled = {
            name: {"cycles": window.cycles, "pieces": [vars(piece) for piece in window.pieces]}
            for name, window in self.sampled.items()
        }
        if sampled:
            rest |= {"sampled": sampled, "signals": self.signals}
        return json.dumps({"ports": ports} | rest)

    @classmethod
    def from_json(cls, path: Path) -> "Recording":
        """Read a file that holds what `to_json` gave."""
        data = json.loads(path.read_text())
        for port in data["ports"]:
            port["values"] = [int(value, 16) for value in port["values"]]
        return msgspec.convert(data, cls)

    @cached_property
    def _port(self) -> dict[str, RecordedPort]:
        return {port.name: port for port in self.ports}

    @cached_property
    def _bits(self) -> dict[str, np.ndarray]:
        """The bits of each port: a row per cycle, the lowest bit first."""
        found = {}
        for port in self.ports:
            size = (port.nbits + 7) // 8
            raw = b"".join(value.to_bytes(size, "little") for value in port.values)
            rows = np.frombuffer(raw, np.uint8).reshape(self.cycles, size)
            found[port.name] = np.unpackbits(rows, axis=1, bitorder="little")
        return found
