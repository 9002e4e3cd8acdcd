"""A core is told that the modulus is the same where each of its bits is."""

import pytest
from pymtl3 import update, update_ff

import rtl.exp.holding
from fl.messages import mk_exp_msgs
from rtl.exp.holding import CorePorts
from rtl.leaf.register import Register
from sim.stream import STALLS, StreamRunner
from tests.faults import plant

pytestmark = pytest.mark.quick

NBITS = 12


class TellsSame(CorePorts):
    """status = same, of the request; result = the modulus that is held."""

    def construct(s):
        super().construct(NBITS, keeps=True)
        s.full = Register()
        s.was_same = Register()
        s.kept //= 0

        @update
        def ports():
            s.recv.rdy @= ~s.full
            s.send.val @= s.full
            s.send.msg.result @= s.held.mod
            s.send.msg.status @= s.was_same

        @update_ff
        def follow():
            if s.reset:
                s.full <<= 0
            else:
                s.full <<= (s.full & ~s.send.rdy) | (s.recv.val & s.recv.rdy)
                if s.recv.val & s.recv.rdy:
                    s.was_same <<= s.same

    def line_trace(s) -> str:
        return "F" if s.full else " "


def told(module) -> list[bool]:
    """For each bit: what is told of a modulus that differs in it, and of the same once more."""
    Request, _ = mk_exp_msgs(NBITS)
    moduli = [0xA5B]
    for bit in range(NBITS):
        moduli += [moduli[-1] ^ 1 << bit] * 2
    requests = [Request(i, 4095 - i, mod) for i, mod in enumerate(moduli)]
    with StreamRunner(module.Holding(NBITS, TellsSame, True), "rtl") as runner:
        found = [one.response for one in runner.run(requests, STALLS["slow-both"])]
    assert [response >> 1 for response in found] == moduli
    return [bool(response & 1) for response in found[1:]]


def test_every_bit_is_compared():
    assert told(rtl.exp.holding) == [False, True] * NBITS


@pytest.mark.parametrize("part", ["0 : NBITS - 1", "1:NBITS"])
def test_a_bit_that_is_not_is_found(tmp_path, part: str):
    sound = "s.core.same @= s.recv.msg.mod == s.request.mod"
    part = part.replace("NBITS", str(NBITS))
    faulty = f"s.core.same @= s.recv.msg.mod[{part}] == s.request.mod[{part}]"
    assert told(plant(tmp_path, rtl.exp.holding, sound, faulty)) != [False, True] * NBITS
