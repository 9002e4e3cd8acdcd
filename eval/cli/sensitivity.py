"""`modexplorer sensitivity`: which part of a design matters for a whole operation, and how much."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import (
    OUTPUT,
    Number,
    Operation,
    cli_command,
    nbits_option,
    operation_options,
    option,
    print_json,
)

if TYPE_CHECKING:
    from eval.catalog.point import Point
    from eval.tasks.sensitivity import Effect

DRAWN = (".png", ".svg")


@cli_command(
    "sensitivity mont-best --nbits 1024",
    "sensitivity 'what-if(latency=40,interval=4,units=1)' --nbits 1024 --workload e",
    "sensitivity mul-rem --nbits 32 --unit exponentiator --by 25 --chart mul-rem.png",
)
@click.argument("design")
@nbits_option
@operation_options
@option(
    "--unit UNIT",
    "Where it is counted: processor (a program's call that has the accelerator make the power), "
    "accelerator (from the first word pushed to the last one popped) or exponentiator.",
    click.Choice(["processor", "accelerator", "exponentiator"]),
    default="processor",
)
@option(
    "--by PERCENT",
    "By how much each number is changed, by one at least.",
    Number(1, 90),
    default=10,
)
@option("--chart FILE", "Draw a tornado chart: a .png or .svg file.", OUTPUT)
def command(
    design: str,
    nbits: int,
    operation: Operation,
    unit: str,
    by: int,
    chart: Path | None,
    as_json: bool,
) -> None:
    """Find which part's latency, interval or queue matters for an operation on DESIGN, and by how
    much: what to improve next.

    DESIGN is put together from parts, or is what-if(...). Each number of a part is made less and
    more, alone, and the operation is simulated anew at cycle level; nothing is compiled. `latency`
    is that of a product; a unit that makes one at a time takes the next request as much later.
    `interval` is from one request to the next, `queue` how many are inside at once. `weight` is by
    how many percent the operation changes for a percent of the number.
    """
    from eval.catalog.inputs import check_output
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.tasks.sensitivity import sensitivity
    from sim.errors import UserError

    point = Point(design, nbits)
    request = operation.request(point)
    if chart is not None:
        if chart.suffix not in DRAWN:
            raise UserError(f"--chart: {chart} does not end in {' or '.join(DRAWN)}; name it so")
        check_output("--chart", chart)
    with Reporter(f"sensitivity of {point}") as progress:
        effects = sensitivity(
            point, request, unit, by, lambda step, done, count: progress.now(step, done)
        )
    if chart is not None:
        _draw(effects, f"{point}: {operation.text} on the {unit}", chart)
    if as_json:
        shown: dict[str, Any] = {"design": point.design, "nbits": nbits}
        shown |= {"workload": operation.workload}
        shown |= vars(request) | {"through": unit, "by": by, "cycles": effects[0].cycles}
        print_json(shown | {"rows": [effect.as_dict() for effect in effects]})
        return
    _print(point, operation.text, unit, by, effects)


def _print(point: "Point", operation: str, unit: str, by: int, effects: list["Effect"]) -> None:
    """Print a table, and what to improve."""
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    cycles = effects[0].cycles
    columns = words({"part": "part", "number": "name"})
    columns += numbers(0, {"now": "now", "less": "less", "more": "more"})
    columns += numbers(0, {"cycles,\nless": "change_less", "cycles,\nmore": "change_more"})
    columns += numbers(
        2, {"%,\nless": _percent("change_less"), "%,\nmore": _percent("change_more")}
    )
    columns += numbers(3, {"weight": "weight"})
    print_rows(f"{point}, {operation} on the {unit}: {cycles} cycles", columns, effects)
    if any(one.now * by < 100 for one in effects):
        click.echo(f"A number that {by} % change by less than one is changed by one: by more.")
    saved, one, value = max(_savings(effects), key=lambda saving: saving[0])
    if saved:
        click.echo(
            f"Improve first: {one.part}, {one.name} {value} instead of {one.now} saves {saved} "
            f"cycles, {100 * saved / cycles:.2f} %."
        )
    else:
        click.echo("No number alone, changed by so much, saves a cycle.")


def _savings(effects: list["Effect"]) -> list[tuple[int, "Effect", int]]:
    """List what each number saves at its better value."""
    found = [(-(one.change_less or 0), one, one.less) for one in effects if one.less is not None]
    found += [(-one.change_more, one, one.more) for one in effects]
    return found


def _percent(name: str) -> Any:
    """Get a change in percents of the operation."""

    def of(effect: "Effect") -> float | None:
        change = getattr(effect, name)
        return None if change is None else 100 * change / effect.cycles

    return of


def _draw(effects: list["Effect"], title: str, path: Path) -> None:
    """Draw those that change anything."""
    from eval.chart.drawing import write
    from eval.chart.tornado import Swing, tornado
    from eval.chart.vega_lite import spec

    less, more = _percent("change_less"), _percent("change_more")
    swings = [
        Swing(
            f"{one.part}: {one.name} "
            f"{'' if one.less is None else f'{one.less}, '}{one.now}, {one.more}",
            less(one) or 0.0,
            more(one),
        )
        for one in effects
        if one.swing
    ]
    across = f"change of the operation's {effects[0].cycles} cycles, %"
    write(spec([tornado(swings, title, across)]), path)
