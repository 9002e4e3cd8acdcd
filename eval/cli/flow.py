"""`modexplorer flow`: one unit of a design through synthesis and timing."""

from typing import TYPE_CHECKING

import click

from eval.cli.options import NUMBER, clock_option, example, json_option, print_json

if TYPE_CHECKING:
    from eval.tasks.layout import Layout
    from eval.tasks.measure import Hardening


@example(
    """
modexplorer flow mul-rem --nbits 8 --clock 3.0
modexplorer flow processor --divider fast
modexplorer flow processor+mul-rem --nbits 32
modexplorer flow ssmm-best --nbits 32 --to power
modexplorer flow ssmm-best --nbits 32 --to power --gated
modexplorer flow mul-rem --nbits 8 --to layout
"""
)
@click.command(short_help="Synthesise a design and time it: area, cells, slack.")
@click.argument("design")
@click.option("--nbits", type=NUMBER, metavar="N", help="Width of the design in bits.")
@clock_option
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
@click.option(
    "--to",
    "to",
    type=click.Choice(["timing", "power", "equivalence", "layout"]),
    default="timing",
    show_default=True,
    help="The last step: power simulates the netlist, equivalence then proves it right if it can; "
    "layout places and routes the design, and draws it.",
)
@click.option(
    "--gated",
    is_flag=True,
    help="Clock registers that share an enable through gates: what clock gating is worth.",
)
@json_option
def flow(
    design: str,
    nbits: int | None,
    clock_ns: float,
    unit: str | None,
    divider: str | None,
    to: str,
    gated: bool,
    as_json: bool,
) -> None:
    """Take DESIGN at N bits from Verilog through yosys and OpenSTA on NanGate 45 nm cells.

    DESIGN is one of `modexplorer list`, or the processor: `processor` by itself,
    `processor+null` with an accelerator that computes nothing, `processor+DESIGN` with a
    design's accelerator. A result that is in the store is shown again, not computed again.
    """
    from eval.catalog.processor import target_of, unit_of
    from eval.cli.progress import Reporter
    from eval.report.energy_tables import energy_task, modules_grid, operations_grid, windows_grid
    from eval.report.gating_tables import gating_text
    from eval.report.layout_tables import files_grid, layout_grid, without_picture
    from eval.tasks.harden import check_clock
    from eval.tasks.layout import Layout
    from eval.tasks.measure import Hardening, measure
    from sim.errors import UserError

    point = target_of(design, nbits, divider)
    check_clock(clock_ns)
    unit = unit_of(point, unit)
    if gated and to == "layout":
        raise UserError("--gated: gated clocks are not laid out; leave --gated or --to layout out")
    if to == "layout":
        task = Layout(point, unit, clock_ns)
    else:
        task = Hardening(point, unit, clock_ns, to, gated)
        if task.energy and not energy_task(task):
            raise UserError(f"--to {to}: {task.point} {unit} has no workload; give a whole design")
    with Reporter(str(task)) as progress:
        row = measure(task, progress.now)
    if as_json:
        shown = vars(point) | {"design": design, "unit": unit, "clock_ns": clock_ns}
        print_json(shown | {"reused": row.reused} | without_picture(row.result))
        return
    from eval.report.tabulate import mapping_grid, metric_grid, module_grid, path_grid
    from eval.report.terminal import print_grids

    click.echo(f"{task} at {clock_ns:g} ns" + (", from the store" if row.reused else ""))
    if to == "layout":
        print_grids([layout_grid(row.result), files_grid(row.result)])
        say_if_missed(task, row.result["metrics"]["layout_setup_slack_ns"])
        return
    grids = [
        metric_grid(row.result),
        mapping_grid([(task, row.result)]),
        module_grid(task, row.result),
        path_grid([(task, row.result)]),
    ]
    if task.energy:
        energy, name = row.result["energy"], str(task.point)
        grids += [windows_grid(name, energy), modules_grid(name, energy), operations_grid(energy)]
    print_grids(grids)
    if gating := row.result.get("gating"):
        click.echo(gating_text(gating))
    say_if_missed(task, row.result["metrics"]["setup_slack_ns"])
    if found := row.result.get("equivalence"):
        click.echo(f"Equivalence of RTL and netlist: {found['outcome']}")


def say_if_missed(task: "Hardening | Layout", slack_ns: float) -> None:
    """Say so if the clock is missed: a result like others, but hardly one that was wanted."""
    from sim.paths import build_dir

    if slack_ns >= 0:
        return
    click.echo(
        f"The clock of {task.clock_ns:g} ns is missed by {-slack_ns:.3f} ns. Give a longer one, or "
        "let\n`modexplorer clocks` find the shortest that synthesis meets.\n"
        f"Logs: {build_dir('flow') / task.run / 'logs'}"
    )
