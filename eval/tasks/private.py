"""A private operation by CRT through the port of a design that makes it, and its cycles."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from cl.xcel import xcel_cycles
from eval.catalog.design import model_level
from eval.catalog.point import Point
from eval.catalog.workloads import SMALLEST_SEEDED, message_for
from eval.tasks.exponentiation import FORMULA, show_key
from eval.tasks.port import PORTS, messages, popped
from fl.crt import CrtKey
from fl.rsa_keys import RsaKey, even_key
from fl.xcel import BASE, MOD, STATUS_BAD_MODULUS, STATUS_FAULT, WRITE, to_words, words
from fl.xcel_crt import key_requests, private_requests
from sim.errors import RunError, UserError
from sim.stream import StreamRunner

PRIVATE = "private"  # a workload
STATUS = {0: "ok", STATUS_BAD_MODULUS: "bad modulus", STATUS_FAULT: "fault"}


@dataclass(frozen=True)
class PrivateAnswer:
    """What a design answers; cycles from the first push of the message to the last pop, and from go
    to the result. A level without a clock has none."""

    result: int
    status: int
    cycles: int | None
    from_go: int | None


def check_private(point: Point) -> None:
    """Raise UserError unless the design makes private operations at this width."""
    if not point.entry.at(point.nbits).by_crt:
        raise UserError(
            f"design: {point.design} makes no private operation by CRT; give array-crt-16, or, to "
            "simulate it, --workload d"
        )
    if point.nbits < SMALLEST_SEEDED:
        raise UserError(
            f"--nbits: there is no key of {point.nbits} bits; give {SMALLEST_SEEDED} or more"
        )


def private_key(nbits: int) -> RsaKey:
    """Return the key: of primes of one length, which the halves of a row need."""
    return even_key(nbits - nbits % 2, 1)


def simulate_private(
    point: Point,
    level: str,
    trace: Callable[[str], None] | None = None,
    vcd: Path | None = None,
    on_cycles: Callable[[int], None] = lambda cycles: None,
) -> PrivateAnswer:
    """Push the key, then ask; RunError if the answer or its time is another than it must be."""
    nbits = point.nbits
    key = private_key(nbits)
    message = message_for(key)
    cipher = pow(message, key.e, key.n)
    latency = point.entry.at(nbits).private_latency(key.e, key.n)
    # as of a power, but that only one operand is pushed
    through_port = xcel_cycles(nbits, latency) - 2 * words(nbits)
    right = PrivateAnswer(message, 0, through_port, latency + 1)
    if level == FORMULA:
        return right
    before = [
        *key_requests(nbits, CrtKey.of(key)),
        *((WRITE, MOD, word) for word in to_words(key.n, nbits)),
    ]
    pushes = [(WRITE, BASE, word) for word in to_words(cipher, nbits)]
    asked = [*before, *pushes, *private_requests(nbits)]
    on_cycles(latency + len(asked))
    component = point.entry.xcel(model_level(level), nbits)
    name = f"{point} accelerator, a private operation"
    with StreamRunner(component, level, *PORTS, vcd, name) as runner:
        show_key(component, level, trace)
        limit = 2 * latency + 8 * len(asked)
        transfers = runner.run(messages(asked), max_cycles=limit, trace=trace)[len(before) :]
    found = popped(asked[len(before) :], transfers)
    go, pop, *_ = transfers[len(pushes) :]
    status = found.status & (STATUS_BAD_MODULUS | STATUS_FAULT)
    taken = (found.cycles, pop.arrived - go.arrived)
    answer = PrivateAnswer(found.result, status, *((None, None) if level == "fl" else taken))
    expected = PrivateAnswer(message, 0, None, None) if level == "fl" else right
    if answer != expected:
        raise RunError(f"{name} at level {level}: {answer}, right is {expected}")
    return answer
