"""What is sent to a port while it is recorded: each operand whole, once; a go, or none."""

from typing import NamedTuple

import pytest

from eval.catalog.workloads import WORKLOADS
from eval.tasks.flow_run.recording import _check, _sent, requests_without_go
from fl.xcel import GO, READ, STATUS_BAD_MODULUS, WRITE, Registers, to_words, words
from sim.errors import RunError
from tests.golden.xcel import Plain

pytestmark = pytest.mark.quick

WIDTHS = (8, 32, 33, 64, 100, 1024)


class Point(NamedTuple):
    """What a message names."""

    name: str
    nbits: int


def registers_after(nbits: int, requests: list[tuple[int, int, int]]) -> Registers:
    """The register map once they are made, from operands that are all ones."""
    registers = Registers(Plain(nbits, lambda *operands: (sum(operands) % 7 + 1, 0)))
    registers.operands = dict.fromkeys(registers.operands, (1 << registers.bits) - 1)
    for request in requests:
        registers.access(*request)
    return registers


@pytest.mark.parametrize("nbits", WIDTHS)
@pytest.mark.parametrize("workload", WORKLOADS)
def test_a_dummy_call_brings_all_operands_and_starts_nothing(nbits: int, workload: str):
    request = WORKLOADS[workload].request(nbits, None)
    sent = requests_without_go(nbits, request)
    registers = registers_after(nbits, sent)
    assert registers.inputs() == (request.base, request.exp, request.mod)
    assert registers.result == registers.status == 0
    assert len(sent) == 3 * words(nbits) + 1
    assert sent[-1] == (READ, GO, 0)


@pytest.mark.parametrize("nbits", WIDTHS)
def test_a_call_is_a_dummy_call_with_a_go_and_pops(nbits: int):
    request = WORKLOADS["e"].request(nbits, None)
    sent, dummy = _sent(nbits, request), requests_without_go(nbits, request)
    assert sent[: 3 * words(nbits)] == dummy[:-1]
    assert sent[3 * words(nbits)] == (WRITE, GO, 0)
    assert len(sent) == len(dummy) + 1 + words(nbits)
    registers = registers_after(nbits, sent)
    assert registers.inputs() == (request.base, request.exp, request.mod)
    assert registers.result == 0  # all of its words are popped


@pytest.mark.parametrize("nbits", [8, 33, 100])
def test_a_wrong_answer_is_told(nbits: int):
    """A bit of any word of the result, or the status of a bad modulus; not what came before."""
    point, request = Point("told", nbits), WORKLOADS["e"].request(nbits, None)
    pops = to_words(request.result, nbits)
    sound = [0] * (3 * words(nbits) + 1) + [*pops, 0]
    _check(point, "e", request, sound)
    for place in range(len(sound) - len(pops) - 1, len(sound) - 1):
        for bit in (0, min(nbits, 32) - 1):
            answers = list(sound)
            answers[place] ^= 1 << bit
            with pytest.raises(RunError, match="workload e, recorded: .* was answered"):
                _check(point, "e", request, answers)
    with pytest.raises(RunError, match="was answered"):
        _check(point, "e", request, [*sound[:-1], STATUS_BAD_MODULUS])
