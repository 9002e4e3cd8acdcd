"""Hand the pages of the checkout to mkdocs, at the places where their links expect each other.

A link to another file of the checkout takes that file along. The commands are a page of their help.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files, InclusionLevel

ROOT = Path(__file__).parents[2]
COMMANDS = "docs/commands.md"
WIDTH = 80
LINK = re.compile(r"\]\(([^)#:]+)[)#]")


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the pages of the navigation and all that they link to."""
    pages = [place for place in places(config["nav"]) if place != COMMANDS]
    for place in {**dict.fromkeys(pages), **dict.fromkeys(linked(pages))}:
        path = str(ROOT / place)
        level = InclusionLevel.UNDEFINED if place in pages else InclusionLevel.NOT_IN_NAV
        files.append(File.generated(config, place, abs_src_path=path, inclusion=level))
    files.append(File.generated(config, COMMANDS, content=commands()))
    return files


def places(nav: list[dict[str, str | list]]) -> Iterator[str]:
    """List the pages of a navigation."""
    for entry in nav:
        for below in entry.values():
            yield from [below] if isinstance(below, str) else places(below)


def linked(pages: list[str]) -> Iterator[str]:
    """List the other files of the checkout that pages link to."""
    for page in pages:
        file = ROOT / page
        for link in LINK.findall(file.read_text()):
            target = (file.parent / link).resolve()
            if target.is_file() and (place := str(target.relative_to(ROOT))) not in pages:
                yield place


def commands() -> str:
    """Write the page of the commands: the help of each, as a terminal prints it."""
    from eval.cli import cli

    text = ["# Commands", "", "`modexplorer COMMAND --help` prints the same.", ""]
    with click.Context(cli, info_name="modexplorer", **settings(cli)) as context:
        text += ["```text", cli.get_help(context), "```", ""]
        for name in cli.list_commands(context):
            command = cli.get_command(context, name)
            inside = click.Context(command, context, name, **settings(command))
            text += [f"## {name}", "", "```text", command.get_help(inside), "```", ""]
            for below in getattr(command, "commands", {}).values():
                deeper = click.Context(below, inside, below.name, **settings(below))
                text += ["```text", below.get_help(deeper), "```", ""]
    return "\n".join(text)


def settings(command: click.Command) -> dict[str, Any]:
    """Return the settings of a command's context, for help as wide as the page."""
    return command.context_settings | {"terminal_width": WIDTH}
