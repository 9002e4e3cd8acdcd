"""The processor's ports to memory and manager, and to an accelerator."""

from typing import Protocol

from fl.xcel import WRITE
from proc.fl.xcel_port import NullXcel

NEVER = 1 << 62  # a cycle after every other one


class Port:
    """Says whether something is taken in this cycle, and how many cycles later it is answered."""

    __slots__ = ("latency", "ready")

    def __init__(self, latency: int) -> None:
        self.ready, self.latency = True, latency


class XcelPort(Protocol):
    """Stands for an accelerator in one cycle: whether it takes a request, and what it answers to
    the one in M, None if nothing yet."""

    ready: bool
    answer: int | None

    def send(self, type_: int, register: int, data: int) -> None:
        """Hand over the request of X, which it takes."""
        ...


class NullXcelPort:
    """Stands for no accelerator, and answers a cycle later what NullXcel does."""

    ready = True

    def __init__(self) -> None:
        self.answer: int | None = None
        self._xcel = NullXcel()

    def send(self, type_: int, register: int, data: int) -> None:
        """Perform the request."""
        self.answer = 0
        if type_ == WRITE:
            self._xcel.write(register, data)
        else:
            self.answer = self._xcel.read(register)
