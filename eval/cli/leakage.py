"""`modexplorer leakage`: what a design's power tells of base and exponent."""

import click

from eval.cli.options import Number, cli_command, flag, nbits_option, option, power_level


@cli_command(
    "leakage mont-ct --nbits 32 --traces 5000",
    "leakage mont-best --nbits 16 --level gates --traces 1000",
    "leakage mont-ct --nbits 48 --traces 5000 --blind-base --blind-exponent 16",
)
@click.argument("design")
@nbits_option
@power_level
@option(
    "--traces N",
    "Traces of each test; 100000 at rtl and 2000 at other levels if not given.",
    Number(100, 10_000_000),
)
@flag("--blind-base", "Multiply each base by a random r^e, as a driver does.")
@option(
    "--blind-exponent BITS",
    "Add a random multiple, of so many bits, of (p-1)(q-1) to each exponent; the key is narrower "
    "by as many.",
    Number(1, 64),
    name="mask_bits",
)
def command(
    design: str,
    nbits: int,
    level: str,
    traces: int | None,
    blind_base: bool,
    mask_bits: int | None,
    as_json: bool,
) -> None:
    """Compare the power of DESIGN's accelerator for a fixed and for random operands.

    Power is what changes in a cycle, without noise; answers are checked. Welch's t-test says in
    which cycles it tells base or exponent. In designs that square and multiply side by side the
    exponent is also read off a mean trace, if it can be.
    """
    from eval.catalog.point import Point
    from eval.cli.measuring import measured, print_row
    from eval.tasks.leakage.task import Leakage
    from sim.errors import UserError

    point = Point(design, nbits)
    if level == "rtl" and point.entry.at(nbits).measured:
        raise UserError(
            "--level: rtl does not see the registers inside a core of others; give --level gates"
        )
    task = Leakage(point, traces, blind_base, mask_bits or 0, level)
    if row := measured(task, as_json):
        print_row(row)
