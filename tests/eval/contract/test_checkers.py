"""The checkers are checked: a component that is wrong in one thing alone is told from a sound one,
in values and in time, too early as too late."""

from dataclasses import dataclass

import pytest
from pymtl3 import Component, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import Exponentiator
from cl.server import ServerCL
from cl.unit import Unit
from cl.xcel import XcelCL
from eval.contract.check import CAUGHT, Mismatch, check
from eval.contract.exponentiator import ExpCase, check_exponentiator, check_resets
from eval.contract.multiplier import MulCase, check_multiplier, check_value
from eval.contract.xcel import check_held_operands, check_keeping, check_xcel
from fl.component.stream import answer_to
from fl.xcel import BASE, EXP, GO, MOD, READ, RESULT, WRITE
from sim.stream import NO_STALLS, STALLS, StreamRunner, Transfer

pytestmark = pytest.mark.quick

NBITS, LATENCY = 40, 60


@dataclass(frozen=True)
class Power(Exponentiator):
    """base^exp mod mod in so many cycles."""

    says: int = LATENCY

    def latency(self, base: int, exp: int, mod: int) -> int:
        return self.says


def odd(mod: int) -> bool:
    return mod % 2 == 1


SOUND = Power(NBITS, odd)
CASES = [
    ExpCase("one", NBITS, 0x12_3456_789A, 0b1101, (1 << 39) + 5),
    ExpCase("bad", NBITS, 7, 3, 4),
    ExpCase("other", NBITS, 3, 0b101, (1 << 40) - 1),
]


class Port(XcelCL):
    """Sound but for what it is told: cycles more or less, a bit of one answer."""

    def construct(s, more: int = 0, wrong: tuple[int, int, int] | None = None) -> None:
        super().construct(SOUND)
        s.more = more
        access = s.registers.access
        count = [0]

        def other(type_: int, register: int, data: int, busy: bool = False) -> int:
            answer = access(type_, register, data, busy)
            if wrong and (type_, register) == wrong[:2] and not busy:
                count[0] += 1
                answer ^= (count[0] == wrong[2]) << (register == RESULT)
            return answer

        s.registers.access = other

    def busy_cycles(s, data: int) -> int:
        return super().busy_cycles(data) + s.more


def ported(**changes: object) -> StreamRunner:
    return StreamRunner(Port(**changes), "cl", "xcel.req", "xcel.resp")


def test_a_sound_port():
    check_xcel(ported(), SOUND, CASES)
    check_xcel(ported(), SOUND, CASES, STALLS["slow-both"])
    check_held_operands(ported(), SOUND, CASES[0].operands, CASES[2].operands)
    check_keeping(ported(), SOUND, CASES)


@pytest.mark.parametrize("more", [-30, -1, 1, 30])
def test_a_port_in_other_cycles(more: int):
    with pytest.raises(Mismatch, match=f"{LATENCY + 9 + more} cycles, not {LATENCY + 9}$"):
        check_xcel(ported(more=more), SOUND, CASES)
    with pytest.raises(Mismatch, match=f"a push waits {LATENCY + 1 + more} cycles"):
        check_held_operands(ported(more=more), SOUND, CASES[0].operands, CASES[2].operands)
    with pytest.raises(Mismatch, match=f"{LATENCY + 1 + more} cycles, not {LATENCY + 1}$"):
        check_keeping(ported(more=more), SOUND, CASES)
    check_xcel(ported(more=more), SOUND, CASES, STALLS["slow-both"])  # which has no time


# Type, register, and which of its answers.
WRONG = [
    *((WRITE, register, number) for register in (GO, BASE, EXP, MOD) for number in (1, 2)),
    *((READ, RESULT, number) for number in range(1, 7)),
    *((READ, GO, number) for number in (1, 2, 3)),
]


@pytest.mark.parametrize("wrong", WRONG, ids=str)
@pytest.mark.parametrize("stalls", [NO_STALLS, STALLS["slow-both"]], ids=["no stalls", "stalls"])
def test_a_port_with_a_wrong_answer(wrong: tuple[int, int, int], stalls):
    with pytest.raises(Mismatch):
        check_xcel(ported(wrong=wrong), SOUND, CASES, stalls)


def test_a_model_that_is_wrong_in_itself():
    """The port's answers are those of the register map, but these are not `pow`'s."""

    class Wrong(Power):
        def value(self, base: int, exp: int, mod: int) -> tuple[int, int]:
            result, status = super().value(base, exp, mod)
            return (result + (base == 3)) % mod, status

    wrong = Wrong(NBITS, odd)
    runner = StreamRunner(XcelCL(wrong), "cl", "xcel.req", "xcel.resp")
    with pytest.raises(Mismatch, match="case 40b:other"):
        check_xcel(runner, wrong, CASES)


@pytest.mark.parametrize("more", [-1, 1])
def test_an_exponentiator_in_other_cycles(more: int):
    runner = StreamRunner(ServerCL(Power(NBITS, odd, says=LATENCY + more)), "cl")
    with pytest.raises(Mismatch, match=f"{LATENCY + more} cycles, the formula says {LATENCY}"):
        check_exponentiator(runner, SOUND, CASES)


