"""The accelerator port of a design that makes private operations by CRT: fl/xcel.py's and a key."""

from dataclasses import astuple
from typing import Protocol

from fl.crt import E_BITS, CrtKey
from fl.exponentiator import FAULT
from fl.xcel import (
    DP,
    DQ,
    EXP,
    GO,
    KEY,
    NEED_FREE,
    PRIVATE,
    PUBLIC,
    QINV,
    READ,
    RESULT,
    STATUS_FAULT,
    WORD_BITS,
    WRITE,
    Exponentiates,
    P,
    Q,
    Registers,
    to_words,
    words,
)


class Signs(Exponentiates, Protocol):
    """Stands for an exponentiator that makes private operations."""

    def private_value(self, base: int, mod: int, key: CrtKey) -> tuple[int, int]:
        """Return result and status."""
        ...


class CrtRegisters(Registers[Signs]):
    """Keeps the register map with the parts of a key."""

    def __init__(self, exponentiator: Signs) -> None:
        self.half_bits = -(-exponentiator.nbits // 2)
        self.half_words = words(self.half_bits)
        super().__init__(exponentiator)

    @property
    def need_free(self) -> frozenset[tuple[int, int]]:
        """Return the requests, type and register, that wait while it is busy."""
        return NEED_FREE | {(WRITE, register) for register in KEY}

    def reset(self) -> None:
        """Forget the last computation, the key and the exponent; other operands stay."""
        super().reset()
        self.parts = dict.fromkeys((P, Q, QINV, PUBLIC), 0)
        self.exponents = 0  # DQ, above it DP; EXP in the highest words of both
        self.fault = False

    def inputs(self) -> tuple[int, int, int]:
        """Return what the exponentiator gets for a power."""
        base, _, mod = super().inputs()
        above = 2 * self.half_words - words(self.nbits)
        return base, self.exponents >> WORD_BITS * above & (1 << self.nbits) - 1, mod

    @property
    def key(self) -> CrtKey:
        """Return the key as it is pushed."""
        mask, top = (1 << self.half_bits) - 1, WORD_BITS * self.half_words
        p, q, q_inverse, e = (self.parts[register] for register in (P, Q, QINV, PUBLIC))
        dq, dp = self.exponents & mask, self.exponents >> top & mask
        return CrtKey(p & mask, q & mask, dp, dq, q_inverse & mask, e)

    def access(self, type_: int, register: int, data: int, busy: bool = False) -> int:
        """Perform one request and return the response's data; go computes at once."""
        if (type_, register) == (WRITE, GO) and data & PRIVATE:
            base, _, mod = self.inputs()
            result, status = self.exponentiator.private_value(base, mod, self.key)
            self.fault = status == FAULT
            self.result, self.status = result, 0 if self.fault else status
            return 0
        if type_ == WRITE and (register in KEY or register == EXP):
            self._push(register, data)
            return 0
        answer = super().access(type_, register, data, busy)
        if (type_, register) == (WRITE, GO):
            self.fault = False
        elif (type_, register) == (READ, GO) and not busy:
            answer |= STATUS_FAULT * self.fault
        return answer

    def _push(self, register: int, word: int) -> None:
        """Push a word of a part of the key, or of an exponent."""
        count = self.half_words
        top = WORD_BITS * count
        low, high = self.exponents & (1 << top) - 1, self.exponents >> top
        if register == EXP:
            self.exponents = _pushed(self.exponents, word, 2 * count)
        elif register == DQ:
            self.exponents = high << top | _pushed(low, word, count)
        elif register == DP:
            self.exponents = _pushed(high, word, count) << top | low
        else:
            count = words(E_BITS) if register == PUBLIC else count
            self.parts[register] = _pushed(self.parts[register], word, count)


def _pushed(value: int, word: int, count: int) -> int:
    """Return a value of so many words with another one at its top, without the lowest."""
    return value >> WORD_BITS | word << WORD_BITS * (count - 1)


def key_requests(nbits: int, key: CrtKey) -> list[tuple[int, int, int]]:
    """List the pushes of a key of n bits."""
    half_bits = -(-nbits // 2)
    return [
        (WRITE, register, word)
        for register, part in zip(KEY, astuple(key), strict=True)
        for word in to_words(part, E_BITS if register == PUBLIC else half_bits)
    ]


def private_requests(nbits: int) -> list[tuple[int, int, int]]:
    """List a private go, the pops of its result, and the status."""
    return [(WRITE, GO, PRIVATE), *[(READ, RESULT, 0)] * words(nbits), (READ, GO, 0)]
