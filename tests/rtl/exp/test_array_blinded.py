"""A row that is blinded, by windows and by a ladder of shares: requests, resets, planted faults."""

from types import ModuleType

import pytest

import rtl.exp.array_blinded
import rtl.exp.array_blinded_control
import rtl.exp.array_masked
from eval.catalog.array import odd_modulus
from eval.contract.exponentiator import ExpCase, check_resets, random_cases
from fl.schedule import LADDER, windows
from rtl.exp.array_blinded import BlindedExponentiator
from tests.faults import CAUGHT, plant
from tests.harness import check_within, component_runner

CONTROL, MASKED = rtl.exp.array_blinded_control, rtl.exp.array_masked
ORDERS = {"ladder": LADDER, "windows": windows(2)}
NBITS = 8
CASES = [
    ExpCase("long", NBITS, 255, 0b101101, 253),
    ExpCase("power 0", NBITS, 5, 0, 255),
    ExpCase("modulus 1", NBITS, 5, 3, 1),
    ExpCase("base 0", NBITS, 0, 77, 201),
    ExpCase("even", NBITS, 5, 3, 254),
    *random_cases(NBITS, 2, seed=17, odd=True),
]


def made(order: str, digit: int = 4, bits: int = 5) -> BlindedExponentiator:
    """An exponentiator of two words at least."""
    return BlindedExponentiator(NBITS, odd_modulus, digit, 3 * digit, bits, ORDERS[order])


def check(design: BlindedExponentiator) -> None:
    """The requests in turn, right and in time."""
    with component_runner(design.rtl()) as runner:
        for some in (CASES[:2], CASES):
            check_within(runner, design, some, room=100)


@pytest.mark.parametrize(
    ("order", "digit", "bits"), [("windows", 8, 9), ("ladder", 8, 0), ("ladder", 4, 5)]
)
def test_requests(order, digit, bits):
    check(made(order, digit, bits))


def test_a_request_after_a_reset():
    design = made("ladder", 8)
    with component_runner(design.rtl()) as runner:
        check_resets(runner, design, 253)


def test_a_reset_wipes_the_shares():
    design = made("ladder")
    with component_runner(design.rtl()) as runner:
        check_within(runner, design, CASES[:1], room=100)
        shares = runner.engine.top.core.order.shares
        assert int(shares.share_0.share)
        assert int(shares.share_1.share)
        runner.reset()
        assert int(shares.share_0.share) == int(shares.share_1.share) == 0


def values_passed() -> int:
    """How many values stand in the row after one request, and after the same one twice."""
    design = made("ladder")
    Request, _ = design.messages
    seen = set()
    with component_runner(design.rtl()) as runner:
        for times in (1, 2):
            runner.run([Request(*CASES[0].operands)] * times, max_cycles=10_000)
            word = runner.engine.top.core.row.word_0
            seen.add(frozenset((int(word.entry_0), int(word.entry_1))))
    return len(seen)


def test_the_same_request_passes_other_values(tmp_path, monkeypatch):
    assert values_passed() == 2
    broken = plant(tmp_path, CONTROL, "s.random & s.op_literal", "s.op_literal")
    monkeypatch.setattr(rtl.exp.array_blinded, "BlindedControl", broken.BlindedControl)
    assert values_passed() == 1


# A module, a class of it, order, what is sound, what is not.
FAULTS: dict[str, tuple[ModuleType, str, str, tuple[str, str]]] = {
    "no window is chosen": (
        CONTROL,
        "BlindedControl",
        "windows",
        ("s.source @= zext(s.chosen, source_bits) + 1", "s.source @= 1"),
    ),
    "x takes what share 0 says": (
        MASKED,
        "LadderOrder",
        "ladder",
        ("s.loads & ~s.shares.delta_1", "s.loads & ~s.shares.delta_0"),
    ),
    "both results take one place": (
        MASKED,
        "LadderOrder",
        "ladder",
        ("(s.there & ~s.shares.delta_0)", "(s.there & s.shares.delta_0)"),
    ),
    "x is squared twice": (
        MASKED,
        "LadderOrder",
        "ladder",
        ("s.other <<= s.shares.delta_1", "s.other <<= ~s.shares.delta_1"),
    ),
    "a round too few": (
        MASKED,
        "LadderOrder",
        "ladder",
        ("s.rounds_left <<= Count(nbits)", "s.rounds_left <<= Count(nbits - 1)"),
    ),
    "x takes one entry always": (
        MASKED,
        "ShareRow",
        "ladder",
        ("s.x <<= s.entry_1", "s.x <<= s.entry_0"),
    ),
    "no base is taken": (
        MASKED,
        "ShareRow",
        "ladder",
        ("s.x <<= s.base_in", "s.x <<= s.x"),
    ),
}


@pytest.mark.parametrize("name", FAULTS)
def test_fault(tmp_path, monkeypatch, name):
    module, kind, order, (sound, faulty) = FAULTS[name]
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(rtl.exp.array_blinded, kind, getattr(broken, kind))
    with pytest.raises(CAUGHT):
        check(made(order))
