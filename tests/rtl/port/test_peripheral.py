"""The peripheral's hardware, in step with its model: any traffic, any block, planted faults."""

from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import rtl.port.axi_lite
import rtl.port.operand_banks
import rtl.port.output_word
import rtl.port.peripheral
import rtl.port.peripheral_control
import rtl.port.peripheral_registers
import rtl.port.pkcs1
from cl.assumed_unit import AssumedUnit
from cl.organisation import Organisation
from eval.catalog import DESIGNS, find
from eval.contract.peripheral import Key, Operation, check_operations
from fl.masked_ladder import MASKED_LADDER
from fl.peripheral_map import *
from fl.pkcs1 import ENCRYPTION, PLAIN, SIGNATURE
from rtl.exp.organised import organised
from sim.axi_lite import BusMaster
from sim.axi_protocol import BusTimeout, ProtocolError
from sim.pins import PythonPins
from tests.bus_traffic import disturb
from tests.cases.blocks import bad_blocks, good_blocks
from tests.faults import CAUGHT, faults, plant
from tests.pauses import RandomPauses
from tests.peripherals import bus, bus_in_step, random_bytes
from tests.rtl.port.test_axi_lite import PROTOCOL_FAULTS

NAME, NBITS, BYTES = "mont-best", 102, 13  # four words, the last of them not whole
# A modulus whose first byte is not its width's; with exponents 1 a block is its own power.
KEY = Key((0b110011 << 96) + 0x1234567, 1, 1)
SHORTER = Key((1 << 95) + 3, 3, 1)
EVEN = Key(KEY.modulus - 1, 1, 1)
CASES = [
    Operation(b"abcdefghijklm", True, 0),
    Operation(b"", True, 0),
    *(
        Operation(data, decrypt, kind)
        for data in (b"abcdefghijklm", b"", b"ab", b"\xff" * 33)
        for decrypt, kind in ((False, ENCRYPTION), (True, SIGNATURE), (True, ENCRYPTION))
    ),
]


@pytest.fixture(scope="module")
def master() -> Iterator[BusMaster]:
    """The sound peripheral's, in step with the model."""
    component = rtl.port.peripheral.PeripheralRTL(DESIGNS[NAME].at(NBITS), design=NAME)
    master = bus_in_step(component, NAME, NBITS, "batch")
    yield master
    master.pins.close()


def blocks_of(kind: int, seed: int = 1) -> list[bytes]:
    """Good blocks, bad ones, and good ones with the modulus added."""
    good = [block for _, block, _ in good_blocks(kind, BYTES, seed)]
    bad = [block for _, block in bad_blocks(kind, BYTES, seed)]
    return [*good, *bad, *(above_modulus(block) for block in good)]


def above_modulus(block: bytes) -> bytes:
    return (int.from_bytes(block) + KEY.modulus).to_bytes(BYTES)


def few_blocks(kind: int) -> list[bytes]:
    """One of each sort."""
    rest = b"\xff" * 8
    head = bytes([0, kind]) + rest
    blocks = [head + b"\0\1\2", head + b"\xff\0\1", b"\1" + head[1:] + b"\0\1\2"]
    blocks += [b"\0\3" + rest + b"\0\1\2", head + b"\xff" * 3, head[:-1] + b"\0\0\1\2"]
    blocks += [head[:5] + b"\xfe" + head[6:] + b"\0\0\1", above_modulus(blocks[0])]
    return blocks


def check_blocks(master: BusMaster, kind: int, blocks: Iterable[bytes]) -> set[int]:
    """Blocks as their own powers; return the times that they took."""
    master.reset(source=random_bytes(1))
    times = set()
    for block in blocks:
        asked = Operation(block, kind == ENCRYPTION, kind)
        check_operations(master, DESIGNS[NAME].at(NBITS), KEY, [asked], loaded=bool(times))
        times |= set(master.operations)
    return times


def check_cases(master: BusMaster) -> None:
    for key, cases in ((SHORTER, CASES[:7]), (EVEN, CASES[:1]), (KEY, CASES[2:])):
        master.reset(RandomPauses(1, longest=2), random_bytes(1))
        check_operations(master, DESIGNS[NAME].at(NBITS), key, cases)


def check_traffic(master: BusMaster) -> None:
    for seed in range(4):
        disturb(master, NBITS, seed, 150, late=bool(seed % 2))


def test_operations(master: BusMaster):
    check_cases(master)


@settings(max_examples=12)
@given(seed=st.integers(0, 1 << 32), late=st.booleans())
def test_any_traffic(master: BusMaster, seed: int, late: bool):
    disturb(master, NBITS, seed, 80, late)


