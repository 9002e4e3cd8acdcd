"""Deliberate faults in each part of the Montgomery designs; the shared tables must catch them."""

import pytest

import rtl.exp.control
import rtl.exp.convert
import rtl.exp.exponentiator
import rtl.exp.left_to_right
import rtl.exp.mul_share
import rtl.exp.r_squared
import rtl.exp.r_squared_doubling
import rtl.exp.right_to_left
import rtl.mul.add_red_loop
import rtl.mul.add_red_pipeline
import rtl.mul.mont_mul
import rtl.mul.mont_red
from cl.exponentiator import UnitModel, exponentiator_latency, takes
from cl.mont_mul import mont_interval, mont_latency
from cl.mul_rem import mul_rem_latency
from cl.organisation import Organisation
from fl.messages import mk_exp_msgs, mk_mul_msgs
from fl.mont_mul import mont_radix, mont_value
from rtl.exp.exponentiator import ExponentiatorRTL
from rtl.mul.mont_mul import MontMulRTL
from rtl.mul.mont_red import MontRedRTL
from rtl.mul.mul_rem import MulRemRTL
from sim.stream import STALLS, Stalls
from tests.cases import exponent, multiply
from tests.faults import CAUGHT, faults, plant
from tests.harness import check, component_runner

LATE_SINK = Stalls("late-sink", (0,), (300,))  # later than any answer
NBITS = 8
STEPS = 2
MUL_CASES = [
    case
    for case in multiply.edge_cases(NBITS)
    + multiply.random_cases(NBITS, 30, seed=16, odd=True, reduced=True)
    if case.m % 2 and case.b < case.m
]
EXP_CASES = exponent.edge_cases(NBITS, exp_bits=4)  # short exponents keep PyMTL3's time short
EXP_CASES += exponent.random_cases(NBITS, 6, seed=17, odd=True)


def check_unit(component, schedule="iterated"):
    """What the contract tests do with a multiplier: values, time and stalls."""
    Request, _ = mk_mul_msgs(NBITS)
    radix = mont_radix(NBITS, STEPS)
    with component_runner(component) as runner:
        for stalls in (STALLS["none"], STALLS["slow-both"]):
            check(
                runner,
                [Request(case.a, case.b, case.m) for case in MUL_CASES],
                [mont_value(case.a, case.b, case.m, radix) for case in MUL_CASES],
                [str(case) for case in MUL_CASES],
                stalls,
                latency=lambda i: mont_latency(NBITS, STEPS, schedule),
                interval=lambda i: mont_interval(NBITS, STEPS, schedule),
                max_cycles=10_000,
            )


def check_design(organisation, mk_exponentiator=ExponentiatorRTL, schedule="iterated", open_=False):
    """What the contract tests do with an exponentiator of Montgomery units."""
    Request, Response = mk_exp_msgs(NBITS)
    shape = (NBITS, STEPS, schedule, not open_)
    radix = mont_radix(NBITS, STEPS, not open_)
    unit = UnitModel(
        value=lambda a, b, m: mont_value(a, b, m, radix, not open_),
        latency=lambda *_: mont_latency(*shape),
        interval=lambda *_: mont_interval(*shape),
        radix=radix,
        plain_latency=lambda *operands: mul_rem_latency(NBITS, *operands),
    )
    cycles = [
        exponentiator_latency(NBITS, c.base, c.exp, c.mod, organisation, unit) for c in EXP_CASES
    ]
    component = mk_exponentiator(
        NBITS,
        organisation,
        lambda nbits: MontMulRTL(nbits, STEPS, schedule, "koc", not open_),
        radix,
        int(open_),
        MulRemRTL,
    )

    rows = list(zip(EXP_CASES, cycles, strict=True))
    with component_runner(component) as runner:
        for stalls, some in ((STALLS["none"], rows), (LATE_SINK, rows[::15])):
            answers = [exponent.expected(case, lambda mod: takes(mod, radix)) for case, _ in some]
            check(
                runner,
                [Request(case.base, case.exp, case.mod) for case, _ in some],
                [int(Response(*answer).to_bits()) for answer in answers],
                [str(case) for case, _ in some],
                stalls,
                latency=lambda i, some=some: some[i][1],
                max_cycles=sum(spent for _, spent in some) + 310 * len(some),
            )


