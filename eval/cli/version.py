"""`modexplorer --version`: the version of the package and the commit of its checkout."""

from importlib.metadata import version

import click


def version_line() -> str:
    """Name the version and the commit, with a note where files differ from that commit."""
    from eval.tasks.provenance import NO_COMMIT, commit

    found = commit()
    of = found if found == NO_COMMIT else f"commit {found}"
    return f"modexplorer, version {version('modexplorer')} ({of})"


def _show(ctx: click.Context, _param: click.Parameter, asked: bool) -> None:
    if asked and not ctx.resilient_parsing:
        click.echo(version_line())
        ctx.exit()


version_option = click.option(
    "--version",
    is_flag=True,
    expose_value=False,
    is_eager=True,
    callback=_show,
    help="Show the version and the commit, and exit.",
)
