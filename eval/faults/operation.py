"""A private operation whose power a design makes, and what its wrong result gives away.

crt: the power modulo the prime p of a signature by the Chinese remainder theorem. Where it is wrong
and that modulo the other prime q is right, gcd(s^e - c, n) is q (Boneh, DeMillo and Lipton).
d: the power modulo n. A result that is c^d' for an exponent d' that differs from d in one bit tells
what that bit is.
"""

from dataclasses import dataclass
from functools import cached_property
from math import gcd

from eval.catalog.point import Point
from eval.catalog.workloads import Request, key_for, message_for
from eval.tasks.port import WORD
from fl.rsa_keys import RsaKey, even_key
from fl.xcel import READ, RESULT, STATUS_BAD_MODULUS, from_words, requests_for
from sim.errors import UserError
from sim.faults import Seen

CRT, POWER = OPERATIONS = ("crt", "d")
CORRECT, STATUS, HANG, CHECK, HARMLESS, EXPLOITABLE = OUTCOMES = (
    *("correct", "status", "no answer", "check", "harmless", "exploitable"),
)
DETECTED = (STATUS, HANG, CHECK)


@dataclass(frozen=True)
class Signing:
    """An operation with a key of its own: with crt the design has the bits of a prime.

    checked: the result to the power e is made by the design, too, and compared with the base.
    """

    point: Point
    operation: str = CRT
    checked: bool = False

    def __post_init__(self) -> None:
        if self.operation not in OPERATIONS:
            known = ", ".join(OPERATIONS)
            raise UserError(f"--operation: no operation {self.operation!r}; choose from {known}")
        self.point.check_takes(self.power.mod)

    @cached_property
    def key(self) -> RsaKey:
        """Return the key."""
        if self.operation == POWER:
            return (self.point.entry.moduli.key or key_for)(self.point.nbits)
        try:
            return even_key(2 * self.point.nbits, 1)
        except ValueError:
            raise UserError(
                f"--nbits: no key has primes of {self.point.nbits} bits; give at most 2048"
            ) from None

    @cached_property
    def c(self) -> int:
        """Return what is signed."""
        return pow(message_for(self.key), self.key.e, self.key.n)

    @cached_property
    def power(self) -> Request:
        """Return the power that the design makes."""
        if self.operation == POWER:
            return Request(self.c, self.key.d, self.key.n)
        return Request(self.c % self.key.p, self.key.d % (self.key.p - 1), self.key.p)

    @cached_property
    def right(self) -> int:
        """Return its result."""
        return self.power.result

    @property
    def _public(self) -> int:
        """Return e, or what is as good modulo p if e is too long for the design."""
        e, order = self.key.e, self.key.p - 1
        return e if e.bit_length() <= self.point.nbits or self.operation == POWER else e % order

    @cached_property
    def messages(self) -> list[tuple[int, int, int]]:
        """List the requests to the port: type, register and data."""
        sent = requests_for(self.point.nbits, *vars(self.power).values())
        if not self.checked:
            return sent
        return sent + requests_for(self.point.nbits, 0, self._public, self.power.mod)

    @property
    def echo(self) -> list[int | None]:
        """List the responses that requests pass on: the result is the base of the check."""
        count = len(self.messages) // (1 + self.checked)
        pops = self._pops(0)
        echo: list[int | None] = [None] * len(self.messages)
        if self.checked:
            echo[count : count + len(pops)] = pops
        return echo

    def _pops(self, power: int) -> list[int]:
        """Return which requests pop the result of the first power, or that of the check."""
        count = len(self.messages) // (1 + self.checked)
        own = range(power * count, (power + 1) * count)
        return [i for i in own if self.messages[i][:2] == (READ, RESULT)]

    def _answer(self, seen: Seen, power: int) -> tuple[int, bool]:
        """Return the result of a power, and whether the modulus was refused."""
        pops = self._pops(power)
        result = from_words([seen.responses[i] & WORD for i in pops])
        return result, bool(seen.responses[pops[-1] + 1] & STATUS_BAD_MODULUS)

    def outcome(self, seen: Seen) -> tuple[str, int | None]:
        """Class what came, and say which bit of the exponent it tells."""
        if seen.cycles is None:
            return HANG, None
        result, refused = self._answer(seen, 0)
        if self.checked:
            opened, refused_too = self._answer(seen, 1)
            if not (refused or refused_too) and opened != self.power.base:
                return CHECK, None
            refused |= refused_too
        if refused:
            return STATUS, None
        if result == self.right:
            return CORRECT, None
        if self.operation == CRT:
            return (EXPLOITABLE if self.factor(result) else HARMLESS), None
        bit = self._bits.get(result)
        return (HARMLESS if bit is None else EXPLOITABLE), bit

    def signature(self, part: int) -> int:
        """Put the signature together from a power modulo p, and the right one modulo q."""
        key = self.key
        other = pow(self.c, key.d % (key.q - 1), key.q)
        return other + key.q * ((part - other) * pow(key.q, -1, key.p) % key.p)

    def factor(self, part: int) -> int | None:
        """Return the factor of n that the signature from a power modulo p gives away, if any."""
        key = self.key
        found = gcd(pow(self.signature(part), key.e, key.n) - self.c, key.n)
        return found if 1 < found < key.n else None

    @cached_property
    def _bits(self) -> dict[int, int]:
        """Map results with one bit of the exponent changed to that bit."""
        base, exp, mod = vars(self.power).values()
        found = {pow(base, exp ^ 1 << i, mod): i for i in range(self.point.nbits)}
        found.pop(self.right, None)
        return found
