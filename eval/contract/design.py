"""Every contract of a design: its multiplier, exponentiator and accelerator, level by level."""

from collections.abc import Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from shlex import quote
from typing import Any

from pymtl3 import Component

from eval.catalog.design import Design, model_level
from eval.contract.broken_off import check_broken_off
from eval.contract.check import CAUGHT, COUNT, TIME, TIMED_LEVELS, VALUE, Mismatch, kind_of
from eval.contract.crt import check_private, right_cases, wrong_cases
from eval.contract.drawn import drawn_powers, drawn_products
from eval.contract.exponentiator import (
    PATIENCE,
    ExpCase,
    check_exponentiator,
    check_resets,
    edge_cases,
    first,
    fitted,
    in_a_row,
    random_cases,
    within,
)
from eval.contract.hints import hint
from eval.contract.late_pops import check_late_pops
from eval.contract.multiplier import (
    check_multiplier,
    check_value,
    near_power_cases,
    taken,
    wide_operands,
)
from eval.contract.multiplier import edge_cases as edge_products
from eval.contract.multiplier import random_cases as random_products
from eval.contract.xcel import check_keeping, check_xcel
from eval.foreign.given import from_host, given_by_host, given_each
from fl.xcel import words
from sim.errors import RunError
from sim.stream import NO_STALLS, STALLS, Stalls, StreamRunner, random_stalls

MULTIPLIER, EXPONENTIATOR, ACCELERATOR = PARTS = ("multiplier", "exponentiator", "accelerator")
WIDTHS = (8, 40)  # that are tried if none is named: operands of one word, and of several
WIDEST = 128  # up to which the widest that the default tests have is tried, too
LEAST_KEY = 16  # bits of an RSA key
NARROW = 16  # bits up to which all levels are tried; beyond, those that are fast
LONG = 64  # bits beyond which exponents are short
CYCLES = {"fl": 20_000, "cl": 20_000, "rtl": 6000, "verilog": 6000, "batch": 2_000_000}
BREAKS = 3  # resets while a computation is running
FEW = 400  # cases at most that run under each pattern of stalls
STALLED = 5  # part of these cycles that a pattern of stalls has
COMPUTED = 3  # one in so many powers at least has a modulus that the design takes
POPPED_LATE = [NO_STALLS, random_stalls(3)]  # how answers are taken where results are popped late


class Broken(Exception):
    """Reports a failure of a contract.

    repeating: the command that repeats it. request: the operands by name, of one request that is
    known to fail. kind: what it tells (eval/contract/check.py). hint: what the wrong responses have
    in common.
    """

    def __init__(
        self,
        message: str,
        repeating: str,
        request: dict[str, int] | None = None,
        kind: str = VALUE,
        hint: str | None = None,
    ) -> None:
        super().__init__(message)
        self.repeating, self.request = repeating, request
        self.kind, self.hint = kind, hint


Chosen = tuple[list[Any], list[Any]]  # cases without stalls, and with them


