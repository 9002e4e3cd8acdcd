"""Toggles of registers, counted in C++: those that PyMTL3's own simulator shows."""

import re
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest
from pymtl3 import Bits8, Component, update, update_ff
from pymtl3.stdlib.stream.ifcs import RecvIfcRTL, SendIfcRTL

from eval.catalog import DESIGNS
from eval.catalog.point import Point
from rtl.leaf.register import Register
from sim.errors import RunError
from sim.python import half_cycles
from sim.registers import registers_of
from sim.toggles import ToggleCounter
from sim.transfers import RESET_CYCLES
from sim.translate import translate
from tests.toys import AddRTL, PowerRTL

CYCLES, LIMIT = 12, 100
REGISTERS = ("random", "told", "busy", "left")


def by_pymtl(requests: list[int]) -> Iterator[list[list[int]]]:
    """Yield for each request the toggles in each cycle, register by register."""
    unit = PowerRTL(leaks=True)
    settle, edge = half_cycles(unit)

    def state() -> list[int]:
        return [int(getattr(unit, name)) for name in REGISTERS]

    def cycle(valid: bool, message: int) -> list[int]:
        unit.recv.val @= valid
        unit.recv.msg @= message
        settle()
        before = state()
        edge()
        return [(a ^ b).bit_count() for a, b in zip(before, state(), strict=True)]

    unit.send.rdy @= 0
    unit.reset @= 1
    for _ in range(RESET_CYCLES):
        cycle(False, 0)
    unit.reset @= 0
    unit.send.rdy @= 1
    for request in requests:
        yield [cycle(at == 0, request if at == 0 else 0) for at in range(CYCLES)]


def test_toggles_are_those_of_the_simulation_in_python() -> None:
    rng = Random(1)
    requests = [rng.getrandbits(8) for _ in range(40)]
    groups = np.array([rng.getrandbits(1) for _ in requests])
    counter = ToggleCounter(PowerRTL(leaks=True), "recv", "send", CYCLES, LIMIT)
    found = counter.run([[request] for request in requests], groups)
    right = np.array(list(by_pymtl(requests)))
    assert tuple(map(str, counter.registers)) == REGISTERS
    assert found.totals.tolist() == right.sum(axis=2).tolist()
    for group in (0, 1):
        chosen = right[groups == group]
        assert found.sums[group].tolist() == chosen.sum(axis=0).tolist()
        assert found.squares[group].tolist() == (chosen**2).sum(axis=0).tolist()
    assert found.responses == [[0]] * len(requests)
    assert counter.longest == 10
    counter.close()
    again = ToggleCounter(PowerRTL(leaks=True), "recv", "send", CYCLES, LIMIT)
    alone = again.run([[request] for request in requests], groups, by_register=False)
    assert alone.totals.tolist() == found.totals.tolist()
    assert alone.sums.size == alone.squares.size == 0
    again.close()


class WideRTL(Component):
    """Answers one more a cycle after a request, or two if bit 5 is set; the lower ones say which
    registers are inverted."""

    def construct(s) -> None:
        s.recv = RecvIfcRTL(Bits8)
        s.send = SendIfcRTL(Bits8)
        s.busy = Register()
        s.later = Register()
        s.kept = Register(8)
        s.of_9 = Register(9)
        s.of_40 = Register(40)
        s.of_64 = Register(64)
        s.of_72 = Register(72)
        s.of_130 = Register(130)

        @update
        def ports():
            s.recv.rdy @= ~s.busy
            s.send.val @= s.busy & ~s.later
            s.send.msg @= s.kept

        @update_ff
        def work():
            s.later <<= 0
            if s.reset:
                s.busy <<= 0
                s.kept <<= 0
            elif s.recv.val & s.recv.rdy:
                s.busy <<= 1
                s.later <<= s.recv.msg[5]
                s.kept <<= s.recv.msg + 1
            elif s.send.val & s.send.rdy:
                s.busy <<= 0

        @update_ff
        def invert():
            if s.reset:
                s.of_9 <<= 0
                s.of_40 <<= 0
                s.of_64 <<= 0
                s.of_72 <<= 0
                s.of_130 <<= 0
            elif s.recv.val & s.recv.rdy:
                if s.recv.msg[0]:
                    s.of_9 <<= ~s.of_9
                if s.recv.msg[1]:
                    s.of_40 <<= ~s.of_40
                if s.recv.msg[2]:
                    s.of_64 <<= ~s.of_64
                if s.recv.msg[3]:
                    s.of_72 <<= ~s.of_72
                if s.recv.msg[4]:
                    s.of_130 <<= ~s.of_130

    def line_trace(s) -> str:
        return f"{s.kept}"


def test_all_bits_of_wide_registers_count() -> None:
    """Operations of two requests each: accepted in cycles 0 and 2, answered in 1 and 3."""
    widths = (9, 40, 64, 72, 130)
    operations = [[0b00001, 0b00010], [0b00100, 0b01000], [0b10000, 0b11111], [0, 0b10101]]
    groups = np.array([0, 1, 1, 0])
    counter = ToggleCounter(WideRTL(), "recv", "send", 6, LIMIT)
    found = counter.run(operations, groups)
    place = {str(name): i for i, name in enumerate(counter.registers)}
    right = np.zeros((4, 6, len(place)), int)
    kept = 0
    for trace, requests in enumerate(operations):
        for cycle, request in zip((0, 2), requests, strict=True):
            right[trace, cycle : cycle + 2, place["busy"]] = 1
            right[trace, cycle, place["kept"]] = (kept ^ request + 1).bit_count()
            kept = request + 1
            for bit, width in enumerate(widths):
                right[trace, cycle, place[f"of_{width}"]] = width * (request >> bit & 1)
    assert found.responses == [[one + 1 for one in requests] for requests in operations]
    assert found.totals.tolist() == right.sum(axis=2).tolist()
    for group in (0, 1):
        assert found.sums[group].tolist() == right[groups == group].sum(axis=0).tolist()
        assert found.squares[group].tolist() == (right[groups == group] ** 2).sum(axis=0).tolist()
    assert counter.longest == 4
    late, on_time = [32, 32], [0, 0]
    counter.run([on_time, late, on_time], np.zeros(3))
    assert counter.longest == 6
    counter.run([on_time], np.zeros(1))
    assert counter.longest == 6  # of all that were run
    counter.close()


def test_what_answers_too_late_is_told() -> None:
    counter = ToggleCounter(AddRTL(8, 50), "recv", "send", 5, 20)
    with pytest.raises(RunError, match="no answer in 20 cycles"):
        counter.run([[3]], np.zeros(1))


@pytest.mark.parametrize("name", DESIGNS)
def test_registers_are_what_clocked_blocks_write(name: str) -> None:
    """As PyMTL3 knows the blocks; of a message it names the fields that are written."""
    component = Point(name, 8).component("accelerator")
    component.elaborate()
    _, writes, _ = component.get_all_upblk_metadata()
    written = {
        re.sub(r"\[.*?\]", "", repr(signal).removeprefix("s."))
        for block in component.get_all_update_ff()
        for signal in writes[block]
    }
    found = {re.sub(r"__\d+", "", str(one)) for one in registers_of(translate(component))}
    assert found == {min((f for f in found if _holds(f, w)), default=w) for w in written}


def _holds(register: str, written: str) -> bool:
    return written == register or written.startswith(f"{register}.")
