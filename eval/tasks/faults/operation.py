"""A private operation that a design makes, or whose power it makes, and what a wrong result gives
away.

crt: the power modulo the prime p of a signature by the Chinese remainder theorem. Where it is wrong
and that modulo the other prime q is right, gcd(s^e - c, n) is q (Boneh, DeMillo and Lipton).
d: the power modulo n. A result that is c^d' for an exponent d' that differs from d in one bit tells
what that bit is.
private: all of the operation by both primes, in designs that make it; a wrong half gives away as
much. The key comes through the port each time.
"""

from dataclasses import dataclass
from functools import cached_property
from math import gcd

from eval.catalog.point import Point
from eval.catalog.workloads import Request, key_for, message_for
from eval.tasks.leakage.rtl import usual
from eval.tasks.port import WORD
from eval.tasks.private import private_key
from fl.crt import CrtKey
from fl.rsa_keys import RsaKey, even_key
from fl.xcel import (
    BASE,
    MOD,
    READ,
    RESULT,
    STATUS_BAD_MODULUS,
    STATUS_FAULT,
    WRITE,
    from_words,
    requests_for,
    to_words,
)
from fl.xcel_crt import key_requests, private_requests
from sim.errors import UserError
from sim.faults import Seen

CRT, POWER, PRIVATE = OPERATIONS = ("crt", "d", "private")
CORRECT, STATUS, HANG, CHECK, HARMLESS, EXPLOITABLE = OUTCOMES = (
    *("correct", "status", "no answer", "check", "harmless", "exploitable"),
)
DETECTED = (STATUS, HANG, CHECK)


@dataclass(frozen=True)
class Signing:
    """An operation with a key of its own: with crt the design has the bits of a prime.

    checked: the result to the power e is made by the design, too, and compared with the base; and
    the base itself is refused as a result. With private the design checks by itself, or does not.
    """

    point: Point
    operation: str = CRT
    checked: bool = False

    def __post_init__(self) -> None:
        if self.operation not in OPERATIONS:
            known = ", ".join(OPERATIONS)
            raise UserError(f"--operation: no operation {self.operation!r}; choose from {known}")
        if self.operation == PRIVATE and not self.point.entry.at(self.point.nbits).by_crt:
            raise UserError(
                f"--operation: {self.point.design} makes no private operation by itself; give "
                "crt or d, or array-crt-16"
            )
        self.point.check_takes(self.power.mod)

    @cached_property
    def key(self) -> RsaKey:
        """Return the key."""
        if self.operation == PRIVATE:
            return private_key(self.point.nbits)
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
        """Return the power that the design makes; all of the operation is one, too."""
        if self.operation != CRT:
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
        if self.operation == PRIVATE:
            return self._private_messages
        sent = requests_for(self.point.nbits, *vars(self.power).values())
        if not self.checked:
            return sent
        return sent + requests_for(self.point.nbits, 0, self._public, self.power.mod)

    @property
    def _private_messages(self) -> list[tuple[int, int, int]]:
        nbits, power = self.point.nbits, self.power
        operands = (MOD, power.mod), (BASE, power.base)
        return [
            *key_requests(nbits, CrtKey.of(self.key)),
            *((WRITE, to, word) for to, value in operands for word in to_words(value, nbits)),
            *private_requests(nbits),
        ]

    @property
    def limit(self) -> int:
        """Count the cycles after which no answer is expected any more."""
        if self.operation == PRIVATE:
            latency = self.point.entry.at(self.point.nbits).private_latency(self.key.e, self.key.n)
            return 2 * (latency + len(self.messages))
        return usual(self.point) * (1 + self.checked)

    @cached_property
    def echo(self) -> list[int | None]:
        """List the responses that requests pass on: the result is the base of the check."""
        own, pops = len(self.messages) // (1 + self.checked), self._pops[0]
        echo: list[int | None] = [None] * len(self.messages)
        if self.checked:
            echo[own : own + len(pops)] = pops
        return echo

    @cached_property
    def _pops(self) -> list[list[int]]:
        """Return which requests pop the result of each power: of the only one, or of the check."""
        own = len(self.messages) // (1 + self.checked)
        pops = [i for i, sent in enumerate(self.messages) if sent[:2] == (READ, RESULT)]
        return [[i for i in pops if i // own == power] for power in range(1 + self.checked)]

    def _answer(self, seen: Seen, power: int) -> tuple[int, int]:
        """Return the result of a power, and the status."""
        pops = self._pops[power]
        result = from_words([seen.responses[i] & WORD for i in pops])
        return result, seen.responses[pops[-1] + 1]

    def outcome(self, seen: Seen, refuses_base: bool = True) -> tuple[str, int | None]:
        """Class what came, and say which bit of the exponent it tells. A check that does not refuse
        the base lets it pass if the same fault makes both powers end after their last bit, 1."""
        if seen.cycles is None:
            return HANG, None
        result, status = self._answer(seen, 0)
        opened = self.power.base
        if self.checked:
            opened, status_too = self._answer(seen, 1)
            status |= status_too
        if status & STATUS_BAD_MODULUS:
            return STATUS, None
        if opened != self.power.base or status & STATUS_FAULT:
            return CHECK, None
        if self.checked and refuses_base and result == self.power.base:
            return CHECK, None
        return self._of_result(result)

    def _of_result(self, result: int) -> tuple[str, int | None]:
        """Class a result that nothing refuses."""
        if result == self.right:
            return CORRECT, None
        if self.operation != POWER:
            made = self.signature(result) if self.operation == CRT else result
            return (EXPLOITABLE if self.factor(made) else HARMLESS), None
        bit = self._bits.get(result)
        return (HARMLESS if bit is None else EXPLOITABLE), bit

    def signature(self, part: int) -> int:
        """Put the signature together from a power modulo p, and the right one modulo q."""
        key = self.key
        other = pow(self.c, key.d % (key.q - 1), key.q)
        return other + key.q * ((part - other) * pow(key.q, -1, key.p) % key.p)

    def factor(self, signature: int) -> int | None:
        """Return the factor of n that a wrong signature gives away, if any."""
        key = self.key
        found = gcd(pow(signature, key.e, key.n) - self.c, key.n)
        return found if 1 < found < key.n else None

    @cached_property
    def _bits(self) -> dict[int, int]:
        """Map results with one bit of the exponent changed to that bit."""
        base, exp, mod = vars(self.power).values()
        found = {pow(base, exp ^ 1 << i, mod): i for i in range(self.point.nbits)}
        found.pop(self.right, None)
        return found
