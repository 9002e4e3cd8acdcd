"""How a design is asked for powers: through its port, on its bus, or by the driver on a processor.

Nothing is compared here: answers are as the design gives them, for the vectors to judge.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, Protocol

from cl.peripheral import busy_cycles
from cl.xcel import xcel_cycles
from eval.catalog.design import model_level
from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.exponentiation import Answer
from eval.tasks.peripheral import check_peripheral, procedure
from eval.tasks.port import PORTS, messages, popped
from fl.exponentiator import BAD_MODULUS, OK
from fl.xcel import STATUS_BAD_MODULUS, requests_for
from proc.retire import Stopped
from proc.run import levels as processors
from proc.run.rsa_private import powers
from sim.axi_lite import BusMaster
from sim.axi_protocol import BusTimeout, ProtocolError
from sim.errors import UserError
from sim.pins import BatchPins, PythonPins
from sim.stream import LEVELS, SimulationTimeout, SpuriousResponse, StreamRunner

PORT, PERIPHERAL, DRIVER = THROUGH = ("port", "peripheral", "driver")


class Failed(Exception):
    """Tells that no answer came, and why."""


class Way(Protocol):
    """Asks a design for powers."""

    def power(self, request: Request) -> Answer:
        """Return the answer with its cycles; Failed if there is none."""
        ...

    def close(self) -> None:
        """End the simulation."""
        ...


def way(point: Point, through: str, level: str) -> Way:
    """Make a way to a design at a level; UserError if it has none."""
    check(point, through, level)
    made: dict[str, Callable[[Point, str], Way]] = {PORT: Port, PERIPHERAL: Bus, DRIVER: Driver}
    return made[through](point, level)


def check(point: Point, through: str, level: str) -> None:
    """Raise UserError unless there is such a way at the level."""
    known = processors.LEVELS if through == DRIVER else LEVELS
    if level not in known:
        raise UserError(f"--level: no level {level!r} of {through}; choose from {', '.join(known)}")
    if level in ("verilog", "batch"):
        point.check_hardware("--level")
    if through == PERIPHERAL:
        check_peripheral(point, level)


def _limit(point: Point, request: Request) -> int:
    """Count the cycles after which a power has failed: twice what it should take, and some."""
    return 2 * xcel_cycles(point.nbits, point.entry.cycles(point.nbits, **vars(request))) + 1000


class Port:
    """Asks through the accelerator's port; cycles are those from the first push to the last pop."""

    def __init__(self, point: Point, level: str) -> None:
        self.point, self.level = point, level
        component = point.entry.xcel(model_level(level), point.nbits)
        self.runner = StreamRunner(component, level, *PORTS, name=str(point))

    def power(self, request: Request) -> Answer:
        """Return the answer."""
        sent = requests_for(self.point.nbits, request.base, request.exp, request.mod)
        try:
            transfers = self.runner.run(messages(sent), max_cycles=_limit(self.point, request))
        except (SimulationTimeout, SpuriousResponse) as error:
            raise Failed(str(error).splitlines()[0]) from None
        found = popped(sent, transfers)
        status = BAD_MODULUS if found.status & STATUS_BAD_MODULUS else OK
        return Answer(found.result, status, None if self.level == "fl" else found.cycles)

    def close(self) -> None:
        """End the simulation."""
        self.runner.close()


class Bus:
    """Asks on the peripheral's bus, without its padding; cycles are those from the first access to
    the last word's answer."""

    def __init__(self, point: Point, level: str) -> None:
        self.point, self.level = point, level
        component = point.entry.peripheral(model_level(level), point.nbits)
        self.pins = BatchPins(component) if level == "batch" else PythonPins(component)
        self.master = BusMaster(self.pins, f"{point} peripheral")

    def power(self, request: Request) -> Answer:
        """Return the answer."""
        nbits, master = self.point.nbits, self.master
        busy = busy_cycles(nbits, self.point.entry.cycles(nbits, **vars(request)))
        start = master.cycle
        try:
            outcome = master.perform(procedure(self.point, request), 2 * busy + 1000)
        except (BusTimeout, ProtocolError) as error:
            master.reset()
            raise Failed(str(error)) from None
        cycles = None if self.level == "fl" else master.cycle - start - 1
        return Answer(int.from_bytes(outcome.output), BAD_MODULUS * outcome.error, cycles)

    def close(self) -> None:
        """End the simulation."""
        self.pins.close()


class Driver:
    """Asks by the driver in C on the processor, whose accelerator is the design; cycles are those
    of its call."""

    def __init__(self, point: Point, level: str) -> None:
        self.point, self.level = point, level
        own = "rtl" if level == "batch" else level
        make: Callable[[], Any] = partial(point.entry.xcel, own, point.nbits)
        self.system: Any = processors.make_system(level, make)

    def power(self, request: Request) -> Answer:
        """Return the answer; the driver returns no status."""
        operands = request.base, request.exp, request.mod
        try:
            [done] = powers(self.system, *operands, "xcel", self.point.nbits, 1)
        except Stopped as error:
            raise Failed(str(error)) from None
        return Answer(done.result, 0, None if self.level == "fl" else done.cycles)

    def close(self) -> None:
        """End the simulation."""
        self.system.close()
