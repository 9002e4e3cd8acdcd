"""Accelerators behind the FL processor: a PyMTL3 component."""

from pymtl3 import Component

from fl.messages import XcelReq
from fl.xcel import READ, WRITE
from sim.errors import RunError
from sim.python import PythonEngine

MAX_CYCLES = 10_000_000


class ComponentXcel:
    """Runs the component's clock for as long as each request needs; `cycles` counts it."""

    def __init__(self, component: Component, max_cycles: int = MAX_CYCLES):
        name = type(component).__name__
        self._engine = PythonEngine(component, "xcel.req", "xcel.resp", None, name)
        self._engine.reset()
        self._name = name
        self._max_cycles = max_cycles
        self.cycles = 0

    def read(self, register: int) -> int:
        """Return the value of a register; wait until there is one."""
        return self._transact(READ, register, 0)

    def write(self, register: int, value: int) -> None:
        """Write a register, wait for the response."""
        self._transact(WRITE, register, value)

    def _transact(self, type_: int, register: int, data: int) -> int:
        request, response = self._engine.recv, self._engine.send
        request.msg @= XcelReq(type_, register, data)
        request.val @= 1
        response.rdy @= 1
        for _ in range(self._max_cycles):
            self._engine.settle()
            taken = bool(request.val & request.rdy)
            answer = int(response.msg.data) if response.val else None
            self._engine.edge()
            self.cycles += 1
            if taken:
                request.val @= 0
            if answer is not None:
                return answer
        action = "reading" if type_ == READ else "writing"
        raise RunError(
            f"{self._name}: {action} xr{register}: no answer in {self._max_cycles} cycles"
        )
