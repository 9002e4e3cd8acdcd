"""Which situations of the accelerator's port the contract's stimulus reaches: each is a bin, and an
empty one fails. A kind of request waits for the computation, its answer waits, or it goes at once.
"""

from collections.abc import Callable

import pytest

from eval.catalog import find
from eval.contract.exponentiator import ExpCase
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_held_operands, check_xcel
from fl.xcel import BASE, EXP, GO, MOD, READ, RESULT, WRITE
from rtl.port.xcel import XcelRTL
from sim.stream import STALLS, StreamRunner

NBITS = 8
KINDS = {(WRITE, GO): "go", (READ, RESULT): "pop", (READ, GO): "status"} | {
    (WRITE, register): "push" for register in (BASE, EXP, MOD)
}
WAIT = ("go", "push", "pop")


def noted(port: XcelRTL, edge: Callable[[], None], found: set[tuple[str, str]]) -> Callable:
    """The clock's edge; before it, the situation of the cycle is noted."""
    before = [False]

    def tick() -> None:
        request, answer = port.xcel.req, port.xcel.resp
        if port.full and not port.reset:
            held = port.request
            kind = KINDS.get((int(held.type_), int(held.addr)), "other")
            if not answer.val:
                found.add((kind, "waits for the end"))
            elif not answer.rdy:
                found.add((kind, "its answer waits"))
            else:
                found.add((kind, "answered after waiting" if before[0] else "answered at once"))
                found.add((kind, "the next comes with it" if request.val else "none comes"))
            found.add((kind, "busy" if port.busy else "not busy"))
            if port.result.take:
                found.add((kind, "as the result comes"))
            before[0] = not (answer.val and answer.rdy)
        elif not port.reset:
            found.add(("none", "busy" if port.busy else "not busy"))
            before[0] = False
        edge()

    return tick


@pytest.mark.parametrize("name", ["mont-best", "mul-rem"])
def test_each_situation_is_reached(name: str):
    """By a result that is shifted out, and by one that stays."""
    exponentiator = find(name).at(NBITS)
    runner = StreamRunner(XcelRTL(exponentiator), "rtl", "xcel.req", "xcel.resp")
    found: set[tuple[str, str]] = set()
    runner.engine.edge = noted(runner.engine.top, runner.engine.edge, found)
    cases = [ExpCase(f"{exp}", NBITS, 201, exp, 251) for exp in (13, 1)]
    for stalls in STALLS.values():
        check_xcel(runner, exponentiator, cases, stalls)
    for turn in range(3):
        check_held_operands(runner, exponentiator, (201, 13, 251), (77, 9, 253), turn)
    twice = [
        GO_AHEAD,
        GO_AHEAD,
        (READ, 9, 0),
        (WRITE, RESULT, 5),
        *[STATUS] * 40,
        POP,
        (READ, 9, 0),
    ]
    for stalls in STALLS.values():
        runner.run([(r[0] << 37) | (r[1] << 32) | r[2] for r in twice], stalls)
    kinds = ("go", "push", "pop", "status", "other")
    ends = ("answered at once", "answered after waiting", "its answer waits")
    wanted = {(kind, end) for kind in kinds for end in ends}
    wanted |= {(kind, how) for kind in kinds for how in ("the next comes with it", "none comes")}
    wanted |= {(kind, how) for kind in (*kinds, "none") for how in ("busy", "not busy")}
    wanted |= {(kind, "waits for the end") for kind in WAIT}
    wanted |= {(kind, "as the result comes") for kind in (*WAIT, "status")}
    assert wanted - found == set()
    assert {kind for kind, how in found if how == "waits for the end"} == set(WAIT)
