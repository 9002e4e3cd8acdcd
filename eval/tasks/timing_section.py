"""What a report shows of what time tells."""

from collections.abc import Mapping, Sequence

from cl.exponentiator import FACTORS
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.section import Section, measured
from eval.tasks.timing import AROUND, TimeTells, Told


def timing_grid(rows: Mapping[TimeTells, Told | None]) -> Grid | None:
    """Show what the cycles of every point depend on; None if nothing was measured."""
    lines = []
    for task, told in measured(rows).items():
        cells = (
            *(task.point.design, task.point.nbits, told.requests),
            *(_mark(factor, told) for factor in FACTORS),
            *(
                "-".join(map(str, dict.fromkeys(told.around[name])))
                if name in told.around
                else None
                for name in AROUND
            ),
        )
        lines.append(line(*cells, commands=(task.command,)))
    return grid(
        "What time tells",
        (
            words("design")
            + numbers(0, "bits", "requests")
            + words("base", "length", "bits", "mod-\nulus", "one\nbefore")
            + words("cycles:\nport", "peri-\npheral", "C pro-\ngram")
        ),
        lines,
        "Whether cycles differ between two requests that differ in the base alone, in the length "
        "of the exponent, in its other bits, in the modulus, or in whether the request before had "
        "the same modulus: at RTL (level batch), answers checked. A yes is declared by the design, "
        "too; ?: not declared; (no): declared, not seen. Of what no yes is at, cycles also through "
        "the accelerator's port, on the peripheral's bus and of a C program's call: one figure "
        "where all requests took as many.",
    )


def _mark(factor: str, told: Told) -> str:
    declared, found = factor in told.declared, factor in told.found
    return {(0, 0): "-", (1, 1): "yes", (0, 1): "yes?", (1, 0): "(no)"}[declared, found]


def pairs_grid(rows: Mapping[TimeTells, Told | None]) -> Grid | None:
    """Show for each yes two requests that differ in it alone, and their cycles."""
    return grid(
        "Two requests each",
        (
            words("design")
            + numbers(0, "bits")
            + words("they differ in", "base", "exponent", "modulus")
            + numbers(0, "cycles")
        ),
        (
            line(
                *(task.point.design, task.point.nbits, factor),
                *(_short(value) for value in operands),
                cycles,
                commands=(_command(task, operands),),
            )
            for task, told in measured(rows).items()
            for factor, pair in told.found.items()
            for *operands, cycles in pair
        ),
    )


def _short(value: int) -> str:
    text = f"{value:#x}"
    return text if len(text) <= 14 else f"{text[:8]}..{text[-4:]}"


def _command(task: TimeTells, operands: Sequence[int]) -> str:
    base, exp, mod = operands
    asked = f"--base {base} --exp {exp} --mod {mod}"
    return task.command_of(f"simulate {task.point.arguments} {asked} --level batch")


def findings(rows: Mapping[TimeTells, Told | None]) -> list[str]:
    """Say which designs' time tells something that they do not declare."""
    return [
        f"{task.point} tells {', '.join(told.undeclared)} by its time, and does not declare it."
        for task, told in measured(rows).items()
        if told.undeclared
    ]


SECTION = Section(
    findings=findings,
    results=lambda rows: [timing_grid(rows)],
    details=lambda rows: [pairs_grid(rows)],
    alone=lambda rows: [timing_grid(rows), pairs_grid(rows)],
)
