"""The tests are tested: the tables that all levels share must catch each deliberate fault."""

import pytest
from pymtl3 import Component

import rtl.exp.mod_exp
import rtl.exp.two_units
import rtl.mul.div_rem
import rtl.mul.mul_rem
import rtl.port.xcel
from cl.div_rem import div_latency
from cl.mod_exp import mod_exp_latency
from cl.mul_rem import mul_rem_latency
from fl.messages import XcelReq, XcelResp, mk_div_msgs, mk_exp_msgs
from fl.mod_exp import mod_exp
from fl.xcel import Registers, requests_for
from rtl.exp.mod_exp import ModExpRTL
from rtl.mul.mul_rem import MulRemRTL
from sim.stream import STALLS, StreamRunner
from tests.cases import divide, exponent
from tests.faults import CAUGHT, faults, plant, plant_in_base
from tests.harness import check, component_runner

NBITS = 8
CASES = exponent.edge_cases(NBITS) + exponent.random_cases(NBITS, 10, seed=14)
SHAPE = (12, 8)
DIV_CASES = divide.edge_cases(*SHAPE) + divide.random_cases(*SHAPE, count=20, seed=15)


def check_divider(component: Component) -> None:
    """What the tests of DivRem do: values and time."""
    Request, Response = mk_div_msgs(*SHAPE)
    cases = [case for case in DIV_CASES if case.b]

    def latency(i: int) -> int:
        return div_latency(SHAPE[0], cases[i].a, cases[i].b, "zeros")

    with component_runner(component) as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check(
                runner,
                [Request(case.a, case.b) for case in cases],
                [int(Response(*divide.expected(case)).to_bits()) for case in cases],
                [str(case) for case in cases],
                stalls,
                latency=latency,
                interval=lambda i: latency(i) + 1,
                max_cycles=10_000,
            )


def check_exponentiator(component: Component) -> None:
    """What the contract tests do with an exponentiator made of MulRem units: values and time."""
    Request, Response = mk_exp_msgs(NBITS)

    def latency(i: int) -> int:
        case = CASES[i]
        return mod_exp_latency(
            case.base, case.exp, case.mod, lambda *operands: mul_rem_latency(NBITS, *operands)
        )

    with component_runner(component) as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check(
                runner,
                [Request(case.base, case.exp, case.mod) for case in CASES],
                [int(Response(*exponent.expected(case)).to_bits()) for case in CASES],
                [str(case) for case in CASES],
                stalls,
                latency=latency,
                interval=lambda i: latency(i) + 1,
                max_cycles=20_000,
            )


def check_xcel(component: Component) -> None:
    """What the contract tests do with an accelerator: every answer of the register map."""
    registers = Registers(NBITS, mod_exp)
    requests = [
        request for case in CASES for request in requests_for(NBITS, case.base, case.exp, case.mod)
    ]
    expected = [
        int(XcelResp(request[0], registers.access(*request)).to_bits()) for request in requests
    ]
    with StreamRunner(component, "rtl", "xcel.req", "xcel.resp") as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check(
                runner,
                [XcelReq(*request) for request in requests],
                expected,
                [str(request) for request in requests],
                stalls,
                max_cycles=20_000,
            )


