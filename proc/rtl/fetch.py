"""Stage F: asks for instructions, drops those that a jump has overtaken."""

from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from fl.xcel import READ
from proc.messages import MemReq, MemResp
from rtl.leaf.register import Register


class Fetch(Component):
    """Moves the next instruction, at `pc`, to D in a cycle with val and rdy and no redirect.

    The request for an instruction goes out in the cycle before it can arrive: when the one
    before it moves on, or when `redirect` says that the program goes on at `target`.
    """

    def construct(s, reset_pc: int):
        s.imem = MasterIfcRTL(MemReq, MemResp)
        s.redirect = InPort()
        s.target = InPort(32)
        s.val = OutPort()
        s.rdy = InPort()
        s.pc = OutPort(32)
        s.word = OutPort(32)

        s.waiting = Register()  # the request for pc has been accepted
        # One answer to come was overtaken. There is never a second one: until the answer that
        # follows has reached D, no instruction is there that could jump.
        s.drop = Register()
        s.arrived = Wire()
        s.move = Wire()
        s.next_pc = Wire(32)

        s.word //= s.imem.resp.msg.data

        @update
        def receive():
            s.arrived @= s.waiting & s.imem.resp.val & ~s.drop
            s.val @= s.arrived
            s.move @= s.arrived & s.rdy
            s.imem.resp.rdy @= s.drop | (s.waiting & (s.rdy | s.redirect))

        @update
        def request():
            if s.redirect:
                s.next_pc @= s.target
            elif s.waiting:
                s.next_pc @= s.pc + 4
            else:
                s.next_pc @= s.pc
            s.imem.req.val @= s.redirect | ~s.waiting | s.move
            s.imem.req.msg.type_ @= READ
            s.imem.req.msg.addr @= s.next_pc
            s.imem.req.msg.strb @= 0xF
            s.imem.req.msg.data @= 0

        @update_ff
        def follow():
            if s.reset:
                s.pc <<= reset_pc
                s.waiting <<= 0
                s.drop <<= 0
            else:
                if s.imem.req.val:
                    s.pc <<= s.next_pc
                    s.waiting <<= s.imem.req.rdy
                if s.redirect & s.waiting & ~s.arrived:
                    s.drop <<= 1
                elif s.imem.resp.val:
                    s.drop <<= 0
