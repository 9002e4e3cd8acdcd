"""`modexplorer flow`: one unit of a design through synthesis and timing."""

from typing import TYPE_CHECKING

import click

from eval.cli.laid_out import unit_options
from eval.cli.options import cli_command, option
from flow.technologies.technology import no_gates

if TYPE_CHECKING:
    from eval.catalog.processor import Target
    from eval.tasks.flow_run.task import FlowRun
    from eval.tasks.layout.task import LaidOut
    from eval.tasks.task import Task


@cli_command(
    "flow mul-rem --nbits 8 --clock 3.0",
    "flow processor --divider fast",
    "flow processor+mul-rem --nbits 32",
    "flow ssmm-best --nbits 32 --to power",
    "flow ssmm-best --nbits 32 --to power --gated",
    "flow ssmm-small --nbits 8 --tech sky130 --to power",
    "flow mul-rem --nbits 8 --to layout",
    "flow ssmm-small --nbits 8 --to layout --gated",
    "flow mul-rem --nbits 8 --to layout --fill 40",
)
@option(
    "--to",
    "The last step: power simulates the netlist, equivalence then proves it right if it can; "
    "layout places and routes the design, and draws it.",
    click.Choice(["timing", "power", "equivalence", "layout"]),
    default="timing",
)
@unit_options
def command(
    target: "Target",
    unit: str,
    clock_ns: float,
    to: str,
    gated: bool,
    fill: int | None,
    tech: str,
    as_json: bool,
) -> None:
    """Take DESIGN at N bits from Verilog through yosys and OpenSTA on the cells of a technology.

    DESIGN is one of `modexplorer list`, or the processor: `processor` by itself,
    `processor+null` with an accelerator that computes nothing, `processor+DESIGN` with a
    design's accelerator; with --unit peripheral it has interrupts, and DESIGN is on
    its bus. A result that is in the store is shown again, not computed again.
    """
    from eval.cli.measuring import measured, print_row
    from sim.errors import UserError

    task: Task
    if fill is not None and to != "layout":
        raise UserError(f"--fill {fill}: fills the core of a layout; give --to layout, too")
    if to == "layout":
        from eval.tasks.layout.task import LaidOut

        task = LaidOut.of_command(target, unit, clock_ns, gated, fill, tech)
        slack = "layout_setup_slack_ns"
    else:
        from eval.tasks.flow_run.task import FlowRun

        if gated and (why := no_gates(tech)):
            raise UserError(why)
        run = FlowRun(target, unit, clock_ns, to, gated=gated, tech=tech)
        if run.energy and not run.has_workload:
            raise UserError(f"--to {to}: {target} {unit} has no workload; give a whole design")
        task, slack = run, "setup_slack_ns"
    row = measured(task, as_json, design=target.design, unit=unit, clock_ns=clock_ns)
    if row is None:
        return
    click.echo(f"{task} at {clock_ns:g} ns" + (", from the store" if row.reused else ""))
    print_row(row)
    result = row.result
    if result.gating:
        from eval.tasks.flow_run.gating import gating_text

        click.echo(gating_text(result.gating))
    say_if_missed(task, result.metrics[slack])
    if to != "layout" and result.equivalence:
        click.echo(f"Equivalence of RTL and netlist: {result.equivalence.outcome}")


def say_if_missed(task: "FlowRun | LaidOut", slack_ns: float) -> None:
    """Say so if the clock is missed: a result like others, but hardly one that was wanted."""
    from sim.paths import build_dir

    if slack_ns >= 0:
        return
    click.echo(
        f"The clock of {task.clock_ns:g} ns is missed by {-slack_ns:.3f} ns. Give a longer one, or "
        "let\n`modexplorer clocks` find the shortest that synthesis meets.\n"
        f"Logs: {build_dir('flow') / task.folder / 'logs'}"
    )
