"""An exponentiator for any modulus put to work for one modulus m, modulo c*m (fl/fixed_exp.py).

Document 000's figure 19: Montgomery's exponentiator with a pseudo-modulus and a correction.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, mk_bits, update
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.exponentiator import MODULUS, Exponentiator
from fl.exponentiator import OK
from fl.fixed_exp import FixedModulus, correction_steps
from fl.messages import mk_exp_msgs
from fl.schedule import Counts
from rtl.exp.judge import OnlyModulus
from rtl.mul.fixed_reduce import Correct


class ModuloMultipleRTL(Component):
    """result = base^exp mod m for mod = m; correction_steps(c) cycles after the exponentiator.

    Another modulus is asked of the exponentiator as 0, which it refuses. c*m fits nbits.
    """

    def construct(s, inner: Exponentiator, modulus: FixedModulus):
        nbits = inner.nbits
        worked = mk_bits(nbits)(modulus.worked)
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.judge = OnlyModulus(nbits, modulus.m)
        s.judge.mod //= s.recv.msg.mod
        s.exponentiator = inner.rtl()
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


@dataclass(frozen=True)
class ModuloMultiple(Exponentiator):
    """Puts the inner exponentiator to work modulo c*m, for mod = m only."""

    inner: Exponentiator
    modulus: FixedModulus

    @property
    def schedule(self) -> str:
        """Return the inner one's schedule."""
        return self.inner.schedule

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare what the inner one's cycles depend on, but for the modulus: there is one."""
        return tuple(factor for factor in self.inner.time_tells if factor != MODULUS)

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent >= 1."""
        return self.inner.counts(exp)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """latency = the inner one's + a correction; another modulus is refused as 0, without it."""
        if not self.takes(mod):
            return self.inner.latency(base, exp, 0)
        return self.inner.latency(base, exp, self.modulus.worked) + correction_steps(self.modulus.c)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return ModuloMultipleRTL(self.inner, self.modulus)


def modulo_multiple(inner: Exponentiator, modulus: FixedModulus) -> ModuloMultiple:
    """Make the inner exponentiator work for one modulus."""
    return ModuloMultiple(inner.nbits, modulus.is_m, inner, modulus)
