"""The host's side of proc/app/rsa_axi.c: RSA's operations by the peripheral on the bus."""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from functools import cache

from fl.crt import CrtKey
from fl.rsa_keys import RsaKey
from fl.xcel import WORD_BITS, from_words, to_words, words
from proc.manager import Manager
from proc.programs.build import APP
from proc.programs.image import Image
from proc.programs.load import load_program
from proc.run.levels import System
from proc.run.system_run import DEFAULT_LIMIT
from proc.run.timing import FAST, Timing
from sim.errors import RunError

OPERATIONS = ENCRYPT, DECRYPT, SIGN, VERIFY = ("encrypt", "decrypt", "sign", "verify")
LIMIT = 100 * DEFAULT_LIMIT
WAITS = INTERRUPT, POLLING = ("interrupt", "polling")


@dataclass(frozen=True)
class Asked:
    """Names an operation, and its input."""

    operation: str
    data: bytes


@dataclass(frozen=True)
class Answer:
    """Holds what the driver returns: None if the operation failed, and the cycles of the call."""

    output: bytes | None
    cycles: int | None


@cache
def axi_image(nbits: int, wait: str, parts: bool = False) -> Image:
    """Compile the program for a peripheral's width, a way to wait, and a key in its parts."""
    defines: dict[str, int] = {"WORDS": words(nbits)}
    if parts:
        defines["PARTS"] = 1
    if wait == POLLING:
        defines["POLLING"] = 1
    return load_program(APP / "rsa_axi.c", defines)


def operate(
    system: System,
    key: RsaKey,
    nbits: int,
    asked: Sequence[Asked],
    wait: str = INTERRUPT,
    timing: Timing = FAST,
    parts: CrtKey | None = None,
) -> tuple[int, list[Answer]]:
    """Have the key loaded, in its parts if they are given, and each done; return the cycles of
    loading, and the answers."""
    count = words(nbits)
    inputs = [word for value in (key.n, key.e, key.d) for word in to_words(value, nbits)]
    if parts:
        *five, _ = astuple(parts)
        inputs += [word for part in five for word in to_words(part, -(-nbits // 2))]
    for one in asked:
        low = int.from_bytes(one.data[-4 * count :])
        inputs += [OPERATIONS.index(one.operation), len(one.data)]
        inputs += to_words(low, WORD_BITS * count)
    outputs = count + 3  # of an operation
    manager = Manager(inputs, words=1 + outputs * len(asked))
    system.run(axi_image(nbits, wait, parts is not None), manager, timing, LIMIT)
    loading, *rest = manager.outputs
    parts = (rest[at : at + outputs] for at in range(0, len(rest), outputs))
    return loading, [_answer(*part) for part in parts]


def _answer(failed: int, size: int, *rest: int) -> Answer:
    *output, cycles = rest
    value = from_words(output)
    if value >> 8 * size:
        raise RunError(f"the driver says {size} bytes, but its output {value:#x} has more")
    return Answer(None if failed else value.to_bytes(size), cycles)
