"""The fault that an attacker makes: one bit, of one word, of one result, and nothing else."""

import pytest

from eval.catalog import find
from eval.contract.xcel import GO_AHEAD, POP, STATUS, pushes
from fl.messages import XcelReq
from fl.xcel import READ, RESULT, WRITE, to_words
from rtl.port.flipping import FlippingXcel
from sim.stream import NO_STALLS, STALLS, StreamRunner

pytestmark = pytest.mark.quick

NBITS = 70  # of three words
OPERANDS = [(3 << 60, 5, (1 << 70) - 3), (7, 65537, (1 << 69) + 5), (1 << 40, 1, (1 << 70) - 1)]


@pytest.mark.parametrize("stalls", [NO_STALLS, STALLS["slow-both"]], ids=lambda one: one.name)
@pytest.mark.parametrize("chosen", [0, 1, 2, 3])
def test_one_bit_of_one_result_is_wrong(chosen: int, stalls):
    """The lowest one; words, status and pops beyond the last one are as they should be."""
    accelerator = find("mont-best")
    requests, answers = [], []
    for number, operands in enumerate(OPERANDS):
        place = [push for each in pushes(NBITS, *operands) for push in each]
        low, *others = to_words(pow(*operands), NBITS)
        requests += [*place, GO_AHEAD, STATUS, (WRITE, RESULT, 0), (READ, 9, 0)]
        answers += [0] * (len(place) + 1) + [None, 0, 0]  # it may be busy, or not
        requests += [POP] * 4 + [STATUS]
        answers += [low ^ (number == chosen), *others, 0, 0]
    component = FlippingXcel(lambda: accelerator.xcel("cl", NBITS), chosen)
    with StreamRunner(component, "cl", "xcel.req", "xcel.resp") as runner:
        for _ in range(2):  # it counts from each reset on
            transfers = runner.run([XcelReq(*one) for one in requests], stalls)
            found = [transfer.response & 0xFFFFFFFF for transfer in transfers]
            assert [
                (i, word)
                for i, (word, right) in enumerate(zip(found, answers, strict=True))
                if right is not None and word != right
            ] == []
