"""The host's encodings, against the package `cryptography`."""

from hashlib import sha1

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


def test_pss_of_a_block_of_whole_bytes() -> None:
    """Of 1025 bits the block has 1024, and is a byte shorter than the modulus."""
    key, salt = generate_private_key(65537, 1025), bytes(range(20))
    scheme = padding.PSS(padding.MGF1(hashes.SHA256()), len(salt))
    block = opened(key, key.sign(MESSAGE, scheme, hashes.SHA256()))
    assert pss_fits("sha256", MESSAGE, block, len(salt), 1024)
    ours = pss_block("sha256", MESSAGE, salt, 1024)
    signature = power(key, ours.to_bytes(129)).to_bytes(129)
    key.public_key().verify(signature, MESSAGE, scheme, hashes.SHA256())


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


@pytest.mark.parametrize(
    ("after", "message"),
    [
        (bytes(22), None),
        (bytes(21) + b"\x01", b""),
        (b"\x01" + bytes(21), bytes(21)),
        (bytes(9) + b"\x02\x01" + bytes(11), None),
    ],
)
def test_what_follows_the_label_in_oaep(after: bytes, message: bytes | None) -> None:
    """Zeros, and a 1 before the message; the mask of 42 bytes is three hashes of the seed."""
    seed, content = bytes(range(20)), sha1(b"").digest() + after

    def masked(plain: bytes, seed: bytes) -> bytes:
        hashed = b"".join(sha1(seed + bytes([0, 0, 0, i])).digest() for i in range(3))
        return bytes(a ^ b for a, b in zip(plain, hashed, strict=False))

    hidden = masked(content, seed)
    block = bytes(1) + masked(seed, hidden) + hidden
    assert oaep_message(int.from_bytes(block), 63, "sha1", "sha1") == message


def test_a_block_of_encryption(key: RSAPrivateKey) -> None:
    block = power(key, key.public_key().encrypt(MESSAGE, padding.PKCS1v15()))
    assert decrypted(block, SIZE) == MESSAGE
    assert decrypted(block ^ 3 << 8 * (SIZE - 2), SIZE) is None


@pytest.mark.parametrize("bits", [1017, 1023, 1024])
def test_a_block_of_pss_that_is_too_long_does_not_fit(bits: int) -> None:
    """A power may be: it is below the modulus, which has a bit more."""
    block = pss_block("sha256", MESSAGE, bytes(20), bits)
    assert block.bit_length() <= bits
    assert pss_fits("sha256", MESSAGE, block, 20, bits)
    for bit in {bits, 8 * -(-bits // 8) - 1, 8 * -(-bits // 8)} - {*range(bits)}:
        assert not pss_fits("sha256", MESSAGE, block | 1 << bit, 20, bits)
