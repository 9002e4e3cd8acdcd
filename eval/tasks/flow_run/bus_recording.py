"""What gate-level simulation replays to know a peripheral's energies: its ports under a master."""

from typing import Any

from cl.peripheral import busy_cycles
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.catalog.workloads import WORKLOADS, Request
from eval.tasks.flow_run.ports import BETWEEN, DUMMY, IDLE, IDLE_CYCLES, PATIENCE
from eval.tasks.flow_run.task import LONG
from eval.tasks.unit import PERIPHERAL
from fl.axi_lite import PREFIX
from fl.peripheral_driver import Access, Procedure, load_key, operate
from fl.peripheral_map import INTERRUPT_ENABLE, START, STATUS
from fl.pkcs1 import PLAIN
from flow.recording import RecordedPort, Recording
from sim.axi_lite import BusMaster
from sim.axi_protocol import PAYLOADS
from sim.errors import RunError, UserError
from sim.pins import BatchPins
from sim.transfers import RESET_CYCLES

VALIDS = {
    PREFIX + name: f"{PREFIX}{channel}valid"
    for channel, names in PAYLOADS.items()
    for name in names
}


class _Pins(BatchPins):
    """Writes every port down as it is when the clock rises."""

    def __init__(self, point: Point) -> None:
        super().__init__(point.component(PERIPHERAL))
        self.ports = [port for _, port in self.model.ports.values() if port.name != "clk"]
        self.values: dict[str, list[int]] = {port.name: [] for port in self.ports}
        self.edge = self._edge

    def _edge(self) -> None:
        for name, values in self.values.items():
            values.append(self.model.peek(name))
        self.model.step()

    def recorded(self) -> tuple[RecordedPort, ...]:
        """Return all cycles; what a channel carries counts while it is valid."""
        return tuple(
            RecordedPort(
                port.name,
                port.direction == "output",
                port.nbits,
                self.values[port.name],
                VALIDS.get(port.name),
            )
            for port in self.ports
        )


def record(point: Point) -> Recording:
    """Leave it idle, do all of an operation but start it, then the power by e and that by d."""
    nbits = point.nbits
    requests = {
        name: workload.request(nbits, point.entry.moduli.key)
        for name, workload in WORKLOADS.items()
    }
    for request in requests.values():
        busy = busy_cycles(nbits, point.entry.cycles(nbits, **vars(request)))
        if busy > LONG:
            raise UserError(
                f"--to: an operation of {point} takes {busy} cycles, and the peripheral's are "
                f"recorded whole, to {LONG}; give fewer bits, or --unit accelerator"
            )
    pins = _Pins(point)
    master = BusMaster(pins, f"{point} peripheral")
    windows: dict[str, tuple[int, int]] = {}

    def window(name: str, procedure: Procedure | None = None) -> Any:
        master.idle(BETWEEN)
        begin, outcome = master.cycle, None
        if procedure:
            outcome = master.perform(procedure, PATIENCE)
        else:
            master.idle(IDLE_CYCLES)
        windows[name] = begin + RESET_CYCLES, master.cycle + RESET_CYCLES
        return outcome

    try:
        master.perform(_loading(point, requests))
        window(IDLE)
        window(DUMMY, _without_start(_asked(nbits, "e", requests["e"])))
        for name, request in requests.items():
            outcome = window(name, _asked(nbits, name, request))
            if outcome.error or int.from_bytes(outcome.output) != request.result:
                raise RunError(
                    f"{point} workload {name}, recorded: {request} was answered "
                    f"{shorten(int.from_bytes(outcome.output))}, right is {shorten(request.result)}"
                )
        master.idle(1)
        operations = dict.fromkeys(requests, DUMMY)
        return Recording(pins.recorded(), windows, ((0, RESET_CYCLES),), operations)
    finally:
        pins.close()


def _loading(point: Point, requests: dict[str, Request]) -> Procedure:
    """Load the key, and let the master wait by interrupt."""
    yield Access(INTERRUPT_ENABLE, 1)
    modulus = None if point.entry.moduli.only else requests["e"].mod
    yield from load_key(point.nbits, modulus, (requests["e"].exp, requests["d"].exp))


def _asked(nbits: int, name: str, request: Request) -> Procedure:
    """Ask for the power of a workload, without padding."""
    return operate(nbits, request.base.to_bytes(-(-nbits // 8)), name == "d", PLAIN)


def _without_start(procedure: Procedure) -> Procedure:
    """Make the accesses of an operation, and start none."""
    data = None
    while True:
        try:
            access = procedure.send(data)
        except StopIteration as end:
            return end.value
        data = 0
        if access is None:
            continue
        if access.address == STATUS and access.data is not None:
            access = Access(STATUS, access.data & ~START)
        data = yield access
