"""`modexplorer faults`: what somebody gains who makes one bit, or one instruction, go wrong."""

import click

from eval.cli.options import NUMBER, Number, cli_command, nbits_option, option
from eval.tasks.faults.models import FLIP, MODELS, OF_DRIVER


@cli_command(
    "faults mont-ct --nbits 8",
    "faults mont-ct --nbits 32 --operation d --faults 20000",
    "faults 'array-crt(digit=4)' --nbits 16 --operation private --faults 2000",
    "faults mont-ct --nbits 32 --model skip --faults 500",
    "faults mont-best --nbits 32 --model pair --faults 60",
)
@click.argument("design")
@nbits_option
@option(
    "--operation NAME",
    "crt (the power modulo one prime of a signature, if not given; the key has twice the bits), "
    "d (the power modulo n) or private (all of it, by designs that make it).",
    click.Choice(["crt", "d", "private"]),
    default="crt",
)
@option(
    "--model NAME",
    "flip (a bit of a register, once, in a cycle; if not given), stuck (a bit, at 0 or 1, from a "
    "cycle on), skip (an instruction of the processor's driver) or pair (a skip where a power is "
    "wrong in a bit, too).",
    click.Choice(MODELS),
    default=FLIP,
)
@option(
    "--faults K",
    "Draw so many faults; all are tried where there are no more. If not given: 100000, or 2000 of "
    "instructions.",
    Number(1, 10_000_000),
)
@option("--seed S", "Draw the same faults for the same seed.", NUMBER, default=1)
def command(
    design: str,
    nbits: int,
    operation: str,
    model: str,
    faults: int | None,
    seed: int,
    as_json: bool,
) -> None:
    """Flip each bit of each register of DESIGN's accelerator in each cycle of a private operation,
    one at a time, at RTL, and say what comes of it; or have them stuck; or leave out each
    instruction of the driver that has DESIGN make it, also where a power is wrong in a bit.

    \b
    correct      the answer is right
    status       the modulus is refused
    no answer    none within the cycles of the longest operation: a watchdog sees it
    check        the result to the power e, made by the design, too, is not the base, or the
                 result is the base itself; or the driver refuses the result
    exploitable  the wrong result gives away a prime of n (crt, private) or a bit of d (d)
    harmless     the wrong result gives away neither: another attack may do more with it

    The operation is tried without that check and with it, whose faults include those in the check;
    private is checked by the design, or not. Skips are tried with the driver's checks. Shares of a
    sample have the interval of Clopper and Pearson, of 95 % confidence.
    """
    from eval.catalog.point import Point
    from eval.cli.measuring import measured, print_row
    from eval.tasks.faults.skips import Skips
    from eval.tasks.faults.task import Faults

    point = Point(design, nbits)
    task: Faults | Skips
    if model in OF_DRIVER:
        task = Skips(point, operation, faults or Skips.faults, seed, model)
    else:
        task = Faults(point, operation, faults or Faults.faults, seed, model)
    if row := measured(task, as_json, operation=operation, model=model, seed=seed):
        print_row(row)
