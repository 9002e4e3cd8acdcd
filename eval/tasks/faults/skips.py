"""An instruction of the processor's driver is left out in a private operation: each of them that it
does, or a sample."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from eval.tasks.faults.fault_task import FaultTask
from eval.tasks.faults.models import SKIP
from eval.tasks.faults.operation import (
    CHECK,
    CORRECT,
    EXPLOITABLE,
    HANG,
    HARMLESS,
    OUTCOMES,
    POWER,
    PRIVATE,
    STATUS,
    Signing,
)
from eval.tasks.faults.tried import NO_CHECK, OWN, Tried, drawn
from eval.tasks.keyed import program
from eval.tasks.task import Result
from eval.tasks.unit import OnStep
from fl.crt import CrtKey
from fl.rsa_private import CHECKS, PrivateKey
from fl.xcel import STATUS_BAD_MODULUS, Registers
from fl.xcel_crt import CrtRegisters
from proc import csr
from proc.programs.build import compiler
from proc.programs.image import Image
from proc.retire import Retire, Stopped
from proc.run.functional_system import FunctionalSystem
from proc.run.rsa_key import PRIVATE as BY_KEY
from proc.run.rsa_key import key_image, operate
from proc.run.rsa_private import private, private_image
from proc.run.skipping_system import SkippingSystem, XcelAtOnce
from sim.errors import RunError, UserError

PROGRESS = 50  # runs between what is told
MORE = 2  # times the instructions without a skip: after that no answer is expected
SYSTEM_OPCODE, CSR_AT = 0x73, 20  # of an instruction word, and where it has the number of a CSR


class SkipCampaign(Tried):
    """Counts what came of skips by function, too.

    instructions: that the driver does in the operation.
    """

    instructions: int
    functions: dict[str, dict[str, int]]

    @property
    def effort(self) -> int:
        """Return the instructions."""
        return self.instructions


class SkipsResult(Result):
    """The campaigns of an operation, by what looks at the result; and the bits of the key."""

    key_bits: int
    campaigns: list[SkipCampaign]


@dataclass(frozen=True)
class Driven:
    """A private operation by the processor's driver, with what looks at its result: the driver has
    the accelerator make a power modulo each prime, or the whole operation."""

    signing: Signing
    check: str = NO_CHECK

    @property
    def image(self) -> Image:
        """Return the program."""
        nbits = self.signing.point.nbits
        if self.signing.operation == PRIVATE:
            return key_image(nbits)
        return private_image(PrivateKey(self.signing.key).words, nbits)

    @cached_property
    def right(self) -> int:
        """Return the signature."""
        return pow(self.signing.c, self.signing.key.d, self.signing.key.n)

    def accelerator(self) -> XcelAtOnce:
        """Make the accelerator."""
        exponentiator = self.signing.point.entry.at(self.signing.point.nbits)
        if self.signing.operation == PRIVATE:
            return XcelAtOnce(CrtRegisters(exponentiator))
        return XcelAtOnce(Registers(exponentiator))

    def outcome(self, system: Any) -> str:
        """Run the program on a system, and class what came."""
        key, c, nbits = self.signing.key, self.signing.c, self.signing.point.nbits
        try:
            if self.signing.operation == PRIVATE:
                _, [answer] = operate(system, key.n, CrtKey.of(key), nbits, [(BY_KEY, c)])
                refused = STATUS if answer.status & STATUS_BAD_MODULUS else CHECK
                return self._of(answer.result, refused if answer.status else "")
            done = private(system, PrivateKey(key), c, self.check, nbits)
            return self._of(done.m, "" if done.right else CHECK)
        except Stopped:
            return HANG

    def _of(self, result: int, refused: str) -> str:
        """Class a result, which the driver refuses or not: it leaves in either case."""
        if result != self.right and self.signing.factor(result):
            return EXPLOITABLE
        return refused or (CORRECT if result == self.right else HARMLESS)

    def walk(self) -> "Walk":
        """Run the program with nothing left out."""
        image, done = self.image, list[Retire]()

        class Watched(FunctionalSystem):
            def run(self, *what: Any, **how: Any) -> Any:
                return super().run(*what, **how, on_retire=done.append)

        if self.outcome(Watched(self.accelerator)) != CORRECT:
            raise RunError(f"{self.signing.point}: the driver is wrong with nothing left out")
        marks = [number for number, one in enumerate(done) if _reads_cycles(one.word)]
        between = range(marks[0] + 1, marks[-1])
        names = _functions(image, (done[number].pc for number in between))
        return Walk(len(done), between, names)


class Walk(NamedTuple):
    """A run with nothing left out: its instructions, the numbers of those between the first and the
    last reading of the cycle counter, and the function of each of these."""

    instructions: int
    between: range
    functions: list[str]


def _reads_cycles(word: int) -> bool:
    return word & 0x7F == SYSTEM_OPCODE and word >> CSR_AT in (csr.CYCLE, csr.MCYCLE)


def _functions(image: Image, pcs: Iterable[int]) -> list[str]:
    """Return the name of the last symbol up to each address."""
    named = sorted((address, name) for name, address in image.symbols.items())
    addresses = [address for address, _ in named]
    return [named[bisect_right(addresses, pc) - 1][1] for pc in pcs]


def run_skips(driven: Driven, most: int, seed: int, say: Callable[[str], None]) -> SkipCampaign:
    """Leave out each instruction, one at a time, or as many as `most`, drawn by the seed."""
    say(f"check {driven.check}: running the driver")
    instructions, between, names = driven.walk()
    limit = MORE * instructions
    chosen = drawn(len(between), most, seed)
    functions: dict[str, Counter[str]] = {}
    for done, place in enumerate(chosen):
        if done % PROGRESS == 0:
            say(f"check {driven.check}: {done} of {len(chosen)} instructions")
        found = driven.outcome(SkippingSystem(driven.accelerator, between[place], limit))
        functions.setdefault(names[place], Counter())[found] += 1
    outcomes = sum(functions.values(), Counter[str]())
    return SkipCampaign(
        *(driven.check, len(between), len(chosen), {name: outcomes[name] for name in OUTCOMES}),
        len(between),
        {name: dict(counts) for name, counts in sorted(functions.items())},
    )


@dataclass(frozen=True)
class Skips(FaultTask[SkipsResult]):
    """Skips of an instruction in a private operation by the processor's driver, with an accelerator
    of a point, at level fl."""

    faults: int = 2_000
    kind = "skips"
    model = SKIP
    Result = SkipsResult
    text = "{0.point} skips in {0.operation}"

    def __post_init__(self) -> None:
        if self.operation == POWER:
            raise UserError(
                "--operation: skips are of the driver's signature; give crt, or private"
            )
        self.driven  # refuses what does not go together

    @property
    def driven(self) -> list[Driven]:
        """Return the operation with each check."""
        signing = Signing(self.point, self.operation)
        if self.operation == PRIVATE:
            own = getattr(self.point.entry.at(self.point.nbits), "checks", True)
            return [Driven(signing, OWN if own else NO_CHECK)]
        fits = signing.key.e.bit_length() <= self.point.nbits  # of the accelerator's powers
        return [Driven(signing, one) for one in CHECKS if one != "primes" or fits]

    def verilog(self) -> str:
        """Hash nothing: no hardware runs."""
        return ""

    def tools(self) -> dict[str, str]:
        """Name what compiles the driver."""
        return {"riscv gcc": compiler()}

    def uses(self) -> list[str]:
        """Name the driver."""
        return program("rsa_key.c" if self.operation == PRIVATE else "rsa.c")

    def compute(self, on_step: OnStep) -> SkipsResult:
        """Try the skips; RunError if the driver is wrong without one."""
        made = [run_skips(one, self.faults, self.seed, on_step) for one in self.driven]
        return SkipsResult(self.tools(), self.driven[0].signing.key.nbits, made)
