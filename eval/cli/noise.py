"""`modexplorer noise`: how far synthesis moves a design's figures without cause."""

import click

from eval.cli.options import clock_option, example, json_option, nbits_option, print_json


@example("modexplorer noise ssmm-small --nbits 8")
@click.command(short_help="Measure the noise of a design's area and slack.")
@click.argument("design")
@nbits_option
@clock_option
@json_option
def noise(design: str, nbits: int, clock_ns: float, as_json: bool) -> None:
    """Map DESIGN's accelerator again with nets renamed and modules reordered, five times.

    What two designs differ by less than this is no difference between them.
    """
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.tasks.harden import check_clock
    from eval.tasks.measure import measure
    from eval.tasks.noise import Noise

    check_clock(clock_ns)
    task = Noise(Point(design, nbits), clock_ns)
    with Reporter(str(task)) as progress:
        row = measure(task, progress.now)
    if as_json:
        print_json(vars(task.point) | {"clock_ns": clock_ns, "reused": row.reused} | row.result)
        return
    from eval.report.flow_tables import noise_grid
    from eval.report.terminal import print_grids

    print_grids([noise_grid({task: row.result})])
