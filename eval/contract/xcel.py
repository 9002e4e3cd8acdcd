"""The contract of accelerators: exponentiations by the driver's requests, through the port."""

from collections.abc import Sequence

from cl.exponentiator import Exponentiator
from cl.xcel import xcel_cycles
from eval.contract.check import TIMED_LEVELS, Mismatch, check
from eval.contract.exponentiator import ExpCase, expected
from fl.messages import XcelReq, XcelResp
from fl.xcel import STATUS_BAD_MODULUS, Registers, from_words, requests_for, words
from sim.stream import NO_STALLS, Stalls, StreamRunner


def packed(requests: Sequence[tuple[int, int, int]]) -> list[XcelReq]:
    """Return requests (type, register, data) as messages."""
    return [XcelReq(*request) for request in requests]


def check_xcel(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[ExpCase],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> None:
    """Run each case by the driver's requests; raise Mismatch at the first wrong word or time.

    The words are those of the register map in fl, and the result that of `pow`.
    """
    nbits = exponentiator.nbits
    registers = Registers(nbits, exponentiator.value)
    requests = [one for case in cases for one in requests_for(nbits, *case.operands)]
    answers = [XcelResp(request[0], registers.access(*request)) for request in requests]
    per_case = len(requests) // len(cases)
    names = [f"{cases[i // per_case]}, request {one}" for i, one in enumerate(requests)]
    words_of = [int(answer.to_bits()) for answer in answers]
    transfers = check(runner, packed(requests), words_of, names, stalls, max_cycles=max_cycles)
    timed = stalls is NO_STALLS and runner.level in TIMED_LEVELS
    for i, case in enumerate(cases):
        taken = transfers[i * per_case : (i + 1) * per_case]
        pops = taken[-1 - words(nbits) : -1]
        result = from_words([t.response & 0xFFFFFFFF for t in pops])
        status = taken[-1].response & 0xFFFFFFFF
        wanted, bad = expected(case, exponentiator.takes)
        if (result, status) != (wanted, bad * STATUS_BAD_MODULUS):
            raise Mismatch(f"{runner.name}, case {case}: {result}, status {status}")
        cycles = pops[-1].arrived - taken[0].accepted
        formula = xcel_cycles(nbits, exponentiator.latency(*case.operands))
        if timed and cycles != formula:
            raise Mismatch(f"{runner.name}, case {case}: {cycles} cycles, not {formula}")