@pytest.mark.parametrize("kind", [SIGNATURE, ENCRYPTION])
def test_any_block_takes_the_same_time(master: BusMaster, kind: int):
    assert len(check_blocks(master, kind, blocks_of(kind))) == 1


def test_the_length_of_a_message_changes_neither_time_nor_bytes(master: BusMaster):
    found = set()
    for length in range(BYTES):
        master.reset(source=random_bytes(5))
        check_operations(master, DESIGNS[NAME].at(NBITS), KEY, [Operation(bytes(length))])
        found.add((*master.operations, len(master.drawn)))
    assert len(found) == 1


def test_a_modulus_that_was_written_is_another_one():
    """A design that keeps what it finds of a modulus finds it anew in each operation."""
    master = bus("array-4-kept", 32, "rtl")
    master.reset()
    for modulus in (0xF0000001, 0xFFFFFFFD):
        key, asked = Key(modulus, 3, 1), Operation(b"abcd", False, PLAIN)
        check_operations(master, find("array-4-kept").at(32), key, [asked])


def test_an_exponent_in_words_is_that_of_the_operation():
    """d of two words, e, d again: a ladder by shares of the exponent, of products in a cycle."""
    unit = AssumedUnit(40, cycles=1, pause=1, power=40)
    exponentiator = organised(unit, Organisation(MASKED_LADDER, forward=False))
    master = BusMaster(PythonPins(rtl.port.peripheral.PeripheralRTL(exponentiator)), "in words")
    master.reset()
    key = Key((1 << 40) - 3, 5, (1 << 39) + 9)
    asked = [Operation(b"abcde", decrypt, PLAIN) for decrypt in (True, False, True)]
    check_operations(master, exponentiator, key, asked)


PARTS = (
    rtl.port.axi_lite,
    rtl.port.operand_banks,
    rtl.port.output_word,
    rtl.port.peripheral_control,
    rtl.port.peripheral_registers,
    rtl.port.pkcs1,
)
BUS_FAULTS = {
    "a second address taken": ("~s.has_address & ~s.answers_write", "~s.has_address"),
    "a second read taken": ("~s.has_read & ~s.answers_read", "~s.has_read"),
    "part of a word written": ("s.strobes == WHOLE", "s.strobes != 0"),
    "a refusal not told": ("s.write_refused | ~s.whole", "~s.whole"),
}
REGISTER_FAULTS = {
    "an irq that stays": (
        "                s.done <<= 0\n                if s.start",
        "                if s.start",
    ),
    "an irq that is not enabled": ("s.irq @= s.done & s.enable", "s.irq @= s.done"),
    "a modulus written while busy": (
        "s.busy | ~s.fits | fixed_modulus",
        "~s.fits | fixed_modulus",
    ),
    "an exponent written while busy": ("s.busy | ~s.fits | fixed_exponents", "~s.fits"),
    "a place outside": ("s.fits @= s.data < count", "s.fits @= s.data <= count"),
}
OPERATION_FAULTS = {
    "d in the place of e": (
        "s.put_d @= s.accepted & (s.to == EXPONENT_D)",
        "s.put_d @= s.accepted & (s.to == EXPONENT_E)",
    ),
    "padding a byte short": ("s.reach <<= s.at - FIRST_END", "s.reach <<= s.at - FIRST_END + 1"),
    "a block of the other kind": ("s.padded @= zext(s.kind, 8)", "s.padded @= 2"),
    "time tells the length": (
        "s.formats & (s.kind == ENCRYPTION)",
        "s.formats & (s.kind == ENCRYPTION) & (s.at > s.reach)",
    ),
    "what is above the length": ("(s.at >= s.length)", "(s.at > s.length)"),
    "a word of the output": ("s.words[s.at]", "s.words[s.at + 1]"),
    "a byte lost in a turn": (
        "part.low, s.value[at - 8 : at] if i",
        "part.low, s.value[at : at + 8] if i",
    ),
}
BLOCK_FAULTS = {
    "a byte beyond the output": ("s.first + 3 < s.above", "s.first < s.above"),
    "an input above the modulus": ("~s.unpad.good | ~s.pad.below", "~s.unpad.good"),
    "seven bytes of padding": (
        "s.wrong @= s.position != FIRST_END",
        "s.wrong @= s.position < FIRST_END - 1",
    ),
    "any byte in a signature": ("(s.kind == SIGNATURE) & (s.here", "(s.kind == 0) & (s.here"),
    "any first byte": ("s.wrong @= s.here != 0", "s.wrong @= 0"),
    "any kind": ("s.wrong @= s.here != zext(s.kind, 8)", "s.wrong @= s.here == 0"),
    "the last byte wrong forgives": ("s.bad <<= s.bad | s.wrong", "s.bad <<= s.wrong"),
    "a message with a 0": ("(s.position > 1) & ~s.ended", "(s.position > 1)"),
    "no end": ("s.good @= s.ended & ~s.bad", "s.good @= ~s.bad"),
}
TOP_FAULTS = {
    "0 in the padding": ("s.random_valid & (s.random_byte != 0)", "s.random_valid"),
    "a byte that was not there": ("s.random_valid & (s.random_byte != 0)", "s.random_byte != 0"),
    "e and d exchanged": ("if s.registers.decrypt:", "if ~s.registers.decrypt:"),
    "padded where it is to be unpadded": (
        "s.registers.decrypt == s.registers.kind[0]",
        "s.registers.decrypt != s.registers.kind[0]",
    ),
    "a bad modulus not told": ("s.registers.failed @= s.bad_modulus", "s.registers.failed @= 0"),
    "an oracle by time": (
        "        s.places.last //= s.control.last\n",
        "        s.control.last //= lambda: s.places.last | (s.control.unpad & s.unpad.good)\n",
    ),
}


