"""The memory as Python simulation sees it: one port that accepts requests and answers in order."""

from collections import deque
from typing import Any

from proc.messages import MemResp
from proc.run.timing import DEPTH, Draws, Timing


class Outside(Exception):
    """Tells of a data access beyond the end of the memory."""


class MemoryPort:
    """Serves one val/rdy memory interface of a simulated component, a cycle at a time.

    `drive` before the component settles, `observe` after. An access happens when it is
    accepted; its answer waits until it is due. An instruction fetch outside reads 0.
    """

    def __init__(self, ifc: Any, memory: bytearray, timing: Timing, port: int, fetches: bool):
        self._ifc = ifc
        self._memory = memory
        self._draws = Draws(timing, port)
        self._fetches = fetches
        self._waiting: deque[tuple[int, int]] = deque()  # (due, data)
        self._latency = 1

    def drive(self, cycle: int) -> None:
        """Set what the component sees in this cycle."""
        free, self._latency = self._draws.next()
        waiting = self._waiting
        self._ifc.req.rdy @= free and len(waiting) < DEPTH
        due = bool(waiting) and waiting[0][0] <= cycle
        self._ifc.resp.val @= due
        self._ifc.resp.msg @= MemResp(waiting[0][1] if due else 0)

    def observe(self, cycle: int) -> None:
        """Take what the component sent; Outside when a data access is beyond the end."""
        ifc = self._ifc
        if ifc.resp.val and ifc.resp.rdy:
            self._waiting.popleft()
        if ifc.req.val and ifc.req.rdy:
            msg = ifc.req.msg
            data = self._access(int(msg.addr), int(msg.strb) if msg.type_ else 0, int(msg.data))
            self._waiting.append((cycle + self._latency, data))

    def _access(self, address: int, strobes: int, data: int) -> int:
        memory = self._memory
        if address + 4 > len(memory):
            if self._fetches:
                return 0
            raise Outside
        for lane in range(4):
            if strobes >> lane & 1:
                memory[address + lane] = data >> 8 * lane & 0xFF
        return int.from_bytes(memory[address : address + 4], "little")
