"""RSA by the peripheral, from C: the same at every level, and as other packages have it."""

from dataclasses import replace
from functools import cache, partial
from itertools import islice
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from eval.catalog import find
from fl.axi_lite import OKAY
from fl.crt import CrtKey
from fl.peripheral_at_once import PeripheralAtOnce
from fl.peripheral_driver import Outcome, Procedure, load_key
from fl.peripheral_driver import operate as drive
from fl.peripheral_registers import Registers
from fl.pkcs1 import ENCRYPTION, OVERHEAD, SIGNATURE, modulus_bytes, pad
from fl.rsa_keys import RsaKey, even_key
from fl.xcel import words
from proc.manager import Manager
from proc.programs.build import APP, build
from proc.programs.elf import load_elf
from proc.run.levels import System, make_bus_system
from proc.run.rsa_axi import (
    DECRYPT,
    ENCRYPT,
    INTERRUPT,
    OPERATIONS,
    SIGN,
    VERIFY,
    WAITS,
    Answer,
    Asked,
    _answer,
    axi_image,
    operate,
)
from proc.run.timing import FAST, Timing
from sim.errors import RunError
from tests.cases.blocks import bad_blocks
from tests.faults import faults
from tests.golden.pkcs1_packages import cryptography_key, signed_info
from tests.proc.test_mont_words import planted

NBITS, BYTES = 102, 13  # four words, the last of them not whole
KEY = even_key(NBITS, 1)
DESIGN = "mont-best"
MESSAGE = b"\0x"


@cache
def system(level: str, design: str = DESIGN, nbits: int = NBITS) -> System:
    """The processor with a peripheral."""
    return make_bus_system(level, partial(find(design).on_bus, level, nbits))


def answers(level: str, asked: list[Asked], wait: str = INTERRUPT) -> list[Answer]:
    return operate(system(level), KEY, NBITS, asked, wait)[1]


def power(block: bytes, exponent: int) -> bytes:
    return pow(int.from_bytes(block), exponent, KEY.n).to_bytes(BYTES)


def asked_of_all() -> list[Asked]:
    """Every operation, and inputs that are refused; a message that is cut, an empty one."""
    block = b"\0\2" + b"\xff" * 8 + b"\0" + MESSAGE
    signed = b"\0\1" + b"\xff" * 8 + b"\0" + MESSAGE
    bad = [power(block, KEY.e) for _, block in islice(bad_blocks(ENCRYPTION, BYTES, 1), 3)]
    return [
        *(Asked(ENCRYPT, data) for data in (MESSAGE, b"", b"abcdef", MESSAGE)),
        *(Asked(SIGN, data) for data in (MESSAGE, b"", b"abcdef")),
        Asked(DECRYPT, power(block, KEY.e)),
        Asked(VERIFY, power(signed, KEY.d)),
        *(Asked(DECRYPT, data) for data in (*bad, power(signed, KEY.e), b"\xff" * BYTES)),
        Asked(VERIFY, power(block, KEY.d)),
    ]


def check(found: list[Answer]) -> None:
    first, *_, again = ciphertexts = [one.output for one in found[:4]]
    assert first != again
    for output, content in zip(ciphertexts, (MESSAGE, b"", b"ef", MESSAGE), strict=True):
        block = power(output, KEY.d)
        assert (block[:2], 0 in block[2:10]) == (b"\0\2", False)
        assert block.endswith(b"\0" + content)
    for one, content in zip(found[4:7], (MESSAGE, b"", b"ef"), strict=True):
        padded = b"\0\1" + b"\xff" * (BYTES - 3 - len(content)) + b"\0" + content
        assert one.output == power(padded, KEY.d)
    assert [one.output for one in found[7:9]] == [MESSAGE] * 2
    assert {one.output for one in found[9:]} == {None}


def test_the_interpreter():
    for wait in WAITS:
        check(answers("fl", asked_of_all(), wait))


def test_the_hardware_waiting_either_way():
    found = {wait: answers("batch", asked_of_all(), wait) for wait in WAITS}
    for one in found.values():
        check(one)
    outputs = [[one.output for one in found[wait]] for wait in WAITS]
    assert outputs[0] == outputs[1] == [one.output for one in answers("fl", asked_of_all())]


def test_bad_blocks_take_the_same_cycles():
    taken = answers("batch", [one for one in asked_of_all() if one.operation == DECRYPT])
    assert len({one.cycles for one in taken}) == 1


def test_every_level_takes_the_cycles_of_the_hardware():
    asked = [Asked(ENCRYPT, MESSAGE)]
    runs = [
        operate(make_bus_system(level, partial(small, beside)), even_key(96, 1), 96, asked)
        for level, beside in (("rtl", "rtl"), ("batch", "rtl"), ("cl", "rtl"), ("cl", "cl"))
    ]
    assert all(run == runs[0] for run in runs)


