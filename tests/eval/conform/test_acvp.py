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


PSS = {"sigType": "pss", "hashAlg": "SHA2-256", "saltLen": 20}


@pytest.mark.parametrize(
    ("group", "said"),
    [
        ({"maskFunction": "mgf1"}, ""),
        ({"conformance": "SP800-106"}, "conformance 'SP800-106', which is not done"),
        ({"sigType": "ansx9.31"}, "sigType 'ansx9.31', not pkcs1v1.5 or pss"),
        ({"maskFunction": "shake-128"}, "maskFunction 'shake-128', not mgf1"),
        ({"hashAlg": "SHAKE-128"}, "hashAlg 'SHAKE-128', not SHA-1, SHA2 or SHA3"),
        ({"saltLen": -1}, "saltLen -1 is longer than the hash"),
    ],
    ids=str,
)
def test_groups_of_what_is_not_done_are_refused(
    tmp_path: Path, key: rsa.RSAPrivateKey, group: dict[str, Any], said: str
) -> None:
    tests = [{"tcId": 1, "message": MESSAGE.hex()}]
    if not said:
        assert len(asked(tmp_path, "sigGen", NBITS, key, tests=tests, **PSS | group).vectors) == 1
        return
    with pytest.raises(UserError) as error:
        asked(tmp_path, "sigGen", NBITS, key, tests=tests, **PSS | group)
    assert f"is wrong: {said}" in str(error.value)


def test_groups_of_other_widths_are_left_out_and_counted(tmp_path: Path) -> None:
    numbers = {"n": "fff1", "e": "3", "d": "7"}
    tests = [{"tcId": 1, "message": "00ab"} | numbers]
    groups = [{"tgId": i, "modulo": nbits, "tests": tests} for i, nbits in enumerate((16, 24, 32))]
    file = tmp_path / "prompt.json"
    content = {"algorithm": "RSA", "mode": "signaturePrimitive", "testGroups": groups}
    file.write_text(json.dumps(content))

    def none() -> RsaKey:
        raise AssertionError("no key is asked for")

    prompt = read_prompt("--acvp", str(file), 16, none)
    assert (prompt.left_out, len(prompt.vectors)) == (2, 1)
    with pytest.raises(UserError, match="has none of 8 bits; choose from 16, 24, 32"):
        read_prompt("--acvp", str(file), 8, none)
