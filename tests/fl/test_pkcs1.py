"""The blocks of PKCS#1 v1.5 beside those of the packages `rsa` and `cryptography`."""

from random import Random

import pytest
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from hypothesis import given
from hypothesis import strategies as st
from rsa import pkcs1

from fl.pkcs1 import ENCRYPTION, LEAST_BYTES, OVERHEAD, SIGNATURE, has_blocks, pad, unpad
from fl.rsa_keys import even_key
from tests.cases.blocks import bad_blocks, good_blocks

KINDS = (SIGNATURE, ENCRYPTION)
SIZES = (LEAST_BYTES, 13, 32, 128)


def drawn_bytes(k: int, seed: object) -> bytes:
    """k random bytes, none of them 0."""
    return bytes(Random(f"drawn {seed}").choices(range(1, 256), k=k))


@pytest.mark.quick
@given(st.sampled_from(KINDS), st.integers(LEAST_BYTES, 200), st.data())
def test_what_is_padded_is_unpadded(kind: int, k: int, data):
    message = data.draw(st.binary(max_size=k - OVERHEAD))
    block = pad(kind, int.from_bytes(message), len(message), k, drawn_bytes(k, len(message)))
    assert unpad(kind, block, k) == len(message)
    assert block.to_bytes(k).endswith(b"\0" + message)
    assert unpad(SIGNATURE + ENCRYPTION - kind, block, k) is None


@pytest.mark.quick
def test_a_signature_is_padded_as_by_the_rsa_package():
    for k in SIZES:
        for length in range(k - OVERHEAD + 1):
            message = Random(f"{k} {length}").randbytes(length)
            block = pad(SIGNATURE, int.from_bytes(message), length, k)
            assert block.to_bytes(k) == pkcs1._pad_for_signing(message, k)


@pytest.mark.quick
def test_padding_is_what_was_drawn_where_it_stands():
    drawn = drawn_bytes(20, "places")
    block = pad(ENCRYPTION, 0xABCDEF, 2, 20, drawn).to_bytes(20)
    assert block == b"\0\2" + drawn[2:17] + b"\0\xcd\xef"


@pytest.mark.quick
def test_a_message_that_is_too_long_loses_its_first_bytes():
    assert pad(SIGNATURE, 0x112233, 3, 13) == int.from_bytes(b"\0\1" + b"\xff" * 8 + b"\0\x22\x33")


@pytest.mark.quick
@pytest.mark.parametrize("k", SIZES)
@pytest.mark.parametrize("kind", KINDS)
def test_good_and_bad_blocks(kind: int, k: int):
    for name, block, message in good_blocks(kind, k, 1):
        assert unpad(kind, int.from_bytes(block), k) == len(message), name
    for name, block in bad_blocks(kind, k, 1):
        assert unpad(kind, int.from_bytes(block), k) is None, name


@pytest.mark.quick
def test_short_moduli_have_no_blocks():
    assert [has_blocks(kind, 12) for kind in range(4)] == [False, True, True, False]
    assert not has_blocks(ENCRYPTION, 11)


def test_blocks_of_cryptography():
    """It encrypts, and its blocks are found in the powers of its ciphertexts."""
    key = even_key(1024, 5)
    public = rsa.RSAPublicNumbers(key.e, key.n).public_key()
    for length in (0, 1, 50, 117):
        message = Random(length).randbytes(length)
        block = pow(int.from_bytes(public.encrypt(message, padding.PKCS1v15())), key.d, key.n)
        assert unpad(ENCRYPTION, block, 128) == length
        assert block.to_bytes(128).endswith(b"\0" + message)