# Found late.
MORE_IN_TRAFFIC = {
    "an irq that a reset keeps": (
        "                s.is_decrypt <<= 0\n                s.done <<= 0\n",
        "                s.is_decrypt <<= 0\n",
    ),
    "a reset keeps an address": ("if s.reset | s.complete:", "if s.complete:"),
    "a start while busy": ("(s.to == STATUS) & ~s.busy", "(s.to == STATUS)"),
}
MORE_IN_OPERATIONS = {
    "a length beyond the input": ("if s.data > most:", "if s.data[30]:"),
    "random bytes in signatures": ("if s.kind == ENCRYPTION:", "if s.kind != 0:"),
    "a bad block's message shown": (
        "            if s.registers.failed:\n",
        "            if s.bad_modulus:\n",
    ),
}


def faulty_master(monkeypatch, tmp_path, sound: str, faulty: str) -> BusMaster:
    """A peripheral with the fault, which is in one of its files."""
    top = rtl.port.peripheral
    [module] = [part for part in (*PARTS, top) if Path(part.__file__).read_text().count(sound) == 1]
    broken = plant(tmp_path, module, sound, faulty)
    if module is not top:
        for name in set(vars(top)) & set(vars(broken)):
            if getattr(getattr(broken, name), "__module__", None) == broken.__name__:
                monkeypatch.setattr(top, name, getattr(broken, name))
        broken = top
    return bus_in_step(broken.PeripheralRTL(DESIGNS[NAME].at(NBITS), design=NAME), NAME, NBITS)


ALL_CAUGHT = (*CAUGHT, ProtocolError, BusTimeout)


@faults(BUS_FAULTS, REGISTER_FAULTS)
def test_fault_in_traffic(monkeypatch, tmp_path, sound: str, faulty: str):
    master = faulty_master(monkeypatch, tmp_path, sound, faulty)
    with pytest.raises(ALL_CAUGHT):
        check_traffic(master)


@faults(OPERATION_FAULTS, TOP_FAULTS)
def test_fault_in_operations(monkeypatch, tmp_path, sound: str, faulty: str):
    master = faulty_master(monkeypatch, tmp_path, sound, faulty)
    with pytest.raises(ALL_CAUGHT):
        check_cases(master)


@faults(BLOCK_FAULTS)
def test_fault_in_unpadding(monkeypatch, tmp_path, sound: str, faulty: str):
    master = faulty_master(monkeypatch, tmp_path, sound, faulty)
    with pytest.raises(ALL_CAUGHT):
        [check_blocks(master, kind, few_blocks(kind)) for kind in (ENCRYPTION, SIGNATURE)]


@pytest.mark.long
@faults(PROTOCOL_FAULTS, MORE_IN_TRAFFIC)
def test_another_fault_in_traffic(monkeypatch, tmp_path, sound: str, faulty: str):
    test_fault_in_traffic(monkeypatch, tmp_path, sound, faulty)


@pytest.mark.long
@faults(MORE_IN_OPERATIONS)
def test_another_fault_in_operations(monkeypatch, tmp_path, sound: str, faulty: str):
    test_fault_in_operations(monkeypatch, tmp_path, sound, faulty)
