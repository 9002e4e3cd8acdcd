"""A go waits for an exponentiator that takes its next request later than its answer was taken."""

from dataclasses import dataclass

import pytest
from pymtl3 import Component, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

import rtl.port.xcel
from eval.contract.xcel import GO_AHEAD, POP, STATUS, check_answers, pushes
from fl.messages import mk_exp_msgs
from fl.xcel import to_words
from rtl.leaf.register import Register
from sim.stream import NO_STALLS, STALLS, StreamRunner
from tests.faults import CAUGHT, plant
from tests.rtl.port_messages import ForgetfulMixer, MixerRTL

pytestmark = pytest.mark.quick

NBITS, RESTS = 40, 5


class RestingRTL(Component):
    """A mixer that rests after each answer."""

    def construct(s, nbits: int):
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.left = Register(4)
        s.mixer = MixerRTL(nbits)
        s.mixer.recv.msg //= s.recv.msg
        s.mixer.send //= s.send

        @update
        def ports():
            s.recv.rdy @= s.mixer.recv.rdy & (s.left == 0)
            s.mixer.recv.val @= s.recv.val & (s.left == 0)

        @update_ff
        def follow():
            if s.reset:
                s.left <<= 0
            elif s.send.val & s.send.rdy:
                s.left <<= RESTS
            elif s.left != 0:
                s.left <<= s.left - 1

    def line_trace(s) -> str:
        return f"{s.left}"


@dataclass(frozen=True)
class Resting(ForgetfulMixer):
    """Stands for such an exponentiator."""

    def rtl(self) -> Component:
        return RestingRTL(self.nbits)


def check(module) -> None:
    """Two goes in a row, the second of other operands, and a third of the same."""
    requests, answers = [], []
    for base in (0x12_3456_789A, 0xFF_0000_0001):
        operands = base, exp, mod = base, 0x0F_0F0F_0F0F, 0xFF_FFFF_FFFE
        push = [one for place in pushes(NBITS, *operands) for one in place]
        low, high = to_words((base ^ exp << 1 ^ ~mod) & (1 << NBITS) - 1, NBITS)
        requests += [*push, GO_AHEAD, POP, GO_AHEAD, POP, POP, POP, STATUS, GO_AHEAD]
        answers += [0] * (len(push) + 1) + [low, 0, low, high, 0, 0, 0]
    component = module.XcelRTL(Resting(NBITS, lambda mod: True))
    with StreamRunner(component, "rtl", "xcel.req", "xcel.resp") as runner:
        for stalls in (NO_STALLS, STALLS["slow-source"]):
            check_answers(runner, requests[:-1], answers[:-1], stalls, 500)


def test_a_go_waits_until_it_is_taken():
    check(rtl.port.xcel)


def test_a_go_that_does_not_wait_is_found(tmp_path):
    sound = "if s.is_go & ~s.exponentiator.recv.rdy:"
    with pytest.raises(CAUGHT):
        check(plant(tmp_path, rtl.port.xcel, sound, sound[:-1] + " & s.busy:"))
