"""A row that is blinded, by windows and by a ladder of shares, also one that knows exponents which
are short enough to be public: requests, resets, planted faults."""

from types import ModuleType

import pytest

import rtl.exp.array_blinded
import rtl.exp.array_blinded_control
import rtl.exp.array_masked
import rtl.exp.exponent_shares
from cl.exponentiator import LENGTH
from eval.catalog.array import odd_modulus
from eval.contract.exponentiator import ExpCase, check_resets, random_cases
from fl.schedule import LADDER, windows
from rtl.exp.array_blinded import BlindedExponentiator
from tests.faults import CAUGHT, plant
from tests.harness import check_within, component_runner

CONTROL, MASKED = rtl.exp.array_blinded_control, rtl.exp.array_masked
SHARES = rtl.exp.exponent_shares
ORDERS = {"ladder": LADDER, "windows": windows(2), "public": LADDER}
NBITS, PUBLIC = 8, 3
CASES = [
    ExpCase("long", NBITS, 255, 0b101101, 253),
    ExpCase("power 0", NBITS, 5, 0, 255),
    ExpCase("modulus 1", NBITS, 5, 3, 1),
    ExpCase("base 0", NBITS, 0, 77, 201),
    ExpCase("even", NBITS, 5, 3, 254),
    *random_cases(NBITS, 2, seed=17, odd=True),
]
SHORT = [
    ExpCase(f"power {exp}", NBITS, 200, exp, mod)
    for exp, mod in [(7, 253), (8, 251), (0, 249), (1, 253), (5, 255), (248, 253), (6, 1), (3, 254)]
]


def made(order: str, digit: int = 4, bits: int = 5) -> BlindedExponentiator:
    """An exponentiator of two words at least."""
    public = PUBLIC if order == "public" else 0
    return BlindedExponentiator(NBITS, odd_modulus, digit, 3 * digit, bits, ORDERS[order], public)


def check(design: BlindedExponentiator) -> None:
    """The requests in turn, right and in time."""
    with component_runner(design.rtl()) as runner:
        for some in (CASES[:2], SHORT, CASES):
            check_within(runner, design, some, room=100)


@pytest.mark.parametrize(
    ("order", "digit", "bits"),
    [("windows", 8, 9), ("ladder", 8, 0), ("ladder", 4, 5), ("public", 4, 5), ("public", 8, 0)],
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


def stand_as_they_came(order: str) -> bool:
    """Whether the shares are those of the exponent again after each request."""
    design = made(order, 8)
    with component_runner(design.rtl()) as runner:
        for exp in (*range(1 << PUBLIC + 1), 0xA5, 0xFF):
            check_within(runner, design, [ExpCase("one", NBITS, 5, exp, 253)], room=100)
            shares = runner.engine.top.core.order.shares
            one, other = shares.share_0, shares.share_1
            if int(one.share) ^ int(other.share) != exp or int(one.served) ^ int(other.served):
                return False
    return True


@pytest.mark.parametrize("order", ["ladder", "public"])
def test_the_shares_stay_for_the_next_request(order):
    assert stand_as_they_came(order)


def test_shares_that_do_not_stay(tmp_path, monkeypatch):
    sound = "s.share[nbits - 1] ^ s.share[public_bits - 1]"
    broken = plant(tmp_path, SHARES, sound, f"0 & ({sound})")
    monkeypatch.setattr(MASKED, "ExponentShares", broken.ExponentShares)
    assert not stand_as_they_came("public")


@pytest.mark.quick
def test_time_tells_whether_an_exponent_is_short():
    design = made("public")
    assert design.time_tells == (LENGTH,)
    assert not design.constant_time
    whole = [design.latency(3, exp, 253) for exp in (8, 128, 255)]
    short = [design.latency(3, exp, 253) for exp in (0, 1, 7)]
    assert len({*whole}) == len({*short}) == 1
    rounds = sum(one.cycles for one in design.program.loop)
    assert whole[0] - short[0] == (NBITS - PUBLIC) * rounds
    assert made("ladder").constant_time


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
        (
            "if s.load:\n                s.rounds_left <<= Count(nbits)",
            "if s.load:\n                s.rounds_left <<= Count(nbits - 1)",
        ),
    ),
    "a short exponent has all rounds": (
        MASKED,
        "LadderOrder",
        "public",
        ("if s.shares.short:", "if s.shares.short & 0:"),
    ),
    "a short exponent has a round too many": (
        MASKED,
        "LadderOrder",
        "public",
        ("Count(nbits - public_bits)", "Count(nbits - public_bits - 1)"),
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
    user = MASKED if module is SHARES else rtl.exp.array_blinded
    monkeypatch.setattr(user, kind, getattr(broken, kind))
    with pytest.raises(CAUGHT):
        check(made(order))