@pytest.mark.parametrize("level", ["fl", "cl"])
def test_a_run_begins_anew_whatever_was_under_way(level: str):
    """With the first random byte, and nothing on the bus: behind a run, and one that was
    stopped, one cycle or instruction after another."""
    asked, key = [Asked(ENCRYPT, MESSAGE)], even_key(96, 1)
    device = make_bus_system(level, partial(find("ssmm-best").on_bus, level, 96))
    first = operate(device, key, 96, asked)
    assert operate(device, key, 96, asked) == first
    words_of = [5] * 9 + [0, 3, 7, 7, 7] * 9  # a key, and messages of three bytes
    for limit in (400, 401, 402):
        with pytest.raises(RunError, match=f"did not end within {limit} "):
            device.run(axi_image(96, INTERRUPT), Manager(words_of, words=99), FAST, limit)
    assert operate(device, key, 96, asked) == first


def small(level: str):
    return find("ssmm-best").peripheral(level, 96)


@pytest.mark.parametrize("nbits", [pytest.param(512, marks=pytest.mark.long), 1024])
def test_all_four_with_long_keys(nbits: int):
    """Of 1024 bits: theirs are a ciphertext and a signature of `cryptography`."""
    key = even_key(nbits, 3)
    message, info = b"to be told to nobody", signed_info(b"to be told to nobody")
    axi = system("batch", "array-16", nbits)
    _, (encrypted, signed) = operate(axi, key, nbits, [Asked(ENCRYPT, message), Asked(SIGN, info)])
    ciphertext, signature = encrypted.output, signed.output
    if nbits >= 1024:
        private = cryptography_key(key)
        public, sha = private.public_key(), hashes.SHA256()
        assert private.decrypt(ciphertext, padding.PKCS1v15()) == message
        public.verify(signature, message, padding.PKCS1v15(), sha)
        ciphertext = public.encrypt(message, padding.PKCS1v15())
        signature = private.sign(message, padding.PKCS1v15(), sha)
    asked = [Asked(DECRYPT, ciphertext), Asked(VERIFY, signature), Asked(DECRYPT, signature)]
    _, found = operate(axi, key, nbits, asked)
    assert [one.output for one in found] == [message, info, None]


def any_asked(rng: Random, key: RsaKey) -> Asked:
    """Any operation: on messages that fit or do not, on good blocks, bad ones, and anything."""
    operation, size = rng.choice(OPERATIONS), modulus_bytes(key.n)
    if operation in (ENCRYPT, SIGN) or rng.random() < 0.2:
        return Asked(operation, rng.randbytes(rng.randrange(size + 3)))
    kind = ENCRYPTION if operation == DECRYPT else SIGNATURE
    length = rng.randrange(size - OVERHEAD + 1)
    drawn = rng.choices(range(1, 256), k=size)
    block = pad(kind, rng.getrandbits(8 * size), length, size, drawn)
    if rng.random() < 0.4:
        block ^= 1 << rng.randrange(8 * size)
    return Asked(operation, block.to_bytes(size))


def model_answers(key: RsaKey, nbits: int, asked: list[Asked]) -> list[bytes | None]:
    """What the registers as integers answer, asked by the driver in Python."""
    device = PeripheralAtOnce(Registers(nbits, find(DESIGN).at(nbits).value))

    def perform(procedure: Procedure) -> Outcome | None:
        data = None
        while True:
            try:
                access = procedure.send(data)
            except StopIteration as end:
                return end.value
            data = 0
            if access and access.data is None:
                data = device.read(access.address)[0]
            elif access:
                assert device.write(access.address, access.data) == OKAY

    perform(load_key(nbits, key.n, (key.e, key.d)))
    outcomes = [
        perform(
            drive(
                nbits,
                one.data,
                one.operation in (DECRYPT, SIGN),
                ENCRYPTION if one.operation in (ENCRYPT, DECRYPT) else SIGNATURE,
            )
        )
        for one in asked
    ]
    return [None if one.error else one.output for one in outcomes]


