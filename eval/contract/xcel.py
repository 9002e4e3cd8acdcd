"""The contract of accelerators: exponentiations by the driver's requests, through the port."""

from collections.abc import Sequence
from random import Random

from cl.exponentiator import Exponentiator
from cl.xcel import xcel_cycles
from eval.contract.check import TIME, TIMED_LEVELS, Mismatch, Unanswered, check
from eval.contract.exponentiator import ExpCase, expected
from fl.messages import XcelReq, XcelResp
from fl.xcel import (
    BASE,
    EXP,
    GO,
    MOD,
    READ,
    RESULT,
    STATUS_BAD_MODULUS,
    STATUS_BUSY,
    WORD_BITS,
    WRITE,
    Registers,
    from_words,
    requests_for,
    to_words,
    words,
)
from sim.stream import NO_STALLS, Stalls, StreamRunner, Transfer

GO_AHEAD, POP, STATUS = (WRITE, GO, 0), (READ, RESULT, 0), (READ, GO, 0)


def packed(requests: Sequence[tuple[int, int, int]]) -> list[XcelReq]:
    """Return requests (type, register, data) as messages."""
    return [XcelReq(*request) for request in requests]


def full_words(
    requests: Sequence[tuple[int, int, int]], nbits: int, seed: int = 1
) -> list[tuple[int, int, int]]:
    """Set the bits above n of pushed operands at random: a design is to ignore them."""
    rng, high = Random(f"above {nbits} {seed}"), nbits % WORD_BITS
    places: dict[int, int] = {}
    filled = []
    for type_, register, data in requests:
        if type_ == WRITE and register in (BASE, EXP, MOD):
            place = places[register] = places.get(register, 0) + 1
            if high and place % words(nbits) == 0:
                data |= rng.getrandbits(WORD_BITS - high) << high
        filled.append((type_, register, data))
    return filled


