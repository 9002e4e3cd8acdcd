"""The checker of peripherals is checked: one that is wrong in one thing alone is told from a sound
one."""

from dataclasses import replace

import pytest

from cl.peripheral import PeripheralCL
from eval.contract.check import Mismatch
from eval.contract.peripheral import Key, Operation, check_operations
from fl.peripheral_driver import Outcome, Procedure
from fl.pkcs1 import ENCRYPTION, PLAIN, SIGNATURE
from sim.axi_lite import BusMaster
from sim.pins import PythonPins
from tests.eval.contract.test_checkers import LATENCY, Power, odd
from tests.peripherals import random_bytes

pytestmark = pytest.mark.quick

NBITS = 102
SOUND = Power(NBITS, odd)
KEY = Key((1 << 101) + 11, 3, 5)
OPERATIONS = [
    Operation(b"ab", False, ENCRYPTION),
    Operation(b"abc", True, SIGNATURE),
    Operation(b"a longer one", False, PLAIN),
]


class Told(BusMaster):
    """Sound but for what it is told of the last operation: its output, the bytes it drew, or that
    there was another."""

    output = error = 0
    drawn_more = again = nothing = 0

    def perform(self, procedure: Procedure, limit: int = 10_000) -> Outcome | None:
        outcome = super().perform(procedure, limit)
        if outcome is None:
            return None
        self.operations += self.operations * self.again
        if self.nothing:
            self.operations.clear()
        if self.drawn_more > 0:
            self.drawn.append(7)
        elif self.drawn_more < 0 and self.drawn:
            self.drawn.pop()
        if self.output:
            data = bytes([outcome.output[0] ^ self.output]) + outcome.output[1:]
            outcome = replace(outcome, output=data)
        return replace(outcome, error=outcome.error ^ bool(self.error))


def check(says: int = LATENCY, operations: list[Operation] = OPERATIONS, **told: int) -> None:
    hardware = Power(NBITS, odd, says=says)
    master = Told(PythonPins(PeripheralCL(hardware)), "told (cl)")
    master.reset(source=random_bytes(1))
    for name, value in told.items():
        setattr(master, name, value)
    check_operations(master, SOUND, KEY, operations)


def test_a_sound_one():
    check()


@pytest.mark.parametrize("more", [-40, -1, 1, 40])
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"kind {one.kind}")
def test_another_time(more: int, operation: Operation):
    with pytest.raises(Mismatch, match=r"\[\d+\] cycles, not \d+$"):
        check(LATENCY + more, [operation])


@pytest.mark.parametrize("more", [-1, 1])
def test_another_number_of_bytes(more: int):
    with pytest.raises(Mismatch, match=f"{13 + more} bytes drawn, not 13"):
        check(operations=OPERATIONS[:1], drawn_more=more)


@pytest.mark.parametrize("told", [{"output": 1}, {"output": 128}, {"error": 1}], ids=str)
@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda one: f"kind {one.kind}")
def test_another_outcome(told: dict[str, int], operation: Operation):
    with pytest.raises(Mismatch, match="not Outcome"):
        check(operations=[operation], **told)


@pytest.mark.parametrize("part", ["modulus", "e", "d"])
def test_another_key(part: str):
    """Each of its numbers is loaded, and is what answers are compared by."""
    master = BusMaster(PythonPins(PeripheralCL(SOUND)), "told (cl)")
    master.reset(source=random_bytes(1))
    check_operations(master, SOUND, KEY, [])
    other = replace(KEY, **{part: getattr(KEY, part) + 2})
    asked = Operation(b"a longer one", part == "d", PLAIN)
    check_operations(master, SOUND, KEY, [asked], loaded=True)
    with pytest.raises(Mismatch):
        check_operations(master, SOUND, other, [asked], loaded=True)


@pytest.mark.parametrize("again", [-1, 1, 2])
def test_another_number_of_operations(again: int):
    """None, or more than the one that is asked for."""
    told = {"again": again} if again > 0 else {"nothing": 1}
    with pytest.raises(Mismatch, match=r"\[[\d, ]*\] cycles, not \d+$"):
        check(operations=OPERATIONS[:1], **told)
