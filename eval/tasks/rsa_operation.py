"""RSA's operations on the processor, in software or with an accelerator; each answer is checked
against the `rsa` package before anything is told of it."""

from dataclasses import dataclass, replace
from functools import partial
from math import gcd
from random import Random, SystemRandom
from typing import Any, ClassVar

from pymtl3 import Component
from rsa import core

from eval.catalog import find
from eval.catalog.inputs import shorten
from eval.catalog.point import Point
from eval.catalog.workloads import message_for
from fl.crt import E_BITS, CrtKey
from fl.rsa_keys import RsaKey
from fl.rsa_private import BY_POWERS, CHECKS, WORD_BITS, PrivateKey
from proc.run.rsa_key import AGAIN, BY_ITSELF, PRIVATE, PUSH_KEY, key_bits, operate
from proc.run.rsa_private import SOFTWARE_STEPS, STEPS, Step, powers, private
from proc.run.systems import LEVELS, System, make_system
from rtl.port.flipping import FlippingXcel
from rtl.port.xcel import NullXcelRTL
from sim.errors import RunError, UserError

OPERATIONS = ("crt", "d", "e", "private")
POWERS = ("p", "q")  # of crt, in the accelerator's order


@dataclass(frozen=True)
class Outcome:
    """The answer of an operation, with the cycles by step: none at level fl. Of a wrong one the
    factor of n that gcd(result^e - c, n) gives away."""

    c: int
    result: int
    steps: dict[Step, int]
    factor: int | None = None

    @property
    def cycles(self) -> int:
        """Return the cycles from operand to answer, both in the processor's memory."""
        return sum(self.steps.values())

    @property
    def outside(self) -> int:
        """Return the cycles in which the accelerator makes no power of c."""
        return sum(cycles for step, cycles in self.steps.items() if not step.beside)


