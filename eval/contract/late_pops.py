"""The contract of a result behind the accelerator's port: all of its words stay until the next go.

Each case is popped at another time: as soon as possible, around the end of the computation, or long
after it; with pauses between the words; after the status; with pushes of the next case's operands
before the first pop or between two. Pops beyond the last word read 0, and the status stays.
"""

from collections.abc import Sequence
from random import Random

from cl.exponentiator import Exponentiator
from eval.contract.check import Mismatch, Unanswered, check
from eval.contract.exponentiator import ExpCase
from eval.contract.xcel import GO_AHEAD, POP, STATUS, packed, pushes
from fl.messages import XcelResp
from fl.xcel import Registers, words
from sim.stream import NO_STALLS, Stalls, StreamRunner

# When the first pop is offered: AFTER the end, also AFTER_PUSHES of what the next go takes.
AT_ONCE, AT_END, AFTER, AFTER_PUSHES = range(4)
TURNS = (AFTER, AT_END, AFTER_PUSHES, AT_ONCE)  # of one case after the other
PAUSES = (0, 0, 1, 2, 7, 30)
LONG = 300  # cycles of the longest wait
ROOM = 4  # cycles that a request may take by itself

Access = tuple[int, int, int]


class _Script:
    """Collects requests, the wait before each, and their answers by the register map."""

    def __init__(self, exponentiator: Exponentiator, slack: int, seed: int) -> None:
        self.registers = Registers(exponentiator)
        self.slack = slack  # cycles by which the answer to a go may be taken late
        self.rng = Random(f"late pops {seed}")
        self.requests: list[Access] = []
        self.waits: list[int] = []
        self.answers: list[int] = []
        self.names: list[str] = []
        self.cases: list[int] = []
        self.busy = 0  # cycles of the computations

    def ask(self, case: int, name: str, request: Access, wait: int = 0) -> None:
        """Add a request of a case."""
        self.cases.append(case)
        self.requests.append(request)
        self.waits.append(wait)
        self.answers.append(self.registers.access(*request))
        self.names.append(f"{name}, request {len(self.requests) - 1}: {request}")

    def pause(self) -> int:
        """Draw a wait between two requests."""
        return self.rng.choice(PAUSES)

    def compute(self, case: int, name: str, following: Sequence[Access]) -> None:
        """Add a go and the pops of its result, with the pushes that follow before or between."""
        registers, rng = self.registers, self.rng
        cycles = registers.exponentiator.latency(*registers.inputs()) + 1
        self.busy += cycles
        self.ask(case, name, GO_AHEAD)
        when, wait, left = TURNS[case % len(TURNS)], 0, list(following)
        if when == AT_END:
            wait = max(0, cycles + rng.randint(-3, 2))
        elif when != AT_ONCE:
            late = rng.choice((1, 2, 3, 10, LONG))
            self.ask(case, name, STATUS, cycles + self.slack + late)
            wait = self.pause()
        while when == AFTER_PUSHES and left:
            self.ask(case, name, left.pop(0), self.pause())
        for place in range(words(registers.nbits)):
            if place and left and rng.random() < 0.5:
                self.ask(case, name, left.pop(0), self.pause())
            self.ask(case, name, POP, self.pause() if place else wait)
        for push in left:
            self.ask(case, name, push, self.pause())
        for request in (STATUS, POP, STATUS):
            self.ask(case, name, request, self.pause())


def check_late_pops(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[ExpCase],
    stalls: Stalls = NO_STALLS,
    seed: int = 1,
) -> None:
    """Pop the cases' results at any time; raise Mismatch at the first word that is another.

    stalls: how the answers to the requests are taken.
    """
    nbits, slack = exponentiator.nbits, max(stalls.response)
    script = _Script(exponentiator, slack, seed)
    every = [[one for place in pushes(nbits, *case.operands) for one in place] for case in cases]
    for push in every[0]:
        script.ask(0, f"{cases[0]}", push)
    for i, case in enumerate(cases):
        script.compute(i, f"{case}, popped late", every[i + 1] if i + 1 < len(cases) else [])
    limit = 2 * (script.busy + sum(script.waits) + (slack + ROOM) * len(script.requests))
    expected = [
        int(XcelResp(request[0], answer).to_bits())
        for request, answer in zip(script.requests, script.answers, strict=True)
    ]
    late = Stalls("late pops", tuple(script.waits), stalls.response)
    try:
        check(runner, packed(script.requests), expected, script.names, late, max_cycles=limit)
    except (Mismatch, Unanswered) as error:
        error.case = None if error.case is None else script.cases[error.case]
        raise