LOOP_FAULTS = {
    "takes a request while busy": (
        "s.recv_rdy @= ~s.busy | (s.send_val & s.send_rdy)",
        "s.recv_rdy @= ~s.busy | s.send_val",
    ),
    "a cycle too few": ("s.cycles_left <<= Count(cycles)", "s.cycles_left <<= Count(cycles - 1)"),
    "x not shifted": ("s.x_register >> steps", "s.x_register >> 1"),
    "y + m loses its carry": (
        "zext(s.y, sum_bits) + zext(s.m, sum_bits)",
        "zext(s.y + s.m, sum_bits)",
    ),
    "sum not cleared": ("s.sum_register <<= s.first_sum", "s.sum_register <<= s.sum_register"),
}
PIPELINE_FAULTS = {
    "a full stage is overwritten": ("s.recv.rdy @= ~s.full | s.send.rdy", "s.recv.rdy @= 1"),
    "a stage takes bits of another": (
        "s.recv.msg.x[steps:x_bits]",
        "s.recv.msg.x[0 : x_bits - steps]",
    ),
    "a stall empties a stage": ("elif s.recv.rdy:", "else:"),
}
MUL_FAULTS = {
    "subtracts where S > N only": (
        "if s.difference[sum_bits]:",
        "if s.difference[sum_bits] | (s.difference == 0):",
    ),
    "operands swapped": ("s.steps.x @= s.recv.msg.a", "s.steps.x @= s.recv.msg.b"),
}
RED_FAULTS = {
    "high product bits enter too low": ("(1 << nbits)", "(1 << nbits - 1)"),
}
R_SQUARED_FAULTS = {
    "a doubling too few": ("Count(few_doublings)", "Count(few_doublings - 1)"),
    "doubles past m": ("if s.difference[width]:", "if ~s.doubled[width]:"),
    "a squaring too few": ("Rounds(squarings)", "Rounds(squarings - 1)"),
}
PRODUCT_FAULTS = {
    "R - m not negated": ("s.power <<= ~s.mod + 1", "s.power <<= ~s.mod"),
    "done before it is squared": ("s.wanted <<= s.reduce\n", "s.wanted <<= 0\n"),
}
DOMAIN_IN_FAULTS = {
    "converts before R^2 stands": ("s.active & s.r_squared_done & ~s.sent", "s.active & ~s.sent"),
    "base cut": (
        "s.mul.req.msg.a @= zext(s.operand, width)",
        "s.mul.req.msg.a @= zext(s.operand[0:7], width)",
    ),
}
DOMAIN_OUT_FAULTS = {
    "multiplies by 0": ("s.mul.req.msg.a //= 1", "s.mul.req.msg.a //= 0"),
    "answer taken before the sink is ready": ("s.mul.resp.rdy @= s.taken", "s.mul.resp.rdy @= 1"),
}
RIGHT_TO_LEFT_FAULTS = {
    "operand of the bit before": (
        "if s.ahead & s.square_comes:",
        "if s.ahead & s.square_got:",
    ),
    "result of a 0 bit": (
        "            elif s.multiply_comes & s.exp_left[0]:",
        "            elif s.square_comes & s.exp_left[0]:",
    ),
    "last bit not seen": ("s.last @= s.exp_left[1:nbits] == 0", "s.last @= s.exp_left == 0"),
    "waits for the square only": (
        "& (~s.multiplies | s.multiply_got | s.multiply_comes)",
        "& (~s.multiplies | s.multiply_sent)",
    ),
}
SHARE_FAULTS = {
    "both granted": ("s.unit.req.rdy & ~s.first.req.val", "s.unit.req.rdy"),
    "answers swapped": (
        "s.second_out & (s.second_older | ~s.first_out)",
        "s.second_out & (~s.second_older | ~s.first_out)",
    ),
}
LEFT_TO_RIGHT_FAULTS = {
    "leading zeros served": ("elif s.skipping | s.advance:", "elif s.advance:"),
    "squares with the power": ("if s.multiplies:", "if ~s.multiplies:"),
    "ends a bit early": ("s.comes & ~(s.advance & s.next_end)", "s.comes & ~s.next_end"),
}
TOP_FAULTS = {
    "even modulus taken": ("s.bad @= ~s.recv.msg.mod[0]", "s.bad @= s.recv.msg.mod == 0"),
    "1 mod 1 is 1": ("~s.bad & (s.recv.msg.mod != 1)", "~s.bad"),
    "exponent 0 not seen": ("s.bad | (s.recv.msg.exp == 0)", "s.bad"),
}
CONTROL_FAULTS = {
    "answer not held": ("elif s.send_val & s.send_rdy:", "elif s.send_val:"),
    "conversion started too often": ("s.start @= s.state == START", "s.start @= s.state != IDLE"),
}

