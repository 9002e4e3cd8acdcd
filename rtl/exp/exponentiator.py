"""An exponentiator of parts: they share their ports, so that it only joins them.

A request's modulus is judged (judge.py); its base enters (enter.py), perhaps times R^2
(r_squared.py) or once the units' constant stands (rtl/mul/modulus_constant.py); the loop makes the
power (right_to_left.py, left_to_right.py, left_to_right_always.py), and its last value leaves
(leave.py). organised.py chooses the parts. The states of control.py follow each other as
cl/exponentiator.py adds them up:

    cycle 0           IDLE   the request is taken; DONE follows if it needs no product
    cycle 1           START  base and modulus are held; the ways to the constant and to R^2 begin
    cycles 2 to e     ENTER  e = 2 + way to R^2 + product; as-it-is: e = 2 + way to the constant
    cycles e+1 to l   LOOP   the first requests are in e + 1, the end in l: see the loops' tables
    from l+1 on       LEAVE  the way out; the result stands in cycle l + 1 + way out
    cycle l+1         DONE   in the place of LEAVE if there is no way out: the result stands

latency = l + 1 + way out. A base that enters at once does so in cycle 0, before LOOP: e = 0.
"""

from pymtl3 import Bits1, InPort, OutPort, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import MasterIfcRTL

from cl.exponentiator import Parts
from cl.unit import Unit
from fl.array_masked import BYTE
from fl.exponentiator import BAD_MODULUS, OK
from rtl.exp.control import ExponentiatorControl
from rtl.exp.holding import CorePorts, add_exponent_words
from rtl.exp.mul_share import MulShare
from rtl.leaf.handshake import join
from rtl.leaf.register import Register


class ExponentiatorRTL(CorePorts):
    """result = base^exp mod mod for any n-bit request; time as in cl/exponentiator.py.

    A modulus that the judge does not take gives status BAD_MODULUS and result 0.
    one_is_given: the loop's first result is that of a given number, not that of 1.
    """

    def construct(s, parts: Parts, one_is_given: bool = False):
        super().construct(parts.unit.nbits)
        may_skip = Bits1(not parts.organisation.schedule.constant)
        s.status = Register()
        s.bad = Wire()  # of the arriving request

        s.judge = parts.judge.rtl()
        s.constant = parts.constant.rtl()
        s.r_squared = parts.r_squared.rtl()
        s.enter = parts.enter.rtl()
        s.one = parts.one.rtl()
        s.loop = parts.loop.rtl()
        s.leave = parts.leave.rtl()
        s.control = ExponentiatorControl(parts.waits, parts.leaves)

        s.judge.mod //= s.recv.msg.mod
        join(s.control.recv, s.recv)
        join(s.control.send, s.send)
        s.control.entered //= s.enter.done
        s.control.loop_done //= s.loop.done
        s.control.left //= s.leave.done
        s.constant.start //= s.control.start
        s.constant.mod //= s.held.mod
        s.r_squared.start //= s.control.start
        s.r_squared.mod //= s.held.mod
        s.r_squared.finish //= s.enter.done
        s.enter.operand //= s.held.base if parts.waits else s.recv.msg.base
        if one_is_given:
            s.one_operand = InPort(parts.unit.nbits)
            s.one.operand //= s.one_operand
        else:
            s.one.operand //= 1
        for way_in in (s.enter, s.one):
            way_in.start //= s.control.start
            way_in.mod //= s.held.mod
            way_in.r_squared //= s.r_squared.value
        s.loop.load //= s.control.load
        s.loop.exp //= s.recv.msg.exp
        s.loop.held //= s.held.exp
        s.loop.start //= s.enter.done
        s.loop.power //= s.enter.value
        s.loop.one //= s.one.value
        s.loop.mod //= s.held.mod
        s.leave.active //= s.control.leaving
        s.leave.taken //= s.control.out_taken
        s.leave.mod //= s.held.mod
        s.leave.operand //= s.loop.result
        s.connect_units(parts)

        if hasattr(s.loop, "shares"):
            s.random = OutPort(BYTE)
            s.random //= s.loop.random
            add_exponent_words(s)
            s.loop.exp_push //= s.exp_push
            s.loop.exp_word //= s.exp_word

        @update
        def constants_stand():
            s.enter.ready @= s.r_squared.done & s.constant.done
            s.one.ready @= s.r_squared.done & s.constant.done

        @update
        def judged():
            s.bad @= ~s.judge.takes
            s.control.skip @= (s.bad | (s.recv.msg.exp == 0)) & may_skip
            # 1 mod m, and 0 for a bad modulus
            s.loop.first_bit @= ~s.bad & (s.recv.msg.mod != 1)

        @update
        def response():
            s.send.msg.status @= s.status
            s.send.msg.result @= s.leave.value
            if s.status != OK:
                s.send.msg.result @= 0

        @update_ff
        def keep():
            if s.control.load:
                if s.bad:
                    s.status <<= BAD_MODULUS
                else:
                    s.status <<= OK

    def connect_units(s, parts: Parts) -> None:
        """Make the units, each behind the port that asks it, or behind those that share it."""
        asking = (part.products() for part in (s.loop, s.enter, s.one, s.leave, s.r_squared))
        for name, unit, users in parts.allotted(*asking):
            share = "share_of_squarings" if name != "unit" else "share"
            s.attach(name, unit, s.share(share, parts.unit, users))

    def share(s, name: str, unit: Unit, users: list[MasterIfcRTL]) -> MasterIfcRTL:
        """Return a port for all of these, of which the last goes first."""
        first, *others = users
        for i, other in enumerate(others):
            share = MulShare(*unit.messages)
            setattr(s, f"{name}_{i}", share)
            share.second //= first
            share.first //= other
            first = share.unit
        return first

    def attach(s, name: str, unit: Unit, user: MasterIfcRTL) -> None:
        """Make a multiplier of that name for a port that asks for products."""
        multiplier = unit.rtl()
        setattr(s, name, multiplier)
        user.req //= multiplier.recv
        user.resp //= multiplier.send
        if hasattr(multiplier, "constant"):
            multiplier.constant //= s.constant.constant

    def line_trace(s) -> str:
        """Show control, R^2, the base on its way in, the loop, the result on its way out, the
        unit."""
        parts = (s.control, s.r_squared, s.enter, s.loop, s.leave, s.unit)
        return f"{s.recv}({' '.join(part.line_trace() for part in parts)}){s.send}"
