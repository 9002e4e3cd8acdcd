"""A ladder by shares: they stand in time, serve further requests, and place values anew."""

from itertools import pairwise
from random import Random

import pytest
from pymtl3 import DefaultPassGroup

import rtl.exp.masked_ladder
import rtl.exp.organised
from cl.assumed_unit import AssumedUnit
from cl.organisation import Organisation
from eval.contract.exponentiator import ExpCase, check_resets
from fl.masked_ladder import MASKED_LADDER
from fl.messages import mk_exp_msgs
from fl.xcel import words
from rtl.exp.organised import Organised, organised
from rtl.mul.mont_mul import MontMul
from tests.faults import plant
from tests.harness import check_within, component_runner

NBITS = 8
CASE = ExpCase("long", NBITS, 201, 0b101101, 253)


def made(units: int = 2) -> Organised:
    """A ladder of such units."""
    return organised(MontMul(NBITS, 2), Organisation(MASKED_LADDER, units=units, forward=False))


def test_the_shares_stand_as_it_begins():
    """The fastest product, at both ends of the widths: R^2 takes longer than the words of an
    exponent, of which one comes in a cycle, and the last one reaches share 1 a cycle later."""
    for nbits in (8, 9, 1024, 4096):
        unit = AssumedUnit(nbits, 1, 1, nbits)
        parts = organised(unit, Organisation(MASKED_LADDER, forward=False)).parts
        assert 2 + parts.r_squared.time(3, unit) >= words(nbits) + 1


@pytest.mark.parametrize("units", [1, 2])
def test_a_request_after_a_reset(units):
    design = made(units)
    with component_runner(design.rtl()) as runner:
        check_resets(runner, design, 253)


@pytest.mark.parametrize("units", [1, 2])
def test_the_shares_stay_for_the_next_request(units):
    """Masked anew, of the exponent and of the 0 above it."""
    design = made(units)
    masks = set()
    with component_runner(design.rtl()) as runner:
        for cases in ([CASE], [CASE, CASE]):
            check_within(runner, design, cases, room=100)
            one, other = (getattr(runner.engine.top.core.loop.shares, f"share_{i}") for i in (0, 1))
            assert (int(one.share) ^ int(other.share)) == CASE.exp
            assert int(one.served) == int(other.served)
            masks.add(int(other.share))
    assert len(masks) == 2


def places() -> list[int]:
    """Which register the result stands in, after the same request so many times."""
    design = made()
    Request, _ = design.messages
    found = []
    with component_runner(design.rtl()) as runner:
        for times in range(1, 9):
            runner.run([Request(*CASE.operands)] * times, max_cycles=1000)
            found.append(int(runner.engine.top.core.loop.kept_place))
    return found


def test_the_result_stands_anywhere(tmp_path, monkeypatch):
    assert {*places()} == {0, 1}
    broken = plant(
        tmp_path,
        rtl.exp.masked_ladder,
        "s.shares.random //= s.source.word",
        "s.shares.random //= 0",
    )
    monkeypatch.setattr(rtl.exp.organised, "MaskedLadder", broken.MaskedLadder)
    assert len({*places()}) == 1


def squares_its_answer(units: int) -> list[float]:
    """In which part of the rounds what `multiply` answered in the one before is squared: of bits
    that are as the one before, and of those that differ."""
    top, rng = made(units).rtl(), Random(units)
    top.elaborate()
    top.apply(DefaultPassGroup())
    top.sim_reset()
    loop = top.core.loop
    met, rounds = [0, 0], [0, 0]
    Request, _ = mk_exp_msgs(NBITS)
    for _ in range(40):
        exp = rng.getrandbits(NBITS)
        differ = [exp >> i & 1 for i in reversed(range(NBITS))]
        differ = [bit ^ before for before, bit in pairwise(differ)]
        top.recv.msg @= Request(rng.randrange(2, 253), exp, 253)
        top.recv.val @= 1
        top.send.rdy @= 1
        top.sim_eval_combinational()
        answer, left = -1, list(differ)
        while not (left == [] and top.send.val):
            if loop.finish_bit and left:
                answer = int(loop.from_multiply)
            top.sim_tick()
            top.recv.val @= 0
            top.sim_eval_combinational()
            if loop.reads and answer >= 0:
                bit = left.pop(0)
                rounds[bit] += 1
                met[bit] += int(loop.squared) == answer
                answer = -1
        top.sim_tick()
    return [a / b for a, b in zip(met, rounds, strict=True)]


@pytest.mark.parametrize("units", [1, 2])
def test_whether_a_unit_squares_its_answer_says_nothing_of_the_exponent(
    tmp_path, monkeypatch, units
):
    for part in squares_its_answer(units):
        assert abs(part - 0.5) < 0.2  # 5 deviations of 140 rounds
    broken = plant(
        tmp_path, rtl.exp.masked_ladder, "s.exchanged <<= s.source.word[BYTE]", "s.exchanged <<= 0"
    )
    monkeypatch.setattr(rtl.exp.organised, "MaskedLadder", broken.MaskedLadder)
    assert squares_its_answer(units) == pytest.approx([0, 1], abs=0.05)
