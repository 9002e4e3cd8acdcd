"""`modexplorer faults`: what somebody gains who flips one bit of a design once."""

from functools import partial
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import NUMBER, Number, cli_command, nbits_option, option, print_json

if TYPE_CHECKING:
    from eval.faults.campaign import Campaign

MOST_REGISTERS = 8  # that are printed


@cli_command("faults mont-ct --nbits 8", "faults mont-ct --nbits 32 --operation d --faults 20000")
@click.argument("design")
@nbits_option
@option(
    "--operation NAME",
    "crt (the power modulo one prime of a signature, if not given; the key has twice the bits) "
    "or d (the power modulo n).",
    click.Choice(["crt", "d"]),
    default="crt",
)
@option(
    "--faults K",
    "Draw so many faults; all are tried where there are no more.",
    Number(1, 10_000_000),
    default=100_000,
)
@option("--seed S", "Draw the same faults for the same seed.", NUMBER, default=1)
def command(design: str, nbits: int, operation: str, faults: int, seed: int, as_json: bool) -> None:
    """Flip each bit of each register of DESIGN's accelerator in each cycle of a private operation,
    one at a time, at RTL, and say what comes of it.

    \b
    correct      the answer is right
    status       the modulus is refused
    no answer    none within the cycles of the longest operation: a watchdog sees it
    check        the result to the power e, made by the design, too, is not the base
    exploitable  the wrong result gives away a prime of n (crt) or a bit of d (d)
    harmless     the wrong result gives away neither: another attack may do more with it

    The operation is tried without that check and with it, whose faults include those in the check.
    Shares of a sample have Wilson's interval of 95 % confidence.
    """
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.faults.campaign import check_point, run_campaign
    from eval.faults.operation import Signing

    point = Point(design, nbits)
    check_point(point)
    asked = [Signing(point, operation, checked) for checked in (False, True)]
    found = []
    for signing in asked:
        title = f"faults in {point}, {'checked' if signing.checked else 'not checked'}"
        with Reporter(title) as progress:
            progress.now("preparing the simulation")

            def say(done: int, of: int, progress: Reporter = progress) -> None:
                progress.total = of
                progress.now("operations with a fault", done)

            found.append(run_campaign(signing, faults, seed, say))
    if as_json:
        shown: dict[str, Any] = {"design": point.design, "nbits": nbits, "operation": operation}
        shown |= {"key_bits": asked[0].key.nbits, "seed": seed}
        print_json(shown | {"campaigns": [_describe(one, found[0]) for one in found]})
    else:
        _print(found)


def _describe(campaign: "Campaign", plain: "Campaign") -> dict[str, Any]:
    from eval.faults.operation import OUTCOMES

    return {
        "check": _check(campaign),
        "cycles": campaign.cycles,
        "price": campaign.cycles / plain.cycles - 1,
        "register_bits": campaign.bits,
        "population": campaign.population,
        "faults": campaign.faults,
        "outcomes": {name: campaign.outcomes[name] for name in OUTCOMES},
        "exploitable": campaign.exploitable,
        "coverage": campaign.coverage,
        "exponent_bits_told": sorted(campaign.told),
        "registers": {name: dict(counts) for name, counts in campaign.registers.items()},
    }


def _check(campaign: "Campaign") -> str:
    return "by e" if campaign.signing.checked else "none"


def _count(outcome: str, campaign: "Campaign") -> int:
    return campaign.outcomes[outcome]


def _percent(share: str, end: int, campaign: "Campaign") -> float:
    value: float = getattr(campaign, share)[end]
    return 100 * value


def _print(found: list["Campaign"]) -> None:
    from eval.faults.operation import EXPLOITABLE, OUTCOMES
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    plain = found[0]
    signing = plain.signing
    columns = words({"check": _check})
    columns += numbers(0, {"cycles": "cycles", "faults": "faults"})
    for name in OUTCOMES:
        title = name.replace(" ", "\n").replace("table", "-\ntable")
        columns += numbers(0, {title: partial(_count, name)})
    bits = f"{signing.point}, {signing.operation} with a key of {signing.key.nbits} bits"
    print_rows(f"one flipped bit in {bits}, {plain.bits} bits of registers", columns, found)
    shares = words({"check": _check, "": lambda one: "a sample" if one.drawn else "all faults"})
    for title, of in (
        ("exploit-\nable, %", "exploitable"),
        ("of changes\ndetected, %", "coverage"),
    ):
        ends = (title, "from", "to")
        shares += numbers(2, {text: partial(_percent, of, i) for i, text in enumerate(ends)})
    price = {"cycles\nmore, %": lambda one: 100 * (one.cycles / plain.cycles - 1)}
    print_rows("shares, with 95 % confidence", shares + numbers(1, price), found)
    worst = sorted(plain.registers.items(), key=lambda one: -one[1][EXPLOITABLE])
    rows = [(name, counts) for name, counts in worst if counts[EXPLOITABLE]][:MOST_REGISTERS]
    columns = words({"register": lambda one: one[0]})
    columns += numbers(
        0,
        {
            "faults": lambda one: one[1].total(),
            "exploitable": lambda one: one[1][EXPLOITABLE],
        },
    )
    print_rows("where most can be exploited, without a check", columns, rows)
    if plain.told:
        told = f"{len(plain.told)} of {signing.point.nbits}"
        click.echo(f"bits of the exponent that wrong results tell: {told}")
