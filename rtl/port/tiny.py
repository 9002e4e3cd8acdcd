"""The accelerator of the smallest designs: the register map of fl/xcel.py, and no number twice.

A word that is pushed goes into the register in which its operand turns as it is used; a word that
is popped is the low one of the result, which turns on. rtl/port/xcel.py, the port of all other
designs, has the same cycles.
"""

from pymtl3 import Component, InPort, OutPort, Wire, concat, connect, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from fl.messages import XcelReq, XcelResp
from fl.xcel import BASE, EXP, GO, MOD, RESULT, WORD_BITS, WRITE, words
from rtl.exp.tiny import TinyCore, turned_bits
from rtl.leaf.register import Register


class TurningPushed(Component):
    """Keeps an operand: a push enters at the high end; a turn takes the low word there.

    A reset wipes an operand of several words, which may have turned halfway.
    """

    def construct(s, total: int, turned: int):
        s.push = InPort()
        s.word = InPort(turned)
        s.turn = InPort()
        s.low = OutPort(turned)
        s.kept = Register(total)
        s.low //= s.kept[0:turned]

        if total == turned:

            @update_ff
            def keep_word():
                if s.push:
                    s.kept <<= s.word

        else:
            s.high = Wire(turned)

            @update
            def choose_high():
                s.high @= s.low
                if s.push:
                    s.high @= s.word

            @update_ff
            def turn_words():
                if s.reset:
                    s.kept <<= 0
                elif s.push | s.turn:
                    s.kept <<= concat(s.high, s.kept[turned:total])

    def line_trace(s) -> str:
        return f"{s.kept}"


class TinyXcelRTL(Component):
    """Performs a request of fl/xcel.py's map as it takes it, and answers a cycle later; go, push
    and pop it takes once it is not busy."""

    def construct(s, nbits: int, word_bits: int):
        turned = turned_bits(nbits, word_bits)
        total, single = turned * words(nbits), words(nbits) == 1
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.core = TinyCore(nbits, word_bits)
        s.base = TurningPushed(total, turned)
        s.exp = TurningPushed(total, turned)
        s.mod = TurningPushed(total, turned)
        s.none = Register()  # no word of a result is left
        s.empties = Wire()
        s.owes = Register()  # an answer
        s.writes = Register()  # what is answered
        s.pops = Register()
        s.said = Register(2)  # of a status
        s.is_go = Wire()
        s.is_push = Wire()
        s.is_pop = Wire()
        s.is_status = Wire()
        s.free = Wire()  # no answer is in the way
        s.taken = Wire()  # a request
        s.pushed = Wire(turned)
        for operand in (s.base, s.exp, s.mod):
            connect(operand.word, s.pushed)
            connect(operand.turn, s.core.turn)
        s.core.base //= s.base.low
        s.core.exp //= s.exp.low
        s.core.mod //= s.mod.low

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
        def take():
            s.free @= ~s.owes | s.xcel.resp.rdy
            s.xcel.req.rdy @= s.free & (s.core.idle | ~(s.is_go | s.is_push | s.is_pop))

        @update
        def perform():
            s.taken @= s.xcel.req.val & s.xcel.req.rdy
            s.pushed @= s.xcel.req.msg.data[0:turned]
            s.core.start @= s.taken & s.is_go
            s.core.leave @= s.core.done
            s.base.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == BASE)
            s.exp.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == EXP)
            s.mod.push @= s.taken & s.is_push & (s.xcel.req.msg.addr == MOD)

        @update
        def respond():
            s.xcel.resp.val @= s.owes
            s.xcel.resp.msg.type_ @= s.writes
            s.xcel.resp.msg.data @= zext(s.said, WORD_BITS)
            if s.pops:
                s.xcel.resp.msg.data @= zext(s.core.result[0:turned], WORD_BITS)
            s.core.pop @= s.owes & s.pops & s.xcel.resp.rdy

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
                s.pops <<= s.is_pop & ~s.none
                s.said <<= 0
                if s.is_status:
                    s.said <<= concat(s.core.bad & s.core.idle, ~s.core.idle)

        @update
        def empty():
            s.empties @= s.reset
            if single:
                s.empties @= s.reset | (s.taken & s.is_pop)

        @update_ff
        def follow_result():
            if s.empties:
                s.none <<= 1
            elif s.core.done:
                s.none <<= 0

    def line_trace(s) -> str:
        """Show base, exponent and modulus as they turn; the core."""
        operands = " ".join(part.line_trace() for part in (s.base, s.exp, s.mod))
        return f"{s.xcel.req}({operands} {s.core.line_trace()}){s.xcel.resp}"
