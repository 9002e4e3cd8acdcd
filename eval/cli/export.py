"""`modexplorer export`: the tables of a study as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.cli.options import (
    Folder,
    Listed,
    engine_options,
    example,
    json_option,
    option,
    print_json,
)

if TYPE_CHECKING:
    from eval.study.engine import Engine


@example(
    """
modexplorer export quick --format csv,markdown --out build/tables
"""
)
@click.command("export")
@click.argument("study", default="default")
@option("--out FOLDER", "Where the files go; build/tables if not given.", Folder())
@option(
    "--format LIST", "csv (if not given), parquet, latex, markdown, json.", Listed(), name="formats"
)
@engine_options
@json_option
def command(
    study: str, out: Path | None, formats: list[str] | None, engine: "Engine", as_json: bool
) -> None:
    """Measure what is missing of STUDY, and write every table of its report as a file, and its
    points, clocks and workloads as one.

    CSV, Parquet and JSON have the values as they were measured, without marks; LaTeX (for booktabs)
    and Markdown the cells as the report shows them. STUDY is a name or a TOML file.
    """
    from eval.catalog.inputs import check_output, shorten
    from eval.cli.measuring import run_study
    from eval.report.export import FORMATS, tables_of, write_tables
    from eval.report.report import Report
    from eval.study.studies import find_at_one_clock
    from sim.errors import UserError
    from sim.paths import build_dir

    for text in formats or ():
        if text not in FORMATS:
            raise UserError(
                f"--format: {shorten(text)!r} is none; choose from {', '.join(FORMATS)}"
            )
    asked = find_at_one_clock(study)
    folder = out or build_dir("tables")
    check_output("--out", folder / ".written").unlink()
    tables = tables_of(Report(run_study(asked, engine)))
    written = write_tables(tables, folder, formats or ["csv"])
    if as_json:
        print_json({"study": asked.name, "files": [str(path) for path in written]})
        return
    for path in written:
        click.echo(str(path))
