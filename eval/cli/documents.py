"""`modexplorer documents`: what the five documents say, and what we find."""

from dataclasses import asdict

import click

from eval.cli.options import example, json_option, print_json


@example(
    """
modexplorer documents
modexplorer documents 003
"""
)
@click.command("documents")
@click.argument("numbers", nargs=-1, metavar="[NUMBER]...")
@json_option
def command(numbers: tuple[str, ...], as_json: bool) -> None:
    """Show every table, figure and algorithm of the documents NUMBER, from 000 to 004: what it
    says, what we find, and the commands that show that. Of all documents, how many of each."""
    from eval.catalog.inputs import shorten
    from eval.figures.environment import rendered
    from eval.printed.items import ITEMS
    from eval.report.documents import document_grid, verdicts_grid
    from eval.report.terminal import print_grids
    from sim.errors import UserError

    for number in numbers:
        if number not in ITEMS:
            raise UserError(
                f"NUMBER: no document {shorten(number)!r}; choose from {', '.join(ITEMS)}"
            )
    if as_json:
        print_json(
            {
                n: [asdict(item) | {"found": rendered(item.found)} for item in ITEMS[n]]
                for n in numbers or ITEMS
            }
        )
        return
    if not numbers:
        print_grids([verdicts_grid()])
        return
    print_grids(map(document_grid, numbers))
