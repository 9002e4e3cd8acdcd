"""The host's side of proc/app/rsa_key.c: RSA by an accelerator that has the key in its parts."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache

from fl.crt import E_BITS, CrtKey
from fl.xcel import STATUS_FAULT, from_words, to_words, words
from proc.manager import Manager
from proc.programs.build import APP
from proc.programs.image import Image
from proc.programs.load import load_program
from proc.run.rsa_private import Step
from proc.run.system_run import DEFAULT_LIMIT
from proc.run.systems import System
from proc.run.timing import FAST, Timing

OPERATIONS = PRIVATE, PUBLIC = ("private", "public")
PUSH_KEY = Step("push key and n")
BY_ITSELF = Step("c to m", "private operation")
AGAIN = Step("c to m, key there", "private operation")


@dataclass(frozen=True)
class Answer:
    """Holds the status of a call, its result, 0 unless the status is, and its cycles."""

    status: int
    result: int
    cycles: int

    @property
    def is_fault(self) -> bool:
        """Return whether the accelerator found the result wrong."""
        return bool(self.status & STATUS_FAULT)


def key_bits(n: int, *primes: int) -> int:
    """Return the least width of an accelerator that takes a key: halves are as long as a prime."""
    return max(n.bit_length(), 2 * max(prime.bit_length() for prime in primes))


@cache
def key_image(nbits: int) -> Image:
    """Compile the program for an accelerator of nbits."""
    return load_program(APP / "rsa_key.c", {"WORDS": words(nbits)})


def operate(
    system: System,
    n: int,
    key: CrtKey,
    nbits: int,
    asked: Sequence[tuple[str, int]],
    timing: Timing = FAST,
) -> tuple[int, list[Answer]]:
    """Have the key pushed to an accelerator of nbits, and each operation on its number done; return
    the cycles of pushing, and the answers."""
    half_bits = -(-nbits // 2)
    *parts, e = astuple(key)
    inputs = [word for part in parts for word in to_words(part, half_bits)]
    inputs += [*to_words(e, E_BITS), *to_words(n, nbits)]
    for operation, number in asked:
        inputs += [OPERATIONS.index(operation), *to_words(number, nbits)]
    outputs = words(nbits) + 2  # of an operation
    manager = Manager(inputs, words=1 + outputs * len(asked))
    system.run(key_image(nbits), manager, timing, 100 * DEFAULT_LIMIT)
    pushing, *rest = manager.outputs
    answers = (rest[at : at + outputs] for at in range(0, len(rest), outputs))
    return pushing, [Answer(status, from_words(m), cycles) for status, *m, cycles in answers]
