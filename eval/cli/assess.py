"""`modexplorer assess`: what two independent runs of a t-test say, and what they cannot see."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import (
    OUTPUT,
    Decimal,
    Number,
    cli_command,
    nbits_option,
    option,
    power_level,
    print_json,
)

if TYPE_CHECKING:
    from eval.assess.runs import Assessment, Compared

EFFECTS = (0.2, 0.04, 0.01)  # whose traces are printed
SPANS_SHOWN = 4
NOISE = Decimal("bits or fJ", 0.001, 1e6)


@cli_command(
    "assess array-4-masked --nbits 32 --traces 20000",
    "assess mont-ct --nbits 8 --level glitches --traces 500",
)
@click.argument("design")
@nbits_option
@option(
    "--against WHAT",
    "What is fixed in one group and random in the other: base or exponent.",
    click.Choice(["base", "exponent"]),
    default="exponent",
)
@option("--traces N", "Traces of each of the two runs.", Number(100, 10_000_000), default=10_000)
@power_level
@option(
    "--noise S",
    "Standard deviation of normal noise in every cycle; none if not given.",
    NOISE,
    usual=0.0,
)
@option("--save FILE", "Keep the traces, their groups and runs in a NumPy file (.npz).", OUTPUT)
def command(
    design: str,
    nbits: int,
    against: str,
    traces: int,
    level: str,
    noise: float,
    save: Path | None,
    as_json: bool,
) -> None:
    """Compare the power of DESIGN's accelerator for fixed and for random operands in two
    independent runs, by the procedure of ISO/IEC 17825.

    A cycle leaks if Welch's t passes the threshold in both runs, with the same sign. The threshold
    is that of all cycles tested: chance passes it anywhere in the trace with a probability of 1e-5
    (Sidak). Order 1 compares means, order 2 variances. The effect that so many traces see is
    printed, and how many traces smaller effects take: a test that finds nothing says that no effect
    is above it, in any single cycle.
    """
    from eval.assess.runs import RUNS, assess
    from eval.catalog.inputs import check_output
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from sim.errors import UserError

    if save:
        check_output("--save", save)
    point = Point(design, nbits)
    point.check_hardware("design")
    if level == "rtl" and point.entry.at(nbits).measured:
        raise UserError(
            "--level: rtl does not see the registers inside a core of others; give --level gates"
        )
    with Reporter(f"assessment of {point}", RUNS * traces) as progress:
        found = assess(point, against, traces, level, noise, save, progress.now)
    if as_json:
        print_json(_describe(found))
    else:
        _print(found)


def _describe(found: "Assessment") -> dict[str, Any]:
    from eval.tasks.leakage.chance import ALPHA, POWER, traces_for

    first = found.orders[0]
    return {
        "design": found.point.design,
        "nbits": found.point.nbits,
        "against": found.against,
        "level": found.level,
        "traces": found.traces,
        "noise": found.noise,
        "cycles": first.cycles,
        "alpha": ALPHA,
        "power": POWER,
        "threshold": first.threshold,
        "false_of_4.5": {"one_run": found.false(4.5, 1), "both_runs": found.false(4.5)},
        "least_effect": found.sees,
        "traces_for": {str(one): traces_for(one, first.threshold) for one in EFFECTS},
        "orders": {
            str(one.order): {
                "most": one.most,
                "leaking": len(one.leaking),
                "leaking_cycles": one.leaking.tolist(),
                "above_4.5": len(one.above(4.5)),
                "effect": one.largest,
            }
            for one in found.orders
        },
    }


def _spans(cycles: list[int]) -> str:
    """Write cycles as spans, the first few of them."""
    spans: list[list[int]] = []
    for cycle in cycles:
        if spans and cycle == spans[-1][1] + 1:
            spans[-1][1] = cycle
        else:
            spans.append([cycle, cycle])
    shown = [f"{a}" if a == b else f"{a} to {b}" for a, b in spans[:SPANS_SHOWN]]
    return ", ".join(shown) + f" and {len(spans) - SPANS_SHOWN} more" * (len(spans) > SPANS_SHOWN)


def _most(run: int, one: "Compared") -> float:
    return one.most[run]


def _print(found: "Assessment") -> None:
    from eval.table import numbers, words
    from eval.table.terminal import print_rows
    from eval.tasks.leakage.chance import ALPHA, POWER, traces_for

    threshold = found.orders[0].threshold
    noise = f", noise {found.noise:g}" if found.noise else ""
    title = f"fixed against random {found.against}, {found.point} at {found.level}, two runs of "
    columns = numbers(0, {"order": "order", "cycles\ntested": "cycles"})
    columns += numbers(2, {"threshold": "threshold"})
    columns += numbers(1, {f"|t|,\nrun {i + 1}": partial(_most, i) for i in range(2)})
    columns += numbers(0, {"cycles\nthat leak": lambda one: len(one.leaking)})
    columns += numbers(3, {"largest\neffect": "largest"})
    columns += words({"in cycles": lambda one: _spans(one.leaking.tolist()) or "-"})
    print_rows(f"{title}{found.traces} traces{noise}", columns, found.orders)
    traces = [(effect, traces_for(effect, threshold)) for effect in EFFECTS]
    columns = numbers(2, {"effect": lambda one: one[0]})
    columns += numbers(0, {"traces of a run": lambda one: one[1]})
    print_rows(f"traces that see an effect {POWER:.0%} of the time", columns, traces)
    click.echo(f"These runs see effects from {found.sees:.3f} on.")
    click.echo(
        f"Chance passes {threshold:.2f} somewhere in both runs with probability {ALPHA:.0e};\n"
        f"4.5 in one run with {found.false(4.5, 1):.1e}, in both with {found.false(4.5):.1e}."
    )
