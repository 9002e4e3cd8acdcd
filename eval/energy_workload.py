"""What is simulated at gate level to know energies: the ports of a design, recorded from RTL."""

from collections.abc import Iterable
from contextlib import closing

from eval.harden import translation
from eval.points import Point
from eval.workloads import WORKLOADS, Request
from fl.messages import READ, XcelReq
from fl.xcel import GO, from_words, requests_for, words
from flow.workload import Recorded, Workload
from sim.batch import BatchModel
from sim.errors import RunError
from sim.transfers import RESET_CYCLES, pack

IDLE_CYCLES = 200
BETWEEN = 8  # idle cycles before each window
IDLE, DUMMY = "idle", "dummy"
PATIENCE = 1_000_000  # cycles without an answer


class _Recorder:
    """A Verilated accelerator whose ports are written down in every cycle."""

    def __init__(self, model: BatchModel) -> None:
        self.model = model
        self.names = [name for name in model.ports if name != "clk"]
        self.values: dict[str, list[int]] = {name: [] for name in self.names}
        self.cycle = 0

    def poke(self, **inputs: int) -> None:
        """Set inputs."""
        for name, value in inputs.items():
            self.model.poke(name, value)

    def step(self) -> dict[str, int]:
        """The ports in this cycle; then pass the clock edge."""
        self.model.settle()
        now = {name: self.model.peek(name) for name in self.names}
        for name, value in now.items():
            self.values[name].append(value)
        self.model.step()
        self.cycle += 1
        return now

    def steps(self, cycles: int) -> tuple[int, int]:
        """Pass cycles with the inputs as they are; the window that they are."""
        begin = self.cycle
        for _ in range(cycles):
            self.step()
        return begin, self.cycle

    def send(self, requests: Iterable[tuple[int, int, int]]) -> tuple[tuple[int, int], list[int]]:
        """Offer the requests one after another; the window until the last response, and the data
        of all responses."""
        waiting, answers, begin = list(requests), [], self.cycle
        wanted = len(waiting)
        while len(answers) < wanted:
            if self.cycle - begin > PATIENCE:
                raise RunError(f"{self.model.design.top}: no answer in {PATIENCE} cycles")
            message = pack(XcelReq(*waiting[0])) if waiting else 0
            self.poke(xcel__req__val=bool(waiting), xcel__req__msg=message)
            now = self.step()
            if waiting and now["xcel__req__rdy"]:
                waiting.pop(0)
            if now["xcel__resp__val"]:
                answers.append(now["xcel__resp__msg"] & 0xFFFFFFFF)
        self.poke(xcel__req__val=0, xcel__req__msg=0)
        return (begin, self.cycle), answers

    def ports(self) -> tuple[Recorded, ...]:
        """All that was written down."""
        found = []
        for name in self.names:
            port = self.model.ports[name][1]
            output = port.direction == "output"
            valid = f"{name.removesuffix('__msg')}__val" if output and "__msg" in name else None
            found.append(Recorded(name, output, port.nbits, self.values[name], valid))
        return tuple(found)


def accelerator_workload(point: Point) -> Workload:
    """The accelerator idle, then written to without a go, then each workload through its port."""
    with closing(BatchModel(translation(point))) as model:
        recorder = _Recorder(model)
        for name, (_, port) in model.ports.items():
            if port.direction == "input" and name != "clk":
                recorder.poke(**{name: 0})
        recorder.poke(reset=1, xcel__resp__rdy=1)
        recorder.steps(RESET_CYCLES)
        recorder.poke(reset=0)
        windows = {IDLE: recorder.steps(IDLE_CYCLES)}
        dummy = requests_without_go(point.nbits, WORKLOADS["e"].request(point.nbits))
        recorder.steps(BETWEEN)
        windows[DUMMY], _ = recorder.send(dummy)
        for name, workload in WORKLOADS.items():
            request = workload.request(point.nbits)
            recorder.steps(BETWEEN)
            requests = requests_for(point.nbits, request.base, request.exp, request.mod)
            windows[name], answers = recorder.send(requests)
            result = from_words(answers[-1 - words(point.nbits) : -1])
            if (result, answers[-1]) != (request.result, 0):
                raise RunError(f"{point} {name}: the RTL answers {result}, not {request.result}")
        recorder.steps(1)
        return Workload(recorder.ports(), windows, RESET_CYCLES, tuple(WORKLOADS), DUMMY)


def requests_without_go(nbits: int, request: Request) -> list[tuple[int, int, int]]:
    """The port's requests that bring operands and read the status, but start nothing."""
    pushes = requests_for(nbits, request.base, request.exp, request.mod)[: 3 * words(nbits)]
    return [*pushes, (READ, GO, 0)]
