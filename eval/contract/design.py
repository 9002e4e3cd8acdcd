"""Every contract of a design: its multiplier, exponentiator and accelerator, level by level."""

from collections.abc import Sequence
from dataclasses import dataclass
from shlex import quote
from typing import Any

from eval.catalog.design import Design, model_level
from eval.contract.broken_off import check_broken_off
from eval.contract.check import CAUGHT, TIMED_LEVELS, Mismatch
from eval.contract.crt import check_private, right_cases, wrong_cases
from eval.contract.exponentiator import (
    ExpCase,
    check_exponentiator,
    check_resets,
    edge_cases,
    fitted,
    in_a_row,
    random_cases,
    within,
)
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
from sim.stream import NO_STALLS, STALLS, Stalls, StreamRunner, random_stalls

MULTIPLIER, EXPONENTIATOR, ACCELERATOR = PARTS = ("multiplier", "exponentiator", "accelerator")
WIDTHS = (8, 40)  # that are tried if none is named: operands of one word, and of several
WIDEST = 128  # up to which the widest that the default tests have is tried, too
LEAST_KEY = 16  # bits of an RSA key
NARROW = 16  # bits up to which all levels are tried; beyond, those that are fast
LONG = 64  # bits beyond which exponents are short
CYCLES = {"fl": 20_000, "cl": 20_000, "rtl": 6000, "verilog": 6000, "batch": 2_000_000}
BREAKS = 3  # resets while a computation is running
PATIENCE = 40  # cycles that stalls may cost a transfer
STALLED = 5  # part of these cycles that a pattern of stalls has
POPPED_LATE = [NO_STALLS, random_stalls(3)]  # how answers are taken where results are popped late


class Broken(Exception):
    """Tells which case of a contract went wrong first, what it asked for, and the command that
    repeats it."""

    def __init__(self, message: str, repeating: str, request: dict[str, int] | None = None) -> None:
        super().__init__(message)
        self.repeating = repeating
        self.request = request  # its operands by name, if one request is known to be wrong


