"""`modexplorer report`: measure a study and write its report."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.cli.options import OUTPUT, cli_command, engine_options, flag, option, print_json

if TYPE_CHECKING:
    from eval.report.report import Report
    from eval.study.engine import Engine


@cli_command("report quick --out build/quick.html")
@click.argument("study", default="default")
@option("--out FILE", "The page; build/report.html if not given.", OUTPUT)
@flag("--tables", "Print all tables, not only the fronts and what was found.")
@engine_options
def command(study: str, out: Path | None, tables: bool, engine: "Engine", as_json: bool) -> None:
    """Measure what is missing of STUDY, write its report as one HTML file, print what was found.

    Without findings, all tables are printed, as with --tables. STUDY is a name that `modexplorer
    list` shows, or a TOML file, as `modexplorer explore` takes. The page needs no network; large
    pictures of layouts are in a folder beside it. It is the same, to the byte, for the same
    results of one commit on one machine. Rows that failed, as of a design that answers wrongly,
    are shown with the reason; the exit code is then 1.
    """
    from eval.catalog.inputs import check_output
    from eval.cli.studying import run_study
    from eval.study.failures import RowsFailed
    from eval.study.studies import find_at_one_clock
    from sim.paths import build_dir

    asked = find_at_one_clock(study)
    page = check_output("--out", out or build_dir() / "report.html")
    failed: RowsFailed | None = None
    try:
        found = run_study(asked, engine)
    except RowsFailed as error:
        failed = error  # the page shows them, and the others
        (found,) = error.founds

    from eval.report.page import report_json, write
    from eval.report.report import Report

    shown = Report(found)
    write(shown, page)
    if as_json:
        print_json(report_json(shown) | {"page": str(page)})
    else:
        _print(shown, tables)
        click.echo(f"Report written to {page}")
        if not tables and shown["findings"]:
            click.echo(f"All tables: {asked.command} --tables")
    if failed:
        raise failed


def _print(shown: "Report", tables: bool) -> None:
    """Print what was found, or all tables."""
    from eval.report.page import PAGE
    from eval.table.terminal import print_grids, print_list

    printed: set[str] = set()
    if tables or not shown["findings"]:
        for place in ("overview", "fronts", "designs", "results", "beside"):
            print_grids(shown[place], printed)
        print_list(PAGE["reasons"], shown["reasons"])
        print_grids([*shown["details"], *shown["making"]], printed)
    else:
        print_grids(shown["fronts"], printed)
    print_list("What was found", shown["findings"])
