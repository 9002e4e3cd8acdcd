"""The host's side of proc/app/rsa.c and power.c: what these programs read and answer."""

from dataclasses import dataclass
from functools import cache

from fl.rsa_private import AT_ONCE, Modulus, PrivateKey
from fl.xcel import from_words, to_words, words
from proc.manager import Manager
from proc.programs.build import APP
from proc.programs.image import Image
from proc.programs.load import load_program
from proc.run.system_run import DEFAULT_LIMIT
from proc.run.systems import System
from proc.run.timing import FAST, Timing


@dataclass(frozen=True)
class Step:
    """Names a part of the private operation, and the power that the accelerator makes beside it."""

    name: str
    beside: str = ""


POWER_P, POWER_Q = "power mod p", "power mod q"
# From one mark of proc/app/rsa_private.h to the next.
STEPS = (
    Step("c / R mod p"),
    Step("push, go"),
    Step("base mod q", POWER_P),
    Step("for the check, mod q", POWER_P),
    Step("wait, pop, push, go", POWER_P),
    Step("u, u * q", POWER_Q),
    Step("for the check, mod p", POWER_Q),
    Step("wait, pop, push, go", POWER_Q),
    Step("u * q + v * p mod n"),
    Step("check"),
)
# Without an accelerator its powers are made where they are asked for.
SOFTWARE_STEPS = tuple(Step(step.beside if "pop" in step.name else step.name) for step in STEPS)


@dataclass(frozen=True)
class Private:
    """What the private operation answers: m, or 0 where the check refuses it; cycles by step."""

    right: bool
    m: int
    steps: tuple[int, ...]


def private(
    system: System, key: PrivateKey, c: int, check: str, nbits: int, software: bool = False
) -> Private:
    """Run the private operation on a system whose accelerator has nbits, or in software."""
    image = private_image(key.words, nbits, software)
    return run_private(system, image, key, key.inputs(check, c))


@cache
def private_image(prime_words: int, nbits: int, software: bool = False) -> Image:
    """Compile the program for primes of so many words and an accelerator of nbits."""
    defines = {"PRIME_WORDS": prime_words, "XCEL_WORDS": words(nbits)}
    return load_program(APP / "rsa.c", defines | ({"SOFTWARE": 1} if software else {}))


def run_private(system: System, image: Image, key: PrivateKey, inputs: list[int]) -> Private:
    """Run the program with its inputs, and read its answer."""
    n_words = 2 * key.words
    manager = Manager(inputs, words=1 + n_words + len(STEPS) + 1)
    system.run(image, manager, limit=100 * DEFAULT_LIMIT)
    right, *outputs = manager.outputs
    ends = outputs[n_words:]
    steps = tuple((end - begin) % (1 << 32) for begin, end in zip(ends, ends[1:], strict=False))
    return Private(bool(right), from_words(outputs[:n_words]), steps)


@dataclass(frozen=True)
class Power:
    """A power and the cycles of the call that made it."""

    result: int
    cycles: int


def power(
    system: System,
    base: int,
    exp: int,
    mod: int,
    method: str,
    nbits: int | None = None,
    timing: Timing = FAST,
) -> Power:
    """Run base^exp mod mod: on a system whose accelerator has nbits, or by software.

    The public method follows the exponent, the secret one takes as long for all of as many words.
    """
    return powers(system, base, exp, mod, method, nbits, 1, timing)[0]


def powers(
    system: System,
    base: int,
    exp: int,
    mod: int,
    method: str,
    nbits: int | None,
    calls: int,
    timing: Timing = FAST,
) -> list[Power]:
    """Run the same power so often; the accelerator gets the modulus once."""
    width = max(value.bit_length() for value in (1, base, exp, mod))
    modulus = Modulus(mod, AT_ONCE * -(-width // (32 * AT_ONCE)))
    bits = 32 * modulus.words
    image = power_image(modulus.words, method, nbits or bits, calls)
    inputs = [
        *to_words(modulus.inverse, 64),
        *(word for value in (mod, modulus.square, base) for word in to_words(value, bits)),
        words(exp.bit_length()),
        *to_words(exp, bits),
    ]
    outputs = modulus.words + 1  # of a call
    manager = Manager(inputs, words=calls * outputs)
    system.run(image, manager, timing, limit=100 * DEFAULT_LIMIT)
    answers = [manager.outputs[i * outputs : (i + 1) * outputs] for i in range(calls)]
    return [Power(from_words(result), cycles) for *result, cycles in answers]


@cache
def power_image(n_words: int, method: str, nbits: int, calls: int) -> Image:
    """Compile the program for xcel, public or secret, so many words, an accelerator of nbits."""
    defines = {"WORDS": n_words, "METHOD": method, "XCEL_WORDS": words(nbits), "CALLS": calls}
    return load_program(APP / "power.c", defines)