@dataclass(frozen=True)
class RsaOperation:
    """An operation with a key: crt (the private one by both primes), d (the same modulo n), e, or
    private (the private one by an accelerator that has the primes, and makes all of it).

    design: of the accelerator, None for software. Those that follow are for crt: the check, what
    blinds the base and the exponents, and in which power the hardware flips a bit. again: an
    accelerator makes another operation once more, and neither n nor a key is pushed anew.
    """

    key: RsaKey
    operation: str = "crt"
    design: str | None = None
    check: str = "none"
    blind_base: bool = False
    mask_bits: int = 0
    level: str = "batch"
    again: bool = False
    flip: str | None = None
    levels: ClassVar[tuple[str, ...]] = LEVELS

    def __post_init__(self) -> None:
        if self.design is not None:
            object.__setattr__(self, "design", find(self.design).name)
        for name, value, among in (
            ("--operation", self.operation, OPERATIONS),
            ("--level", self.level, self.levels),
            ("--check", self.check, CHECKS),
        ):
            if value not in among:
                raise UserError(f"{name}: no {name[2:]} {value!r}; choose from {', '.join(among)}")
        if self.again and self.operation == "crt":
            raise UserError("--again: is of operations d, e and private; give one of them")
        if self.flip and (self.design is None or self.level == "fl"):
            raise UserError("--flip: is of an accelerator's hardware; give a design, level batch")
        if self.again and self.design is None:
            raise UserError("--again: is the accelerator's; give a design")
        if self.operation != "crt":
            self._refuse_options()
            if self.operation == "private":
                self._check_private()
        elif self.check != "none":
            self._check_e()
        for modulus in self.moduli:
            if self.point:
                self.point.check_takes(modulus)

    def _refuse_options(self) -> None:
        given = {
            "--check": self.check != "none",
            "--blind-base": self.blind_base,
            "--blind-exponent": self.mask_bits,
            "--flip": self.flip,
        }
        for name, is_given in given.items():
            if is_given:
                raise UserError(f"{name}: is of operation crt; leave it out")

    def _check_private(self) -> None:
        if self.point is None or not self.point.entry.at(self.nbits).by_crt:
            named = "software" if self.point is None else self.point.design
            raise UserError(
                f"--operation: private is of designs that have the primes, {named} has not; give "
                "array-crt-16, or --operation crt"
            )
        bits = self.key.e.bit_length()
        if bits > E_BITS:
            raise UserError(
                f"--operation: e has {bits} bits, for private at most {E_BITS}; give crt"
            )

    def _check_e(self) -> None:
        by_powers, bits = self.check in BY_POWERS, self.key.e.bit_length()
        if by_powers and self.design is None:
            raise UserError(
                f"--check: {self.check} is the accelerator's; give software, or a design"
            )
        if by_powers and bits > self.nbits:
            raise UserError(
                f"--check: e has {bits} bits, the accelerator {self.nbits}; give software"
            )
        if bits > WORD_BITS * PrivateKey(self.key).operand_words:
            raise UserError(f"--check: e has {bits} bits, too many for the program; give none")

    @property
    def moduli(self) -> tuple[int, ...]:
        """Return the moduli of the exponentiations."""
        return (self.key.p, self.key.q) if self.operation == "crt" else (self.key.n,)

    @property
    def nbits(self) -> int:
        """Return the width of the exponentiations: that of the moduli, and of what masks."""
        if self.operation == "private":
            return key_bits(self.key.n, self.key.p, self.key.q)
        return max(modulus.bit_length() for modulus in self.moduli) + self.mask_bits

    @property
    def point(self) -> Point | None:
        """Return the accelerator."""
        return None if self.design is None else Point(self.design, self.nbits)

    def right(self, c: int) -> int:
        """Return the answer by the `rsa` package."""
        if self.operation == "e":
            return core.encrypt_int(c, self.key.e, self.key.n)
        return core.decrypt_int(c, self.key.d, self.key.n)

    def run(self, c: int | None = None, seed: int | None = None) -> Outcome:
        """Compute the answer to c, or to the workloads' message, encrypted unless the operation is
        e; RunError unless it is right. The seed is that of the blinding."""
        if c is None:
            c = message_for(self.key)
            c = c if self.operation == "e" else core.encrypt_int(c, self.key.e, self.key.n)
        if c >= self.key.n:
            raise UserError(f"--base: {shorten(c)} is not below n; give a number from 0 to n - 1")
        system = self.system()
        try:
            result, steps = {"crt": self._private, "private": self._by_itself}.get(
                self.operation, self._power
            )(system, c, SystemRandom() if seed is None else Random(seed))
        finally:
            system.close()
        right = self.right(c)
        if result != right and not self.flip:
            raise RunError(
                f"{self.operation} of {shorten(c)} was answered {shorten(result)}, "
                f"right is {shorten(right)}"
            )
        factor = gcd(pow(result, self.key.e, self.key.n) - c, self.key.n) if self.flip else None
        return Outcome(c, result, {} if self.level == "fl" else steps, factor)

    def system(self) -> Any:
        """Make the processor with its accelerator."""
        return make_system(self.level, self.accelerator)

    def accelerator(self) -> Component:
        """Make the accelerator."""
        if self.point is None:
            return NullXcelRTL()
        if self.level == "fl":
            return self.point.entry.xcel("fl", self.nbits)
        make = partial(self.point.entry.xcel, "rtl", self.nbits)
        return FlippingXcel(make, POWERS.index(self.flip)) if self.flip else make()

    def _private(self, system: System, c: int, random: Random) -> tuple[int, dict[Step, int]]:
        r = 1
        while self.blind_base and (r == 1 or gcd(r, self.key.n) > 1):
            r = random.randrange(2, self.key.n)
        masks: tuple[int, int] | tuple[None, None] = (None, None)
        if self.mask_bits:
            masks = random.getrandbits(self.mask_bits), random.getrandbits(self.mask_bits)
        key = PrivateKey(self.key, r, masks)
        done = private(system, key, c, self.check, self.nbits, software=self.point is None)
        if not done.right:
            raise RunError(f"crt of {shorten(c)}: --check {self.check} refused the answer")
        steps = SOFTWARE_STEPS if self.point is None else STEPS
        return done.m, dict(zip(steps, done.steps, strict=True))

    def _by_itself(self, system: System, c: int, _: Random) -> tuple[int, dict[Step, int]]:
        asked = [(PRIVATE, c)] * (1 + self.again)
        pushing, answers = operate(system, self.key.n, CrtKey.of(self.key), self.nbits, asked)
        for answer in answers:
            if answer.is_fault:
                raise RunError(f"private of {shorten(c)}: the accelerator's check refused it")
            if answer != replace(answers[0], cycles=answer.cycles):
                raise RunError(f"private of {shorten(c)}: two answers differ, {answers}")
        steps = (BY_ITSELF, AGAIN)
        cycles = {step: one.cycles for step, one in zip(steps, answers, strict=False)}
        return answers[0].result, {PUSH_KEY: pushing} | cycles

    def _power(self, system: System, c: int, _: Random) -> tuple[int, dict[Step, int]]:
        exponent = self.key.e if self.operation == "e" else self.key.d
        method = "xcel" if self.point else "public" if self.operation == "e" else "secret"
        nbits = self.nbits if self.point else None
        done = powers(system, c, exponent, self.key.n, method, nbits, 1 + self.again)
        if self.again and done[1].result != done[0].result:
            raise RunError(
                f"{self.operation} of {shorten(c)} was answered {shorten(done[1].result)} "
                f"the second time, {shorten(done[0].result)} the first"
            )
        names = (f"power mod n, {method}", "again, n there")
        return done[0].result, {
            Step(name): one.cycles for name, one in zip(names, done, strict=False)
        }
