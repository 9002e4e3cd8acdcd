"""Prompts of ACVP: what they ask for, and how their answers are written."""

import json
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from eval.conform.acvp import Prompt, read_prompt
from eval.conform.run import Tried
from fl.rsa_keys import RsaKey
from sim.errors import UserError

pytestmark = pytest.mark.quick
NBITS = 1024
MESSAGE = b"to be told to nobody"


@pytest.fixture(scope="module")
def key() -> rsa.RSAPrivateKey:
    return rsa.generate_private_key(65537, NBITS)


def asked(folder: Path, mode: str, nbits: int, key: Any = None, **group: Any) -> Prompt:
    """What a file with one group asks for."""
    file = folder / "prompt.json"
    group = {"tgId": 1, "modulo": nbits} | group
    file.write_text(json.dumps({"algorithm": "RSA", "mode": mode, "testGroups": [group]}))

    def own() -> RsaKey:
        made = key.private_numbers()
        n, e = made.public_numbers.n, made.public_numbers.e
        return RsaKey("drawn", "", n, e, made.d, made.p, made.q)

    return read_prompt("--acvp", str(file), nbits, own)


def answered(prompt: Prompt) -> dict[str, Any]:
    """The only group of the answers by Python's own powers."""
    tried = []
    for vector in prompt.vectors:
        assert vector.power
        request = vector.power
        found = vector.found(pow(request.base, request.exp, request.mod))
        tried.append(Tried(vector, found, None, None))
    [group] = prompt.response(tried)["testGroups"]
    return dict(group)


@pytest.mark.parametrize("salt_bytes", [0, 31, 32])
def test_a_signature_with_a_salt_as_long_as_the_hash_is_made(
    tmp_path: Path, key: rsa.RSAPrivateKey, salt_bytes: int
) -> None:
    tests = [{"tcId": 1, "message": MESSAGE.hex()}]
    group = {"sigType": "pss", "hashAlg": "SHA2-256", "tests": tests}
    found = answered(asked(tmp_path, "sigGen", NBITS, key, saltLen=salt_bytes, **group))
    signature = bytes.fromhex(found["tests"][0]["signature"])
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), salt_bytes)
    key.public_key().verify(signature, MESSAGE, scheme, hashes.SHA256())
    with pytest.raises(UserError, match="is wrong: saltLen 33 is longer than the hash"):
        asked(tmp_path, "sigGen", NBITS, key, saltLen=33, **group)


@pytest.mark.parametrize(("e", "written"), [(3, "03"), (65537, "010001")])
def test_numbers_of_the_key_are_written_in_whole_bytes(
    tmp_path: Path, e: int, written: str
) -> None:
    made = rsa.generate_private_key(e, NBITS)
    tests = [{"tcId": 1, "message": MESSAGE.hex()}]
    group = {"sigType": "pkcs1v1.5", "hashAlg": "SHA-1", "tests": tests}
    found = answered(asked(tmp_path, "sigGen", NBITS, made, **group))
    assert found["e"] == written
    assert found["n"] == f"{made.public_key().public_numbers().n:X}"
    assert len(found["n"]) == NBITS // 4


@pytest.mark.parametrize(("e", "fits"), [(0xFFFF, True), (0x10001, False)])
def test_an_exponent_is_at_most_as_long_as_the_modulus(tmp_path: Path, e: int, fits: bool) -> None:
    numbers = {"n": "fff1", "e": f"{e:x}", "d": f"{e:x}"}
    group = {"tests": [{"tcId": 1, "message": "00ab"} | numbers]}
    if fits:
        found = answered(asked(tmp_path, "signaturePrimitive", 16, **group))
        assert int(found["tests"][0]["signature"], 16) == pow(0xAB, e, 0xFFF1)
        return
    with pytest.raises(UserError, match="n or an exponent of tcId 1 is not of 16 bits"):
        asked(tmp_path, "signaturePrimitive", 16, **group)