DIV_REM_FAULTS = {
    "borrow ignored": ("s.bit_out @= ~s.difference[nbits]", "s.bit_out @= 1"),
    "subtractor one too low": (
        "s.shifted - zext(s.divisor, wide)",
        "s.shifted - zext(s.divisor, wide) - 1",
    ),
    "one step too few": ("s.steps_left == 1", "s.steps_left == 2"),
    "skips one place too many": ("s.size_a - s.size_b + 1", "s.size_a - s.size_b"),
    "answer not held for a slow sink": ("elif s.send.rdy:", "else:"),
    "accepts while busy": ("s.recv.rdy @= s.state == IDLE", "s.recv.rdy @= s.state != DONE"),
}
MUL_REM_FAULTS = {
    "top bit of an operand lost": (
        "zext(s.recv.msg.a, product_bits)",
        "zext(s.recv.msg.a[0 : nbits - 1], product_bits)",
    ),
}
MOD_EXP_FAULTS = {
    "multiplies on every bit": ("(s.state == BITS) & s.exp_bit", "(s.state == BITS)"),
    "last square taken": ("s.finish_bit & ~s.last", "s.finish_bit & ~s.exp_bit"),
    "waits for one unit only": (
        "& (~s.exp_bit | (s.multiply_sent & s.multiply_resp_val))",
        "& (~s.exp_bit | s.multiply_sent)",
    ),
    "result not held for a slow sink": ("(s.state == DONE) & s.send_rdy", "s.state == DONE"),
}
TWO_UNITS_FAULTS = {
    "1 mod 1 is 1": ("if s.recv.msg.mod <= 1:", "if s.recv.msg.mod == 0:"),
    "bad modulus not told": ("s.status <<= BAD_MODULUS", "s.status <<= OK"),
    "exponent 0 not seen": (
        "(s.recv.msg.mod == 0) | (s.recv.msg.exp == 0)",
        "s.recv.msg.mod == 0",
    ),
    "product kept on every bit": ("if s.control.keep_product:", "if s.control.shift_exp:"),
}
XCEL_FAULTS = {
    "pop does not wait": (
        "            elif s.is_pop:\n                s.xcel.resp.val @= ~s.busy\n",
        "",
    ),
    "response lost to a slow sink": (
        "s.xcel.req.rdy @= ~s.full | s.done",
        "s.xcel.req.rdy @= 1",
    ),
    "status bits swapped": ("s.status & ~s.busy, s.busy", "s.busy, s.status & ~s.busy"),
    "exponent pushed into the modulus": (
        "s.mod.push @= s.done & (s.request.type_ == WRITE) & (s.request.addr == MOD)",
        "s.mod.push @= s.done & (s.request.type_ == WRITE) & (s.request.addr == EXP)",
    ),
}


@pytest.mark.quick
def test_the_sound_design_passes():
    check_divider(rtl.mul.div_rem.DivRemRTL(*SHAPE))
    check_exponentiator(ModExpRTL(NBITS, MulRemRTL))
    check_xcel(rtl.port.xcel.XcelRTL(NBITS, lambda n: ModExpRTL(n, MulRemRTL)))


@pytest.mark.quick
@faults(DIV_REM_FAULTS)
def test_fault_in_div_rem(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.div_rem, sound, faulty)
    with pytest.raises(CAUGHT):
        check_divider(broken.DivRemRTL(*SHAPE))


@pytest.mark.quick
@faults(MUL_REM_FAULTS)
def test_fault_in_mul_rem(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mul_rem, sound, faulty)
    with pytest.raises(CAUGHT):
        check_exponentiator(ModExpRTL(NBITS, broken.MulRemRTL))


@pytest.mark.quick
@faults(MOD_EXP_FAULTS)
def test_fault_in_mod_exp(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.mod_exp, sound, faulty)
    with pytest.raises(CAUGHT):
        check_exponentiator(broken.ModExpRTL(NBITS, MulRemRTL))


@pytest.mark.quick
@faults(TWO_UNITS_FAULTS)
def test_fault_in_two_units(tmp_path, sound, faulty):
    broken = plant_in_base(tmp_path, rtl.exp.mod_exp, rtl.exp.two_units, sound, faulty)
    with pytest.raises(CAUGHT):
        check_exponentiator(broken.ModExpRTL(NBITS, MulRemRTL))


@pytest.mark.quick
@faults(XCEL_FAULTS)
def test_fault_in_xcel(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.port.xcel, sound, faulty)
    with pytest.raises(CAUGHT):
        check_xcel(broken.XcelRTL(NBITS, lambda n: ModExpRTL(n, MulRemRTL)))
