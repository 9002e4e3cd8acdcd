"""`modexplorer attack`: how many traces find a design's exponent, and what noise hides it."""

from functools import partial
from typing import TYPE_CHECKING

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
    print_json,
)

if TYPE_CHECKING:
    from eval.attack.campaign import Outcome

WIDEST = 64  # bits, for other attacks than the horizontal one
NOISE = Decimal("bits or fJ", 0.001, 1e6)
NAMES = ("correlation", "template", "pairs", "horizontal")


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
    from eval.attack.campaign import MOST_NOISE, Asked, attack_all
    from eval.catalog.inputs import shorten
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.tasks.leakage.task import RTL
    from sim.errors import UserError

    point = Point(design, nbits)
    point.check_hardware("design")
    attacks = only or list(NAMES)
    for name in attacks:
        if name not in NAMES:
            raise UserError(f"--only: no attack {shorten(name)!r}; choose from {', '.join(NAMES)}")
    if nbits > WIDEST and attacks != ["horizontal"]:
        raise UserError(f"--nbits: more than {WIDEST} bits take --only horizontal; give both")
    if point.entry.at(nbits).measured or point.entry.moduli.key:
        raise UserError(f"design: {point.design} is not attacked; give one of RSA moduli and RTL")
    asked = Asked(keys, traces, profile, noise, seed, level)
    with Reporter(f"attacks on {point}") as progress:
        found = attack_all(point, asked, attacks, progress.now)
    if as_json:
        shown = {"design": point.design, "nbits": nbits, **vars(asked)}
        print_json(shown | {"attacks": [vars(one) for one in found]})
    else:
        from eval.table import numbers, words
        from eval.table.terminal import print_rows

        columns = words({"attack": "attack"})
        for count in asked.steps:
            columns += words({f"found by\n{count}": partial(_found, count)})
            columns += numbers(0, {"bits\n%": partial(_right, count)})
        columns += words({"fails from\nnoise": partial(_fails, MOST_NOISE[level])})
        with_noise = f", noise {noise:g}" if noise else ""
        at = f" at {level}" if level != RTL else ""
        title = f"{point}{at}: keys of {keys} found by so many traces each{with_noise}"
        print_rows(title, columns, found)
        for one in found:
            if one.pair:
                first, second = one.pair
                click.echo(f"Of pairs, cycles {first} and {second} of a round tell most.")


def _found(count: int, one: "Outcome") -> str:
    return f"{one.found[count]} of {one.keys}"


def _right(count: int, one: "Outcome") -> float:
    """All bits alone are 100 %."""
    share = one.right[count]
    return 100.0 if share == 1 else min(100 * share, 99.0)


def _fails(most: float, one: "Outcome") -> str:
    if one.fails is not None:
        return f"{one.fails:g}"
    return f"> {most:g}" if list(one.found.values())[-1] else "-"