def check_random(nbits: int, seed: int, count: int) -> int:
    """Random operations, on memory that pauses; how many outputs there were."""
    rng = Random(f"operations {nbits} {seed}")
    made = even_key(nbits, 1 + seed % 3)
    # With an exponent of 1 a block is its own power.
    key = replace(made, e=1, d=3) if seed % 2 else replace(made, e=3, d=1)
    asked = [any_asked(rng, key) for _ in range(count)]
    timing = Timing(1 + seed % 4, seed or None)
    wait = WAITS[seed // 2 % 2]
    _, found = operate(system("batch", DESIGN, nbits), key, nbits, asked, wait, timing)
    assert [one.output for one in found] == model_answers(key, nbits, asked)
    return sum(one.output is not None for one in found)


@pytest.mark.parametrize("seed", range(4))
def test_random_operations(seed: int):
    assert 40 < check_random(NBITS, seed, 80) < 80


COUNTS = {96: 32_000, 104: 32_000, 160: 20_000, 256: 10_000, 512: 4_000, 1024: 2_000}


@pytest.mark.long
@pytest.mark.parametrize("nbits", COUNTS)
def test_a_hundred_thousand_random_operations(nbits: int):
    assert sum(COUNTS.values()) == 100_000
    for seed in range(COUNTS[nbits] // 1000):
        check_random(nbits, seed, 1000)


def test_of_a_message_longer_than_all_numbers_the_end_is_encrypted():
    """As of one that does not fit the block; the operands are of 16 bytes."""
    [found] = answers("fl", [Asked(ENCRYPT, bytes(range(1, 21)))])
    block = power(found.output, KEY.d)
    assert (block[:2], block[10:]) == (b"\0\2", bytes([0, 19, 20]))


@pytest.mark.parametrize("failed", [0, 1])
def test_an_output_of_more_bytes_than_are_told_is_an_error(failed: int):
    assert _answer(failed, 2, 0xFFFE, 0, 99).cycles == 99
    with pytest.raises(RunError, match="says 2 bytes, but its output 0x10000 has more"):
        _answer(failed, 2, 0x10000, 0, 99)


def test_each_run_begins_with_the_same_random_bytes():
    """As the reset has it: the block is that of the run before."""
    first, again = (answers("cl", [Asked(ENCRYPT, MESSAGE)]) for _ in range(2))
    assert first == again


BY_PARTS = "array-crt(digit=4)"
WIDTHS = {102: 102, 129: 128}  # of peripherals, of which the second has parts of 65 bits, and keys


@pytest.mark.parametrize("nbits", WIDTHS)
def test_a_key_in_its_parts(monkeypatch, tmp_path: Path, nbits: int):
    """They do what d does, until a key is loaded; wrong ones do nothing."""
    key, device = even_key(WIDTHS[nbits], 1), system("fl", BY_PARTS, nbits)
    parts = CrtKey.of(key)
    size = modulus_bytes(key.n)
    block = b"\0\1" + b"\xff" * (size - 3 - len(MESSAGE)) + b"\0" + MESSAGE
    right = pow(int.from_bytes(block), key.d, key.n).to_bytes(size)

    def signed(parts: CrtKey) -> bytes | None:
        [found] = operate(device, key, nbits, [Asked(SIGN, MESSAGE)], parts=parts)[1]
        return found.output

    wrong = [replace(parts, **{name: getattr(parts, name) ^ 2}) for name in ("p", "q", "dp", "dq")]
    assert [signed(one) for one in (parts, *wrong)] == [right, None, None, None, None]
    load = "  peripheral_load_parts(&parts);\n"
    again = planted(tmp_path, "rsa_axi.c", load, f"{load}  peripheral_load_key(modulus, e, d);\n")
    image = again("rsa_axi.c", WORDS=words(nbits), PARTS=1)
    monkeypatch.setattr("proc.run.rsa_axi.axi_image", lambda *_: image)
    assert signed(wrong[0]) == right


@pytest.mark.parametrize(
    ("design", "nbits", "of_part"),
    [
        (DESIGN, 102, 0),
        (DESIGN, 129, 0),
        (BY_PARTS, 102, 2),
        (BY_PARTS, 128, 2),
        (BY_PARTS, 129, 3),
    ],
)
def test_how_many_words_the_driver_loads(tmp_path: Path, design: str, nbits: int, of_part: int):
    source = tmp_path / "words.c"
    source.write_text(
        '#include "peripheral.h"\n'
        "int main(void) { return peripheral_words() << 8 | peripheral_part_words(); }\n"
    )
    manager = Manager()
    system("fl", design, nbits).run(load_elf(build([source, APP / "peripheral.c"])), manager)
    assert manager.exit_code == words(nbits) << 8 | of_part


FAULTS = {
    "the exponents exchanged": ("put(EXPONENT_E, words, e)", "put(EXPONENT_E, words, d)"),
    "a word of the input lost": ("words < most ? words : most", "words < most ? words - 1 : most"),
    "another length": ("registers[INPUT_LENGTH] = bytes", "registers[INPUT_LENGTH] = bytes + 1"),
    "the same word again": ("registers[READ_ADDRESS] = place", "registers[READ_ADDRESS] = 0"),
    "an error not told": ("(registers[STATUS] & ERROR) != 0", "0"),
    "not waited for": ("while (!finished) interrupts_wait();", "finished = 1;"),
    "an interrupt that stays": ("  registers[STATUS] = 0; /* the line falls */\n", ""),
    "signed as encrypted": ("operate(SIGNATURE, DECRYPT,", "operate(ENCRYPTION, DECRYPT,"),
}


@faults(FAULTS)
def test_fault_of_the_driver(monkeypatch, tmp_path: Path, sound: str, faulty: str):
    image = planted(tmp_path, "peripheral.c", sound, faulty)("rsa_axi.c", WORDS=4)
    monkeypatch.setattr("proc.run.rsa_axi.axi_image", lambda *_: image)
    monkeypatch.setattr("proc.run.rsa_axi.LIMIT", 100_000)
    with pytest.raises((AssertionError, RunError)):
        check(answers("batch", asked_of_all()))
