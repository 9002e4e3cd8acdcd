"""Document 003's digit-serial processor: Montgomery exponentiation in words of S bits.

Beside what is printed, it takes any request: it finds R^2 itself, with the adder that it has, and
refuses even moduli. It leaves out the last square, which serves nobody.
"""

from dataclasses import dataclass

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.digit_serial import serial_latency
from cl.exponentiator import BITS, LENGTH, MODULUS, SKIPPED, Exponentiator
from fl.digit_serial import serial_words
from fl.exponentiator import BAD_MODULUS, OK
from fl.messages import mk_exp_msgs
from fl.schedule import RIGHT_TO_LEFT, Counts
from rtl.exp.judge import OddModulus
from rtl.exp.serial_control import SerialControl
from rtl.exp.serial_datapath import PDatapath, PzDatapath
from rtl.exp.serial_order import InTurnOrder, TogetherOrder
from rtl.leaf.handshake import join
from rtl.leaf.register import Register


class SerialExponentiatorRTL(Component):
    """result = base^exp mod mod for any n-bit request; an even mod gives status BAD_MODULUS."""

    def construct(s, nbits: int, word_bits: int, with_z: bool):
        words = serial_words(nbits, word_bits)
        Request, Response = mk_exp_msgs(nbits)
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.status = Register()
        s.bad = Wire()  # of the arriving request

        s.judge = OddModulus(nbits)
        s.control = SerialControl(nbits, words)
        s.order = TogetherOrder(nbits) if with_z else InTurnOrder(nbits)
        s.datapath = (PzDatapath if with_z else PDatapath)(nbits, word_bits, words)
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.judge.mod //= s.recv.msg.mod
        s.order.load //= s.control.load
        s.order.exp //= s.recv.msg.exp
        s.order.next //= s.control.next_product
        s.control.product //= s.order.product
        s.control.negative //= s.datapath.negative
        s.control.full //= s.datapath.full
        s.datapath.load //= s.control.load
        s.datapath.mod //= s.recv.msg.mod
        s.datapath.fetched //= s.control.fetched
        s.datapath.fetch //= s.control.fetch
        s.datapath.product //= s.order.product
        s.send.msg.result //= s.datapath.result
        s.send.msg.status //= s.status

        @update
        def judged():
            s.bad @= ~s.judge.takes
            s.control.skip @= s.bad | (s.recv.msg.exp == 0)
            s.datapath.base @= s.recv.msg.base
            if s.bad | (s.control.skip & (s.recv.msg.mod == 1)):
                s.datapath.base @= 0
            elif s.control.skip:
                s.datapath.base @= 1

        @update_ff
        def keep():
            if s.control.load:
                s.status <<= OK
                if s.bad:
                    s.status <<= BAD_MODULUS

    def line_trace(s) -> str:
        parts = (s.control, s.order, s.datapath)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"


@dataclass(frozen=True)
class SerialExponentiator(Exponentiator):
    """Makes products in words of so many bits, with the Z-processor two at a time."""

    result_stays = True

    word_bits: int
    with_z: bool

    @property
    def schedule(self) -> str:
        """Return the schedule in words."""
        return f"right-to-left, square and multiply {'in parallel' if self.with_z else 'in turn'}"

    def counts(self, exp: int) -> Counts:
        """Count the loop's products for an exponent >= 1."""
        return RIGHT_TO_LEFT.counts(exp, self.nbits)

    @property
    def time_tells(self) -> tuple[str, ...]:
        """Declare what the cycles depend on: with the Z-processor bits cost nothing."""
        return (LENGTH, MODULUS) if self.with_z else (LENGTH, BITS, MODULUS)

    def latency(self, base: int, exp: int, mod: int) -> int:
        """Count cycles to the response: loading and R^2, then what the document counts."""
        if exp == 0 or not self.takes(mod):
            return SKIPPED
        return serial_latency(self.nbits, self.word_bits, self.with_z, exp, mod)

    def rtl(self) -> Component:
        """Make a new component of the hardware."""
        return SerialExponentiatorRTL(self.nbits, self.word_bits, self.with_z)
