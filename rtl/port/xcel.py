"""The accelerator: any exponentiator behind the processor's port (document 001, figure 7).

The register map is fl/xcel.py's. Document 001's adapter takes 32-bit operands only; here they
are shifted in a word at a time, so one map serves every width.
"""

from pymtl3 import (
    Bits1,
    Component,
    InPort,
    Wire,
    concat,
    connect,
    update,
    update_ff,
    zext,
)
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from cl.exponentiator import Exponentiator
from fl.crt import E_BITS
from fl.messages import XcelReq, XcelResp
from fl.xcel import BASE, DP, DQ, EXP, GO, MOD, PUBLIC, QINV, RESULT, WORD_BITS, WRITE, P, Q
from rtl.exp.holding import takes_exponent_words
from rtl.leaf.register import Register
from rtl.port.operand_words import (
    NotPushed,
    OnlyValue,
    PassedWords,
    SecretWords,
    TwoExponents,
    WordShifter,
)
from rtl.port.result_words import ChosenWords, ShiftedWords


class XcelRTL(Component):
    """Performs a request of fl/xcel.py's map as it takes it, and answers a cycle later; go, push
    and pop it takes once it is not busy.

    It holds no request: one that must wait stays with who asks.

    only: the exponentiator's modulus, if it takes no other; the words of one are then compared
    instead of kept, and another reaches the exponentiator as 0.
    """

    def construct(s, exponentiator: Exponentiator, only: int | None = None):
        nbits = exponentiator.nbits
        status_bits = 4 if exponentiator.by_crt else 2 + exponentiator.keeps
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.exponentiator = exponentiator.core()
        s.base = WordShifter(nbits)
        if takes_exponent_words(s.exponentiator):
            s.exp = PassedWords(nbits)
            s.exponentiator.exp_push //= s.exp.passes
            s.exponentiator.exp_word //= s.exp.passed
        else:
            s.exp = TwoExponents(nbits) if exponentiator.by_crt else WordShifter(nbits)
        s.mod = WordShifter(nbits) if only is None else OnlyValue(nbits, only)
        s.result = ChosenWords(nbits) if exponentiator.result_stays else ShiftedWords(nbits)
        s.status = Register()
        s.busy = Register()

        s.owes = Register()  # an answer
        s.writes = Register()  # what is answered
        s.pops = Register()
        s.said = Register(status_bits)  # of a status
        s.now = Wire(status_bits)
        s.is_go = Wire()
        s.is_push = Wire()
        s.is_pop = Wire()
        s.is_status = Wire()
        s.free = Wire()  # no answer is in the way
        s.taken = Wire()  # a request

        s.base.word //= s.xcel.req.msg.data
        s.exp.word //= s.xcel.req.msg.data
        s.mod.word //= s.xcel.req.msg.data
        s.connect_operands(s.exponentiator.recv.msg)
        if exponentiator.operands_held:
            s.connect_operands(s.exponentiator.held)
        s.result.value //= s.exponentiator.send.msg.result

        if exponentiator.keeps:
            s.kept = Wire()
            s.stays = NotPushed()
            s.exponentiator.same //= s.stays.yes

            @update
            def see_kept():
                s.stays.push @= s.mod.push
                s.stays.go @= s.taken & s.is_go
                s.kept @= s.exponentiator.kept & s.stays.yes
                s.now @= concat(s.kept & ~s.busy, s.status & ~s.busy, s.busy)

        elif exponentiator.by_crt:
            s.connect_key(-(-nbits // 2))
            s.fault = Register()

            @update
            def push_key():
                s.p.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == P)
                s.q.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == Q)
                s.exp.push_high @= s.taken & s.is_push & (s.xcel.req.msg.addr == DP)
                s.exp.push_low @= s.taken & s.is_push & (s.xcel.req.msg.addr == DQ)
                s.q_inverse.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == QINV)
                s.e.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == PUBLIC)

            @update
            def ask_and_see():
                s.exponentiator.private @= s.xcel.req.msg.data[0]
                s.now @= concat(s.fault & ~s.busy, Bits1(0), s.status & ~s.busy, s.busy)

            @update_ff
            def follow_fault():
                if s.reset:
                    s.fault <<= 0
                elif s.result.take:
                    s.fault <<= s.exponentiator.fault

        else:

            @update
            def see_status():
                s.now @= concat(s.status & ~s.busy, s.busy)

        if exponentiator.by_crt:

            @update
            def decode_with_key():
                s.is_go @= (s.xcel.req.msg.type_ == WRITE) & (s.xcel.req.msg.addr == GO)
                s.is_push @= (
                    (s.xcel.req.msg.type_ == WRITE)
                    & (s.xcel.req.msg.addr >= BASE)
                    & (s.xcel.req.msg.addr <= PUBLIC)
                    & (s.xcel.req.msg.addr != RESULT)
                )
                s.is_pop @= (s.xcel.req.msg.type_ != WRITE) & (s.xcel.req.msg.addr == RESULT)
                s.is_status @= (s.xcel.req.msg.type_ != WRITE) & (s.xcel.req.msg.addr == GO)

        else:

            @update
            def decode():
                s.is_go @= (s.xcel.req.msg.type_ == WRITE) & (s.xcel.req.msg.addr == GO)
                s.is_push @= (
                    (s.xcel.req.msg.type_ == WRITE)
                    & (s.xcel.req.msg.addr >= BASE)
                    & (s.xcel.req.msg.addr <= MOD)
                )
                s.is_pop @= (s.xcel.req.msg.type_ != WRITE) & (s.xcel.req.msg.addr == RESULT)
                s.is_status @= (s.xcel.req.msg.type_ != WRITE) & (s.xcel.req.msg.addr == GO)

        @update
        def make_way():
            s.free @= ~s.owes | s.xcel.resp.rdy

        @update
        def take():
            s.xcel.req.rdy @= s.free & (~s.busy | ~(s.is_go | s.is_push | s.is_pop))
            if s.is_go & ~s.exponentiator.recv.rdy:
                s.xcel.req.rdy @= 0

        @update
        def exponentiate():
            s.exponentiator.recv.val @= s.xcel.req.val & s.is_go & ~s.busy & s.free
            s.exponentiator.send.rdy @= s.busy
            s.result.take @= s.busy & s.exponentiator.send.val

        @update
        def push():
            s.taken @= s.xcel.req.val & s.xcel.req.rdy
            s.base.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == BASE)
            s.exp.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == EXP)
            s.mod.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == MOD)

        @update
        def respond():
            s.xcel.resp.val @= s.owes
            s.xcel.resp.msg.type_ @= s.writes
            s.xcel.resp.msg.data @= zext(s.said, WORD_BITS)
            if s.pops:
                s.xcel.resp.msg.data @= s.result.word
            s.result.pop @= s.owes & s.pops & s.xcel.resp.rdy

        @update_ff
        def owe():
            if s.reset:
                s.owes <<= 0
            elif s.free:
                s.owes <<= s.taken

        @update_ff
        def remember():
            if s.taken:
                s.writes <<= s.xcel.req.msg.type_
                s.pops <<= s.is_pop
                s.said <<= 0
                if s.is_status:
                    s.said <<= s.now

        @update_ff
        def follow_computation():
            if s.reset:
                s.busy <<= 0
                s.status <<= 0
            elif s.taken & s.is_go:
                s.busy <<= 1
            elif s.result.take:
                s.busy <<= 0
                s.status <<= s.exponentiator.send.msg.status

    def connect_key(s, nbits: int) -> None:
        """Have registers for the parts of a key, of so many bits, beside those of the exponent; a
        reset wipes them."""
        for name, bits in (("p", nbits), ("q", nbits), ("q_inverse", nbits), ("e", E_BITS)):
            part = SecretWords(bits)
            setattr(s, name, part)
            part.word //= s.xcel.req.msg.data
            connect(getattr(s.exponentiator.key, name), part.value)
        s.exponentiator.key.dp //= s.exp.high
        s.exponentiator.key.dq //= s.exp.low

    def connect_operands(s, request: InPort) -> None:
        """Make the operands those of a request."""
        request.base //= s.base.value
        request.exp //= s.exp.value
        request.mod //= s.mod.value

    def line_trace(s) -> str:
        """Show B while it is busy; base, exponent and modulus as they came; the exponentiator."""
        operands = " ".join(part.line_trace() for part in (s.base, s.exp, s.mod))
        state = f"{'B' if s.busy else ' '} {operands} {s.exponentiator.line_trace()}"
        return f"{s.xcel.req}({state}){s.xcel.resp}"


class NullXcelRTL(Component):
    """Keeps one register, xr0: what is written there is read back. Stands for no accelerator."""

    def construct(s):
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.kept = Register(WORD_BITS)
        s.full = Register()
        s.type_ = Register()
        s.register_0 = Register()

        @update
        def respond():
            s.xcel.req.rdy @= ~s.full | s.xcel.resp.rdy
            s.xcel.resp.val @= s.full
            s.xcel.resp.msg.type_ @= s.type_
            s.xcel.resp.msg.data @= 0
            if s.register_0 & (s.type_ != WRITE):
                s.xcel.resp.msg.data @= s.kept

        @update_ff
        def hold():
            if s.reset:
                s.full <<= 0
                s.kept <<= 0
            elif s.xcel.req.rdy:
                s.full <<= s.xcel.req.val
                s.type_ <<= s.xcel.req.msg.type_
                s.register_0 <<= s.xcel.req.msg.addr == GO
                if s.xcel.req.val & (s.xcel.req.msg.type_ == WRITE) & (s.xcel.req.msg.addr == GO):
                    s.kept <<= s.xcel.req.msg.data

    def line_trace(s) -> str:
        """Show what is kept."""
        return f"{s.xcel.req}({s.kept}){s.xcel.resp}"
