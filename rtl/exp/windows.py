"""The loop by windows: per window of v bits of exp one multiplies by a power from a table.

With a unit of latency L, over all bits of exp:

    cycle 0              start: the power is taken, and `one`, the power 0
    cycle 1 + i*(L + 1)  product i is asked for: first the powers 2 to 2^v - 1, each the one before
                         times the first; then a multiplication for the highest window, and v
                         squares and a multiplication for each other one
    cycle p*(L + 1)      the last answer, of p products, comes: done

With `forward` an answer goes into the next request in the cycle in which it comes: product i is
asked for in cycle 1 + i*L, and done comes in 1 + p*L. The whole table is read for each power.
"""

from pymtl3 import Bits1, Wire, mk_bits, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.messages import mk_mul_msgs
from rtl.exp.array_order import LEAVE, MULTIPLY, WindowOrder
from rtl.exp.loop import LoopPorts
from rtl.leaf.register import Register


class Windows(LoopPorts):
    """result = one * power^exp in the multiplier's sense; always the same products."""

    def construct(s, nbits: int, guard_bits: int, window_bits: int, forward: bool):
        Request, Response = mk_mul_msgs(nbits, guard_bits)
        width = nbits + guard_bits
        entries = 1 << window_bits
        Entry = mk_bits(window_bits)
        last = Entry(entries - 1)  # yosys takes a difference of constants for a wider one
        begins_with_powers = Bits1(entries > 2)
        begins_at_once = Bits1(entries <= 2)
        first_made = Entry(2 % entries)
        super().construct(nbits, guard_bits)
        s.mul = MasterIfcRTL(Request, Response)
        s.order = WindowOrder(nbits, window_bits)
        s.order.load //= s.load
        s.order.exp //= s.exp
        s.order.held //= s.held

        s.active = Register()
        s.sent = Register()
        s.filling = Register()  # the product is a power
        s.into = Register(Entry)  # that one
        s.multiplying = Register()
        s.powers = [Register(width) for _ in range(entries)]
        s.result_register = Register(width)
        s.comes = Wire()
        s.filled = Wire()  # the last power comes
        s.ahead = Wire()  # this cycle's request is the next product
        s.fills = Wire()  # and is a power
        s.multiplies = Wire()
        s.next_result = Wire(width)
        s.operand = Wire(width)
        s.result //= s.result_register
        s.mul.req.msg.m //= s.mod
        s.mul.req.msg.a //= s.operand

        @update
        def answer():
            s.comes @= s.sent & s.mul.resp.val
            s.filled @= s.comes & s.filling & (s.into == last)
            s.order.advance @= s.filled | (s.comes & ~s.filling) | (s.start & begins_at_once)
            s.done @= s.comes & ~s.filling & (s.order.next == LEAVE)
            s.mul.resp.rdy @= s.sent
            s.next_result @= s.result_register
            if s.filled:
                s.next_result @= s.powers[0]
            elif s.comes:
                s.next_result @= s.mul.resp.msg.r

        if forward:
            s.operand //= s.next_result

            @update
            def go_ahead():
                s.ahead @= s.comes & ~s.done

        else:
            s.operand //= s.result_register
            s.ahead //= 0

        @update
        def request():
            s.mul.req.val @= s.ahead | (s.active & ~s.sent)
            s.fills @= s.filling & ~(s.ahead & s.filled)
            s.multiplies @= s.multiplying
            if s.ahead & ~s.fills:
                s.multiplies @= s.order.next == MULTIPLY

        @update
        def other_operand():
            s.mul.req.msg.b @= s.operand
            if s.fills:
                s.mul.req.msg.b @= s.powers[1]
            elif s.multiplies & s.ahead & s.filled & (s.order.entry == last):
                s.mul.req.msg.b @= s.mul.resp.msg.r
            elif s.multiplies:
                s.mul.req.msg.b @= s.powers[s.order.entry]

        @update_ff
        def control():
            if s.reset | s.start | s.done:
                s.active <<= s.start & ~s.reset
                s.sent <<= 0
                s.into <<= first_made
            else:
                if s.mul.req.val & s.mul.req.rdy:
                    s.sent <<= 1
                elif s.comes:
                    s.sent <<= 0
                if s.comes:
                    s.into <<= s.into + 1

        @update_ff
        def kind():
            if s.start:
                s.filling <<= begins_with_powers
                s.multiplying <<= begins_at_once
            elif s.filled:
                s.filling <<= 0
                s.multiplying <<= 1
            elif s.comes & ~s.filling:
                s.multiplying <<= s.order.next == MULTIPLY

        @update_ff
        def values():
            if s.start:
                s.powers[0] <<= s.one
                s.powers[1] <<= s.power
                if begins_with_powers:
                    s.result_register <<= s.power
                else:
                    s.result_register <<= s.one
            elif s.comes:
                s.result_register <<= s.next_result
                if s.filling:
                    s.powers[s.into] <<= s.mul.resp.msg.r

    def products(s) -> list[MasterIfcRTL]:
        """Return the port that asks for products."""
        return [s.mul]

    def line_trace(s) -> str:
        return f"{'B' if s.active else ' '} {s.order.line_trace()}"
