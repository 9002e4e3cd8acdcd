"""`modexplorer doctor`: is everything there, and does it work?"""

import re
import sys

import click

from eval.cli.options import cli_command, print_json


@cli_command("doctor")
def command(as_json: bool) -> None:
    """Name every tool with its version and try it out.

    For what is missing, print the one command that installs it. Exit code 1 if a tool that is
    required is missing or fails.
    """
    from eval.cli.progress import Reporter
    from eval.doctor.tools import OK, TOOLS, examine
    from sim.paths import build_dir

    build = build_dir()
    findings = []
    with Reporter("doctor", len(TOOLS)) as progress:
        for done, tool in enumerate(TOOLS):
            progress.now(tool.name, done)
            findings.append(examine(tool))
    healthy = all(finding.healthy for finding in findings)
    if as_json:
        print_json(
            {
                "healthy": healthy,
                "build": str(build),
                "tools": [vars(finding) for finding in findings],
            }
        )
    else:
        from eval.table import words
        from eval.table.terminal import print_rows

        columns = words({"tool": "name", "state": "state"})
        columns += words({"version": lambda f: _short(f.version), "tried": "detail"})
        print_rows("Tools", columns, findings)
        for finding in findings:
            if finding.state != OK:
                kind = "" if finding.required else "optional, "
                click.echo(f"{finding.name} ({kind}needed for: {finding.needed_for}):")
                click.echo(f"  {finding.install}")
        click.echo(
            f"Results and builds are kept in {build}; --build or MODEXPLORER_BUILD move them."
        )
        click.echo("All required tools work." if healthy else "A required tool does not work.")
    sys.exit(0 if healthy else 1)


def _short(version: str) -> str:
    """The number in what a tool says of its version."""
    number = re.search(r"\d+(\.\w+)+", version) or re.search(r"\d+", version)
    return number[0] if number else version
