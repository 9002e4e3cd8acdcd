"""What software does with the peripheral, access by access (document 000, figure 23).

A procedure yields accesses, and is sent the data that are read; WAIT yields until the operation is
over. Whoever performs it chooses the bus.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass
from typing import Any

from fl.axi_lite import OKAY, WHOLE
from fl.peripheral_map import (
    DECRYPT,
    ERROR,
    EXPONENT_D,
    EXPONENT_E,
    INPUT_FIFO,
    INPUT_LENGTH,
    MODULUS,
    OUTPUT_FIFO,
    OUTPUT_LENGTH,
    PADDING,
    READ_ADDRESS,
    START,
    STATUS,
    WRITE_ADDRESS,
)
from fl.peripheral_registers import Registers
from fl.pkcs1 import ENCRYPTION
from fl.xcel import from_words, to_words, words


@dataclass(frozen=True)
class Access:
    """Writes data to a register, or reads it where there are none."""

    address: int
    data: int | None = None
    strobes: int = WHOLE


WAIT = None

Accesses = Generator[Access | None, int, None]
Procedure = Generator[Access | None, Any, Any]  # an operation returns its Outcome


@dataclass(frozen=True)
class Outcome:
    """Holds what an operation leaves: its error bit and its output."""

    error: bool
    output: bytes


def put(register: int, nbits: int, value: int) -> Accesses:
    """Bring a value to an operand, word by word."""
    for place, word in enumerate(to_words(value, nbits)):
        yield Access(INPUT_FIFO, word)
        yield Access(register, place)


def load_key(nbits: int, modulus: int | None, exponents: tuple[int, int] | None) -> Accesses:
    """Load what is not constant in the hardware: the modulus, e and d."""
    if modulus is not None:
        yield from put(MODULUS, nbits, modulus)
    if exponents is not None:
        for register, exponent in zip((EXPONENT_E, EXPONENT_D), exponents, strict=True):
            yield from put(register, nbits, exponent)


def operate(nbits: int, data: bytes, decrypt: bool = False, kind: int = ENCRYPTION) -> Procedure:
    """Perform an operation on the data; the outcome has as many bytes as OUTPUT_LENGTH says."""
    yield Access(PADDING, kind)
    count = min(words(nbits), words(8 * len(data)))
    yield from put(WRITE_ADDRESS, 32 * count, int.from_bytes(data[-4 * count :]))
    yield Access(INPUT_LENGTH, len(data))
    yield Access(STATUS, decrypt * DECRYPT | START)
    yield WAIT
    error = bool((yield Access(STATUS)) & ERROR)
    length = yield Access(OUTPUT_LENGTH)
    found = []
    for place in range(words(8 * length)):
        yield Access(READ_ADDRESS, place)
        found.append((yield Access(OUTPUT_FIFO)))
    return Outcome(error, from_words(found).to_bytes(length))


def perform(registers: Registers, procedure: Procedure, drawn: Sequence[int] = ()) -> Outcome:
    """Perform a procedure on registers alone; ValueError if an access is refused."""
    data: int | None = None
    while True:
        try:
            access = next(procedure) if data is None else procedure.send(data)
        except StopIteration as end:
            return end.value
        data = 0
        if access is WAIT:
            registers.finish(*registers.prepare(drawn))
            continue
        if access.data is None:
            data, response = registers.read(access.address)
        else:
            response = registers.write(access.address, access.data, access.strobes)
        if response != OKAY:
            raise ValueError(f"{access} is refused")
