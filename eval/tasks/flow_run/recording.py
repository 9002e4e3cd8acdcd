"""What gate-level simulation replays to know energies: the ports of a design in RTL simulation."""

from contextlib import closing

from cl.xcel import xcel_cycles
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.catalog.processor import Processor, Target
from eval.catalog.workloads import WORKLOADS, Request
from eval.foreign.given import host_says
from eval.tasks.flow_run.ports import BETWEEN, DUMMY, IDLE, IDLE_CYCLES, PATIENCE, Ports
from eval.tasks.flow_run.sampling import Sampler
from eval.tasks.flow_run.task import LONG
from eval.tasks.port import PORTS, WORD
from eval.tasks.unit import simulated
from fl.messages import XcelReq
from fl.xcel import GO, READ, STATUS_BAD_MODULUS, from_words, requests_for, words
from flow.recording import Recording
from rtl.foreign.host import PORT
from sim.batch import BatchModel
from sim.batch_stream import BatchEngine
from sim.errors import RunError
from sim.transfers import RESET_CYCLES, pack


def record(target: Target, long: int = LONG) -> Recording:
    """Record the ports of an accelerator, or of a processor with one, under all workloads; of
    an accelerator's that take more than `long` cycles, pieces."""
    if isinstance(target, Processor):
        from eval.tasks.flow_run.system_recording import record_system

        return record_system(target)
    return _accelerator(target, long)


class _Accelerator:
    """A Verilated accelerator whose ports are written down in every cycle."""

    def __init__(self, model: BatchModel) -> None:
        self.model = model
        self.ports = Ports(port for _, port in model.ports.values())
        for port in self.ports.ports:
            if port.direction == "input":
                model.poke(port.name, 0)

    def poke(self, **inputs: int) -> None:
        """Set inputs."""
        for name, value in inputs.items():
            self.model.poke(name, value)

    def step(self) -> dict[str, int]:
        """Write the ports of this cycle down and return them; then let the clock rise."""
        self.model.settle()
        now = {name: self.model.peek(name) for name in self.ports.values}
        self.ports.append(now)
        self.model.step()
        return now

    def steps(self, cycles: int) -> tuple[int, int]:
        """Let so many cycles pass, the inputs as they are, and return the window that they fill."""
        begin = self.ports.cycle
        for _ in range(cycles):
            self.step()
        return begin, self.ports.cycle

    def send(self, requests: list[tuple[int, int, int]]) -> tuple[tuple[int, int], list[int]]:
        """Offer the requests one after another, and return the window until the last response,
        and the data of all responses."""
        waiting, begin = list(requests), self.ports.cycle
        answers: list[int] = []
        while len(answers) < len(requests):
            if self.ports.cycle - begin > PATIENCE:
                raise RunError(f"{self.model.design.top}: no answer in {PATIENCE} cycles")
            message = pack(XcelReq(*waiting[0])) if waiting else 0
            self.poke(xcel__req__val=bool(waiting), xcel__req__msg=message)
            now = self.step()
            if waiting and now["xcel__req__rdy"]:
                waiting.pop(0)
            if now["xcel__resp__val"]:
                answers.append(now["xcel__resp__msg"] & WORD)
        self.poke(xcel__req__val=0, xcel__req__msg=0)
        return (begin, self.ports.cycle), answers


def _accelerator(point: Point, long: int) -> Recording:
    """Leave it idle, write to it without a go, then send each workload through the port; of
    those that take more than `long` cycles, each then run from reset on, keep pieces."""
    nbits, key = point.nbits, point.entry.moduli.key
    requests = {name: workload.request(nbits, key) for name, workload in WORKLOADS.items()}
    cycles = {
        n: xcel_cycles(nbits, point.entry.cycles(nbits, **vars(r))) for n, r in requests.items()
    }
    in_pieces = [name for name in requests if cycles[name] > long]
    engine = BatchEngine(simulated(point), *PORTS, None, str(point), bool(in_pieces))
    with closing(engine):
        accelerator = _Accelerator(engine.model)
        accelerator.poke(reset=1, xcel__resp__rdy=1)
        reset = accelerator.steps(RESET_CYCLES)
        accelerator.poke(reset=0)
        accelerator.steps(BETWEEN)
        windows, sampled, places = {IDLE: accelerator.steps(IDLE_CYCLES)}, {}, {}
        windows[DUMMY], _ = accelerator.send(requests_without_go(nbits, requests["e"]))
        for name in [name for name in requests if name not in in_pieces]:
            accelerator.poke(**_given(point, engine, requests[name]))
            accelerator.steps(BETWEEN)
            windows[name], answers = accelerator.send(_sent(nbits, requests[name]))
            _check(point, name, requests[name], answers)
        accelerator.steps(1)
        if in_pieces:
            sampler = Sampler(engine)
            places = sampler.places
        for name in in_pieces:
            engine.held = _given(point, engine, requests[name])
            packed = [pack(XcelReq(*one)) for one in _sent(nbits, requests[name])]
            sampled[name], recorded, transfers = sampler.sample(
                packed, cycles[name], accelerator.ports.cycle
            )
            accelerator.ports.append_all(engine.model, recorded)
            answers = [transfer.response & WORD for transfer in transfers]
            _check(point, name, requests[name], answers)
    operations = dict.fromkeys(WORKLOADS, DUMMY)
    return Recording(accelerator.ports.recorded(), windows, (reset,), operations, sampled, places)


def _sent(nbits: int, request: Request) -> list[tuple[int, int, int]]:
    """List what a host asks through the port."""
    return requests_for(nbits, request.base, request.exp, request.mod)


def _given(point: Point, engine: BatchEngine, request: Request) -> dict[str, int]:
    """Say what stands on the input of constants that the host gives to a core of others."""
    if PORT not in engine.model.ports:
        return {}
    return {PORT: host_says(point.entry.at(point.nbits), request.base, request.mod)}


def _check(point: Point, workload: str, request: Request, answers: list[int]) -> None:
    """Raise RunError unless the last answers are the right result and a good status."""
    result = from_words(answers[-1 - words(point.nbits) : -1])
    if (result, answers[-1] & STATUS_BAD_MODULUS) != (request.result, 0):
        raise RunError(
            f"{point} workload {workload}, recorded: {request} was answered "
            f"{shorten(result)}, right is {shorten(request.result)}"
        )


def requests_without_go(nbits: int, request: Request) -> list[tuple[int, int, int]]:
    """Make requests that bring operands and read the status, but start nothing."""
    pushes = requests_for(nbits, request.base, request.exp, request.mod)[: 3 * words(nbits)]
    return [*pushes, (READ, GO, 0)]
