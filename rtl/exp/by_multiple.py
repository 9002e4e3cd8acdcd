"""An exponentiator of any moduli put to work for one modulus m, modulo c*m (fl/fixed_exp.py).

Document 000's figure 19: Montgomery's exponentiator with a pseudo-modulus and a correction.
"""

from collections.abc import Callable

from pymtl3 import Component, Wire, mk_bits, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from fl.fixed_exp import FixedModulus
from fl.messages import OK, mk_exp_msgs
from rtl.exp.fixed_exp import Correct, JudgeFixed


class ByMultipleRTL(Component):
    """result = base^exp mod m for mod = m; correction_steps(c) cycles after the exponentiator.

    Another modulus is asked of the exponentiator as 0, which it refuses. c*m fits nbits.
    """

    def construct(
        s, nbits: int, modulus: FixedModulus, mk_exponentiator: Callable[[int], Component]
    ):
        worked = mk_bits(nbits)(modulus.worked)
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.judge = JudgeFixed(nbits, modulus)
        s.judge.mod //= s.recv.msg.mod
        s.exponentiator = mk_exponentiator(nbits)
        s.exponentiator.recv.val //= s.recv.val
        s.exponentiator.recv.rdy //= s.recv.rdy
        s.exponentiator.recv.msg.base //= s.recv.msg.base
        s.exponentiator.recv.msg.exp //= s.recv.msg.exp
        s.correct = Correct(nbits, nbits, modulus)
        s.correct.mod //= 0
        s.correct.operand //= s.exponentiator.send.msg.result
        s.refused = Wire()

        @update
        def ask():
            s.exponentiator.recv.msg.mod @= 0
            if s.judge.takes:
                s.exponentiator.recv.msg.mod @= worked

        @update
        def ports():
            s.refused @= s.exponentiator.send.val & (s.exponentiator.send.msg.status != OK)
            s.correct.active @= s.exponentiator.send.val & ~s.refused
            s.send.val @= s.refused | s.correct.done
            s.send.msg.status @= s.refused
            s.send.msg.result @= 0
            if s.correct.done:
                s.send.msg.result @= s.correct.value

        @update
        def take():
            s.correct.taken @= s.correct.done & s.send.rdy
            s.exponentiator.send.rdy @= (s.refused | s.correct.done) & s.send.rdy

    def line_trace(s) -> str:
        return s.exponentiator.line_trace()
