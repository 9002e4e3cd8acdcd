"""`modexplorer report`: measure a study and write its report."""

from pathlib import Path

import click

from eval.cli.options import example, jobs_option, json_option, print_json, run_study


@example("modexplorer report quick --out build/quick.html")
@click.command(short_help="Measure a study, write its report, print its tables.")
@click.argument("study", default="default")
@click.option("--out", type=Path, metavar="FILE", help="The page; build/report.html if not given.")
@jobs_option
@json_option
def report(study: str, out: Path | None, jobs: int | None, as_json: bool) -> None:
    """Measure what is missing of STUDY, write its report as one HTML file, print its tables.

    The page needs nothing else: no network, no other file. It is the same, to the byte, for
    the same results.
    """
    from eval.catalog.point import check_output
    from eval.study.studies import find_study
    from sim.paths import build_dir

    find_study(study)
    page = check_output("--out", out or build_dir() / "report.html")
    found = run_study(study, jobs)

    from eval.report.page import build_report, html, report_json

    page.write_text(html(found))
    if as_json:
        print_json(report_json(found) | {"page": str(page)})
        return
    from eval.report.terminal import print_grids, print_list

    shown, commands = build_report(found), set()
    print_grids([*shown.overview, *shown.results, *shown.beside], commands)
    print_list("Why ours differ", shown.reasons)
    print_grids(shown.details, commands)
    click.echo(f"Report written to {page}")
