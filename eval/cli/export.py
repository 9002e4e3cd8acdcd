"""`modexplorer export`: the tables of a study as files."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.cli.options import Folder, Listed, cli_command, engine_options, option, tell

if TYPE_CHECKING:
    from eval.study.engine import Engine


@cli_command("export quick --format csv,markdown --out build/tables")
@click.argument("study", default="default")
@option("--out FOLDER", "Where the files go; build/tables if not given.", Folder())
@option(
    "--format LIST", "csv (if not given), parquet, latex, markdown, json.", Listed(), name="formats"
)
@engine_options
def command(
    study: str, out: Path | None, formats: list[str] | None, engine: "Engine", as_json: bool
) -> None:
    """Measure what is missing of STUDY, and write every table of its report as a file, and its
    points, clocks and workloads as one.

    CSV, Parquet and JSON have the values as they were measured, without marks; LaTeX (for booktabs)
    and Markdown the cells as the report shows them. STUDY is a name or a TOML file.
    """
    from eval.catalog.inputs import shorten
    from eval.cli.studying import run_study
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
    _check_folder(folder)
    tables = tables_of(Report(run_study(asked, engine)))
    written = [str(path) for path in write_tables(tables, folder, formats or ["csv"])]
    tell({"study": asked.name, "files": written}, written, as_json)


def _check_folder(folder: Path) -> None:
    """Make a folder; UserError if nothing can be written in it."""
    from tempfile import TemporaryFile

    from sim.errors import UserError

    if folder.is_file():
        raise UserError(f"--out: {folder} is a file; give a folder")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as error:
        raise UserError(
            f"--out: cannot write in {folder} ({error.strerror}); give another folder"
        ) from None
