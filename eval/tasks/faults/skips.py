"""An instruction of the processor's driver is left out in a private operation: each of them that it
does, or a sample. With two faults at once a power of the accelerator is wrong as well."""

from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from eval.tasks.faults.fault_task import FaultTask
from eval.tasks.faults.models import PAIR, SKIP
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
from eval.tasks.task import Result
from eval.tasks.unit import OnStep
from fl.crt import CrtKey
from fl.rsa_private import BY_POWERS, CHECKS, PrivateKey
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
from proc.run.skipping_system import SkippingSystem, XcelAtOnce, XcelWrongOnce
from sim.errors import RunError, UserError

PROGRESS = 50  # runs between what is told
MORE = 2  # times the instructions without a skip: after that no answer is expected
SYSTEM_OPCODE, CSR_AT = 0x73, 20  # of an instruction word, and where it has the number of a CSR


class SkipCampaign(Tried):
    """Counts what came of skips by function, too.

    instructions: that the driver does in the operation. With two faults there are as many pairs for
    each of the two powers.
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
    the accelerator make a power modulo each prime, or the whole operation.

    wrong: the number of the power whose lowest bit is wrong, if any is.
    """

    signing: Signing
    check: str = NO_CHECK
    wrong: int | None = None

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
        if self.wrong is not None:
            return XcelWrongOnce(Registers(exponentiator), self.wrong)
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
        """Run the program with nothing left out. RunError if it does not give the signature, or
        if its check does not refuse a power that is wrong."""
        image, done = self.image, list[Retire]()
        expected = CORRECT
        if self.wrong is not None:
            expected = EXPLOITABLE if self.check == NO_CHECK else CHECK

        class Watched(FunctionalSystem):
            def run(self, *what: Any, **how: Any) -> Any:
                return super().run(*what, **how, on_retire=done.append)

        if self.outcome(Watched(self.accelerator)) != expected:
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


def run_skips(
    cases: Sequence[Driven], most: int, seed: int, say: Callable[[str], None]
) -> SkipCampaign:
    """Leave out each instruction, one at a time, in each of the cases, all of one check; or as
    many in all as `most`, drawn by the seed."""
    check = cases[0].check
    say(f"check {check}: running the driver")
    walks = [driven.walk() for driven in cases]
    places = [(case, at) for case, walk in enumerate(walks) for at in range(len(walk.between))]
    chosen = drawn(len(places), most, seed)
    functions: dict[str, Counter[str]] = {}
    for done, number in enumerate(chosen):
        if done % PROGRESS == 0:
            say(f"check {check}: {done} of {len(chosen)} instructions")
        case, at = places[number]
        driven, walk = cases[case], walks[case]
        limit = MORE * walk.instructions
        found = driven.outcome(SkippingSystem(driven.accelerator, walk.between[at], limit))
        functions.setdefault(walk.functions[at], Counter())[found] += 1
    outcomes = sum(functions.values(), Counter[str]())
    return SkipCampaign(
        *(check, len(places), len(chosen), {name: outcomes[name] for name in OUTCOMES}),
        len(walks[0].between),
        {name: dict(counts) for name, counts in sorted(functions.items())},
    )


@dataclass(frozen=True)
class Skips(FaultTask[SkipsResult]):
    """Skips of an instruction in a private operation by the processor's driver, with an accelerator
    of a point, at level fl; or skips in one whose power modulo a prime is wrong."""

    faults: int = 2_000
    model: str = SKIP
    kind = "skips"
    Result = SkipsResult
    text = "{0.point} skips in {0.operation}{0.of_model}"

    def __post_init__(self) -> None:
        if self.operation == POWER:
            raise UserError(
                "--operation: skips are of the driver's signature; give crt, or private"
            )
        if self.model == PAIR and self.operation == PRIVATE:
            raise UserError(
                "--operation: pairs are of a power and of the driver that checks it; give crt"
            )
        self.driven  # refuses what does not go together

    @property
    def of_model(self) -> str:
        """What else is wrong, in words."""
        return " with a wrong power" if self.model == PAIR else ""

    @property
    def driven(self) -> list[list[Driven]]:
        """Return the operation with each check, once or with either power wrong."""
        signing = Signing(self.point, self.operation)
        if self.operation == PRIVATE:
            own = getattr(self.point.entry.at(self.point.nbits), "checks", True)
            return [[Driven(signing, OWN if own else NO_CHECK)]]
        fits = signing.key.e.bit_length() <= self.point.nbits  # of the accelerator's powers
        checks = [one for one in CHECKS if one not in BY_POWERS or fits]
        wrong = (0, 1) if self.model == PAIR else (None,)
        return [[Driven(signing, check, power) for power in wrong] for check in checks]

    def verilog(self) -> str:
        """Hash nothing: no hardware runs."""
        return ""

    def tools(self) -> dict[str, str]:
        """Name what compiles the driver."""
        return {"riscv gcc": compiler()}

    def compute(self, on_step: OnStep) -> SkipsResult:
        """Try the skips; RunError if the driver is wrong without one."""
        made = [run_skips(one, self.faults, self.seed, on_step) for one in self.driven]
        return SkipsResult(self.tools(), self.driven[0][0].signing.key.nbits, made)
