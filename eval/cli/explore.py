"""`modexplorer explore`: measure the points of a study."""

import click

from eval.cli.options import example, jobs_option, json_option, print_json


@example("modexplorer explore quick")
@click.command("explore")
@click.argument("study", default="default")
@jobs_option
@json_option
def command(study: str, jobs: int | None, as_json: bool) -> None:
    """Measure every point of STUDY (`modexplorer list` shows them) and print the results.

    Finished rows are kept: an interrupted study goes on where it stopped, and one that is
    finished only prints.
    """
    from eval.cli.measuring import run_study
    from eval.study.results import as_json as in_json

    found = run_study(study, jobs)
    if as_json:
        print_json(in_json(found))
        return
    from eval.report.report import Report
    from eval.report.terminal import print_grids

    shown = Report(found)
    print_grids([*shown["overview"], *shown["designs"], *shown["results"]])
