"""`modexplorer new`: the skeleton of a design of one's own."""

from pathlib import Path
from shlex import quote

import click

from eval.cli.options import OUTPUT, example, json_option, print_json


@example(
    """
modexplorer new mine
modexplorer new designs/mine
"""
)
@click.command("new")
@click.argument("folder", type=OUTPUT)
@json_option
def command(folder: Path, as_json: bool) -> None:
    """Write a new FOLDER with a small design of that name, to be edited: what it computes (fl.py),
    when (cl.py), how (rtl.py), and its entries in the catalog (entry.py). It works as it is."""
    from eval.catalog.user_designs import VARIABLE
    from eval.skeleton.copying import write_skeleton

    entry = write_skeleton(folder)
    name = folder.name
    if as_json:
        print_json({"design": name, "entry": str(entry)})
        return
    click.echo(f"{entry.parent}: fl.py, cl.py, rtl.py, entry.py")
    click.echo("Try it, then edit it:")
    click.echo(f"  modexplorer check {name} --with {quote(str(entry))}")
    click.echo(f"  export {VARIABLE}={quote(str(entry.absolute()))}")
    click.echo(f"  modexplorer explore --designs {name} --nbits 32")
