"""`modexplorer attack`: how many traces find a design's exponent, and what noise hides it."""

import click

from eval.cli.options import (
    NUMBER,
    Decimal,
    Listed,
    Number,
    cli_command,
    nbits_option,
    option,
    power_level,
)

NOISE = Decimal("bits or fJ", 0.001, 1e6)


@cli_command(
    "attack mont-best --nbits 16 --traces 100",
    "attack array-4-masked --nbits 8 --traces 1000 --only template,pairs",
    "attack mont-ct --nbits 8 --traces 10 --level glitches",
)
@click.argument("design")
@option("--only NAMES", "Attacks between commas, of those above; all if not given.", Listed())
@nbits_option
@option("--keys K", "Keys that are attacked.", Number(1, 1000), default=10)
@option("--traces Q", "Traces of each key.", Number(1, 1_000_000), default=100)
@option("--profile T", "Traces with known keys to learn from.", Number(50, 1_000_000), default=2000)
@option(
    "--noise S",
    "Standard deviation of normal noise in every cycle; none if not given.",
    NOISE,
    usual=0.0,
)
@power_level
@option("--seed S", "Draw the same keys, bases and noise for the same seed.", NUMBER, default=1)
def command(
    design: str,
    nbits: int,
    only: list[str] | None,
    keys: int,
    traces: int,
    profile: int,
    noise: float,
    level: str,
    seed: int,
    as_json: bool,
) -> None:
    """Find the exponent of DESIGN's accelerator by its power: what changes in each cycle, and
    noise.

    \b
    correlation  bases are known; the design itself is the model, run with guesses of next bits
    template     means by cycle, learnt from traces with known keys; bases are not known
    pairs        products of two cycles of neighbouring rounds, learnt likewise (second order)
    horizontal   nothing is learnt: rounds of one trace, or of the mean, fall into two classes

    A key is found if all of its bits are right; 50 % of the bits is chance. Then noise is doubled
    until all traces find no key. Attacks that do not know when a bit is used leave a design out.
    """
    from eval.catalog.point import Point
    from eval.cli.measuring import measured, print_row
    from eval.tasks.attack.campaign import ATTACKS, Asked
    from eval.tasks.attack.task import Attack

    asked = Asked(keys, traces, profile, noise, seed, level)
    task = Attack(Point(design, nbits), asked, tuple(only or ATTACKS))
    if row := measured(task, as_json, **vars(asked)):
        print_row(row)
