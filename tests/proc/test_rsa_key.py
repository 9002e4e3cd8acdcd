"""RSA by an accelerator that has the key in its parts, from C: signatures between verifications,
and no result of a key that is wrong."""

from dataclasses import replace
from functools import cache
from pathlib import Path
from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import generate_private_key
from cryptography.hazmat.primitives.hashes import SHA256

from eval.catalog import find
from fl.crt import CrtKey
from fl.rsa_keys import RsaKey, even_key, seeded_key
from fl.xcel import STATUS_BAD_MODULUS, STATUS_FAULT
from proc.run import rsa_key
from proc.run.levels import make_system
from proc.run.rsa_key import PRIVATE, PUBLIC, key_bits, operate
from sim.errors import RunError
from tests.faults import faults
from tests.proc.test_mont_words import planted

DESIGN = "array-crt(digit=4)"
KEY = even_key(72, 1)  # three words, and two of each part


@cache
def system(level: str, nbits: int):
    model = "rtl" if level == "batch" else level
    return make_system(level, lambda: find(DESIGN).xcel(model, nbits))


def check(level: str, key: RsaKey) -> None:
    """Both operations in turns, right by Python's powers."""
    nbits = key_bits(key.n, key.p, key.q)
    rng = Random(key.n)
    asked = [
        (operation, number)
        for number in (0, key.n - 1, key.p, rng.randrange(key.n))
        for operation in (PRIVATE, PUBLIC, PRIVATE)
    ]
    _, answers = operate(system(level, nbits), key.n, CrtKey.of(key), nbits, asked)
    for (operation, number), answer in zip(asked, answers, strict=True):
        exponent = key.d if operation == PRIVATE else key.e
        assert (answer.status, answer.result) == (0, pow(number, exponent, key.n))


@pytest.mark.parametrize("key", [KEY, even_key(16, 1), even_key(64, 2), seeded_key(256, 1)])
def test_models(key: RsaKey):
    check("fl", key)


def test_the_hardware():
    check("batch", KEY)


def test_a_wrong_part_gives_no_result():
    """In any part, on the hardware; the time is that of a right one."""
    parts = CrtKey.of(KEY)
    fast, nbits = system("batch", KEY.nbits), KEY.nbits
    _, [right] = operate(fast, KEY.n, parts, nbits, [(PRIVATE, 12345)])
    for name in ("p", "q", "dp", "dq", "q_inverse"):
        wrong = replace(parts, **{name: getattr(parts, name) ^ 2})
        _, [answer] = operate(fast, KEY.n, wrong, nbits, [(PRIVATE, 12345)])
        assert answer.is_fault
        assert answer == replace(right, status=STATUS_FAULT, result=0), name
    _, [answer] = operate(fast, KEY.n - 1, parts, nbits, [(PRIVATE, 12345)])
    assert (answer.status, answer.result) == (STATUS_BAD_MODULUS, 0)


def test_signatures_and_decryptions_of_another_package():
    """With a key of its own, of 1024 bits."""
    made = generate_private_key(65537, 1024)
    numbers, public = made.private_numbers(), made.public_key()
    n = numbers.public_numbers.n
    parts = CrtKey(numbers.p, numbers.q, numbers.dmp1, numbers.dmq1, numbers.iqmp, 65537)
    message = b"to be told to nobody"
    signature = made.sign(message, padding.PKCS1v15(), SHA256())
    block = public.recover_data_from_signature(signature, padding.PKCS1v15(), None)
    padded = b"\0\1" + b"\xff" * (128 - 3 - len(block)) + b"\0" + block
    ciphertext = public.encrypt(message, padding.PKCS1v15())
    asked = [(PRIVATE, int.from_bytes(one)) for one in (padded, ciphertext)]
    _, (signed, decrypted) = operate(system("fl", 1024), n, parts, 1024, asked)
    assert signed.result.to_bytes(128) == signature
    assert decrypted.result.to_bytes(128).endswith(b"\0" + message)


FAULTS = {
    "p and q exchanged": ("CSR_XCEL + 5, p)", "CSR_XCEL + 5, q)"),
    "a power for the private operation": ("CSR_XCEL + 0, 1)", "CSR_XCEL + 0, 0)"),
    "a fault not told": ("(XCEL_BAD_MODULUS | XCEL_FAULT)", "XCEL_BAD_MODULUS"),
    "n not pushed": ("CSR_XCEL + 3, n)", "CSR_XCEL + 3, 1)"),
}


def check_all() -> None:
    """Right and wrong keys at level fl."""
    check("fl", KEY)
    wrong = replace(CrtKey.of(KEY), dp=1)
    _, [answer] = operate(system("fl", 72), KEY.n, wrong, 72, [(PRIVATE, 5)])
    assert answer.is_fault


@faults(FAULTS)
def test_fault_of_the_driver(monkeypatch, tmp_path: Path, sound: str, faulty: str):
    image = planted(tmp_path, "xcel_private.h", sound, faulty)("rsa_key.c", WORDS=3)
    monkeypatch.setattr(rsa_key, "key_image", lambda nbits: image)
    with pytest.raises((AssertionError, RunError)):
        check_all()


def test_exponents_that_are_not_pushed_again(monkeypatch, tmp_path: Path):
    sound = "      xcel_push_exponents(WORDS, &key);\n"
    image = planted(tmp_path, "rsa_key.c", sound, "")("rsa_key.c", WORDS=3)
    monkeypatch.setattr(rsa_key, "key_image", lambda nbits: image)
    with pytest.raises(AssertionError):
        check("fl", KEY)
