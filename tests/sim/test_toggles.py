"""Toggles of registers, counted in C++: those that PyMTL3's own simulator shows."""

import re
from collections.abc import Iterator
from random import Random

import numpy as np
import pytest

from eval.catalog import DESIGNS
from eval.catalog.point import Point
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
