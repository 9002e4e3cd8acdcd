"""A vector: a power that a design is asked for, and what must come of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from eval.catalog.workloads import Request
from eval.conform.encoding import (
    decrypted,
    oaep_message,
    pss_block,
    pss_fits,
    signed_block,
)
from fl.pkcs1 import modulus_bytes

SIGN15, VERIFY15, SIGN_PSS, VERIFY_PSS = "SigGen15", "SigVer15", "SigGenPSS", "SigVerPSS"
DECRYPT15, DECRYPT_OAEP = "PKCS1v15-decrypt", "OAEP-decrypt"
SUITES = (SIGN15, VERIFY15, SIGN_PSS, VERIFY_PSS, DECRYPT15, DECRYPT_OAEP)


@dataclass(frozen=True)
class Vector:
    """Asks for a power; `read` makes of it what the vector says is `right`: a signature, whether
    one is valid, or a message.

    power: None where the number is not below the modulus, so that none is made.
    """

    suite: str
    name: str
    modulus: int
    power: Request | None
    read: Callable[[int], Any]
    right: Any

    @property
    def nbits(self) -> int:
        """Return the bits of the modulus."""
        return self.modulus.bit_length()

    @property
    def must_fail(self) -> bool:
        """Whether it is a signature that must be refused."""
        return self.right is False

    def found(self, power: int | None) -> Any:
        """Return what comes of a power; of none, what is refused."""
        refused = False if isinstance(self.right, bool) else None
        return refused if power is None else self.read(power)


@dataclass(frozen=True)
class Key:
    """Holds the numbers of a key that a vector names; d is 0 where it is not told."""

    n: int
    e: int
    d: int = 0

    @property
    def size(self) -> int:
        """Return the bytes of the modulus."""
        return modulus_bytes(self.n)

    @property
    def pss_bits(self) -> int:
        """Return the bits of a block of PSS."""
        return self.n.bit_length() - 1

    def power(self, base: int, exponent: int) -> Request | None:
        """Ask for a power of a number below n."""
        return Request(base, exponent, self.n) if base < self.n else None

    def signature(self, power: int) -> bytes:
        """Write a power as long as the modulus."""
        return power.to_bytes(self.size)


def sign15(name: str, key: Key, hash_name: str, message: bytes, right: bytes | None) -> Vector:
    """A signature of PKCS#1 v1.5."""
    block = signed_block(hash_name, message, key.size)
    return Vector(SIGN15, name, key.n, key.power(block, key.d), key.signature, right)


def verify15(
    name: str, key: Key, hash_name: str, message: bytes, signature: bytes, right: bool | None
) -> Vector:
    """A signature of PKCS#1 v1.5 to be verified: its block is compared with the message's."""

    def valid(power: int) -> bool:
        return power == signed_block(hash_name, message, key.size)

    power = key.power(int.from_bytes(signature), key.e)
    return Vector(VERIFY15, name, key.n, power, valid, right)


def sign_pss(
    name: str,
    key: Key,
    hash_name: str,
    message: bytes,
    salt: bytes,
    right: bytes | None,
    mgf: str | None = None,
) -> Vector:
    """A signature of PSS with a salt that is told."""
    block = pss_block(hash_name, message, salt, key.pss_bits, mgf)
    return Vector(SIGN_PSS, name, key.n, key.power(block, key.d), key.signature, right)


def verify_pss(
    name: str,
    key: Key,
    hash_name: str,
    message: bytes,
    signature: bytes,
    salt_bytes: int,
    right: bool | None,
    mgf: str | None = None,
) -> Vector:
    """A signature of PSS to be verified, with a salt of so many bytes."""

    def valid(power: int) -> bool:
        return pss_fits(hash_name, message, power, salt_bytes, key.pss_bits, mgf)

    power = key.power(int.from_bytes(signature), key.e)
    return Vector(VERIFY_PSS, name, key.n, power, valid, right)


def decrypt15(name: str, key: Key, ciphertext: bytes, right: bytes) -> Vector:
    """A ciphertext of PKCS#1 v1.5."""
    power = key.power(int.from_bytes(ciphertext), key.d)
    return Vector(DECRYPT15, name, key.n, power, lambda block: decrypted(block, key.size), right)


def decrypt_oaep(
    name: str, key: Key, hash_name: str, mgf: str, ciphertext: bytes, right: bytes
) -> Vector:
    """A ciphertext of OAEP, with an empty label."""

    def message(block: int) -> bytes | None:
        return oaep_message(block, key.size, hash_name, mgf)

    power = key.power(int.from_bytes(ciphertext), key.d)
    return Vector(DECRYPT_OAEP, name, key.n, power, message, right)


def spread(vectors: Sequence[Vector], most: int | None) -> list[Vector]:
    """Return at most so many of each suite, from all parts of it, in the order of the suites; of
    those that are verified, half are such as must be refused."""
    chosen = []
    for suite in SUITES:
        kinds: list[list[Vector]] = [[], []]
        for one in vectors:
            if one.suite == suite:
                kinds[one.must_fail].append(one)
        valid, refused = kinds
        own = len(valid) + len(refused)
        count = own if most is None else min(most, own)
        failing = max(min(count // 2, len(refused)), count - len(valid))
        chosen += _evenly(valid, count - failing) + _evenly(refused, failing)
    return chosen


def _evenly(vectors: list[Vector], count: int) -> list[Vector]:
    return [vectors[i * len(vectors) // count] for i in range(count)]
