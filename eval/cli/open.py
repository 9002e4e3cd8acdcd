"""`modexplorer open`: a finished layout in KLayout's window."""

import click

from eval.cli.options import NUMBER, cli_command, flag, nbits_option, option, tech_options
from flow.request import Request


@cli_command("open ssmm-small --nbits 8", "open ssmm-small --nbits 8 --json")
@click.argument("design")
@nbits_option
@flag("--gated", Request.help("gated"))
@option("--fill PERCENT", Request.help("utilisation"), NUMBER)
@tech_options
def command(
    design: str,
    nbits: int,
    gated: bool,
    fill: int | None,
    clock_ns: float,
    tech: str,
    as_json: bool,
) -> None:
    """Open the layout of DESIGN's accelerator in KLayout.

    The flow runs first if there is no layout, or its files are gone. With --json nothing is opened:
    the names of the files are printed.
    """
    import shutil
    from pathlib import Path

    from eval.catalog.point import Point
    from eval.cli.options import print_json
    from eval.cli.progress import Reporter
    from eval.tasks.layout.task import GDS, files_of, layout_of
    from eval.tasks.task import measure
    from eval.tasks.unit import ACCELERATOR
    from sim.errors import RunError
    from sim.toolchain import run_tool

    task = layout_of(Point(design, nbits), ACCELERATOR, clock_ns, gated, fill, tech)
    with Reporter(str(task)) as progress:
        files = measure(task, progress.now).result.files
        if not all(map(Path.exists, map(Path, files.values()))):
            files = files_of(task.finished(progress.now).run)
    if as_json:
        print_json(vars(task.point) | {"clock_ns": clock_ns, "files": files})
        return
    program = shutil.which("klayout")
    if not program:
        raise RunError(
            "KLayout's window is not installed: sudo apt-get install klayout (Debian, Ubuntu). "
            f"The layout is {files[GDS]}"
        )
    click.echo(f"KLayout shows {files[GDS]} until it is closed.")
    run_tool([program, files[GDS]])
