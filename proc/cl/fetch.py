"""Stage F: asks for instructions, drops those that a jump has overtaken; proc/rtl/fetch.py's."""

from collections.abc import Callable

from proc.cl.decoded import Decoded
from proc.cl.ports import NEVER, Port


class Fetch:
    """Moves the next instruction, at `pc`, to D once it has come, if D takes it.

    read(pc) is what the memory has there when the request is taken.
    """

    def __init__(self, pc: int, port: Port, read: Callable[[int], Decoded]) -> None:
        self.pc = pc
        self.port = port
        self.read = read
        self.due: int | None = None  # when the answer for pc comes, None if it is not asked for
        self.overtaken: int | None = None  # when an answer comes that is dropped
        self.word: Decoded | None = None  # the answer to come
        self.last = NEVER  # the last cycle in which the memory takes and gives

    def step(self, cycle: int, ready: bool, target: int | None) -> Decoded | None:
        """Pass a cycle, in which D takes an instruction if it is `ready`, or the program goes on
        at `target`; return what moves to D."""
        due, overtaken = self.due, self.overtaken
        arrived = overtaken is None and due is not None and due <= cycle
        if overtaken is not None and overtaken <= cycle:
            self.overtaken = None
            if cycle > self.last and due is not None:  # the memory gives it once more
                self.due = overtaken
        moved = None
        if target is not None:
            if due is not None and not arrived:
                self.overtaken = due
            self.pc = target
        elif due is not None:
            if not (arrived and ready):
                return None
            moved = self.word
            self.pc = self.pc + 4 & 0xFFFFFFFF
        self._ask(cycle)
        return moved

    def _ask(self, cycle: int) -> None:
        if not self.port.ready:
            self.due = None
        elif cycle > self.last:  # what has come first is given again
            self.due = NEVER if self.due is None else self.due
        else:
            self.due = cycle + self.port.latency
            self.word = self.read(self.pc)
