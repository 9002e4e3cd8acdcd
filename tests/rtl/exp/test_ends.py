"""The ways into and out of the Montgomery domain by themselves (document 001, figures 11 and 12),
and which unit makes which product."""

from collections import Counter

import pytest
from pymtl3 import Component, DefaultPassGroup, InPort, OutPort, connect

from cl.organisation import Organisation
from cl.r_squared import remainder_cycles
from fl.messages import mk_exp_msgs
from rtl.exp.enter import Convert
from rtl.exp.leave import ConvertOut
from rtl.exp.organised import organised
from rtl.exp.r_squared import RSquaredRemainder
from rtl.mul.mont_mul import MontMul

NBITS = 8
UNIT = MontMul(NBITS, 2)
LATENCY = UNIT.latency(0, 0, 1)
MODULI = (1, 3, 97, 145, 251, 255)


class WithUnit(Component):
    """A part that asks for products, the unit that makes them, and the part's other ports."""

    def construct(s, make, *flags):
        s.part = make(NBITS, 0)
        s.unit = UNIT.rtl()
        s.part.mul.req //= s.unit.recv
        s.part.mul.resp //= s.unit.send
        for name in flags:
            setattr(s, name, InPort())
        s.mod, s.operand = InPort(NBITS), InPort(NBITS)
        s.done, s.value = OutPort(), OutPort(NBITS)
        for name in (*flags, "mod", "operand", "done", "value"):
            connect(getattr(s, name), getattr(s.part, name))
        if make is Convert:
            s.r_squared = InPort(NBITS)
            s.r_squared //= s.part.r_squared


def prepared(component):
    """A component to be simulated, after a reset."""
    component.elaborate()
    component.apply(DefaultPassGroup())
    component.sim_reset()
    return component


def cycles_until_done(dut, most=100):
    """Cycles until `done` is seen; the cycle in which that is has not passed."""
    for cycle in range(most):
        dut.sim_eval_combinational()
        if dut.done:
            return cycle
        dut.sim_tick()
        if hasattr(dut, "start"):
            dut.start @= 0
    pytest.fail(f"not done after {most} cycles")


@pytest.mark.parametrize("mod", range(1, 256, 2))
def test_r_squared_by_the_remainder_unit(mod):
    part = prepared(RSquaredRemainder(NBITS, 0, NBITS))
    part.mod @= mod
    part.start @= 1
    assert cycles_until_done(part) == 1 + remainder_cycles(NBITS) == 2 * NBITS + 2
    for _ in range(3):  # it stands until it is let go
        assert part.done
        assert int(part.value) == 2 ** (2 * NBITS) % mod
        part.sim_tick()
    part.finish @= 1
    part.sim_tick()
    assert not part.done


@pytest.mark.quick
@pytest.mark.parametrize("mod", MODULI)
@pytest.mark.parametrize("late", [0, 5])
def test_an_operand_enters(mod, late):
    dut = prepared(WithUnit(Convert, "start", "ready"))
    for operand in (0, 1, 2, mod - 1, 96, 255):
        dut.operand @= operand
        dut.mod @= mod
        dut.r_squared @= 2 ** (2 * NBITS) % mod
        dut.start @= 1
        dut.ready @= late == 0
        for _ in range(late):
            dut.sim_eval_combinational()
            assert not dut.done
            dut.sim_tick()
            dut.start @= 0
        dut.ready @= 1
        # Ready from the beginning, it asks in the cycle after the start.
        assert cycles_until_done(dut) == LATENCY + (late == 0)
        assert int(dut.value) == operand * 2**NBITS % mod
        dut.sim_tick()
        dut.sim_eval_combinational()
        assert not dut.done


@pytest.mark.quick
@pytest.mark.parametrize("mod", MODULI)
def test_a_result_leaves_and_stands_until_it_is_taken(mod):
    dut = prepared(WithUnit(ConvertOut, "active", "taken"))
    for plain in sorted({0, 1 % mod, mod // 2, mod - 1}):
        dut.operand @= plain * 2**NBITS % mod
        dut.mod @= mod
        dut.active @= 1
        dut.taken @= 0
        assert cycles_until_done(dut) == LATENCY
        for _ in range(3):
            dut.sim_eval_combinational()
            assert dut.done
            assert int(dut.value) == plain
            dut.sim_tick()
        dut.taken @= 1
        dut.sim_tick()
        dut.active @= 0
        dut.taken @= 0
        dut.sim_eval_combinational()
        assert not dut.done


EXP, BASE, MOD = 0b1101, 77, 251
SQUARINGS, MULTIPLICATIONS = 3, 3
# Of each organisation: how many products each of its units makes.
PRODUCTS = {
    "five": (
        Organisation(units=5, entry="remainder", forward=False),
        {"unit_0": SQUARINGS, "unit_1": 1, "unit_2": 1, "unit_3": 1, "unit": MULTIPLICATIONS},
    ),
    "two that convert": (
        Organisation(entry="product", forward=False, converts=True),
        {"unit_0": SQUARINGS + 1, "unit": MULTIPLICATIONS + 2},
    ),
    "two": (
        Organisation(entry="product"),
        {"unit_0": SQUARINGS, "unit": MULTIPLICATIONS + 1},
    ),
}


@pytest.mark.quick
@pytest.mark.parametrize(("organisation", "made"), PRODUCTS.values(), ids=PRODUCTS)
def test_which_unit_makes_which_product(organisation, made):
    model = organised(UNIT, organisation)
    dut = prepared(model.rtl())
    units = {
        name: getattr(dut.core, name)
        for name in ("unit", *map("unit_{}".format, range(9)))
        if hasattr(dut.core, name)
    }
    assert set(units) == set(made)
    Request, _ = mk_exp_msgs(NBITS)
    dut.recv.msg @= Request(BASE, EXP, MOD)
    dut.recv.val @= 1
    dut.send.rdy @= 1
    counts, entered = Counter(), {}
    for cycle in range(model.latency(BASE, EXP, MOD) + 1):
        dut.sim_eval_combinational()
        for name, unit in units.items():
            if unit.recv.val & unit.recv.rdy:
                counts[name] += 1
                entered.setdefault(name, (cycle, int(unit.recv.msg.a)))
        if dut.send.val:
            assert int(dut.send.msg.result) == pow(BASE, EXP, MOD)
        dut.sim_tick()
        dut.recv.val @= 0
    assert counts == made
    if organisation.stays_in_domain:  # base and 1 enter side by side
        base, one = ("unit_1", "unit_3") if len(units) == 5 else ("unit_0", "unit")
        assert entered[base][0] == entered[one][0]
        assert (entered[base][1], entered[one][1]) == (BASE, 1)
