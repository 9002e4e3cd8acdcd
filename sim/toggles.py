"""Traces of power at RTL: how many register bits change in each cycle of an operation."""

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from pymtl3 import Component

from sim.batch import BatchModel
from sim.errors import RunError
from sim.registers import DesignRegister, registers_of
from sim.translate import Translation, port_name, translate
from sim.verilate import stored_bytes

LOOP = Path(__file__).with_name("toggle_loop.cpp")

_u64, _pointer = ctypes.c_uint64, ctypes.c_void_p


class ToggleRun(ctypes.Structure):
    """Mirrors ToggleRun in toggle_loop.cpp, field by field."""

    _fields_ = [
        *((name, _pointer) for name in ("requests", "group")),
        *((name, _u64) for name in ("traces", "each", "cycles", "limit")),
        *((name, _pointer) for name in ("responses", "totals", "sums", "squares")),
        ("longest", _u64),
    ]


@dataclass(frozen=True)
class Toggles:
    """Of some traces: the toggles of all registers, by trace and cycle; sums of each register's
    toggles and of their squares, by group, cycle and register; the responses by trace, packed."""

    totals: np.ndarray
    sums: np.ndarray
    squares: np.ndarray
    responses: list[list[int]]


class ToggleCounter:
    """Runs operations of as many messages each on a design's translation, and counts toggles.

    `cycles` are recorded of each; what takes more than `limit` is a RunError.
    """

    def __init__(
        self,
        design: Component | Translation,
        recv: str,
        send: str,
        cycles: int,
        limit: int,
    ) -> None:
        self.design = design if isinstance(design, Translation) else translate(design)
        self.registers: tuple[DesignRegister, ...] = registers_of(self.design)
        self.cycles, self.limit = cycles, limit
        ports = {"recv": recv, "send": send}
        self.model = BatchModel(self.design, LOOP, ports, registers=self.registers)
        self.model.lib.toggle_run.restype = _u64
        self._request = stored_bytes(self.model.ports[port_name(f"{recv}.msg")][1])
        self._response = stored_bytes(self.model.ports[port_name(f"{send}.msg")][1])
        self.longest = 0
        self.model.reset()

    def run(
        self, operations: Sequence[Sequence[int]], groups: np.ndarray, by_register: bool = True
    ) -> Toggles:
        """Send the messages of each operation, and count; the groups are 0 or 1, one each. Sums are
        empty unless they are wanted: those of many cycles do not fit the memory."""
        count, each = len(operations), len(operations[0])
        messages = b"".join(m.to_bytes(self._request, "little") for one in operations for m in one)
        raw = np.zeros(count * each * self._response, np.uint8)
        totals = np.zeros((count, self.cycles), np.uint32)
        summed = self.cycles if by_register else 0
        sums, squares = np.zeros((2, 2, summed, len(self.registers)), np.uint64)
        groups = np.ascontiguousarray(groups, np.uint8)
        kept = ctypes.create_string_buffer(messages, len(messages))
        run = ToggleRun(
            requests=ctypes.addressof(kept),
            group=groups.ctypes.data,
            traces=count,
            each=each,
            cycles=self.cycles,
            limit=self.limit,
            responses=raw.ctypes.data,
            totals=totals.ctypes.data,
            sums=sums.ctypes.data if by_register else None,
            squares=squares.ctypes.data if by_register else None,
        )
        done = self.model.lib.toggle_run(self.model.handle, ctypes.byref(run))
        if done < count:
            raise RunError(f"{self.design.top}: no answer in {self.limit} cycles")
        self.longest = max(self.longest, run.longest)
        rows = raw.reshape(count, each, self._response)
        responses = [[int.from_bytes(m.tobytes(), "little") for m in row] for row in rows]
        return Toggles(totals, sums, squares, responses)

    def close(self) -> None:
        """Delete the model."""
        self.model.close()
