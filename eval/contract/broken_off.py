"""The contract of a reset at work, at the accelerator's port: what a go computes after it.

A computation is broken off in some of its cycles. The next go has the operands that the register
map says are left, and none of the computation; then each operand is pushed anew, before another go.
"""

from contextlib import suppress

from cl.exponentiator import Exponentiator
from eval.contract.check import Mismatch
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_answers, packed, pushes
from fl.xcel import BASE, EXP, MOD, STATUS_BAD_MODULUS, WRITE, to_words, words
from sim.stream import SimulationTimeout, StreamRunner

Access = tuple[int, int, int]
Operands = tuple[int, int, int]
TURN = (EXP, BASE, MOD)  # in which operands are pushed again
ROOM = 10  # cycles that a request may take by itself


def check_broken_off(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    first: Operands,
    again: Operands,
    tries: int,
) -> None:
    """Break the computation of `first` off by a reset, in as many of its cycles as `tries` and just
    after it; raise Mismatch unless the register map's operands are computed with next."""
    pushed = [push for place in pushes(exponentiator.nbits, *first) for push in place]
    asked = packed([*pushed, GO_AHEAD, POP])
    transfers = runner.run(asked)
    go, end = transfers[len(pushed)].accepted + 1, transfers[-1].arrived + 1
    requests, answers, cycles = _after(exponentiator, first, again)
    limit = 2 * cycles + ROOM * len(requests)
    places = {go + (end - go) * i // tries for i in range(tries)} | {end}
    for cycle in sorted(places):
        with suppress(SimulationTimeout):
            runner.run(asked, max_cycles=cycle)
        try:
            check_answers(runner, requests, answers, max_cycles=limit)
        except Mismatch as error:
            raise Mismatch(f"{error}, after a reset in cycle {cycle}") from error


def _after(
    exponentiator: Exponentiator, first: Operands, again: Operands
) -> tuple[list[Access], list[int], int]:
    """List requests after a reset and their answers, and count the cycles of the computations."""
    nbits = exponentiator.nbits
    operands = dict(zip((BASE, EXP, MOD), first, strict=True))
    operands |= dict.fromkeys(exponentiator.wiped, 0)
    requests, answers, cycles = [POP, STATUS], [0, 0], 0
    status = [] if exponentiator.keeps else [STATUS]  # which says what is kept, too
    values = dict(zip((BASE, EXP, MOD), again, strict=True))
    for register in (None, *TURN):
        if register is not None:
            operands[register] = values[register]
            word_list = to_words(values[register], nbits)
            requests += [(WRITE, register, word) for word in word_list]
            answers += [0] * len(word_list)
        base, exp, mod = operands[BASE], operands[EXP], operands[MOD]
        if not exponentiator.accepts(base, exp, mod):
            continue
        takes = exponentiator.takes(mod)
        requests += [GO_AHEAD, *[POP] * words(nbits), *status]
        answers += [0, *to_words(pow(base, exp, mod) if takes else 0, nbits)]
        answers += [0 if takes else STATUS_BAD_MODULUS] * len(status)
        cycles += exponentiator.latency(base, exp, mod)
    return requests, answers, cycles
