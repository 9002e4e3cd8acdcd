"""The peripheral of a design that makes private operations by CRT: at every level, in step with its
model, keys that are wrong or wiped, planted faults."""

from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest

import rtl.port.key_parts
import rtl.port.peripheral
from eval.catalog import find
from eval.contract.check import Mismatch
from fl.axi_lite import OKAY, SLVERR
from fl.crt import CrtKey
from fl.peripheral_crt import BY_PARTS, HAS_PARTS, KEY_PARTS, PARTS, CrtRegisters
from fl.peripheral_driver import Access, Accesses, Procedure, load_key, operate, put
from fl.peripheral_map import *
from fl.pkcs1 import PLAIN
from fl.rsa_keys import even_key
from fl.xcel import to_words, words
from sim.axi_lite import BusMaster
from sim.axi_protocol import BusTimeout, ProtocolError
from tests.bus_traffic import any_access
from tests.faults import CAUGHT, plant
from tests.pauses import RandomPauses
from tests.peripherals import bus, bus_in_step, random_bytes

NAME, NBITS = "array-crt(digit=4)", 72  # three words, and two of each part
KEY = even_key(NBITS, 1)
PARTS_OF_KEY = CrtKey.of(KEY)
LIMIT = 100_000


def load_parts(nbits: int, key: CrtKey) -> Accesses:
    """Load the parts of a key, and its public exponent."""
    half_bits = -(-nbits // 2)
    loaded = [word for name in PARTS for word in to_words(getattr(key, name), half_bits)]
    for place, word in enumerate(loaded):
        yield Access(INPUT_FIFO, word)
        yield Access(KEY_PARTS, place)
    yield from put(EXPONENT_E, nbits, key.e)


def by_parts(procedure: Procedure) -> Procedure:
    """Perform an operation by the parts of the key."""
    data = None
    while True:
        try:
            access = procedure.send(data)
        except StopIteration as end:
            return end.value
        if access and access.address == STATUS and access.data is not None:
            access = Access(STATUS, access.data | BY_PARTS)
        data = yield access


@pytest.fixture(scope="module")
def in_step() -> Iterator[BusMaster]:
    """The hardware's, in step with the model."""
    component = find(NAME).peripheral("rtl", NBITS)
    master = bus_in_step(component, NAME, NBITS, "batch")
    yield master
    master.pins.close()


def asked(c: int, decrypt: bool = True):
    return operate(NBITS, c.to_bytes(9), decrypt, PLAIN)


def loaded(master: BusMaster, parts: CrtKey = PARTS_OF_KEY) -> BusMaster:
    master.reset(source=random_bytes(1))
    master.perform(load_key(NBITS, KEY.n, (KEY.e, KEY.d)))
    master.perform(load_parts(NBITS, parts))
    master.write(INTERRUPT_ENABLE, 1)
    return master


def check_operations(master: BusMaster) -> None:
    """By the parts, by d and by e, in turns; the powers are Python's."""
    loaded(master)
    rng = Random(5)
    for c in (0, 1, KEY.p, KEY.n - 1, rng.randrange(KEY.n)):
        for procedure, exponent in (
            (by_parts(asked(c)), KEY.d),
            (by_parts(asked(c, False)), KEY.e),
            (asked(c), KEY.d),
        ):
            outcome = master.perform(procedure, LIMIT)
            assert not outcome.error
            assert int.from_bytes(outcome.output) == pow(c, exponent, KEY.n)


def test_operations():
    check_operations(bus(NAME, NBITS, "fl"))


def check_refused(master: BusMaster) -> None:
    """A wrong part: an error, and no output; the next operation by d is right."""
    for name in (*PARTS, "e"):
        loaded(master, replace(PARTS_OF_KEY, **{name: getattr(PARTS_OF_KEY, name) ^ 2}))
        outcome = master.perform(by_parts(asked(1234567)), LIMIT)
        assert (outcome.error, outcome.output) == (True, b""), name
        assert master.read(OUTPUT_FIFO)[0] == 0
        outcome = master.perform(asked(1234567), LIMIT)
        assert int.from_bytes(outcome.output) == pow(1234567, KEY.d, KEY.n)


def test_a_wrong_part_gives_no_output():
    check_refused(bus(NAME, NBITS, "fl"))


@pytest.mark.parametrize("level", ["fl", "batch"])
def test_a_reset_wipes_every_part(level: str):
    """Of a key that is loaded anew but for one word."""
    master = bus(NAME, NBITS, level)
    half_words = words(NBITS // 2)
    for part in range(len(PARTS)):
        loaded(master)
        master.reset(source=random_bytes(1))
        master.perform(load_key(NBITS, KEY.n, (KEY.e, KEY.d)))
        low_word = half_words * part
        others = list(load_parts(NBITS, PARTS_OF_KEY))
        skipped = others.index(Access(KEY_PARTS, low_word))
        for access in (*others[: skipped - 1], *others[skipped + 1 :]):
            master.write(access.address, access.data)
        master.write(INTERRUPT_ENABLE, 1)
        assert master.perform(by_parts(asked(99)), LIMIT).error, PARTS[part]
        for access in others[skipped - 1 : skipped + 1]:
            master.write(access.address, access.data)
        outcome = master.perform(by_parts(asked(99)), LIMIT)
        assert int.from_bytes(outcome.output) == pow(99, KEY.d, KEY.n)


def disturb(master: BusMaster, seed: int, count: int) -> None:
    """Any access at any time, to the parts, too; resets between."""
    rng = Random(f"parts {seed}")
    master.reset(RandomPauses(seed), random_bytes(seed))
    for _ in range(count):
        for _ in range(rng.randint(1, 3)):
            access = any_access(rng, NBITS)
            if rng.random() < 0.2:
                access = Access(KEY_PARTS, rng.choice((rng.randrange(12), 1 << 31, None)))
            elif access.address == STATUS and access.data is not None:
                access = replace(access, data=rng.randrange(64))
            master.begin(access)
        if rng.random() < 0.03:
            master.reset(RandomPauses(rng.getrandbits(32)), random_bytes(seed))
        elif rng.random() < 0.9:
            master.finish()


def check_all(master: BusMaster) -> None:
    """Operations, refusals, and traffic that no driver would make."""
    check_operations(master)
    check_refused(master)
    disturb(master, 1, 300)


def test_in_step_with_the_model(in_step: BusMaster):
    """Cycle by cycle."""
    check_all(in_step)


@pytest.mark.quick
def test_the_register():
    registers = CrtRegisters(find(NAME).at(NBITS))
    assert registers.read(CAPABILITIES) == (NBITS | 1 << 16 | 3 << 24 | HAS_PARTS, OKAY)
    registers.write(INPUT_FIFO, 77)
    answers = [registers.write(KEY_PARTS, place) for place in (0, 9, 10, 1 << 31)]
    assert answers == [OKAY, OKAY, SLVERR, SLVERR]
    assert (registers.key.p, registers.key.q_inverse) == (77, 77 << 32 & (1 << 36) - 1)
    assert registers.read(KEY_PARTS) == (0, SLVERR)
    assert registers.write(KEY_PARTS, 0, 0b0111) == SLVERR
    registers.write(STATUS, START | BY_PARTS | DECRYPT)
    assert registers.write(KEY_PARTS, 0) == SLVERR
    assert registers.read(STATUS) == (BUSY | DECRYPT, OKAY)


# A fault: module, what is sound, what is not.
FAULTS = {
    "a fault not told": (
        rtl.port.peripheral,
        "s.exponentiator.send.msg.status | s.exponentiator.fault",
        "s.exponentiator.send.msg.status",
    ),
    "verifications by the parts": (
        rtl.port.peripheral,
        "s.parts.by_parts & s.registers.decrypt",
        "s.parts.by_parts",
    ),
    "parts written while busy": (
        rtl.port.key_parts,
        "(s.to == KEY_PARTS) & ~s.busy & (s.data < count)",
        "(s.to == KEY_PARTS) & (s.data < count)",
    ),
    "a place outside": (rtl.port.key_parts, "(s.data < count)", "(s.data <= count)"),
}
SHORT = ("a fault not told",)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.long] * (name not in SHORT)) for name in FAULTS]
)
def test_fault(tmp_path, monkeypatch, name: str):
    module, sound, faulty = FAULTS[name]
    broken = plant(tmp_path, module, sound, faulty)
    top = broken if module is rtl.port.peripheral else rtl.port.peripheral
    if top is not broken:
        monkeypatch.setattr(top, "KeyParts", broken.KeyParts)
    component = top.PeripheralRTL(find(NAME).at(NBITS), design=NAME)
    master = bus_in_step(component, NAME, NBITS, "batch")
    try:
        with pytest.raises((*CAUGHT, ProtocolError, BusTimeout, Mismatch)):
            check_all(master)
    finally:
        master.pins.close()
