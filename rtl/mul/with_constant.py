"""A multiplier on its own around a unit that is given a constant of the modulus."""

from collections.abc import Callable

from pymtl3 import Component, Wire, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.messages import mk_mul_msgs

IDLE, START, PREPARE, PRODUCT = range(4)


class PreparedMulRTL(Component):
    """The unit's product for each request, its constant found anew; time as in cl/with_constant.py.

    unit_guard_bits: by how many bits the unit's values may pass the modulus; mk_finish, if there
    is one, reduces the answer, and operands and answer then have nbits.
    """

    def construct(
        s,
        nbits: int,
        unit_guard_bits: int,
        mk_unit: Callable[[int], Component],
        mk_prepare: Callable[[int], Component],
        mk_finish: Callable[[int], Component] | None = None,
    ):
        guard_bits = 0 if mk_finish else unit_guard_bits
        outer_bits, unit_bits = nbits + guard_bits, nbits + unit_guard_bits
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.state = Wire(2)
        s.a = Wire(outer_bits)
        s.b = Wire(outer_bits)
        s.m = Wire(nbits)
        s.unit = mk_unit(nbits)
        s.prepare = mk_prepare(nbits)
        s.prepare.mod //= s.m
        s.unit.constant //= s.prepare.constant
        s.unit.recv.msg.m //= s.m

        @update
        def request():
            s.recv.rdy @= s.state == IDLE
            s.prepare.start @= s.state == START
            s.unit.recv.val @= (s.state == PREPARE) & s.prepare.done
            s.unit.recv.msg.a @= zext(s.a, unit_bits)
            s.unit.recv.msg.b @= zext(s.b, unit_bits)

        if mk_finish:
            s.finish = mk_finish(nbits)
            s.finish.active //= s.unit.send.val
            s.finish.mod //= s.m
            s.finish.operand //= s.unit.send.msg.r
            s.finish.done //= s.send.val
            s.finish.value //= s.send.msg.r

            @update
            def take():
                s.finish.taken @= s.send.val & s.send.rdy
                s.unit.send.rdy @= s.send.val & s.send.rdy

        else:
            s.unit.send.val //= s.send.val
            s.unit.send.rdy //= s.send.rdy
            s.unit.send.msg.r //= s.send.msg.r

        @update_ff
        def control():
            if s.reset:
                s.state <<= IDLE
            elif s.state == IDLE:
                if s.recv.val:
                    s.state <<= START
            elif s.state == START:
                s.state <<= PREPARE
            elif s.state == PREPARE:
                if s.prepare.done:
                    s.state <<= PRODUCT
            elif s.send.val & s.send.rdy:
                s.state <<= IDLE

        @update_ff
        def operands():
            if s.recv.val & s.recv.rdy:
                s.a <<= s.recv.msg.a
                s.b <<= s.recv.msg.b
                s.m <<= s.recv.msg.m

    def line_trace(s) -> str:
        return f"{s.recv}({'ISCP'[int(s.state)]} {s.unit.line_trace()}){s.send}"
