"""`modexplorer tech`: the technologies, with corners, cells, and what they lack."""

from typing import Any

import click

from eval.cli.options import cli_command, print_json


@cli_command("tech", "tech sky130")
@click.argument("name", required=False)
def command(name: str | None, as_json: bool) -> None:
    """List the technologies that designs can be mapped to, or show what is known of one: its
    corners, its cells by their roles, what is around a design, and what the library lacks.

    A folder of one's own is found by the environment variable MODEXPLORER_TECHNOLOGIES.
    """
    from eval.table.terminal import print_grids
    from eval.tables_of_technologies import CELLS, CORNERS, LAYERS, TECHNOLOGIES, as_json_of
    from flow.technologies.technology import folders, technology

    found = [technology(one) for one in ([name] if name else sorted(folders()))]
    if as_json:
        print_json({"technologies": [as_json_of(one) for one in found]})
        return
    grids: list[Any] = [TECHNOLOGIES.of(found)]
    if name:
        grids += [CORNERS.of(found), CELLS.of(found), LAYERS.of(found)]
    print_grids(filter(None, grids))
    for one in found:
        click.echo(f"{one.name} lacks: {'; '.join(one.lacks)}.")
        if name:
            click.echo(f"Origin: {one.origin}.\nLicence: {one.licence}.")