TWO = Organisation(squarings=1)
LEFT = Organisation(loop="left-to-right", units=1, squarings=1)
FIVE = Organisation(units=5, r_squared="remainder", forward=False)
ONE_PIPELINED = Organisation(units=1, squarings=1)
PRODUCT = Organisation(r_squared="product")


def test_the_sound_designs_pass():
    check_unit(MontMulRTL(NBITS, STEPS))
    check_unit(MontMulRTL(NBITS, STEPS, "pipelined", "add_then_reduce"), "pipelined")
    check_unit(MontRedRTL(NBITS, STEPS))
    for organisation in (TWO, LEFT, FIVE, PRODUCT, Organisation(loop="always")):
        check_design(organisation)
    check_design(ONE_PIPELINED, schedule="pipelined")
    check_design(TWO, open_=True)


@faults(LOOP_FAULTS)
def test_fault_in_the_iterated_steps(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.add_red_loop, sound, faulty)
    monkeypatch.setattr(rtl.mul.mont_mul, "AddRedLoop", broken.AddRedLoop)
    with pytest.raises(CAUGHT):
        check_unit(MontMulRTL(NBITS, STEPS))


@faults(PIPELINE_FAULTS)
def test_fault_in_the_pipeline(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.mul.add_red_pipeline, sound, faulty)
    monkeypatch.setattr(rtl.mul.mont_mul, "AddRedPipeline", broken.AddRedPipeline)
    with pytest.raises(CAUGHT):
        check_unit(MontMulRTL(NBITS, STEPS, "pipelined"), "pipelined")


@faults(MUL_FAULTS)
def test_fault_in_mont_mul(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mont_mul, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.MontMulRTL(NBITS, STEPS))


@faults(RED_FAULTS)
def test_fault_in_mont_red(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.mul.mont_red, sound, faulty)
    with pytest.raises(CAUGHT):
        check_unit(broken.MontRedRTL(NBITS, STEPS))


@pytest.mark.parametrize(
    ("module", "unit", "organisation", "table"),
    [
        (rtl.exp.r_squared_doubling, "RSquaredDoubling", TWO, R_SQUARED_FAULTS),
        (rtl.exp.r_squared, "RSquaredProduct", PRODUCT, PRODUCT_FAULTS),
        (rtl.exp.convert, "ConvertIn", TWO, DOMAIN_IN_FAULTS),
        (rtl.exp.convert, "ConvertOut", LEFT, DOMAIN_OUT_FAULTS),
        (rtl.exp.right_to_left, "RightToLeft", TWO, RIGHT_TO_LEFT_FAULTS),
        (rtl.exp.left_to_right, "LeftToRight", LEFT, LEFT_TO_RIGHT_FAULTS),
        (rtl.exp.control, "ExponentiatorControl", LEFT, CONTROL_FAULTS),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_faults_in_parts_of_the_exponentiator(
    tmp_path, monkeypatch, module, unit, organisation, table
):
    for sound, faulty in table.values():
        broken = plant(tmp_path, module, sound, faulty)
        monkeypatch.setattr(rtl.exp.exponentiator, unit, getattr(broken, unit))
        with pytest.raises(CAUGHT):
            check_design(organisation)


@faults(SHARE_FAULTS)
def test_fault_in_sharing(tmp_path, monkeypatch, sound, faulty):
    broken = plant(tmp_path, rtl.exp.mul_share, sound, faulty)
    monkeypatch.setattr(rtl.exp.exponentiator, "MulShare", broken.MulShare)
    with pytest.raises(CAUGHT):
        check_design(ONE_PIPELINED, schedule="pipelined")


@faults(TOP_FAULTS)
def test_fault_in_the_exponentiator(tmp_path, sound, faulty):
    broken = plant(tmp_path, rtl.exp.exponentiator, sound, faulty)
    with pytest.raises(CAUGHT):
        check_design(TWO, broken.ExponentiatorRTL)
