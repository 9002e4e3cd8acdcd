"""`modexplorer documents`: what the documents say, and what we find."""

from dataclasses import asdict

import click

from eval.cli.options import cli_command, flag, print_json


@cli_command("documents", "documents 003", "documents 000 --derived")
@click.argument("numbers", nargs=-1, metavar="[NUMBER]...")
@flag("--derived", "What follows from a document's own figures, where its text says otherwise.")
def command(numbers: tuple[str, ...], derived: bool, as_json: bool) -> None:
    """Show every table, figure and algorithm of the documents NUMBER: what it says, the verdict,
    what it is compared with, what we find, and the commands that show that. Of all documents, how
    many of each."""
    from eval.catalog.inputs import shorten
    from eval.documents.document import documents
    from eval.documents.document import numbers as known
    from eval.documents.items import derived_of, items_of, with_derived
    from eval.report.documents import DERIVED, ITEMS, VERDICTS_OF_ALL, as_dict
    from eval.table.terminal import print_grids
    from sim.errors import UserError

    for number in numbers:
        if not number or number.zfill(3) not in known():
            raise UserError(
                f"NUMBER: no document {shorten(number)!r}; choose from {', '.join(known())}"
            )
    numbers = tuple(number.zfill(3) for number in numbers)
    if derived:
        there = with_derived()
        chosen = [n for n in numbers or there if n in there]
        if not chosen:
            raise UserError(f"--derived: nothing of {', '.join(numbers)}; give {', '.join(there)}")
        if as_json:
            print_json({n: [asdict(one) for one in derived_of(n)] for n in chosen})
        else:
            print_grids(filter(None, map(DERIVED.of, chosen)))
        return
    if as_json:
        print_json({n: [as_dict(item) for item in items_of(n)] for n in numbers or known()})
        return
    if not numbers:
        print_grids(filter(None, [VERDICTS_OF_ALL.of(documents())]))
        return
    print_grids(filter(None, map(ITEMS.of, numbers)))