@dataclass(frozen=True)
class Check:
    """Names a part of a design, at a width and a level: its cases without stalls, and some of them
    under every pattern of stalls.

    count: how many cases are drawn at least, the usual ones if None. exact: whether so many run,
    however long they take, and not those that a budget of cycles allows.
    """

    part: str
    nbits: int
    level: str
    count: int | None = None
    exact: bool = False

    def run(self, design: Design) -> tuple[int, int]:
        """Return how many cases passed without and with stalls; Broken at the first failure."""
        chosen = self.chosen(design)
        with closing(self.failures(design, chosen)) as failures:
            for failure in failures:
                raise failure
        return self.counts(chosen)

    def counts(self, chosen: Chosen) -> tuple[int, int]:
        """Count the cases that run without stalls, and those that run with them."""
        cases, few = chosen
        late = len(POPPED_LATE) if self.part == ACCELERATOR else 0
        return len(cases), len(few) * (len(STALLS) - 1 + late)

    def chosen(self, design: Design) -> Chosen:
        """Choose the cases that run without stalls, and those that run with them; RunError if the
        design accepts none."""
        model, cases = self.model(design), self.cases(design)
        if not cases:
            raise RunError(
                f"{design.name}-{self.nbits} {self.part}: its accepts() refuses every case; return "
                "True for the operands for which the result is defined"
            )
        budget = CYCLES[self.level]
        chosen = within(cases, model, None if self.exact else budget)
        if self.exact:
            chosen = chosen[: self.count]
        return chosen, first(chosen, model, budget // STALLED)[:FEW]

    def failures(self, design: Design, chosen: Chosen) -> Generator[Broken, None, None]:
        """Run the contract, and yield each way in which it fails: without stalls, under every
        pattern of stalls, and by what else the part must keep. What does not respond without
        stalls is not asked again."""
        model, (cases, few) = self.model(design), chosen
        with self.runner(design) as runner:
            for stalls in STALLS.values():
                asked = cases if stalls is NO_STALLS else few
                if self.keeps(model):
                    asked = in_a_row(asked)
                try:
                    self.ask(runner, model, asked, stalls)
                except CAUGHT as error:
                    for one in (error, *getattr(error, "others", ())):
                        repeating = self._repeating(design, asked, stalls, one)
                        yield self._broken(model, one, repeating, asked)
                    if stalls is NO_STALLS and kind_of(error) == COUNT:
                        return
            if self.part == ACCELERATOR:
                yield from self._pop_late(runner, design, few)
                yield from self._break_off(runner, design, few)
            yield from self._check_the_rest(runner, design, cases)

    def _broken(
        self,
        model: Any,
        error: Exception,
        repeating: str,
        cases: Sequence[Any] = (),
        before: str = "",
    ) -> Broken:
        """Return what an exception of CAUGHT says of the cases."""
        transfers = getattr(error, "transfers", ())
        seen = None
        if kind_of(error) == VALUE and len(transfers) == len(cases) and self.part != ACCELERATOR:
            answers = [transfer.response for transfer in transfers]
            seen = hint(model, cases, answers, self.part == MULTIPLIER)
        broken = Broken(
            f"{before}{error}", repeating, self._asked(cases, error), kind_of(error), seen
        )
        broken.__cause__ = error
        return broken

    def _pop_late(
        self, runner: StreamRunner, design: Design, cases: Sequence[Any]
    ) -> Iterator[Broken]:
        """Pop the results of the cases at any time up to the next go."""
        model = self.model(design)
        for stalls in POPPED_LATE:
            try:
                check_late_pops(runner, model, cases, stalls)
            except CAUGHT as error:
                yield self._broken(model, error, self._command(design), cases)

    def _break_off(
        self, runner: StreamRunner, design: Design, cases: Sequence[Any]
    ) -> Iterator[Broken]:
        """Break a computation off by a reset, and see what the next ones have of its operands."""
        model = self.model(design)
        operands = [case.operands for case in cases if model.takes(case.mod)]
        if not operands:
            return
        try:
            check_broken_off(runner, model, operands[0], operands[-1], BREAKS)
        except CAUGHT as error:
            yield self._broken(model, error, self._command(design))

    def _asked(self, cases: Sequence[Any], error: Exception) -> dict[str, int] | None:
        """Return the operands of the case that was wrong, if it is known."""
        number = self._number(error)
        if number is None or number >= len(cases):
            return None
        names = "abm" if self.part == MULTIPLIER else ("base", "exp", "mod")
        return dict(zip(names, cases[number].operands, strict=True))

    def _number(self, error: Exception) -> int | None:
        """Return the number of the case that an error is about, if it is known."""
        number: int | None = getattr(error, "case", None)
        if number is None and self.part != ACCELERATOR:
            number = getattr(error, "received", None)
        return number

    def ask(
        self,
        runner: StreamRunner,
        model: Any,
        cases: Sequence[Any],
        stalls: Stalls,
        patience: int = PATIENCE,
    ) -> None:
        """Make requests of the part and check the answers: one of CAUGHT if one is wrong, or none
        comes in twice the cycles and so many more for each transfer."""
        for i, case in enumerate(cases if self.part == MULTIPLIER else ()):
            try:
                check_value(model, case)
            except Mismatch as error:
                raise Mismatch(str(error), i) from error
        transfers = 4 * words(self.nbits) + 6 if self.part == ACCELERATOR else 1
        cycles = sum(model.latency(*case.operands) for case in cases)
        limit = 2 * cycles + patience * (transfers * len(cases) + 1)
        self._checker(model)(runner, model, cases, stalls, max_cycles=limit)

    def _check_the_rest(
        self, runner: StreamRunner, design: Design, cases: Sequence[Any]
    ) -> Iterator[Broken]:
        """Reset the exponentiator at work, see that what claims so takes constant time, and make
        private operations by what does so."""
        model, repeating = self.model(design), self._command(design)
        if self.part == ACCELERATOR and self.level == "batch" and self.nbits >= LEAST_KEY:
            try:
                self._sign_by_crt(runner, model)
            except CAUGHT as error:
                yield self._broken(model, error, repeating, before="private operation: ")
        if self.part == EXPONENTIATOR and self.level == "rtl":
            mods = (case.mod for case in cases if model.takes(case.mod) and case.mod > 2)
            try:
                for mod in islice(mods, 1):
                    check_resets(runner, model, mod)
            except CAUGHT as error:
                yield self._broken(model, error, repeating, before="after a reset at work: ")
        cycles = {model.latency(*case.operands) for case in cases}
        if model.constant_time and len(cycles) > 1:
            yield Broken(
                f"{runner.name}: says that its time is constant, and takes from {min(cycles)} to "
                f"{max(cycles)} cycles",
                repeating,
                kind=TIME,
            )

    def _sign_by_crt(self, runner: StreamRunner, model: Any) -> None:
        """Make private operations by keys that are right, and by some that are not."""
        if model.by_crt:
            wrong = wrong_cases(self.nbits, 1) if model.checks else []
            check_private(runner, model, [*right_cases(self.nbits, 1), *wrong])

    def measured(self, design: Design, chosen: Chosen | None = None) -> tuple[int, int] | None:
        """Return the least and most cycles of the cases, where there is no formula."""
        model = self.model(design)
        if not model.measured or self.level not in TIMED_LEVELS:
            return None
        cases, _ = chosen or self.chosen(design)
        cycles = [model.latency(*case.operands) for case in cases]
        return min(cycles), max(cycles)

    def given(self, design: Design, chosen: Chosen | None = None) -> tuple[int, int] | None:
        """Return the least and most of these cycles that find what a host usually gives, if a core
        of others asks for any."""
        model = self.model(design)
        if self.level not in TIMED_LEVELS or given_each(model) is None:
            return None
        cases, _ = chosen or self.chosen(design)
        cycles = [given_by_host(model, *case.operands) or 0 for case in cases]
        return min(cycles), max(cycles)

    def from_host(self, design: Design) -> list[str]:
        """List what the host gives, if a core of others asks for it."""
        return from_host(self.model(design)) if self.level in TIMED_LEVELS else []

    def model(self, design: Design) -> Any:
        """Return what says value and time of the part; of the accelerator, what is inside."""
        if self.part == MULTIPLIER:
            return design.multiplier.by_itself(self.nbits)
        return design.at(self.nbits)

    def cases(self, design: Design) -> Sequence[Any]:
        """List the cases of the contract."""
        if self.part == MULTIPLIER:
            return _products(design, self.nbits, self.count)
        return _powers(design, self.nbits, self.count)

    def component(self, design: Design) -> Component:
        """Make a new component of the part."""
        level = model_level(self.level)
        if self.part == ACCELERATOR:
            return design.xcel(level, self.nbits)
        component: Component = self.model(design).component(level)
        return component

    def runner(self, design: Design) -> StreamRunner:
        """Make what runs the part."""
        name = f"{design.name}-{self.nbits} {self.part}"
        ports = ("xcel.req", "xcel.resp") if self.part == ACCELERATOR else ("recv", "send")
        return StreamRunner(self.component(design), self.level, *ports, name=name)

    def _repeating(
        self, design: Design, cases: Sequence[Any], stalls: Stalls, error: Exception
    ) -> str:
        """Write the command that repeats what went wrong: of the one case, if that is enough."""
        number = self._number(error)
        if number is not None and number >= len(cases):
            number = None
        if self.part == EXPONENTIATOR and stalls is NO_STALLS and number is not None:
            case = cases[number]
            if self.model(design).takes(case.mod):
                return self.command_of(design, case)
        is_value = self.part == MULTIPLIER and kind_of(error) == VALUE
        if is_value and stalls is NO_STALLS and number is not None:
            a, b, m = cases[number].operands
            point = f"{quote(design.name)} --nbits {self.nbits}"
            product = f"--unit {MULTIPLIER} --a {a} --b {b} --m {m}"
            return f"modexplorer simulate {point} {product} --level {self.level}"
        return self._command(design)

    def command_of(self, design: Design, case: ExpCase) -> str:
        """Write the command that makes one request of the exponentiator, or of the accelerator."""
        operands = f"--base {case.base} --exp {case.exp} --mod {case.mod}"
        port = " --xcel" if self.part == ACCELERATOR else ""
        point = f"{quote(design.name)} --nbits {self.nbits}"
        return f"modexplorer simulate {point} {operands} --level {self.level}{port}"

    def _command(self, design: Design) -> str:
        """Write the command that makes this check."""
        point = f"{quote(design.name)} --nbits {self.nbits}"
        return f"modexplorer check {point} --part {self.part} --level {self.level}"

    def keeps(self, model: Any) -> bool:
        """Return whether the time of a request depends on the modulus of the one before."""
        return self.part != MULTIPLIER and model.keeps

    def _checker(self, model: Any) -> Any:
        if self.part == ACCELERATOR:
            return check_keeping if self.keeps(model) else check_xcel
        return check_multiplier if self.part == MULTIPLIER else check_exponentiator


def tried_parts(design: Design) -> tuple[str, ...]:
    """List the parts that can be tried by themselves."""
    return PARTS[1:] if design.multiplier.inside else PARTS


def widths_of(design: Design) -> list[int]:
    """List the widths that are tried if none is named: one word, several, the least key of what
    signs by CRT, and the widest of the default tests where that is no long run."""
    least, most = design.widths
    widest = [design.tested_to] if design.tested_to <= WIDEST else []
    key = [LEAST_KEY] if least <= LEAST_KEY <= most and design.at(LEAST_KEY).by_crt else []
    return sorted({n for n in (*WIDTHS, *key, *widest) if least <= n <= most}) or [least]


def levels_of(nbits: int) -> tuple[str, ...]:
    """List the levels that are tried at a width if none is named."""
    return ("fl", "cl", "rtl", "batch") if nbits <= NARROW else ("cl", "batch")


@lru_cache(8)
def _products(design: Design, nbits: int, count: int | None) -> list[Any]:
    """List the products of the contract, `count` at least; what the multiplier does not accept is
    replaced."""
    unit = design.multiplier.by_itself(nbits)
    cases = edge_products(nbits) + random_products(nbits, 100, seed=1, odd=True)
    cases += random_products(nbits, 100, seed=2, odd=True, reduced=True)
    cases += [*wide_operands(unit), *near_power_cases(nbits, 20, seed=3)]
    kept = taken(unit, cases)
    return kept + drawn_products(unit, max(len(cases), count or 0) - len(kept), kept)


@lru_cache(8)
def _powers(design: Design, nbits: int, count: int | None) -> list[ExpCase]:
    """List the powers of the contract, `count` at least; what the design does not accept is
    replaced, and a third of them is computed, not refused."""
    exp_bits = 6 if nbits > LONG else None
    cases = edge_cases(nbits, exp_bits) + random_cases(nbits, 60, 4, exp_bits)
    if design.moduli.only:
        cases = fitted(cases, design.moduli.only(nbits))
    model = design.at(nbits)
    kept = [case for case in cases if model.accepts(*case.operands)]
    computed = sum(model.takes(case.mod) for case in kept)
    wanted = max(len(cases), count or 0) - len(kept), len(cases) // COMPUTED - computed
    special = design.moduli.key(nbits).n if design.moduli.key else None
    return kept + drawn_powers(model, max(wanted), exp_bits, kept, special)