@dataclass(frozen=True)
class Check:
    """Names a part of a design, at a width and a level: its cases without stalls, and some of them
    under every pattern of stalls."""

    part: str
    nbits: int
    level: str

    def run(self, design: Design) -> tuple[int, int]:
        """Return how many cases were right without and with stalls;
        Broken at the first other."""
        model, cycles = self.model(design), CYCLES[self.level]
        cases = within(self.cases(design), model, cycles)
        few = within(cases, model, cycles // STALLED)
        stalled = [stalls for stalls in STALLS.values() if stalls is not NO_STALLS]
        with self.runner(design) as runner:
            for stalls, chosen in ((NO_STALLS, cases), *((stalls, few) for stalls in stalled)):
                if self.keeps(model):
                    chosen = in_a_row(chosen)
                try:
                    self.ask(runner, model, chosen, stalls)
                except CAUGHT as error:
                    repeating = self._repeating(design, chosen, stalls, error)
                    raise Broken(str(error), repeating, self._asked(chosen, error)) from error
            if self.part == ACCELERATOR:
                stalled += POPPED_LATE
                self._pop_late(runner, design, few)
                self._break_off(runner, design, few)
            self._check_the_rest(runner, design, cases)
        return len(cases), len(few) * len(stalled)

    def _pop_late(self, runner: StreamRunner, design: Design, cases: Sequence[Any]) -> None:
        """Pop the results of the cases at any time up to the next go."""
        for stalls in POPPED_LATE:
            try:
                check_late_pops(runner, self.model(design), cases, stalls)
            except CAUGHT as error:
                request = self._asked(cases, error)
                raise Broken(str(error), self._command(design), request) from error

    def _break_off(self, runner: StreamRunner, design: Design, cases: Sequence[Any]) -> None:
        """Break a computation off by a reset, and see what the next ones have of its operands."""
        model = self.model(design)
        operands = [case.operands for case in cases if model.takes(case.mod)]
        if not operands:
            return
        try:
            check_broken_off(runner, model, operands[0], operands[-1], BREAKS)
        except CAUGHT as error:
            raise Broken(str(error), self._command(design)) from error

    def _asked(self, cases: Sequence[Any], error: Exception) -> dict[str, int] | None:
        """Return the operands of the case that was wrong, if it is known."""
        number = getattr(error, "case", None)
        if number is None and self.part != ACCELERATOR:
            number = getattr(error, "received", None)
        if number is None or number >= len(cases):
            return None
        names = "abm" if self.part == MULTIPLIER else ("base", "exp", "mod")
        return dict(zip(names, cases[number].operands, strict=True))

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

    def _check_the_rest(self, runner: StreamRunner, design: Design, cases: Sequence[Any]) -> None:
        """Reset the exponentiator at work, see that what says so takes constant time, and make
        private operations by what does so."""
        model, repeating = self.model(design), self._command(design)
        if self.part == ACCELERATOR and self.level == "batch" and self.nbits >= LEAST_KEY:
            try:
                self._sign_by_crt(runner, model)
            except CAUGHT as error:
                raise Broken(f"private operation: {error}", repeating) from error
        if self.part == EXPONENTIATOR and self.level == "rtl":
            mod = next(case.mod for case in cases if model.takes(case.mod) and case.mod > 2)
            try:
                check_resets(runner, model, mod)
            except CAUGHT as error:
                raise Broken(f"after a reset at work: {error}", repeating) from error
        cycles = {model.latency(*case.operands) for case in cases}
        if model.constant_time and len(cycles) > 1:
            raise Broken(
                f"{runner.name}: says that its time is constant, and takes from {min(cycles)} to "
                f"{max(cycles)} cycles",
                repeating,
            )

    def _sign_by_crt(self, runner: StreamRunner, model: Any) -> None:
        """Make private operations by keys that are right, and by some that are not."""
        if model.by_crt:
            wrong = wrong_cases(self.nbits, 1) if model.checks else []
            check_private(runner, model, [*right_cases(self.nbits, 1), *wrong])

    def measured(self, design: Design) -> tuple[int, int] | None:
        """Return the least and most cycles of the cases, where no formula says them."""
        model = self.model(design)
        if not model.measured or self.level not in TIMED_LEVELS:
            return None
        cases = within(self.cases(design), model, CYCLES[self.level])
        cycles = [model.latency(*case.operands) for case in cases]
        return min(cycles), max(cycles)

    def given(self, design: Design) -> tuple[int, int] | None:
        """Return the least and most of these cycles that find what a host usually gives, if a core
        of others asks for any."""
        model = self.model(design)
        if self.level not in TIMED_LEVELS or given_each(model) is None:
            return None
        cases = within(self.cases(design), model, CYCLES[self.level])
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
            return _products(design, self.nbits)
        return _powers(design, self.nbits)

    def runner(self, design: Design) -> StreamRunner:
        """Make what runs the part."""
        level = model_level(self.level)
        name = f"{design.name}-{self.nbits} {self.part}"
        if self.part == ACCELERATOR:
            component = design.xcel(level, self.nbits)
            return StreamRunner(component, self.level, "xcel.req", "xcel.resp", name=name)
        return StreamRunner(self.model(design).component(level), self.level, name=name)

    def _repeating(
        self, design: Design, cases: Sequence[Any], stalls: Stalls, error: Exception
    ) -> str:
        """Write the command that repeats what went wrong: of the one case, if that is enough."""
        number = getattr(error, "case", getattr(error, "received", None))
        if self.part == EXPONENTIATOR and stalls is NO_STALLS and number is not None:
            case = cases[number]
            if self.model(design).takes(case.mod):
                return self.command_of(design, case)
        if self.part == MULTIPLIER and stalls is NO_STALLS and number is not None:
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


def levels_of(design: Design, nbits: int) -> tuple[str, ...]:
    """List the levels that are tried of a design at a width: as far as it has come."""
    if design.assumed:
        return ("fl", "cl")
    return ("fl", "cl", "rtl", "batch") if nbits <= NARROW else ("cl", "batch")


def _products(design: Design, nbits: int) -> list[Any]:
    unit = design.multiplier.by_itself(nbits)
    cases = edge_products(nbits) + random_products(nbits, 100, seed=1, odd=True)
    cases += random_products(nbits, 100, seed=2, odd=True, reduced=True)
    return taken(unit, [*cases, *wide_operands(unit), *near_power_cases(nbits, 20, seed=3)])


def _powers(design: Design, nbits: int) -> list[ExpCase]:
    exp_bits = 6 if nbits > LONG else None
    cases = edge_cases(nbits, exp_bits) + random_cases(nbits, 60, 4, exp_bits)
    if design.moduli.only:
        cases = fitted(cases, design.moduli.only(nbits))
    return [case for case in cases if design.at(nbits).accepts(*case.operands)]
