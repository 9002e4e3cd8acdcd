"""An exponentiator put together as an Organisation says, from any kind of multiplier.

Conversion in (r_squared.py, convert.py), a loop (right_to_left.py, left_to_right.py)
and, where the result is in the multiplier's domain, conversion out, one after the other. They
have units of their own, as in document 001, or share the loop's. Units may ask for a constant of
the modulus (rtl/mul/modulus_constant.py), and leave the result for a last reduction
(rtl/leaf/shift_remainder.py).
"""

from collections.abc import Callable

from pymtl3 import Component, Wire, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from cl.organisation import Organisation
from fl.messages import BAD_MODULUS, OK, mk_exp_msgs, mk_mul_msgs
from rtl.exp.control import ExponentiatorControl
from rtl.exp.convert import ConvertIn, ConvertOut, TakeOperand
from rtl.exp.left_to_right import LeftToRight
from rtl.exp.mul_share import MulShare
from rtl.exp.r_squared import RSquaredOne, RSquaredProduct, RSquaredRemainder
from rtl.exp.r_squared_doubling import RSquaredDoubling
from rtl.exp.right_to_left import RightToLeft
from rtl.mul.mont_mul import FinalSubtract


class ExponentiatorRTL(Component):
    """result = base^exp mod mod for any n-bit request; time as in cl/exponentiator.py.

    radix: r of the multiplier's R = 2^r, 0 in the plain domain. A modulus of 0, and in a
    Montgomery domain an even one, gives status BAD_MODULUS and result 0; mk_judge, if given,
    makes a component whose `takes` decides in their place. mk_prepare makes what finds the
    multipliers' `constant`, no later than R^2; mk_finish what reduces a result beyond
    FinalSubtract's reach; mk_take what stands in TakeOperand's place.
    """

    def construct(
        s,
        nbits: int,
        organisation: Organisation,
        mk_multiplier: Callable[[int], Component],
        radix: int,
        guard_bits: int = 0,
        mk_plain_multiplier: Callable[[int], Component] | None = None,
        mk_prepare: Callable[[int], Component] | None = None,
        mk_finish: Callable[[int], Component] | None = None,
        mk_judge: Callable[[int], Component] | None = None,
        mk_take: Callable[[int], Component] | None = None,
    ):
        Request, Response = mk_exp_msgs(nbits)
        messages = mk_mul_msgs(nbits, guard_bits)
        constant = organisation.loop == "always"
        s.recv = RecvIfcRTL(Request)
        s.send = SendIfcRTL(Response)
        s.base = Wire(nbits)
        s.mod = Wire(nbits)
        s.status = Wire()
        s.bad = Wire()  # of the arriving request
        s.load = Wire()

        converts = organisation.r_squared != "none"
        if mk_take:
            s.convert_in = mk_take(nbits)
        else:
            s.convert_in = (ConvertIn if converts else TakeOperand)(nbits, guard_bits)
        s.start_conversion = Wire()
        of_modulus = None
        if mk_prepare:
            s.prepare = mk_prepare(nbits)
            of_modulus = s.prepare.constant
            s.prepare.start //= s.start_conversion
            s.prepare.mod //= s.mod
        s.convert_in.start //= s.start_conversion
        s.convert_in.operand //= s.base
        s.convert_in.mod //= s.mod
        if converts:
            s.r_squared = _r_squared(nbits, organisation, radix, guard_bits, mk_plain_multiplier)
            s.r_squared.start //= s.start_conversion
            s.r_squared.mod //= s.mod
            s.r_squared.finish //= s.convert_in.done
            s.r_squared.done //= s.convert_in.r_squared_done
            s.r_squared.value //= s.convert_in.r_squared
        elif mk_prepare:
            s.convert_in.r_squared_done //= s.prepare.done
        else:
            s.convert_in.r_squared_done //= 1

        # Who stands before the units in turn: loop, conversion in, squarings on the way to R^2.
        users = []
        in_domain = organisation.stays_in_domain and radix > 0
        if organisation.loop == "left-to-right":
            s.loop = LeftToRight(nbits, guard_bits, organisation.forward)
            users.append(s.loop.mul)
        else:
            s.loop = RightToLeft(nbits, guard_bits, constant, organisation.forward, in_domain)
            if organisation.units == 1:
                users.append(s.loop.square)
            else:
                s.square_unit = mk_multiplier(nbits)
                _attach(s.loop.square, s.square_unit, of_modulus)
            users.append(s.loop.multiply)
            if in_domain:
                s.convert_one = ConvertIn(nbits, guard_bits)
                s.convert_one.start //= s.start_conversion
                s.convert_one.operand //= 1
                s.convert_one.mod //= s.mod
                s.convert_one.r_squared_done //= s.r_squared.done
                s.convert_one.r_squared //= s.r_squared.value
                s.loop.one //= s.convert_one.value
                s.one_unit = mk_multiplier(nbits)
                _attach(s.convert_one.mul, s.one_unit, of_modulus)
            else:
                s.loop.one //= 0
        if organisation.units == 5:
            s.in_unit = mk_multiplier(nbits)
            _attach(s.convert_in.mul, s.in_unit, of_modulus)
        elif converts:
            users.insert(0, s.convert_in.mul)
        if organisation.r_squared == "doubling":
            if organisation.squarings:
                users.insert(0, s.r_squared.mul)
            else:
                s.r_squared.mul.req.rdy //= 0
                s.r_squared.mul.resp.val //= 0
                s.r_squared.mul.resp.msg.r //= 0
        if in_domain:
            s.convert_out = ConvertOut(nbits, guard_bits)
            s.convert_out.mod //= s.mod
            s.convert_out.operand //= s.loop.result
            if organisation.units == 5:
                s.out_unit = mk_multiplier(nbits)
                _attach(s.convert_out.mul, s.out_unit, of_modulus)
            else:
                users.insert(0, s.convert_out.mul)

        user = users[0]
        for i, other in enumerate(users[1:]):
            share = MulShare(*messages)
            setattr(s, f"share_{i}", share)
            _join(user, share.second)
            _join(other, share.first)
            user = share.unit
        s.unit = mk_multiplier(nbits)
        _attach(user, s.unit, of_modulus)
        if mk_finish:
            if in_domain:
                raise ValueError("mk_finish is for loops whose result needs no conversion out")
            s.finish = mk_finish(nbits)
            s.finish.mod //= s.mod
            s.finish.operand //= s.loop.result

        s.control = ExponentiatorControl(in_domain or mk_finish is not None)
        s.control.recv_val //= s.recv.val
        s.control.recv_rdy //= s.recv.rdy
        s.control.send_val //= s.send.val
        s.control.send_rdy //= s.send.rdy
        s.control.load //= s.load
        s.control.start //= s.start_conversion
        s.control.converted_in //= s.convert_in.done
        s.control.loop_done //= s.loop.done
        if in_domain:
            s.control.leaving //= s.convert_out.active
            s.control.converted_out //= s.convert_out.done
            s.control.out_taken //= s.convert_out.taken
        elif mk_finish:
            s.control.leaving //= s.finish.active
            s.control.converted_out //= s.finish.done
            s.control.out_taken //= s.finish.taken
        else:
            s.control.converted_out //= 0

        s.loop.load //= s.load
        s.loop.exp //= s.recv.msg.exp
        s.loop.start //= s.convert_in.done
        s.loop.power //= s.convert_in.value
        s.loop.mod //= s.mod

        if mk_judge:
            s.judge = mk_judge(nbits)
            s.judge.mod //= s.recv.msg.mod

            @update
            def refuse_others():
                s.bad @= ~s.judge.takes

        elif radix:

            @update
            def refuse_even():
                s.bad @= ~s.recv.msg.mod[0]

        else:

            @update
            def refuse_zero():
                s.bad @= s.recv.msg.mod == 0

        if constant:
            s.control.skip //= 0
        else:

            @update
            def needs_no_product():
                s.control.skip @= s.bad | (s.recv.msg.exp == 0)

        @update
        def first_result():
            # 1 mod m, and 0 for a bad modulus
            s.loop.first_bit @= ~s.bad & (s.recv.msg.mod != 1)

        s.value = Wire(nbits + guard_bits)
        if in_domain:

            @update
            def converted():
                s.value @= s.loop.result
                if s.control.leaving:
                    s.value @= s.convert_out.value

        else:
            s.value //= s.loop.result

        s.result = Wire(nbits)
        if mk_finish:

            @update
            def reduced():
                s.result @= s.value[0:nbits]
                if s.control.leaving:
                    s.result @= s.finish.value

        elif guard_bits:
            s.subtract = FinalSubtract(nbits)
            s.subtract.value //= s.value
            s.subtract.m //= s.mod
            s.result //= s.subtract.result
        else:
            s.result //= s.value

        @update
        def ports():
            s.send.msg.status @= s.status
            s.send.msg.result @= s.result
            if s.status != OK:
                s.send.msg.result @= 0

        @update_ff
        def registers():
            if s.load:
                s.base <<= s.recv.msg.base
                s.mod <<= s.recv.msg.mod
                if s.bad:
                    s.status <<= BAD_MODULUS
                else:
                    s.status <<= OK

    def line_trace(s) -> str:
        state = s.control.line_trace()
        return f"{s.recv}({state} {s.loop.line_trace()} {s.unit.line_trace()}){s.send}"


def _r_squared(
    nbits: int,
    organisation: Organisation,
    radix: int,
    guard_bits: int,
    mk_plain_multiplier: Callable[[int], Component] | None,
) -> Component:
    """What finds R^2 mod m."""
    if organisation.r_squared == "one":
        return RSquaredOne(nbits)
    if organisation.r_squared == "remainder":
        return RSquaredRemainder(nbits, guard_bits, radix)
    if organisation.r_squared == "product":
        return RSquaredProduct(nbits, mk_plain_multiplier)
    constant = organisation.loop == "always"
    return RSquaredDoubling(nbits, guard_bits, radix, organisation.squarings, constant)


def _attach(user: object, unit: Component, constant: object | None) -> None:
    """A multiplier behind a user's port, and the constant of the modulus if it asks for one."""
    user.req //= unit.recv
    user.resp //= unit.send
    if constant is not None:
        unit.constant //= constant


def _join(user: object, share: object) -> None:
    """A user's port to a side of a MulShare."""
    user.req //= share.req
    user.resp //= share.resp
