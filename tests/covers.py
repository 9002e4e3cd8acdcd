"""Covers of the proofs: what an assertion is about is reached, so that none holds of nothing.

An assertion `!a || !b || c` is about `a && b`: a goal, from a reset on, under the same assumptions.
"""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path

from pymtl3 import Component

from tests.prove import BROKEN, FLAT, LOGIC, TIME_LIMIT, from_reset
from tests.yosys import started


def _closing(text: str, opening: int) -> int:
    """The place of the parenthesis that closes one."""
    depth = 0
    for place in range(opening, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return place
    raise ValueError(f"no end of {text[opening:]}")


def _assertions(body: str) -> Iterator[tuple[int, int, str, str]]:
    """Where each assertion begins and ends, what it says, and under which `if` of its line."""
    for found in re.finditer(r"\bassert \(", body):
        end = _closing(body, found.end() - 1)
        line = body[body.rfind("\n", 0, found.start()) + 1 : found.start()]
        condition = re.match(r"\s*(?:always @\* )?if \(", line)
        inside = (
            line[condition.end() - 1 : _closing(line, condition.end() - 1) + 1]
            if condition
            else "1"
        )
        yield found.start(), end + 2, body[found.end() : end], inside


def _disjuncts(claim: str) -> list[str]:
    """The parts of an expression between those || that are in no parentheses."""
    parts, depth, start = [], 0, 0
    for place, letter in enumerate(claim):
        depth += {"(": 1, ")": -1}.get(letter, 0)
        if not depth and claim.startswith("||", place):
            parts.append(claim[start:place])
            start = place + 2
    return [*parts, claim[start:]]


def goals(body: str) -> list[str]:
    """What each assertion of a body is about."""
    found = []
    for _, _, claim, condition in _assertions(body):
        *others, _ = _disjuncts(claim)
        found.append(" && ".join([condition, *(f"!({one.strip()})" for one in others)]))
    return list(dict.fromkeys(goal for goal in found if goal != "1"))


def without_assertions(body: str) -> str:
    """The body with its assumptions alone."""
    for start, end, _, _ in reversed(list(_assertions(body))):
        body = body[:start] + ";" + body[end:]
    return body


def unreached(
    folder: Path, component: Component, body: str, cycles: int, more: Sequence[str] = ()
) -> list[str]:
    """The goals, of the assertions and more, that no run of so many cycles from reset reaches."""
    wanted = [*goals(body), *more]
    lines = "\n".join(
        f"always @* assert (t == 0 || chosen != {i} || !({goal}));" for i, goal in enumerate(wanted)
    )
    claim = from_reset(component, without_assertions(body) + lines, cycles)
    source = folder / "covers.sv"
    source.write_text(claim.module().replace("module Claim(", "module Claim(input [7:0] chosen, "))
    run = started(
        f"read_verilog -sv -formal {source}",
        *FLAT,
        *LOGIC,
        *(
            f"sat -prove-asserts -set-assumes -seq {cycles} -set chosen {i} "
            f"-timeout {TIME_LIMIT} Claim"
            for i in range(len(wanted))
        ),
        seconds=2 * TIME_LIMIT,
    )
    outcomes = re.findall(r"SAT proof finished - .*", run.stdout)
    if run.returncode or len(outcomes) != len(wanted):
        raise ValueError(run.stdout[-2000:] + run.stderr[-500:])
    return [goal for goal, said in zip(wanted, outcomes, strict=True) if said != BROKEN]
