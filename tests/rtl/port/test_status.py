"""What the port's status says, whenever it is read: while busy that alone, whatever was before."""

import pytest

from eval.catalog import find
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_answers, pushes
from fl.xcel import STATUS_BAD_MODULUS as BAD
from fl.xcel import STATUS_BUSY as BUSY
from fl.xcel import STATUS_KEPT as KEPT
from fl.xcel import to_words
from sim.stream import StreamRunner

NBITS = 40
GOOD, OTHER = (201 << 24, 3, (1 << 40) - 5), (77, 5, (1 << 39) + 7)
REFUSED = (9, 3, 0)


# A result that is shifted out, one that stays, a modulus that is kept.
# The row's hardware has its own test of that, tests/rtl/exp/test_array_kept.py.
@pytest.mark.parametrize(
    ("name", "level"),
    [
        *(("mont-small", level) for level in ("cl", "rtl")),
        *(("mont-best", level) for level in ("cl", "rtl")),
        ("array-4-kept", "cl"),
    ],
)
def test_a_status_of_each_computation(name: str, level: str):
    """Read at once after the go, when the result has come, and after each of its words."""
    design = find(name)
    keeps = KEPT * design.at(NBITS).keeps
    requests, answers = [STATUS, POP, STATUS], [0, 0, 0]
    for operands in (GOOD, REFUSED, REFUSED, GOOD, OTHER, REFUSED):
        push = [one for place in pushes(NBITS, *operands) for one in place]
        takes = operands is not REFUSED
        words = to_words(pow(*operands), NBITS) if takes else [0, 0]
        ended = keeps if takes else BAD
        requests += [*push, GO_AHEAD, *[STATUS] * takes, POP, STATUS, POP, STATUS, POP, STATUS]
        answers += [0] * (len(push) + 1) + [BUSY] * takes
        answers += [words[0], ended, words[1], ended, 0, ended]
    if keeps:  # the same modulus again: told after the end alone
        again = [one for place in pushes(NBITS, *GOOD) for one in place]
        requests += [*again, GO_AHEAD, POP, STATUS, GO_AHEAD, STATUS, POP, STATUS]
        word = to_words(pow(*GOOD), NBITS)[0]
        answers += [0] * (len(again) + 1) + [word, KEPT, 0, BUSY, word, KEPT]
    component = design.xcel(level, NBITS)
    with StreamRunner(component, level, "xcel.req", "xcel.resp") as runner:
        for _ in range(2):  # a reset forgets what the last one was
            check_answers(runner, requests, answers)
