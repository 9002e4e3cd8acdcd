"""`modexplorer flow`: one unit of a design through synthesis and timing."""

import click

from eval.commands.options import NUMBER, example, json_option, print_json


@example(
    """
modexplorer flow mul-rem --nbits 8 --clock 3.0
modexplorer flow processor --divider fast
modexplorer flow processor+mul-rem --nbits 32
"""
)
@click.command(short_help="Synthesise a design and time it: area, cells, slack.")
@click.argument("design")
@click.option("--nbits", type=NUMBER, metavar="N", help="Width of the design in bits.")
@click.option(
    "--clock",
    "clock_ns",
    type=float,
    default=3.0,
    show_default=True,
    metavar="NS",
    help="Clock period in ns.",
)
@click.option(
    "--unit",
    metavar="UNIT",
    help="Of a design: accelerator (the whole, if not given), or multiplier (one modular "
    "multiplier by itself).",
)
@click.option(
    "--divider",
    metavar="NAME",
    help="Of the processor: seed (always 32 steps, if not given) or fast.",
)
@json_option
def flow(
    design: str,
    nbits: int | None,
    clock_ns: float,
    unit: str | None,
    divider: str | None,
    as_json: bool,
) -> None:
    """Take DESIGN at N bits from Verilog through yosys and OpenSTA on NanGate 45 nm cells.

    DESIGN is one of `modexplorer list`, or the processor: `processor` by itself,
    `processor+null` with an accelerator that computes nothing, `processor+DESIGN` with a
    design's accelerator. A result that is in the store is shown again, not computed again.
    """
    from eval.harden import check_clock
    from eval.measure import Hardening, measure
    from eval.progress import Reporter
    from eval.systems import target_of, unit_of

    point = target_of(design, nbits, divider)
    check_clock(clock_ns)
    unit = unit_of(point, unit)
    task = Hardening(point, unit, clock_ns)
    with Reporter(str(task)) as progress:
        row = measure(task, progress.now)
    if as_json:
        shown = vars(point) | {"design": design, "unit": unit, "clock_ns": clock_ns}
        print_json(shown | {"reused": row.reused} | row.result)
        return
    from eval.tables import print_grids
    from eval.tabulate import mapping_grid, metric_grid, module_grid, path_grid

    click.echo(f"{task} at {clock_ns:g} ns" + (", from the store" if row.reused else ""))
    print_grids(
        [
            metric_grid(row.result),
            mapping_grid([(task, row.result)]),
            module_grid(task, row.result),
            path_grid([(task, row.result)]),
        ]
    )
