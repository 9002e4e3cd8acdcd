"""Encryption and signatures by the packages `rsa` and `cryptography`, as peers of a peripheral."""

import hashlib
from collections.abc import Callable, Iterable
from random import Random

import rsa
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding
from cryptography.hazmat.primitives.asymmetric import rsa as crsa

from fl.peripheral_driver import Outcome, Procedure, operate
from fl.pkcs1 import ENCRYPTION, OVERHEAD, SIGNATURE, modulus_bytes
from fl.rsa_keys import RsaKey

Perform = Callable[[Procedure], Outcome]

LEAST_OF_CRYPTOGRAPHY = 1024  # bits
SHA_256 = bytes.fromhex("3031300d060960864801650304020105000420")  # what precedes the hash


def check_peers(perform: Perform, nbits: int, key: RsaKey, lengths: Iterable[int]) -> None:
    """Messages of these lengths, there and back, by the packages on the other side."""
    for length in lengths:
        message = Random(f"message {length}").randbytes(length)
        check_encryption(perform, nbits, key, message)
        check_signature(perform, nbits, key, message)
    if key.nbits >= LEAST_OF_CRYPTOGRAPHY:
        check_cryptography(perform, nbits, key)


def check_encryption(perform: Perform, nbits: int, key: RsaKey, message: bytes) -> None:
    """Ours is decrypted by `rsa`, and the other way round; equal messages have different blocks."""
    public, private = rsa.PublicKey(key.n, key.e), rsa.PrivateKey(key.n, key.e, key.d, key.p, key.q)
    ours = [perform(operate(nbits, message)) for _ in range(2)]
    assert not ours[0].error
    assert ours[0] != ours[1]
    for outcome in ours:
        assert rsa.decrypt(outcome.output, private) == message
    theirs = rsa.encrypt(message, public)
    assert perform(operate(nbits, theirs, decrypt=True)) == Outcome(False, message)


def check_signature(perform: Perform, nbits: int, key: RsaKey, message: bytes) -> None:
    """Ours is the power that `rsa` signs by, and its signature is found good."""
    block = rsa.pkcs1._pad_for_signing(message, modulus_bytes(key.n))
    right = pow(int.from_bytes(block), key.d, key.n).to_bytes(modulus_bytes(key.n))
    assert perform(operate(nbits, message, True, SIGNATURE)) == Outcome(False, right)
    assert perform(operate(nbits, right, False, SIGNATURE)) == Outcome(False, message)
    assert perform(operate(nbits, right, False, ENCRYPTION)).error is False
    assert perform(operate(nbits, right, True, ENCRYPTION)).error


def check_cryptography(perform: Perform, nbits: int, key: RsaKey) -> None:
    """The same with whole operations of `cryptography`."""
    private = cryptography_key(key)
    public = private.public_key()
    message = b"to be told to nobody"
    ours = perform(operate(nbits, message))
    assert private.decrypt(ours.output, padding.PKCS1v15()) == message
    theirs = public.encrypt(message, padding.PKCS1v15())
    assert perform(operate(nbits, theirs, decrypt=True)) == Outcome(False, message)

    info = signed_info(message)
    signed = perform(operate(nbits, info, True, SIGNATURE))
    public.verify(signed.output, message, padding.PKCS1v15(), hashes.SHA256())
    theirs = private.sign(message, padding.PKCS1v15(), hashes.SHA256())
    assert perform(operate(nbits, theirs, False, SIGNATURE)) == Outcome(False, info)


def cryptography_key(key: RsaKey) -> crsa.RSAPrivateKey:
    """The key as `cryptography` has it."""
    exponents = key.d % (key.p - 1), key.d % (key.q - 1)
    inverse = pow(key.q, -1, key.p)
    public = crsa.RSAPublicNumbers(key.e, key.n)
    return crsa.RSAPrivateNumbers(key.p, key.q, key.d, *exponents, inverse, public).private_key()


def signed_info(message: bytes) -> bytes:
    """What is signed of a message: its hash, and which hash it is."""
    return SHA_256 + hashlib.sha256(message).digest()


def lengths_of(key: RsaKey) -> tuple[int, ...]:
    """None, one byte, all that fit."""
    return 0, 1, modulus_bytes(key.n) - OVERHEAD
