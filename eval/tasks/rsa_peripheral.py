"""RSA by the peripheral, on the processor's bus: every operation, both ways, checked against the
`rsa` package and the blocks of PKCS#1 before anything is told of it."""

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from random import Random

import rsa

from eval.catalog.point import Point
from eval.tasks.program import on_bus, same_level
from fl.crt import CrtKey
from fl.pkcs1 import ENCRYPTION, LEAST_BYTES, OVERHEAD, SIGNATURE, modulus_bytes, pad
from fl.rsa_keys import RsaKey
from proc.run.levels import LEVELS, make_bus_system
from proc.run.rsa_axi import DECRYPT, ENCRYPT, SIGN, VERIFY, WAITS, Asked, operate
from sim.errors import RunError, UserError

MESSAGE = b"to be told to nobody"
SHA_256 = bytes.fromhex("3031300d060960864801650304020105000420")  # precedes the hash in a block


@dataclass(frozen=True)
class Done:
    """Tells of an operation: the driver's cycles, if the level has a clock, and the bytes."""

    operation: str
    cycles: int | None
    taken: int
    given: int


@dataclass(frozen=True)
class Session:
    """What was done with a key, after the cycles of loading it."""

    loading: int | None
    operations: list[Done]


@dataclass(frozen=True)
class PeripheralSession:
    """A key that is loaded once, a message that is encrypted and decrypted, signed and verified.

    wait: by interrupt, or polling.
    """

    key: RsaKey
    design: str
    wait: str = "interrupt"
    level: str = "batch"

    def __post_init__(self) -> None:
        for name, value, among in (("wait", self.wait, WAITS), ("level", self.level, LEVELS)):
            if value not in among:
                raise UserError(f"--{name}: no {name} {value!r}; choose from {', '.join(among)}")
        if self.size < LEAST_BYTES:
            raise UserError(
                f"--nbits: a modulus of {self.key.nbits} bits has no room for a block of PKCS#1; "
                f"give {8 * LEAST_BYTES - 7} or more"
            )
        self.point.check_takes(self.key.n)

    @property
    def point(self) -> Point:
        """Return what is in the peripheral."""
        return Point(self.design, self.key.nbits)

    @property
    def parts(self) -> CrtKey | None:
        """Return the key in its parts, if what is in the peripheral takes them."""
        key, exponentiator = self.key, self.point.entry.at(self.key.nbits)
        fits = 2 * max(key.p, key.q).bit_length() <= self.key.nbits + 1
        return CrtKey.of(key) if exponentiator.by_crt and fits else None

    @property
    def size(self) -> int:
        """Return k, the bytes of a block."""
        return modulus_bytes(self.key.n)

    @property
    def message(self) -> bytes:
        """Return what is encrypted."""
        return MESSAGE[: self.size - OVERHEAD]

    @property
    def info(self) -> bytes:
        """Return what is signed: the message's hash as PKCS#1 has it, the message if that is too
        long."""
        info = SHA_256 + sha256(self.message).digest()
        return info if len(info) <= self.size - OVERHEAD else self.message

    def run(self) -> Session:
        """Have all done; RunError unless every answer is right.

        The ciphertext to be decrypted and the signature to be verified are made here.
        """
        drawn = Random(self.key.n).choices(range(1, 256), k=self.size)
        ciphertext = self._power(ENCRYPTION, self.message, self.key.e, drawn)
        signature = self._power(SIGNATURE, self.info, self.key.d)
        asked = [
            Asked(ENCRYPT, self.message),
            Asked(DECRYPT, ciphertext),
            Asked(SIGN, self.info),
            Asked(VERIFY, signature),
        ]
        device = on_bus(self.point, self.level, same_level(self.level))
        system = make_bus_system(self.level, device)
        try:
            loading, answers = operate(
                system, self.key, self.key.nbits, asked, self.wait, parts=self.parts
            )
        finally:
            system.close()
        right = [self.message, self.message, signature, self.info]
        done, clocked = [], self.level != "fl"
        for one, answer, wanted in zip(asked, answers, right, strict=True):
            given = self._checked(one, answer.output, wanted)
            cycles = answer.cycles if clocked else None
            done.append(Done(one.operation, cycles, len(one.data), len(given)))
        return Session(loading if clocked else None, done)

    def _power(self, kind: int, content: bytes, exponent: int, drawn: Sequence[int] = ()) -> bytes:
        block = pad(kind, int.from_bytes(content), len(content), self.size, drawn)
        return pow(block, exponent, self.key.n).to_bytes(self.size)

    def _checked(self, asked: Asked, given: bytes | None, wanted: bytes) -> bytes:
        """Return an answer; RunError if it is wrong. A ciphertext is right if `rsa` decrypts it."""
        found = self._decrypted(given) if given and asked.operation == ENCRYPT else given
        if given is None or found != wanted:
            shown = "an error" if found is None else f"0x{found.hex()}"
            raise RunError(f"{asked.operation}: the answer is {shown}, right is 0x{wanted.hex()}")
        return given

    def _decrypted(self, ciphertext: bytes) -> bytes | None:
        key = self.key
        try:
            return rsa.decrypt(ciphertext, rsa.PrivateKey(key.n, key.e, key.d, key.p, key.q))
        except rsa.DecryptionError:
            return None
