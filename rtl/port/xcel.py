"""The accelerator: any exponentiator behind the processor's port (document 001, figure 7).

The register map is fl/xcel.py's. Document 001's adapter takes 32-bit operands only; here they
are shifted in a word at a time, so one map serves every width.
"""

from pymtl3 import Bits30, Component, Wire, concat, update, update_ff, zext
from pymtl3.stdlib.stream.ifcs import MinionIfcRTL

from cl.exponentiator import Exponentiator
from fl.messages import WRITE, XcelReq, XcelResp
from fl.xcel import BASE, EXP, GO, MOD, RESULT, WORD_BITS, words
from rtl.leaf.register import Register
from rtl.port.operand_words import OnlyValue, WordShifter


class XcelRTL(Component):
    """Answers a request of fl/xcel.py's map a cycle later; a go or pop, once nothing is computed.

    only: the exponentiator's modulus, if it takes no other; the words of one are then compared
    instead of kept, and another reaches the exponentiator as 0.
    """

    def construct(s, exponentiator: Exponentiator, only: int | None = None):
        nbits = exponentiator.nbits
        total = WORD_BITS * words(nbits)
        s.xcel = MinionIfcRTL(XcelReq, XcelResp)
        s.exponentiator = exponentiator.rtl()
        s.base = WordShifter(nbits)
        s.exp = WordShifter(nbits)
        s.mod = WordShifter(nbits) if only is None else OnlyValue(nbits, only)
        s.result = Register(total)
        s.status = Register()
        s.busy = Register()

        s.full = Register()  # a request is held
        s.request = Register(XcelReq)
        s.is_go = Wire()
        s.is_pop = Wire()
        s.done = Wire()  # the held request is performed, and its response taken

        s.base.word //= s.request.data
        s.exp.word //= s.request.data
        s.mod.word //= s.request.data
        s.exponentiator.recv.msg.base //= s.base.value
        s.exponentiator.recv.msg.exp //= s.exp.value
        s.exponentiator.recv.msg.mod //= s.mod.value

        @update
        def decode():
            s.is_go @= s.full & (s.request.type_ == WRITE) & (s.request.addr == GO)
            s.is_pop @= s.full & (s.request.type_ != WRITE) & (s.request.addr == RESULT)

        @update
        def respond():
            s.xcel.resp.val @= s.full
            if s.is_go:
                s.xcel.resp.val @= ~s.busy & s.exponentiator.recv.rdy
            elif s.is_pop:
                s.xcel.resp.val @= ~s.busy
            s.xcel.resp.msg.type_ @= s.request.type_
            s.xcel.resp.msg.data @= 0
            if s.is_pop:
                s.xcel.resp.msg.data @= s.result[0:WORD_BITS]
            elif (s.request.type_ != WRITE) & (s.request.addr == GO):
                s.xcel.resp.msg.data @= concat(Bits30(0), s.status & ~s.busy, s.busy)

        @update
        def perform():
            s.done @= s.xcel.resp.val & s.xcel.resp.rdy
            s.xcel.req.rdy @= ~s.full | s.done
            s.exponentiator.recv.val @= s.is_go & ~s.busy & s.xcel.resp.rdy
            s.exponentiator.send.rdy @= s.busy
            s.base.push @= s.done & (s.request.type_ == WRITE) & (s.request.addr == BASE)
            s.exp.push @= s.done & (s.request.type_ == WRITE) & (s.request.addr == EXP)
            s.mod.push @= s.done & (s.request.type_ == WRITE) & (s.request.addr == MOD)

        @update_ff
        def hold_request():
            if s.reset:
                s.full <<= 0
            elif s.xcel.req.rdy:
                s.full <<= s.xcel.req.val
                if s.xcel.req.val:
                    s.request <<= s.xcel.req.msg

        @update_ff
        def follow_computation():
            if s.reset:
                s.busy <<= 0
                s.status <<= 0
                s.result <<= 0
            elif s.done & s.is_go:
                s.busy <<= 1
            elif s.busy & s.exponentiator.send.val:
                s.busy <<= 0
                s.status <<= s.exponentiator.send.msg.status
                s.result <<= zext(s.exponentiator.send.msg.result, total)
            elif s.done & s.is_pop:
                s.result <<= s.result >> WORD_BITS

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
