"""Which situations of the accelerator's port the contract's stimulus reaches: each is a bin, and an
empty one fails. A kind of request waits for the computation, its answer waits, or it is taken at
once.
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
    owed, waited = [""], [False]

    def note_offered(busy: str) -> None:
        request = port.xcel.req
        kind = KINDS.get((int(request.msg.type_), int(request.msg.addr)), "other")
        found.add((kind, busy))
        if port.result.take:
            found.add((kind, "as the result comes"))
        if request.rdy:
            found.add((kind, "taken after waiting" if waited[0] else "taken at once"))
            owed[0] = kind
        elif port.free:
            found.add((kind, "waits for the end"))
        waited[0] = not request.rdy

    def tick() -> None:
        if not port.reset:
            busy = "busy" if port.busy else "not busy"
            offered = port.xcel.req.val
            if port.xcel.resp.val and not port.xcel.resp.rdy:
                found.add((owed[0], "its answer waits"))
            elif port.xcel.resp.val:
                found.add((owed[0], "the next comes with it" if offered else "none comes"))
            if offered:
                note_offered(busy)
            elif not port.xcel.resp.val:
                found.add(("none", busy))
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
    ends = ("taken at once", "taken after waiting", "its answer waits")
    wanted = {(kind, end) for kind in kinds for end in ends}
    wanted |= {(kind, how) for kind in kinds for how in ("the next comes with it", "none comes")}
    wanted |= {(kind, how) for kind in (*kinds, "none") for how in ("busy", "not busy")}
    wanted |= {(kind, "waits for the end") for kind in WAIT}
    wanted |= {(kind, "as the result comes") for kind in (*WAIT, "status")}
    assert wanted - found == set()
    assert {kind for kind, how in found if how == "waits for the end"} == set(WAIT)