def check_xcel(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[ExpCase],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> None:
    """Run each case by the driver's requests; raise Mismatch at the first wrong word or time.

    The words are those of the register map in fl, and the result that of `pow`; bits above n are
    pushed, too.
    """
    nbits = exponentiator.nbits
    registers = Registers(exponentiator)
    requests = [one for case in cases for one in requests_for(nbits, *case.operands)]
    requests = full_words(requests, nbits)
    answers = [XcelResp(request[0], registers.access(*request)) for request in requests]
    per_case = len(requests) // len(cases)
    names = [f"{cases[i // per_case]}, request {one}" for i, one in enumerate(requests)]
    words_of = [int(answer.to_bits()) for answer in answers]
    try:
        transfers = check(runner, packed(requests), words_of, names, stalls, max_cycles=max_cycles)
    except (Mismatch, Unanswered) as error:
        for one in (error, *getattr(error, "others", ())):
            one.case = None if one.case is None else one.case // per_case
        raise
    timed = stalls is NO_STALLS and runner.level in TIMED_LEVELS
    for i, case in enumerate(cases):
        taken = transfers[i * per_case : (i + 1) * per_case]
        pops = taken[-1 - words(nbits) : -1]
        result = from_words([t.response & 0xFFFFFFFF for t in pops])
        status = taken[-1].response & 0xFFFFFFFF
        wanted, bad = expected(case, exponentiator.takes)
        if (result, status) != (wanted, bad * STATUS_BAD_MODULUS):
            raise Mismatch(f"{runner.name}, case {case}: {result}, status {status}", i)
        cycles = pops[-1].arrived - taken[0].accepted
        formula = xcel_cycles(nbits, exponentiator.latency(*case.operands))
        if timed and not exponentiator.measured and cycles != formula:
            said = f"{cycles} cycles, not {formula}"
            raise Mismatch(f"{runner.name}, case {case}: {said}", i, TIME)


def pushes(nbits: int, *operands: int) -> list[list[tuple[int, int, int]]]:
    """List, for each place of a word, the pushes of base, exponent and modulus."""
    places = zip(*(to_words(operand, nbits) for operand in operands), strict=True)
    return [list(zip((WRITE,) * 3, (BASE, EXP, MOD), place, strict=True)) for place in places]


def check_answers(
    runner: StreamRunner,
    requests: Sequence[tuple[int, int, int]],
    answers: Sequence[int],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> list[Transfer]:
    """Make the requests; raise Mismatch at the first that is not answered by this word."""
    responses = [
        int(XcelResp(request[0], answer).to_bits())
        for request, answer in zip(requests, answers, strict=True)
    ]
    names = [f"request {i}: {request}" for i, request in enumerate(requests)]
    return check(runner, packed(requests), responses, names, stalls, max_cycles=max_cycles)


def check_keeping(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    cases: Sequence[ExpCase],
    stalls: Stalls = NO_STALLS,
    max_cycles: int | None = None,
) -> None:
    """Push a modulus only where it differs from the one before, and now and then the same again.

    Status and time say what is kept; then, after a reset, the last operands are computed twice.
    """
    registers, anew = Registers(exponentiator), []
    for i, case in enumerate(cases):
        comes = i % 5 == 0 or case.mod != cases[i - 1].mod
        operands = {BASE: case.base, EXP: case.exp} | ({MOD: case.mod} if comes else {})
        anew += [
            (WRITE, register, word)
            for register, operand in operands.items()
            for word in to_words(operand, exponentiator.nbits)
        ]
        anew += [STATUS, *_computation(exponentiator)]
    twice = [STATUS, *_computation(exponentiator)] * 2
    for requests in (full_words(anew, exponentiator.nbits), twice):
        _check_busy(runner, registers, requests, stalls, max_cycles)


def _computation(exponentiator: Exponentiator) -> list[tuple[int, int, int]]:
    """List a go, the pops of its result, and the status."""
    return [GO_AHEAD, *[POP] * words(exponentiator.nbits), STATUS]


def _check_busy(
    runner: StreamRunner,
    registers: Registers[Exponentiator],
    requests: Sequence[tuple[int, int, int]],
    stalls: Stalls,
    max_cycles: int | None,
) -> None:
    """Reset, and make the requests; raise Mismatch at a wrong answer, or a go's wrong cycles."""
    registers.reset()
    answers, busy = [], {}
    for i, request in enumerate(requests):
        if request == GO_AHEAD:
            unit = registers.exponentiator
            busy[i] = unit.latency(*registers.inputs()) + 1
        answers.append(registers.access(*request))
    transfers = check_answers(runner, requests, answers, stalls, max_cycles)
    timed = stalls is NO_STALLS and runner.level in TIMED_LEVELS
    for i, cycles in busy.items():
        waited = transfers[i + 1].arrived - transfers[i].arrived
        if timed and waited != cycles:
            said = f"{waited} cycles, not {cycles}"
            raise Mismatch(f"{runner.name}: go, request {i}: {said}", kind=TIME)


def check_held_operands(
    runner: StreamRunner,
    exponentiator: Exponentiator,
    first: tuple[int, int, int],
    second: tuple[int, int, int],
    turn: int = 0,
) -> None:
    """Push the second request while the first is computed, and between pops of its result.

    The pushes must wait and change nothing of it; operands must stay when it is made once more.
    turn: which operand's push is the first to wait.
    """
    nbits = exponentiator.nbits
    count, timed = words(nbits), runner.level in TIMED_LEVELS
    results = [to_words(pow(*operands), nbits) for operands in (first, second)]
    requests = [*(push for place in pushes(nbits, *first) for push in place), GO_AHEAD]
    go = len(requests) - 1
    answers = [0] * len(requests)
    for place, word in zip(pushes(nbits, *second), results[0], strict=True):
        requests += [*place[turn:], *place[:turn], POP]
        answers += [0, 0, 0, word]
    requests += [POP, POP, GO_AHEAD, STATUS]
    answers += [0, 0, 0, STATUS_BUSY * timed]
    for _ in range(2):
        requests += [*[POP] * count, POP, STATUS, GO_AHEAD]
        answers += [*results[1], 0, 0, 0]
    transfers = check_answers(runner, requests, answers)
    waited = transfers[go + 1].arrived - transfers[go].arrived
    if timed and waited != exponentiator.latency(*first) + 1:
        raise Mismatch(f"{runner.name}: a push waits {waited} cycles for {first}", kind=TIME)
