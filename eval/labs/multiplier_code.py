"""Checks of a student's multiplier: visible cases, values, cycles, stalls with the handshake's
rules, translation to Verilog, then a teacher's cases.

Each stage is tried only if the one before is right. A wrong value is compared with those of
variants that have a usual fault.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shlex import quote
from typing import Any

from cl.unit import Unit
from eval.catalog import bring, find
from eval.catalog.design import Design
from eval.catalog.point import Point
from eval.catalog.user_designs import blamed, file_of, holder
from eval.catalog.workloads import Request
from eval.contract.check import CAUGHT
from eval.contract.design import MULTIPLIER, Broken, Check
from eval.contract.multiplier import MulCase, check_multiplier, edge_cases, random_cases, taken
from eval.labs.cases import FILE, read_cases
from eval.labs.lab import OWN_CASES, TEACHER, Items, Mark, drawn
from eval.labs.stages import Wrong, in_turn
from eval.tasks.exponentiation import simulate
from sim.errors import RunError, UserError
from sim.handshake import STAYS
from sim.stream import (
    NO_STALLS,
    HandshakeError,
    SimulationTimeout,
    SpuriousResponse,
    StreamRunner,
    Transfer,
    random_stalls,
)
from sim.transfers import packer
from sim.translate import translate

Variant = tuple[str, Callable[[int, int, int], int]]
NAMES = {"a", "b", "m", "r", "cycles"}  # of a case
OWN = 3  # cases that a student adds to the two that are there
TRIED = 60  # cases of a stage
POWERS = 4  # exponentiations
WIDTHS = (9, 10, 11, 13, 15, 16)  # that a teacher's seed draws from


@dataclass(frozen=True)
class MultiplierCode:
    """Checks the multiplier of a folder's entry.py.

    name: of its design.
    variants: what has a usual fault, and how that is told.
    hints: what is told where no answer comes (none), some do (some), one too many does (spurious),
        all are a cycle late or early, take the same time (same), the next request is taken at
        another time (interval), stalls change something (stalls), or rdy depends on val, or the
        other way round (apart).
    """

    folder: Path
    name: str
    nbits: int
    variants: Sequence[Variant]
    hints: Mapping[str, str]

    def marks(self, items: Items, teacher: str) -> list[Mark]:
        """Try what is checked, in turn."""
        return in_turn(items, lambda item: self._said(item, teacher))

    def _said(self, item: str, teacher: str) -> str:
        """Try a stage, and say what is wrong."""
        stages: dict[str, Callable[[], None]] = {
            OWN_CASES: self._own_cases,
            "values": self._try_values,
            "cycles": lambda: self._cycles(random_cases(self.nbits, TRIED, 6, reduced=True)),
            "stalls": self._stalls,
            "translation": self._translation,
            "exponentiator": self._powers,
            TEACHER: lambda: self._drawn(teacher),
        }
        try:
            bring("folder", self.folder / "entry.py")
            stages[item]()
        except (UserError, RunError, Wrong) as error:
            return str(error)
        except Exception as error:
            if not (said := blamed(error)):
                raise
            return said
        return ""

    @property
    def design(self) -> Design:
        """Return the design."""
        return find(self.name)

    @property
    def unit(self) -> Unit:
        """Return the multiplier at the width."""
        return self.design.multiplier.at(self.nbits)

    def _own_cases(self) -> None:
        """Try the cases of the folder; are they right themselves, and enough?"""
        most, unit = 1 << self.nbits, self.unit
        told = f"a, b, m, r and cycles below {most}"
        cases = read_cases(self.folder, NAMES, lambda case: _below(most, case.values()), told)
        for number, case in enumerate(cases, 1):
            operands = case["a"], case["b"], case["m"]
            if not unit.accepts(*operands):
                raise Wrong(f"{FILE}: case {number}: the unit does not take these operands")
            right = unit.value(*operands), unit.latency(*operands)
            if (case["r"], case["cycles"]) != right:
                after = f"r = {right[0]} after {right[1]} cycles"
                raise Wrong(f"{FILE}: case {number}: by fl.py and cl.py it is {after}")
        rows = [MulCase(f"{i}", self.nbits, c["a"], c["b"], c["m"]) for i, c in enumerate(cases, 1)]
        if len({case.operands for case in rows}) < OWN + 2:
            raise Wrong(
                f"{FILE}: has {len(rows)} cases; add {OWN} others to the two that were there"
            )
        self._values(rows)
        self._cycles(rows)

    def _try_values(self) -> None:
        """Try values at the edges, and between."""
        edges = taken(self.unit, edge_cases(self.nbits))
        some = edges[:: max(len(edges) // TRIED, 1)]
        self._values([*some, *random_cases(self.nbits, 2 * TRIED, 5, odd=True, reduced=True)])

    def _values(self, cases: Sequence[MulCase]) -> None:
        """Compare values; wrong ones with those of the variants."""
        cases = taken(self.unit, cases)
        found = self._answers(cases)
        right = [self.unit.value(*case.operands) for case in cases]
        wrong = [i for i, transfer in enumerate(found) if transfer.response != right[i]]
        if not wrong:
            return
        a, b, m = cases[wrong[0]].operands
        told = f"a = {a}, b = {b}, m = {m}: r is {right[wrong[0]]}, and was answered "
        told += f"{found[wrong[0]].response}"
        for hint, variant in self.variants:
            values = (variant(*case.operands) for case in cases)
            if all(v == t.response for v, t in zip(values, found, strict=True)):
                raise Wrong(f"{told}; all answers are {hint}")
        module = holder(self.name)
        assert module is not None, self.name
        file = quote(str(file_of(module)))
        raise Wrong(
            f"{told}; {len(wrong)} of {len(cases)} are wrong. Look at it by modexplorer simulate "
            f"{self.name} --with {file} --nbits {self.nbits} --unit multiplier --a {a} --b {b} "
            f"--m {m} --trace"
        )

    def _cycles(self, cases: Sequence[MulCase]) -> None:
        """Compare cycles with the formula, and say how they differ."""
        cases = taken(self.unit, cases)
        found = self._answers(cases)
        formula = [self.unit.latency(*case.operands) for case in cases]
        apart = [t.cycles - right for t, right in zip(found, formula, strict=True)]
        if any(apart):
            first = next(i for i, difference in enumerate(apart) if difference)
            a, b, m = cases[first].operands
            told = f"a = {a}, b = {b}, m = {m} takes {found[first].cycles} cycles, and should take "
            told += f"{formula[first]}"
            kinds = {"late": set(apart) == {1}, "early": set(apart) == {-1}}
            kinds["same"] = len(set(formula)) > 1 and len({t.cycles for t in found}) == 1
            hints = [self.hints[kind] for kind, holds in kinds.items() if holds]
            raise Wrong("; ".join([told, *hints[:1]]))
        for case, one, after in zip(cases, found, found[1:], strict=False):
            if after.accepted - one.accepted != self.unit.interval(*case.operands):
                raise Wrong(self.hints["interval"])

    def _answers(self, cases: Sequence[MulCase]) -> list[Transfer]:
        """Ask for products; Wrong if there are not as many answers."""
        pack = packer(self.unit.messages[0])
        requests = [pack(*case.operands) for case in cases]
        try:
            with self._runner(self.nbits) as runner:
                runner.engine.probed = False  # what that finds is of the stage of stalls
                return runner.run(requests, max_cycles=self._limit(self.nbits, cases))
        except SimulationTimeout as error:
            if error.received == 0:
                raise Wrong(self.hints["none"]) from error
            some = f"{error.received} of {len(cases)} answers come"
            raise Wrong(f"{some}; {self.hints['some']}") from error
        except SpuriousResponse as error:
            raise Wrong(self.hints["spurious"]) from error

    def _stalls(self) -> None:
        """Run the whole contract, stalls included."""
        try:
            Check(MULTIPLIER, self.nbits, "rtl").run(self.design)
        except Broken as error:
            said, cause = str(error).splitlines()[0], error.__cause__
            if isinstance(cause, HandshakeError):
                said += f"; {self.hints['stalls' if cause.rule == STAYS else 'apart']}"
            elif "stalls" in said and "stalls none" not in said or "responses after" in said:
                said += f"; {self.hints['stalls']}"
            raise Wrong(said) from error

    def _translation(self) -> None:
        """Translate it to Verilog; what cannot be is no hardware, whatever Python makes of it."""
        translate(self._component(self.nbits))

    def _powers(self) -> None:
        """Make some exponentiations with it; RunError if one is wrong."""
        rng, point = drawn("", f"powers {self.nbits}"), Point(self.name, self.nbits)
        most = (1 << self.nbits) - 1
        requests = [Request(*(rng.randint(1, most) for _ in range(3))) for _ in range(POWERS)]
        requests = [Request(r.base, r.exp, r.mod | 1) for r in requests]  # which all designs take
        simulate(point, [*requests, Request(most, 0, 1), Request(0, most, most)])

    def _drawn(self, teacher: str) -> None:
        """Try a width, operands and stalls that a teacher's seed draws."""
        rng = drawn(teacher, self.name)
        width, seed = rng.choice(WIDTHS), rng.randrange(1 << 30)
        unit = self.design.multiplier.at(width)
        drawn_cases = random_cases(width, TRIED, seed, odd=True, reduced=True)
        cases = taken(unit, [*drawn_cases, *random_cases(width, TRIED, seed + 1)])
        with self._runner(width) as runner:
            for stalls in (NO_STALLS, random_stalls(seed)):
                try:
                    check_multiplier(runner, unit, cases, stalls, self._limit(width, cases))
                except CAUGHT as error:
                    raise Wrong(str(error).splitlines()[0]) from error

    def _runner(self, nbits: int) -> StreamRunner:
        return StreamRunner(self._component(nbits), "rtl", name=f"{self.name}-{nbits}")

    def _component(self, nbits: int) -> Any:
        return self.design.multiplier.at(nbits).component("rtl")

    def _limit(self, nbits: int, cases: Sequence[MulCase]) -> int:
        """Say after how many cycles a run has failed."""
        return (2 * nbits + 40) * (len(cases) + 1)


def _below(most: int, values: Iterable[Any]) -> bool:
    return all(type(value) is int and 0 <= value < most for value in values)
