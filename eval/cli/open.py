"""`modexplorer open`: a finished layout in KLayout's window."""

import shutil
from pathlib import Path
from typing import Any

import click

from eval.cli.laid_out import unit_options
from eval.cli.options import cli_command


@cli_command("open ssmm-small --nbits 8", "open ssmm-small --nbits 8 --json")
@unit_options
def command(as_json: bool, **asked: Any) -> None:
    """Open the layout of DESIGN in KLayout.

    DESIGN is what `modexplorer flow` takes; the flow runs first if there is no layout, or its files
    are gone. With --json nothing is opened: the names of the files are printed.
    """
    from eval.cli.options import print_json
    from eval.cli.progress import Reporter
    from eval.tasks.layout.task import GDS, LaidOut, files_of
    from eval.tasks.task import measure
    from sim.errors import RunError
    from sim.toolchain import run_tool

    task = LaidOut.of_command(**asked)
    with Reporter(str(task)) as progress:
        files = measure(task, progress.now).result.files
        if not all(map(Path.exists, map(Path, files.values()))):
            files = files_of(task.finished(progress.now).run)
    if as_json:
        print_json(vars(task.point) | {"clock_ns": task.clock_ns, "files": files})
        return
    program = shutil.which("klayout")
    if not program:
        raise RunError(
            "KLayout's window is not installed: sudo apt-get install klayout (Debian, Ubuntu). "
            f"The layout is {files[GDS]}"
        )
    click.echo(f"KLayout shows {files[GDS]} until it is closed.")
    run_tool([program, files[GDS]])
