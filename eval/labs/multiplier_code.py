"""Checks of a student's multiplier: visible cases, values, cycles, stalls, then a teacher's cases.

Each stage is tried only if the one before is right. A wrong value is compared with those of
variants that have a usual fault.
"""

import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from eval.catalog import bring, find
from eval.catalog.design import Design
from eval.catalog.point import Point
from eval.catalog.user_designs import blamed
from eval.catalog.workloads import Request
from eval.contract.check import CAUGHT
from eval.contract.design import MULTIPLIER, Broken, Check
from eval.contract.multiplier import MulCase, check_multiplier, edge_cases, random_cases, taken
from eval.labs.lab import Mark, drawn
from eval.tasks.exponentiation import simulate
from sim.errors import RunError, UserError
from sim.stream import NO_STALLS, SimulationTimeout, SpuriousResponse, StreamRunner, random_stalls
from sim.transfers import packer

Variant = tuple[str, Callable[[int, int, int], int]]
CASES = "cases.toml"
OWN, MOST = 3, 200  # cases: how many a student adds, and how many there may be
TRIED = 60  # cases of a stage
POWERS = 4  # exponentiations
WIDTHS = (9, 10, 11, 13, 15, 16)  # that a teacher's seed draws from
STAGES = (
    ("own cases", 4),
    ("values", 12),
    ("cycles", 6),
    ("stalls", 6),
    ("exponentiator", 4),
)
TEACHER = ("teacher's cases", 8)


def check_multiplier_code(
    folder: Path, name: str, nbits: int, teacher: str, variants: Sequence[Variant]
) -> list[Mark]:
    """Check the multiplier of a folder's entry.py."""
    marks: list[Mark] = []
    stages = [*STAGES, *([TEACHER] if teacher else [])]
    stopped = ""
    for item, points in stages:
        said = f"not tried: {stopped}" if stopped else ""
        if not stopped:
            try:
                bring("folder", folder / "entry.py")
                said = _stage(item, find(name), nbits, folder, teacher, variants)
            except (UserError, RunError, Broken) as error:
                said = str(error)
            except Exception as error:
                said = blamed(error) or ""
                if not said:
                    raise
            if said and item != "own cases":
                stopped = f"{item} first"
        marks.append(Mark(item, points, 0 if said else points, said))
    return marks