class Refills(Power):
    """Takes its next request a cycle sooner."""

    refills = True


def test_a_next_request_that_is_taken_in_another_cycle():
    soon = Refills(NBITS, odd)
    for found, right in ((soon, SOUND), (SOUND, soon)):
        with pytest.raises(Mismatch, match="next request taken after"):
            check_exponentiator(StreamRunner(ServerCL(found), "cl"), right, CASES)


@dataclass(frozen=True)
class Product(Unit):
    """a * b / 2^radix mod m and so many times m beside."""

    beside: int = 0
    latency_: int = 5

    def value(self, a: int, b: int, m: int) -> int:
        return a * b * pow(2, -self.radix, m) % m + self.beside * m

    def latency(self, a: int, b: int, m: int) -> int:
        return self.latency_


class Guarded(Product):
    """The same of a unit whose values are below 2m."""

    guard_bits, radix = 2, 10


@pytest.mark.parametrize(
    ("unit", "most"), [(Product, 0), (Guarded, 1)], ids=["below m", "below 2m"]
)
def test_the_bound_of_a_product(unit: type[Product], most: int):
    cases = [MulCase("x", 8, 200, 77, 251), MulCase("0", 8, 0, 5, 251)]
    for case in cases:
        for beside in range(most + 1):
            check_value(unit(8, beside), case)
        for beside in (-1, most + 1, most + 2):
            with pytest.raises(Mismatch, match="is not a \\* b"):
                check_value(unit(8, beside), case)


def test_a_product_of_another_domain():
    class Other(Guarded):
        def value(self, a: int, b: int, m: int) -> int:
            return a * b * pow(2, -9, m) % m

    with pytest.raises(Mismatch):
        check_value(Other(8), MulCase("x", 8, 200, 77, 251))


@pytest.mark.parametrize("more", [-1, 1])
def test_a_multiplier_in_other_cycles(more: int):
    cases = [MulCase(f"{a}", 8, a, 77, 251) for a in (3, 200)]
    with StreamRunner(ServerCL(Product(8, latency_=5 + more)), "cl") as runner:
        with pytest.raises(Mismatch, match=f"{5 + more} cycles, the formula says 5"):
            check_multiplier(runner, Product(8), cases)
        check_multiplier(runner, Product(8), cases, STALLS["slow-both"])


class Deaf(Component):
    """Serves a Power, but a reset that begins so many cycles after a request changes nothing."""

    def construct(s, model: Power, deaf: int | None) -> None:
        Request, Response = model.messages
        s.recv, s.send = RecvIfcRTL(Request), SendIfcRTL(Response)
        s.age, s.answer = 0, Response()

        @update_ff
        def serve():
            if s.reset:
                s.age = s.age if s.age == deaf else 0
            elif s.age:
                s.age = 0 if s.send.val & s.send.rdy else s.age + 1
            elif s.recv.val & s.recv.rdy:
                s.age, s.answer = 1, answer_to(s.recv.msg, model)
            s.recv.rdy <<= s.age == 0
            s.send.val <<= s.age >= model.says
            s.send.msg <<= s.answer


def test_resets_come_in_several_cycles():
    """A server that only a reset in one of these cycles finds out."""
    power = Power(8, odd)
    check_resets(StreamRunner(Deaf(power, None), "rtl"), power, 251)
    for deaf in (1, 2, 3, 7, 20, 41):
        with pytest.raises(CAUGHT):
            check_resets(StreamRunner(Deaf(power, deaf), "rtl"), power, 251)


class Answered:
    """Stands for a runner: what it was asked is answered as it is told."""

    name, level = "told", "rtl"

    def __init__(self, *transfers: Transfer) -> None:
        self.transfers = list(transfers)

    def run(self, *_: object) -> list[Transfer]:
        return self.transfers


def test_the_plainest_check():
    names = ["first", "second"]
    sound = Transfer(5, 0, 3), Transfer(6, 4, 7)
    times = {"latency": lambda i: 3, "interval": lambda i: 4}
    assert check(Answered(*sound), [1, 2], [5, 6], names, **times) == list(sound)
    wrong = {
        "case second, stalls none: response 0x7": (sound[0], Transfer(7, 4, 7)),
        "case first, stalls none: response 0x4": (Transfer(4, 0, 3), sound[1]),
        "case second: 2 cycles": (sound[0], Transfer(6, 4, 6)),
        "case second: 4 cycles": (sound[0], Transfer(6, 4, 8)),
        "case first: next request taken after 3 cycles": (sound[0], Transfer(6, 3, 6)),
        "case first: next request taken after 5 cycles": (sound[0], Transfer(6, 5, 8)),
        "told: 1 responses to 2 requests": sound[:1],
        "told: 3 responses to 2 requests": (*sound, sound[1]),
    }
    for message, transfers in wrong.items():
        with pytest.raises(Mismatch, match=message):
            check(Answered(*transfers), [1, 2], [5, 6], names, **times)
    for few in ([1], [1, 2, 3]):
        with pytest.raises(ValueError, match="equally many"):
            check(Answered(*sound), few, [5, 6], names)
        with pytest.raises(ValueError, match="equally many"):
            check(Answered(*sound), [1, 2], few, names)
