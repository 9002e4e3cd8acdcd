"""Units keep their messages, whatever stands at their ports: each one of tests/rtl/messages.py's
table is proven, faulty ones are not, and none is left out."""

import ast
import inspect
import textwrap

import pytest

import proc.rtl.bus_bridge
import proc.rtl.fetch
import rtl.exp.control
import rtl.exp.exponentiator
import rtl.exp.mul_share
import rtl.exp.ssmm_004
import rtl.leaf.digit_loop
import rtl.mul.add_red_loop
import rtl.mul.add_red_pipeline
import rtl.mul.fixed_mul
import rtl.mul.mont_mul
import rtl.port.xcel
from eval.catalog import DESIGNS, MULTIPLIERS
from tests.faults import plant
from tests.prove import prove_from_reset
from tests.rtl import port_messages
from tests.rtl.messages import LONG, MESSAGES, OUT
from tests.rtl.test_equations import components


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=[pytest.mark.long] * (name in LONG)) for name in MESSAGES],
)
def test_messages_are_kept(tmp_path, name):
    assert prove_from_reset(tmp_path, *MESSAGES[name]()) == "proven"


# The row that a fault is claimed by, the file and class that it is in, the file that uses it.
FAULTS = {
    "takes a request while busy": (
        "product, mmm-1",
        (rtl.leaf.digit_loop, "DigitLoop", rtl.mul.add_red_loop),
        "s.recv.rdy @= ~s.busy | (s.send.val & s.send.rdy)",
        "s.recv.rdy @= ~s.busy | s.send.val",
    ),
    "answers twice": (
        "product, mmm-1",
        (rtl.leaf.digit_loop, "DigitLoop", rtl.mul.add_red_loop),
        "elif s.send.val & s.send.rdy:",
        "elif s.send.val & s.send.rdy & s.recv.val:",
    ),
    "answers before the end": (
        "product, mmm-1",
        (rtl.leaf.digit_loop, "DigitLoop", rtl.mul.add_red_loop),
        "s.busy & (s.cycles_left == 0)",
        "s.busy & (s.cycles_left <= 1)",
    ),
    "takes an answer that waits for gone": (
        "product, mmm-1",
        (rtl.leaf.digit_loop, "DigitLoop", rtl.mul.add_red_loop),
        "elif s.send.val & s.send.rdy:",
        "elif s.send.val:",
    ),
    "a full stage is overwritten": (
        "product, mont-mul-rem-8",
        (rtl.mul.add_red_pipeline, "AddRedPipeline", rtl.mul.mont_mul),
        "s.recv.rdy @= ~s.full | s.send.rdy",
        "s.recv.rdy @= 1",
    ),
    "a stall empties a stage": (
        "product, mont-mul-rem-8",
        (rtl.mul.add_red_pipeline, "AddRedPipeline", rtl.mul.mont_mul),
        "elif s.recv.rdy:",
        "else:",
    ),
    "a product moves on under a stall": (
        "product, dm-2",
        (rtl.mul.fixed_mul, "DirectMulTwoRTL", rtl.mul.fixed_mul),
        "s.moves @= ~s.product_full | s.send.rdy",
        "s.moves @= 1",
    ),
    "a power leaves before it is taken": (
        "power, ssmm-004",
        (rtl.exp.ssmm_004, "Ssmm004Control", rtl.exp.ssmm_004),
        "elif (s.state == DONE) & s.send.rdy:",
        "elif s.state == DONE:",
    ),
    "a power is told twice": (
        "power, mont-small",
        (rtl.exp.control, "ExponentiatorControl", rtl.exp.exponentiator),
        "elif s.send.val & s.send.rdy:",
        "elif s.send.val & s.send.rdy & s.recv.val:",
    ),
    "an answer goes to the other user": (
        "shared unit",
        (rtl.exp.mul_share, "MulShare", port_messages),
        "s.second_older <<= ~s.first_stays",
        "s.second_older <<= s.first_stays",
    ),
    "a result is taken while it computes": (
        "port, xcel",
        (rtl.port.xcel, "XcelRTL", port_messages),
        "~s.busy | ~(s.is_go | s.is_push | s.is_pop)",
        "~s.busy | ~(s.is_go | s.is_push)",
    ),
    "a word that is offered is gone": (
        "port, xcel",
        (rtl.port.xcel, "XcelRTL", port_messages),
        "s.result.pop @= s.owes & s.pops & s.xcel.resp.rdy",
        "s.result.pop @= s.owes & s.pops",
    ),
    "an answer that waits is lost": (
        "port, xcel",
        (rtl.port.xcel, "XcelRTL", port_messages),
        "s.free @= ~s.owes | s.xcel.resp.rdy",
        "s.free @= s.owes == s.owes",
    ),
    "each register says the status": (
        "port, xcel",
        (rtl.port.xcel, "XcelRTL", port_messages),
        "if s.is_status:",
        "if s.is_status | ~s.is_pop:",
    ),
    "a write to another register is kept": (
        "port, null",
        (rtl.port.xcel, "NullXcelRTL", port_messages),
        "(s.xcel.req.msg.type_ == WRITE) & (s.xcel.req.msg.addr == GO):",
        "(s.xcel.req.msg.type_ == WRITE):",
    ),
    "data are offered until the address is taken": (
        "bus bridge",
        (proc.rtl.bus_bridge, "BusBridge", port_messages),
        "if s.m_axi_wready:",
        "if s.m_axi_awready:",
    ),
    "what a jump overtook is kept": (
        "fetch",
        (proc.rtl.fetch, "Fetch", port_messages),
        "s.redirect & s.waiting & ~s.arrived",
        "s.redirect & s.waiting & s.arrived",
    ),
    "half an instruction is asked for": (
        "fetch",
        (proc.rtl.fetch, "Fetch", port_messages),
        "s.imem.req.msg.strb @= 0xF",
        "s.imem.req.msg.strb @= 0x3",
    ),
}


@pytest.mark.parametrize(("row", "place", "sound", "faulty"), FAULTS.values(), ids=FAULTS.keys())
def test_a_fault_is_not_proven(tmp_path, monkeypatch, row, place, sound, faulty):
    module, name, user = place
    broken = plant(tmp_path, module, sound, faulty)
    monkeypatch.setattr(user, name, getattr(broken, name))
    assert "broken in cycle" in prove_from_reset(tmp_path, *MESSAGES[row]())


INTERFACES = {"RecvIfcRTL", "SendIfcRTL", "MinionIfcRTL", "MasterIfcRTL", "Accept", "Offer"}


def handles_messages(unit: type) -> bool:
    """Whether a component's class declares a port with val and rdy."""
    tree = ast.parse(textwrap.dedent(inspect.getsource(unit)))
    called = [node.func for node in ast.walk(tree) if isinstance(node, ast.Call)]
    return any(isinstance(one, ast.Name) and one.id in INTERFACES for one in called)


def test_no_unit_is_left_out():
    """Each is proven, or within what is proven, or listed with the reason."""
    wanted = {f"product, {name}" for name in MULTIPLIERS} | {f"power, {name}" for name in DESIGNS}
    wanted |= {one.__name__ for one in components("rtl", "proc/rtl") if handles_messages(one)}
    proven = set(MESSAGES)
    for make in MESSAGES.values():
        component = make().component
        if not component._dsl.constructed:
            component.elaborate()
        for part in component.get_all_components():
            proven |= {one.__name__ for one in type(part).__mro__}
    assert wanted - proven == OUT.keys()
