"""RSA by the peripheral, from C: the same at every level, and as other packages have it."""

from functools import cache, partial
from itertools import islice
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding

from eval.catalog import find
from fl.pkcs1 import ENCRYPTION
from fl.rsa_keys import even_key
from proc.rsa_axi import (
    DECRYPT,
    ENCRYPT,
    INTERRUPT,
    SIGN,
    VERIFY,
    WAITS,
    Answer,
    Asked,
    operate,
)
from proc.systems import System, make_bus_system
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


def test_verilog_takes_the_cycles_of_the_python_simulation():
    asked = [Asked(ENCRYPT, MESSAGE)]
    by_level = {
        level: operate(make_bus_system(level, small), even_key(96, 1), 96, asked)
        for level in ("rtl", "batch")
    }
    assert by_level["rtl"] == by_level["batch"]


def small():
    return find("ssmm-best").peripheral("rtl", 96)


@pytest.mark.parametrize("nbits", [512, 1024])
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
    monkeypatch.setattr("proc.rsa_axi.axi_image", lambda nbits, wait: image)
    monkeypatch.setattr("proc.rsa_axi.LIMIT", 100_000)
    with pytest.raises((AssertionError, RunError)):
        check(answers("batch", asked_of_all()))
