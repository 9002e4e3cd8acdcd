"""`modexplorer clocks`: the area-delay curve of a design."""

import click

from eval.cli.options import clock_option, example, json_option, nbits_option, print_json


@example("modexplorer clocks ssmm-small --nbits 8")
@click.command(short_help="Find a design's shortest clock period, and its area at longer ones.")
@click.argument("design")
@nbits_option
@clock_option
@json_option
def clocks(design: str, nbits: int, clock_ns: float, as_json: bool) -> None:
    """Harden DESIGN's accelerator for one clock period after another, down to one it misses.

    The search starts at --clock. Every flow run is kept.
    """
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.tasks.clocks import Curve
    from eval.tasks.harden import check_clock
    from eval.tasks.measure import measure

    check_clock(clock_ns)
    task = Curve(Point(design, nbits), clock_ns)
    with Reporter(str(task)) as progress:
        row = measure(task, progress.now)
    if as_json:
        print_json(vars(task.point) | {"clock_ns": clock_ns, "reused": row.reused} | row.result)
        return
    from eval.report.flow_tables import clocks_grid
    from eval.report.terminal import print_grids

    print_grids([clocks_grid({task: row.result})])
