"""`modexplorer new`: the skeleton of a design of one's own."""

from pathlib import Path
from shlex import quote

import click

from eval.cli.options import OUTPUT, cli_command, tell


@cli_command("new mine", "new designs/mine")
@click.argument("folder", type=OUTPUT)
def command(folder: Path, as_json: bool) -> None:
    """Write a new FOLDER with a small design of that name, to be edited: what it computes (fl.py),
    when (cl.py), how (rtl.py), and its entries in the catalog (entry.py). It works as it is."""
    from eval.catalog.user_designs import VARIABLE
    from eval.skeleton.copying import write_skeleton

    entry = write_skeleton(folder)
    name = folder.name
    lines = (
        f"{entry.parent}: fl.py, cl.py, rtl.py, entry.py",
        "Try it, then edit it:",
        f"  modexplorer check {name} --with {quote(str(entry))}",
        f"  export {VARIABLE}={quote(str(entry.absolute()))}",
        f"  modexplorer explore --designs {name} --nbits 32",
    )
    tell({"design": name, "entry": str(entry)}, lines, as_json)
