"""div, divu, rem and remu around rtl/'s unsigned divider."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from rtl.leaf.register import Register
from rtl.mul.div_rem import DivRemRTL

# How the divider spends its cycles, by the processor's parameter `divider`.
EARLY = {"seed": "none", "fast": "zeros"}


class SignedDivider(Component):
    """result = quotient or remainder of a / b as RISC-V defines them, once `done`.

    The operands stay while `val`, up to the cycle with `taken`. The divider keeps its answer
    while `keep`: with `reuse`, the result is made of that answer, for the same operands.
    """

    def construct(s, divider: str):
        s.val = InPort()
        s.reuse = InPort()
        s.keep = InPort()
        s.taken = InPort()
        s.as_unsigned = InPort()
        s.remainder = InPort()
        s.a = InPort(32)
        s.b = InPort(32)
        s.done = OutPort()
        s.result = OutPort(32)

        s.sent = Register()  # this instruction's request
        s.negative_a = Wire()
        s.negative_b = Wire()
        s.magnitude = Wire(32)
        s.negate = Wire()

        s.div = DivRemRTL(32, 32, EARLY[divider])

        @update
        def request():
            s.negative_a @= s.a[31] & ~s.as_unsigned
            s.negative_b @= s.b[31] & ~s.as_unsigned
            s.div.recv.val @= s.val & ~s.reuse & ~s.sent
            s.div.recv.msg.a @= s.a
            s.div.recv.msg.b @= s.b
            if s.negative_a:
                s.div.recv.msg.a @= 0 - s.a
            if s.negative_b:
                s.div.recv.msg.b @= 0 - s.b

        @update
        def answer():
            s.done @= (s.sent | s.reuse) & s.div.send.val
            if s.remainder:
                s.magnitude @= s.div.send.msg.remainder
                s.negate @= s.negative_a
            else:
                s.magnitude @= s.div.send.msg.quotient
                # x / 0 is all ones, of either sign
                s.negate @= (s.negative_a ^ s.negative_b) & (s.b != 0)
            s.result @= s.magnitude
            if s.negate:
                s.result @= 0 - s.magnitude

        @update
        def drop_answer():
            # An answer that nothing may use again must leave before the next request.
            if s.val & (s.sent | s.reuse):
                s.div.send.rdy @= s.taken & ~s.keep
            else:
                s.div.send.rdy @= s.val | ~s.keep

        @update_ff
        def follow_request():
            if s.reset:
                s.sent <<= 0
            elif s.sent:
                s.sent <<= ~s.taken
            else:
                s.sent <<= s.div.recv.val & s.div.recv.rdy

    def line_trace(s) -> str:
        return s.div.line_trace()
