"""A campaign's trials: a design, a width, operands, stalls and a reset, all drawn from a number.

A trial breaks a run off by a reset, then asks for a few hundred results without stalls, where time
is compared, too, and for some with stalls; in batch. The same number always draws the same trial.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any

from eval.catalog import DESIGNS, FAMILIES, VARIANTS, find
from eval.catalog.design import Design
from eval.contract.check import CAUGHT
from eval.contract.design import (
    ACCELERATOR,
    EXPONENTIATOR,
    MULTIPLIER,
    PARTS,
    Check,
)
from eval.contract.exponentiator import (
    PATIENCE,
    ExpCase,
    edge_cases,
    fitted,
    in_a_row,
    random_cases,
    within,
)
from eval.contract.late_pops import check_late_pops
from eval.contract.multiplier import edge_cases as edge_products
from eval.contract.multiplier import near_power_cases, taken, wide_operands
from eval.contract.multiplier import random_cases as random_products
from sim.errors import UserError
from sim.stream import NO_STALLS, Stalls, StreamRunner, random_stalls
from sim.transfers import packer

WIDTHS = ((8, 16), (8, 16), (17, 40), (41, 96))  # from which to which, drawn alike
UNROLLED = 24  # bits at most of designs whose hardware grows with the square
CYCLES = 2_000_000  # of a trial without stalls
STALLED = 10  # part of these that a run with stalls has
CASES = 300
LONG = 64  # bits beyond which exponents are short
SHORT = 8  # bits of these


@dataclass(frozen=True)
class Failure:
    """Says what went wrong in a trial, and the command that shows it again."""

    number: int
    said: str
    command: str


@dataclass(frozen=True)
class Trial:
    """Draws everything from its number."""

    number: int

    @cached_property
    def chosen(self) -> tuple[Design, int, str]:
        """Draw design, width and part."""
        rng = Random(f"trial {self.number}")
        design = any_design(rng)
        least, most = design.widths
        widest = most if design.tested_to >= most else min(most, design.tested_to, UNROLLED)
        low, high = rng.choice(WIDTHS)
        nbits = min(max(rng.randint(low, high), least), widest)
        return design, nbits, rng.choice((*PARTS, EXPONENTIATOR))

    @property
    def check(self) -> Check:
        """Return what knows the part's model and how it is run."""
        _, nbits, part = self.chosen
        return Check(part, nbits, "batch")

    @cached_property
    def stalls(self) -> Stalls:
        """Draw the stalls of the second run."""
        rng = Random(f"stalls {self.number}")
        return random_stalls(self.number, rng.choice((1, 3, 9, 40)), rng.choice((7, 61)))

    @cached_property
    def cases(self) -> Sequence[Any]:
        """Draw the operands: some at the edges, most anywhere."""
        (design, nbits, part), seed = self.chosen, self.number
        rows: list[Any]
        if part == MULTIPLIER:
            unit = design.multiplier.by_itself(nbits)
            drawn = [*edge_products(nbits), *random_products(nbits, CASES, seed, odd=True)]
            drawn += random_products(nbits, CASES, seed + 1, odd=True, reduced=True)
            drawn += [*random_products(nbits, CASES, seed + 2), *wide_operands(unit)]
            rows = taken(unit, [*drawn, *near_power_cases(nbits, CASES, seed)])
        else:
            exp_bits = SHORT if nbits > LONG else None
            rows = edge_cases(nbits, exp_bits) + random_cases(nbits, 2 * CASES, seed, exp_bits)
            rows += random_cases(nbits, CASES, seed + 1, exp_bits, odd=True)
            if design.moduli.only:
                rows = fitted(rows, design.moduli.only(nbits))
        model = self.check.model(design)
        chosen = within(rows, model, CYCLES)
        return in_a_row(chosen) if self.check.keeps(model) else chosen

    def __str__(self) -> str:
        design, nbits, part = self.chosen
        return f"trial {self.number}: {part} of {design.name}-{nbits}"

    def run(self) -> tuple[int, Failure | None]:
        """Return how many requests were made, and what went wrong, if anything did."""
        try:
            return self._run()
        except Exception as error:  # of whatever kind: the campaign goes on
            said = f"{self}: {type(error).__name__}: {str(error)[:200]}"
            return 0, Failure(self.number, said, self.command)

    @property
    def command(self) -> str:
        """Return the command that repeats the trial."""
        return f"modexplorer campaign --trial {self.number}"

    def _run(self) -> tuple[int, Failure | None]:
        design, _, part = self.chosen
        model, cases = self.check.model(design), self.cases
        few = within(cases, model, CYCLES // STALLED)
        done = 0
        with self.check.runner(design) as runner:
            if part == EXPONENTIATOR:
                self._break_off(runner, cases)
            for stalls, some in ((NO_STALLS, cases), (self.stalls, few)):
                failed = self._asked(runner, some, stalls)
                done += len(some)
                if failed is not None:
                    return done, self._failure(runner, some, stalls, failed)
        return done, None

    def _break_off(self, runner: StreamRunner, cases: Sequence[ExpCase]) -> None:
        """Begin a run and leave it somewhere: the next one resets."""
        design, nbits, _ = self.chosen
        engine: Any = runner.engine
        pack = packer(design.at(nbits).messages[0])
        packed = [pack(*case.operands) for case in cases[:4]]
        cycles = sum(design.cycles(nbits, *case.operands) for case in cases[:4])
        until = Random(f"reset {self.number}").randint(1, max(cycles, 2))
        engine.advance(engine.begin(packed, NO_STALLS), until, False)

    def _asked(
        self, runner: StreamRunner, cases: Sequence[Any], stalls: Stalls
    ) -> Exception | None:
        """Make requests, and return what is wrong with the answers."""
        design, _, _ = self.chosen
        patience = PATIENCE + 2 * max(*stalls.request, *stalls.response)
        model = self.check.model(design)
        try:
            self.check.ask(runner, model, cases, stalls, patience)
            if self.check.part == ACCELERATOR and stalls is not NO_STALLS:
                check_late_pops(runner, model, cases, stalls, self.number)
        except CAUGHT as error:
            return error
        return None

    def _failure(
        self, runner: StreamRunner, cases: Sequence[Any], stalls: Stalls, error: Exception
    ) -> Failure:
        """Reduce a failure: to the one request, if it fails alone, with as little in it as does."""
        design, nbits, part = self.chosen
        said = str(error).splitlines()[0]
        number = getattr(error, "case", getattr(error, "received", None))
        if part == MULTIPLIER or number is None or number >= len(cases):
            return Failure(self.number, said, self.command)
        takes = design.at(nbits).takes

        def fails(case: ExpCase) -> bool:
            return takes(case.mod) and self._asked(runner, [case], NO_STALLS) is not None

        if not fails(cases[number]):
            return Failure(self.number, said, self.command)
        least = smallest(cases[number], fails)
        return Failure(self.number, said, self.check.command_of(design, least))


def smallest(case: ExpCase, fails: Callable[[ExpCase], bool]) -> ExpCase:
    """Halve the operands, and clear their bits, as long as the case still fails."""
    while True:
        for name in ("exp", "base", "mod"):
            value = getattr(case, name)
            cleared = (value & ~(1 << i) for i in reversed(range(value.bit_length())))
            for less in (value >> 1, *cleared):
                smaller = replace(case, name="reduced", **{name: less})
                if less != value and fails(smaller):
                    case = smaller
                    break
            else:
                continue
            break
        else:
            return case


def any_design(rng: Random) -> Design:
    """Draw an entry of the catalog, or a point of a family with any parameters that go together."""
    if rng.random() < 0.4:
        return rng.choice([*DESIGNS.values(), *VARIANTS.values()])
    while True:
        family = rng.choice([family for family in FAMILIES.values() if family.hardware])
        values = {p.name: rng.choice(list(p.choices)) for p in family.parameters}
        try:
            return find(family.spell(values))
        except UserError:
            continue
