"""A ladder by shares: they stand in time, leave nothing of an exponent, and place values anew."""

import pytest

import rtl.exp.masked_ladder
import rtl.exp.organised
from cl.assumed_unit import AssumedUnit
from cl.organisation import Organisation
from eval.contract.exponentiator import ExpCase, check_resets
from fl.array_masked import BYTE
from fl.masked_ladder import MASKED_LADDER
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
    """The fastest product, at both ends of the widths: R^2 takes longer than the shares, which
    stand from the cycle on that rtl/exp/exponent_shares.py tells."""
    for nbits in (8, 9, 1024, 4096):
        unit = AssumedUnit(nbits, 1, 1, nbits)
        parts = organised(unit, Organisation(MASKED_LADDER, forward=False)).parts
        assert 2 + parts.r_squared.time(3, unit) >= -(-nbits // BYTE) + 4


@pytest.mark.parametrize("units", [1, 2])
def test_a_request_after_a_reset(units):
    design = made(units)
    with component_runner(design.rtl()) as runner:
        check_resets(runner, design, 253)


@pytest.mark.parametrize("units", [1, 2])
def test_no_share_stays(units):
    """What fills them next would meet it."""
    design = made(units)
    with component_runner(design.rtl()) as runner:
        check_within(runner, design, [CASE], room=100)
        one, other = (getattr(runner.engine.top.core.loop.shares, f"share_{i}") for i in (0, 1))
        assert int(one.share) == int(other.share)
        assert int(one.served) == int(other.served)


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
    broken = plant(tmp_path, rtl.exp.masked_ladder, "s.source.ready //= 1", "s.source.ready //= 0")
    monkeypatch.setattr(rtl.exp.organised, "MaskedLadder", broken.MaskedLadder)
    assert len({*places()}) == 1
