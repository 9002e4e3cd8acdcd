"""The host's encodings, against the package `cryptography`."""

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPrivateKey, generate_private_key

from eval.conform.encoding import (
    HASHES,
    decrypted,
    oaep_message,
    pss_block,
    pss_fits,
    signed_block,
)

pytestmark = pytest.mark.quick

MESSAGE = b"to be told to nobody"
NBITS, SIZE = 1032, 129  # a block of PSS has whole bytes less one bit


@pytest.fixture(scope="module")
def key() -> RSAPrivateKey:
    return generate_private_key(65537, NBITS)


def other(name: str) -> hashes.HashAlgorithm:
    """The same hash as cryptography names it."""
    known = {"sha512_224": "SHA512_224", "sha512_256": "SHA512_256"}
    found = known.get(name, name.upper())
    return getattr(hashes, found)()


def opened(key: RSAPrivateKey, signature: bytes) -> int:
    numbers = key.public_key().public_numbers()
    return pow(int.from_bytes(signature), numbers.e, numbers.n)


def power(key: RSAPrivateKey, ciphertext: bytes) -> int:
    numbers = key.private_numbers()
    return pow(int.from_bytes(ciphertext), numbers.d, numbers.public_numbers.n)


@pytest.mark.parametrize("name", HASHES)
def test_the_block_of_a_signature(name: str, key: RSAPrivateKey) -> None:
    signature = key.sign(MESSAGE, padding.PKCS1v15(), other(name))
    assert signed_block(name, MESSAGE, SIZE) == opened(key, signature)
    with pytest.raises(ValueError, match="have no room for"):
        signed_block(name, MESSAGE, 32)


@pytest.mark.parametrize("salt_bytes", [0, 11, 32])
@pytest.mark.parametrize("names", [("sha256", "sha256"), ("sha1", "sha512"), ("sha384", "sha1")])
def test_pss_of_others_fits(names: tuple[str, str], salt_bytes: int, key: RSAPrivateKey) -> None:
    name, mgf = names
    scheme = padding.PSS(padding.MGF1(other(mgf)), salt_bytes)
    block = opened(key, key.sign(MESSAGE, scheme, other(name)))
    bits = NBITS - 1
    assert pss_fits(name, MESSAGE, block, salt_bytes, bits, mgf)
    assert not pss_fits(name, MESSAGE + b".", block, salt_bytes, bits, mgf)
    assert not pss_fits(name, MESSAGE, block, salt_bytes + 1, bits, mgf)
    assert not any(
        pss_fits(name, MESSAGE, block ^ 1 << place, salt_bytes, bits, mgf)
        for place in (0, 9, 300, 700, bits - 1, bits)
    )


@pytest.mark.parametrize("name", ["sha1", "sha256"])
def test_others_accept_our_pss(name: str, key: RSAPrivateKey) -> None:
    salt = bytes(range(20))
    block = pss_block(name, MESSAGE, salt, NBITS - 1)
    signature = power(key, block.to_bytes(SIZE)).to_bytes(SIZE)
    scheme = padding.PSS(padding.MGF1(other(name)), len(salt))
    key.public_key().verify(signature, MESSAGE, scheme, other(name))
    with pytest.raises(ValueError, match="have no room for"):
        pss_block(name, MESSAGE, salt, 200)


@pytest.mark.parametrize("label", [b"", b"a label"])
@pytest.mark.parametrize("names", [("sha1", "sha256"), ("sha256", "sha1"), ("sha384", "sha384")])
def test_oaep_of_others(names: tuple[str, str], label: bytes, key: RSAPrivateKey) -> None:
    name, mgf = names
    scheme = padding.OAEP(padding.MGF1(other(mgf)), other(name), label)
    block = power(key, key.public_key().encrypt(MESSAGE, scheme))
    assert oaep_message(block, SIZE, name, mgf, label) == MESSAGE
    assert oaep_message(block, SIZE, name, mgf, b"another") is None
    assert oaep_message(block ^ 1, SIZE, name, mgf, label) is None
    assert oaep_message(block | 1 << 8 * SIZE - 1, SIZE, name, mgf, label) is None
    assert oaep_message(block & 0xFF, 20, name, mgf, label) is None


def test_a_block_of_encryption(key: RSAPrivateKey) -> None:
    block = power(key, key.public_key().encrypt(MESSAGE, padding.PKCS1v15()))
    assert decrypted(block, SIZE) == MESSAGE
    assert decrypted(block ^ 3 << 8 * (SIZE - 2), SIZE) is None
