"""What a unit computes and when, at one width; the components of each level are made of it."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Self

from pymtl3 import Component

from cl.server import ServerCL
from fl.component.stream import StreamFL


class Model:
    """Describes a unit at one width: what it takes and gives, its value, its time, its components.

    Who inherits says which messages there are, what is answered (value) and when (latency), and
    makes the hardware. Cycles count from a request's acceptance.
    """

    capacity = 1  # requests inside at once; one leaves when its response is taken
    refills = False  # a full unit takes a request in the very cycle in which a response leaves
    value: Callable[..., Any]  # returns the fields of the response to a request of these fields
    latency: Callable[..., int]  # counts cycles to the response, at least 1

    @property
    def measured(self) -> bool:
        """Return whether there is no formula: latency is that of a run of the hardware."""
        return False

    @property
    def messages(self) -> tuple[type, type]:
        """Return the types of request and response."""
        raise NotImplementedError

    def interval(self, *operands: int) -> int:
        """Count cycles to the next request's acceptance, unstalled: with the answer, or after."""
        return self.latency(*operands) + (not self.refills)

    def after(self, *operands: int) -> Self:
        """Return the unit as it is once it has answered: what it keeps may shorten the next one."""
        return self

    def through(self, requests: Iterable[tuple[int, ...]]) -> Iterator[Self]:
        """Yield the unit as each of the requests finds it."""
        unit = self
        for operands in requests:
            yield unit
            unit = unit.after(*operands)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        raise NotImplementedError

    def cl(self) -> Component:
        """Make a new component that answers in time."""
        return ServerCL(self)

    def fl(self) -> Component:
        """Make a new component that answers at once."""
        return StreamFL(self)

    def component(self, level: str) -> Component:
        """Make a new component of level fl, cl or rtl."""
        return {"fl": self.fl, "cl": self.cl, "rtl": self.rtl}[level]()
