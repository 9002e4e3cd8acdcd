"""Faults in the Verilated design, against the same in PyMTL3's own simulator."""

import ctypes
import re
from random import Random
from types import SimpleNamespace

import numpy as np
import pytest

from eval.catalog.point import Point
from eval.catalog.workloads import Request
from fl.messages import XcelReq
from fl.xcel import requests_for
from sim.faults import Fault, FaultInjector, RegisterBits, Seen
from sim.python import half_cycles
from sim.registers import DesignRegister
from sim.transfers import packer

NBITS, LIMIT = 8, 400
REQUEST = Request(200, 77, 221)
REQUESTS = requests_for(NBITS, *vars(REQUEST).values())
MESSAGES = [packer(XcelReq)(*one) for one in REQUESTS]
ECHO = [None] * len(MESSAGES)


class Python:
    """The accelerator in PyMTL3's simulator."""

    def __init__(self, design: str) -> None:
        self.component = Point(design, NBITS).component("accelerator")
        self.settle, self.edge = half_cycles(self.component, None)

    def begin(self) -> None:
        """Reset, and do the operation once."""
        component = self.component
        component.xcel.req.val @= 0
        component.xcel.resp.rdy @= 1
        for reset in (1, 1, 1, 0):
            component.reset @= reset
            self.settle()
            if reset:
                self.edge()
        self.operate(None)

    def operate(self, fault: tuple[str, int, int] | None, held: int | None = None) -> Seen:
        """Do the operation with a fault: of a register's name, a bit and a cycle; from that one on
        the bit may be held."""
        port, responses, sent = self.component.xcel, [], 0
        for cycle in range(LIMIT):
            if fault and (cycle == fault[2] if held is None else cycle >= fault[2]):
                self.change(*fault[:2], held)
            port.req.val @= sent < len(MESSAGES)
            if sent < len(MESSAGES):
                port.req.msg @= XcelReq(*REQUESTS[sent])
            self.settle()
            sent += bool(port.req.val & port.req.rdy)
            if port.resp.val:
                responses.append(int(port.resp.msg.to_bits()))
            self.edge()
            if len(responses) == len(MESSAGES):
                return Seen(responses, cycle + 1)
        return Seen(responses, None)

    def change(self, name: str, bit: int, held: int | None) -> None:
        """Flip or set a bit of a register, or of a memory's value: "a.list_2.b[5]"."""
        found = self.component
        for part in name.split("."):
            plain, listed, number = re.fullmatch(r"(\w+?)(?:(_|\[)(\d+)\]?)?", part).groups()
            whole = f"{plain}_{number}" if listed == "_" else plain
            before, found = found, getattr(found, whole, None)
            if found is None:
                found = getattr(before, plain)[int(number)]
            elif listed == "[":
                found = found[int(number)]
        found = found[0] if isinstance(found, list) else found  # a memory of one value
        made = getattr(type(found), "from_bits", lambda bits: bits)
        before = found.to_bits()
        if held is None or int(before) >> bit & 1 != held:
            found <<= made(before ^ (1 << bit))
        found._flip()  # a register that keeps its value takes the one that it was given last


@pytest.mark.parametrize("stuck", [False, True])
@pytest.mark.parametrize("design", ["mont-ct", "array-4"])
def test_faults_are_those_of_another_simulator(design: str, stuck: bool) -> None:
    python, rng = Python(design), Random(design)
    accelerator = Point(design, NBITS).component("accelerator")
    injector = FaultInjector(accelerator, "xcel.req", "xcel.resp", MESSAGES, ECHO, LIMIT)
    [unharmed] = injector.run([None])
    assert unharmed.cycles is not None
    faults, changed = [], 0
    for _ in range(25):
        register, bit = injector.bit(rng.randrange(injector.bits))
        held = rng.randrange(2) if stuck else None
        faults.append(Fault(register, bit, rng.randrange(unharmed.cycles), held))
    for fault, seen in zip(faults, injector.run(faults), strict=True):
        register = injector.registers[fault.register]
        value, inside = divmod(fault.bit, register.nbits)
        name = f"{register.name}[{value}]" if register.count > 1 else register.name
        python.begin()
        right = python.operate((name, inside, fault.cycle), fault.held)
        assert seen.cycles == right.cycles, name
        assert seen.responses[: len(right.responses)] == right.responses, name
        changed += seen != unharmed
    assert changed > 3
    assert list(injector.run([None])) == [unharmed]
    injector.close()