def _stage(
    item: str,
    design: Design,
    nbits: int,
    folder: Path,
    teacher: str,
    variants: Sequence[Variant],
) -> str:
    """Try a stage, and say what is wrong."""
    if item == "own cases":
        return _own_cases(design, nbits, folder, variants)
    if item == "values":
        cases = edge_cases(nbits)[:: max(len(edge_cases(nbits)) // TRIED, 1)]
        return _values(design, nbits, cases + random_cases(nbits, TRIED, 5, reduced=True), variants)
    if item == "cycles":
        return _cycles(design, nbits, random_cases(nbits, TRIED, 6, reduced=True))
    if item == "stalls":
        return _broken(Check(MULTIPLIER, nbits, "rtl"), design)
    if item == "exponentiator":
        return _powers(design, nbits)
    rng = drawn(teacher, design.name)
    width, seed = rng.choice(WIDTHS), rng.randrange(1 << 30)
    unit = design.multiplier.at(width)
    cases = taken(unit, random_cases(width, TRIED, seed, reduced=True))
    cases += taken(unit, random_cases(width, TRIED, seed + 1))
    with _runner(design, width) as runner:
        for stalls in (NO_STALLS, random_stalls(seed)):
            try:
                check_multiplier(runner, unit, cases, stalls, _limit(unit, cases, 40))
            except CAUGHT as error:
                return _first_line(error)
    return ""


def _powers(design: Design, nbits: int) -> str:
    """Make some exponentiations with it; RunError if one is wrong."""
    rng = drawn("", f"powers {nbits}")
    most = (1 << nbits) - 1
    requests = [Request(*(rng.randint(1, most) for _ in range(3))) for _ in range(POWERS)]
    simulate(Point(design.name, nbits), [*requests, Request(most, 0, 1), Request(0, most, most)])
    return ""


def _own_cases(design: Design, nbits: int, folder: Path, variants: Sequence[Variant]) -> str:
    """Try the cases of the folder; are they right themselves, and enough?"""
    cases = read_cases(folder / CASES, nbits)
    unit = design.multiplier.at(nbits)
    for number, case in enumerate(cases, 1):
        a, b, m = case["a"], case["b"], case["m"]
        if not unit.accepts(a, b, m):
            return f"{CASES}: case {number}: b must be at most m, and m at least 1"
        right = a * b % m, unit.latency(a, b, m)
        if (case["r"], case["cycles"]) != right:
            return f"{CASES}: case {number}: by fl.py and cl.py it is r = {right[0]} after " + (
                f"{right[1]} cycles"
            )
    if len({(c["a"], c["b"], c["m"]) for c in cases}) < OWN + 2:
        return f"{CASES}: has {len(cases)} cases; add {OWN} others to the two that were there"
    rows = [MulCase(f"{i}", nbits, c["a"], c["b"], c["m"]) for i, c in enumerate(cases, 1)]
    return _values(design, nbits, rows, variants) or _cycles(design, nbits, rows)


def read_cases(file: Path, nbits: int) -> list[dict[str, int]]:
    """Read a table of cases; UserError names what is wrong with it."""
    try:
        found = tomllib.loads(file.read_text()).get("case", [])
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{CASES}: {error}; mend it") from error
    names = {"a", "b", "m", "r", "cycles"}
    rows: list[Any] = found if isinstance(found, list) and len(found) <= MOST else [None]
    for case in rows:
        whole = isinstance(case, dict) and case.keys() == names
        if not whole or not all(type(v) is int and 0 <= v < 1 << nbits for v in case.values()):
            raise UserError(
                f"{CASES}: write at most {MOST} [[case]], each with a, b, m, r and cycles below "
                f"{1 << nbits}"
            )
    return rows


def _values(
    design: Design, nbits: int, cases: Sequence[MulCase], variants: Sequence[Variant]
) -> str:
    """Compare values, each of a request by itself; a wrong one with those of the variants."""
    unit = design.multiplier.at(nbits)
    cases = taken(unit, cases)
    found = _answers(design, nbits, cases)
    if isinstance(found, str):
        return found
    wrong = [(c, t.response) for c, t in zip(cases, found, strict=True) if t.response != _right(c)]
    if not wrong:
        return ""
    case, answer = wrong[0]
    told = f"{case.a} * {case.b} mod {case.m} is {_right(case)}, and was answered {answer}"
    for hint, variant in variants:
        answers = ((variant(*c.operands), t.response) for c, t in zip(cases, found, strict=True))
        if all(one == other for one, other in answers):
            return f"{told}; all answers are {hint}"
    repeat = f"--nbits {nbits} --unit multiplier --a {case.a} --b {case.b} --m {case.m} --trace"
    command = f"modexplorer simulate {design.name} --with {folder_entry(design)} {repeat}"
    return f"{told}; {len(wrong)} of {len(cases)} are wrong. Look at it by {command}"


def _cycles(design: Design, nbits: int, cases: Sequence[MulCase]) -> str:
    """Compare cycles with the formula, and say how they differ."""
    unit = design.multiplier.at(nbits)
    cases = taken(unit, cases)
    found = _answers(design, nbits, cases)
    if isinstance(found, str):
        return found
    rows = [(c, t.cycles, unit.latency(*c.operands)) for c, t in zip(cases, found, strict=True)]
    wrong = [row for row in rows if row[1] != row[2]]
    if wrong:
        case, cycles, formula = wrong[0]
        told = f"{case.a} * {case.b} mod {case.m} takes {cycles} cycles, and should take {formula}"
        apart = {cycles - formula for _, cycles, formula in rows}
        if apart == {1}:
            return f"{told}; all are one late: the answer waits for a state of its own"
        if apart == {-1}:
            return f"{told}; all are one early: the operands must be in registers first"
        if len({cycles for _, cycles, _ in rows}) == 1:
            return f"{told}; all take as many: it does not end where a has no bits any more"
        return told
    intervals = {
        (after.accepted - one.accepted) - unit.interval(*case.operands)
        for case, one, after in zip(cases, found, found[1:], strict=False)
    }
    if intervals != {0}:
        return (
            "the next request is taken at another time than cl.py says: rdy is for a unit that is "
            "idle, in the cycle after an answer has left"
        )
    return ""


def _answers(design: Design, nbits: int, cases: Sequence[MulCase]) -> Any:
    """Ask for products; return the transfers, or what is wrong if there are not as many."""
    unit = design.multiplier.at(nbits)
    pack = packer(unit.messages[0])
    try:
        with _runner(design, nbits) as runner:
            requests = [pack(*case.operands) for case in cases]
            return runner.run(requests, max_cycles=_limit(unit, cases, 4))
    except SimulationTimeout as error:
        if error.received == 0:
            return (
                "no answer ever comes: is rdy set while the unit is idle (GAP 1), does busy rise "
                "(GAP 3), does a lose its bits (GAP 4)?"
            )
        return (
            f"{error.received} of {len(cases)} answers come: does busy fall when an answer is "
            "taken (GAP 3)?"
        )
    except SpuriousResponse:
        return (
            "an answer comes that nobody asked for: val is for a request that is inside (GAP 1), "
            "and busy falls when its answer is taken (GAP 3)"
        )


def _broken(check: Check, design: Design) -> str:
    """Run a whole contract, stalls included, and say what is wrong first."""
    try:
        check.run(design)
    except Broken as error:
        said = _first_line(error)
        if "stalls none" not in said and "stalls" in said or "responses after" in said:
            said += "; an answer must stay, and nothing else be taken, until rdy takes it"
        return said
    return ""


def _runner(design: Design, nbits: int) -> StreamRunner:
    component = design.multiplier.at(nbits).component("rtl")
    return StreamRunner(component, "rtl", name=f"{design.name}-{nbits}")


def _limit(unit: Any, cases: Sequence[MulCase], patience: int) -> int:
    longest = 2 * unit.nbits + patience
    return len(cases) * longest + patience


def _right(case: MulCase) -> int:
    return case.a * case.b % case.m


def _first_line(error: Exception) -> str:
    return str(error).splitlines()[0]


def folder_entry(design: Design) -> str:
    """Return the file that a design is from, as a command takes it."""
    from shlex import quote

    from eval.catalog.user_designs import file_of, holder

    module = holder(design.name)
    assert module is not None, design.name
    return quote(str(file_of(module)))
