"""The accelerator port: one register map for exponentiators of every width.

Operands travel in 32-bit words, least significant first, so that the map is the same for 8 to
4096 bits; at 32 bits a computation is document 001's: three operands, go, result.

    register  written                      read
    xr0 GO    start (waits while busy)     status: bit 0 busy, bit 1 bad modulus, bit 2 kept;
                                           never waits
    xr1 BASE  push a word of the base      0
    xr2 EXP   push a word of the exponent  0
    xr3 MOD   push a word of the modulus   0
    xr4 RESULT  (ignored)                  pop a word of the result; waits while busy

Kept: the next go takes less, unless a word of the modulus is pushed before, the same one or not; in
designs that keep what they have found of a modulus. It is not told while busy.

In designs that make private operations by CRT, six more registers have an RSA key, a word a push:
its parts of n / 2 bits, and a public exponent of at most 32. Bit 0 of go's data then asks for the
power by d. DP and DQ stand where EXP does: a push of one changes the other. Status bit 3 says that
the check by e failed, or could not be made: there is no result.

    xr5 P   xr6 Q   xr7 DP: d mod p-1   xr8 DQ: d mod q-1   xr9 QINV: 1/q mod p
    xr10 PUBLIC: e

An n-bit operand takes words(n) pushes; bits above n are ignored. Operands stay, so only what
changes need be pushed again. A computation has them where they were pushed: a push waits while
busy, and takes nothing from a result that is yet to be popped. Every request, also a write, gets a
response. The other registers ignore writes and read 0.

A reset forgets the computation and its result. Operands stay, with these exceptions, which are 0
until they are pushed again: EXP and the key, in designs that have a key; EXP, in designs that hold
it as random shares; all operands, in designs in which operands of several words move while they
compute (tiny), so that a go has a bad modulus. An operand that was never pushed is undefined.
"""

from typing import Generic, Protocol, Self, TypeVar

READ, WRITE = 0, 1  # the types of requests
GO, BASE, EXP, MOD, RESULT = range(5)
KEY = P, Q, DP, DQ, QINV, PUBLIC = range(5, 11)
PRIVATE = 1  # the data of a go that asks for a private operation
WORD_BITS = 32

# Requests that wait while a computation is running: go, pushes and pops.
NEED_FREE = frozenset([*((WRITE, register) for register in (GO, BASE, EXP, MOD)), (READ, RESULT)])

STATUS_BUSY = 1
STATUS_BAD_MODULUS = 2
STATUS_KEPT = 4
STATUS_FAULT = 8


def words(nbits: int) -> int:
    """Return how many 32-bit words hold n bits."""
    return -(-nbits // WORD_BITS)


def to_words(value: int, nbits: int) -> list[int]:
    """Return the n-bit value as words, least significant first."""
    return [value >> WORD_BITS * i & 0xFFFFFFFF for i in range(words(nbits))]


def from_words(values: list[int]) -> int:
    """Return the value of words, least significant first."""
    return sum(value << WORD_BITS * i for i, value in enumerate(values))


def requests_for(nbits: int, base: int, exp: int, mod: int) -> list[tuple[int, int, int]]:
    """List the port's requests (type, register, data) for one exponentiation, status at the end."""
    pushes = [
        (WRITE, register, word)
        for register, operand in ((BASE, base), (EXP, exp), (MOD, mod))
        for word in to_words(operand, nbits)
    ]
    pops = [(READ, RESULT, 0)] * words(nbits)
    return [*pushes, (WRITE, GO, 0), *pops, (READ, GO, 0)]


class Exponentiates(Protocol):
    """Stands for an exponentiator as it is now; cl/exponentiator.py says what each means."""

    @property
    def nbits(self) -> int:
        """Return the width of its operands."""
        ...

    @property
    def by_crt(self) -> bool:
        """Return whether it makes private operations."""
        ...

    @property
    def wiped(self) -> tuple[int, ...]:
        """Return the registers of the operands that a reset sets to 0."""
        ...

    @property
    def kept(self) -> int | None:
        """Return the modulus of which it keeps something now."""
        ...

    def value(self, base: int, exp: int, mod: int) -> tuple[int, int]:
        """Return result and status."""
        ...

    def after(self, base: int, exp: int, mod: int) -> Self:
        """Return it as it is after a request."""
        ...

    def renewed(self) -> Self:
        """Return it with nothing kept."""
        ...


E = TypeVar("E", bound=Exponentiates)


class Registers(Generic[E]):
    """Keeps the register map of an exponentiator as integers."""

    def __init__(self, exponentiator: E) -> None:
        self.nbits = exponentiator.nbits
        self.exponentiator = exponentiator
        self.bits = WORD_BITS * words(self.nbits)
        self.operands = {BASE: 0, EXP: 0, MOD: 0}
        self.reset()

    @property
    def need_free(self) -> frozenset[tuple[int, int]]:
        """Return the requests, type and register, that wait while it is busy."""
        return NEED_FREE

    def reset(self) -> None:
        """Forget the last computation; operands stay, but those that are wiped."""
        self.operands |= dict.fromkeys(self.exponentiator.wiped, 0)
        self.exponentiator = self.exponentiator.renewed()
        self.result = self.status = 0

    def inputs(self) -> tuple[int, int, int]:
        """Return what the exponentiator gets: the n low bits of base, exponent and modulus."""
        mask = (1 << self.nbits) - 1
        base, exp, mod = (self.operands[register] & mask for register in (BASE, EXP, MOD))
        return base, exp, mod

    def access(self, type_: int, register: int, data: int, busy: bool = False) -> int:
        """Perform one request and return the response's data; go computes at once."""
        if type_ == WRITE:
            if register == GO:
                self.result, self.status = self.exponentiator.value(*self.inputs())
                self.exponentiator = self.exponentiator.after(*self.inputs())
            elif register in self.operands:
                shifted = self.operands[register] >> WORD_BITS
                self.operands[register] = shifted | data << self.bits - WORD_BITS
                if register == MOD:
                    self.exponentiator = self.exponentiator.renewed()
            return 0
        if register == GO:
            kept = self.exponentiator.kept is not None
            return STATUS_BUSY if busy else STATUS_BAD_MODULUS * self.status + STATUS_KEPT * kept
        if register == RESULT:
            word = self.result & 0xFFFFFFFF
            self.result >>= WORD_BITS
            return word
        return 0