def test_faults_come_after_an_operation() -> None:
    """The second one is shorter, where what was found of a modulus is kept."""
    accelerator = Point("array-4-kept", NBITS).component("accelerator")
    python = Python("array-4-kept")
    python.begin()
    injector = FaultInjector(accelerator, "xcel.req", "xcel.resp", MESSAGES, ECHO, LIMIT)
    assert list(injector.run([None])) == [python.operate(None)]
    injector.close()


def register(nbits: int, count: int = 1) -> RegisterBits:
    return RegisterBits(DesignRegister(("kept",), "Unit"), nbits, count)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("nbits", "stride"),
    [(1, 8), (8, 8), (9, 16), (16, 16), (17, 32), (33, 64), (64, 64), (65, 96), (97, 128)],
)
def test_where_a_bit_is_stored(nbits: int, stride: int) -> None:
    """A value takes 1, 2, 4 or 8 bytes, or as many words as it needs."""
    memory = register(nbits, 3)
    assert (memory.stride, memory.bits) == (stride, 3 * nbits)
    for value in range(3):
        for inside in (0, nbits - 1):
            assert memory.place(value * nbits + inside) == value * stride + inside


@pytest.mark.quick
def test_bits_are_counted_register_by_register() -> None:
    injector = object.__new__(FaultInjector)
    injector.registers = [register(3), register(8, 2), register(1)]
    assert injector.bits == 20
    assert [injector.bit(number) for number in (0, 2, 3, 18, 19)] == [
        (0, 0),
        (0, 2),
        (1, 0),
        (1, 15),
        (2, 0),
    ]
    with pytest.raises(ValueError, match="there are 20 bits"):
        injector.bit(20)


@pytest.mark.quick
@pytest.mark.parametrize(("stored", "fits"), [(5, False), (6, True), (7, False), (12, False)])
def test_a_register_that_is_stored_in_another_way_is_refused(stored: int, fits: bool) -> None:
    """Three values of 9 bits take 6 bytes, no more and no less."""
    injector = object.__new__(FaultInjector)

    def places(handle: None, found) -> None:
        """As sim/fault_loop.cpp does."""
        found[0], found[1] = 1, stored

    injector.registers = [register(8), register(9, 3)]
    injector.model = SimpleNamespace(handle=None, lib=SimpleNamespace(fault_places=places))
    if fits:
        injector._check_places()
    else:
        with pytest.raises(ValueError, match=f"{stored} bytes are stored"):
            injector._check_places()


@pytest.mark.quick
def test_a_changed_bit_that_does_not_stay_is_refused() -> None:
    """Whatever the operation then answers."""
    injector = object.__new__(FaultInjector)

    def run(handle: None, begin: ctypes.c_void_p, run) -> None:
        """As sim/fault_loop.cpp does where something else writes a register."""
        run._obj.lost = 2

    injector.registers = [RegisterBits(DesignRegister(("kept",), "Unit"), 8, 1)]
    injector.model = SimpleNamespace(handle=None, lib=SimpleNamespace(fault_run=run))
    injector.design = SimpleNamespace(top="Unit")
    injector.each, injector.limit, injector._response = 1, 9, 4
    injector._messages, injector._echo, injector._begin = b"ab", np.array([-1], np.int32), None
    with pytest.raises(ValueError, match="Unit: 2 changed bits did not stay"):
        list(injector.run([Fault(0, 3, 1)]))
