"""`modexplorer lab`: the course's labs, begun, checked and graded."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.cli.options import (
    OUTPUT,
    Folder,
    Number,
    cli_command,
    jobs_option,
    option,
    print_json,
    tell,
)

if TYPE_CHECKING:
    from eval.labs.grading import Graded
    from eval.labs.lab import Lab, Mark

FOLDER = Folder()
SECONDS = 120


@click.group("lab", epilog="\b\nExample:\n  modexplorer lab list\n  modexplorer lab start 1")
def command() -> None:
    """Take the course: list the labs, start one, check it, grade submissions.

    docs/course has a page for each lab; docs/course/README.md is for teachers.
    """


number_argument = click.argument("number")
teacher_option = option(
    "--teacher SEED", "Try cases that are drawn from this text, too.", name="teacher", default=""
)


@cli_command("lab list", group=command)
def list_labs(as_json: bool) -> None:
    """Show the labs, how long each takes, and its page."""
    from eval.labs.lab import find_lab, numbers
    from eval.table.terminal import print_table

    labs = [find_lab(number) for number in numbers()]
    shown = [
        {"number": lab.number, "title": lab.title, "hours": lab.hours, "page": _page(lab)}
        for lab in labs
    ]
    if as_json:
        print_json({"labs": shown})
        return
    headings = ("lab", "what it is about", "hours", "page")
    print_table("Labs of the course", headings, [list(row.values()) for row in shown], (0, 1, 3))


@cli_command("lab start 1", "lab start 2 my-lab --name ada --seed autumn", group=command)
@number_argument
@click.argument("folder", type=OUTPUT, required=False)
@option("--name NAME", "Draws your numbers; your user name if not given.")
@option("--seed SEED", "Draws other numbers for another class; the teacher says it.", default="")
def start(number: str, folder: Path | None, name: str | None, seed: str, as_json: bool) -> None:
    """Write the starting FOLDER of lab NUMBER (labN if not given): files with gaps, questions.md
    with your numbers, and answers.toml for the answers."""
    from eval.cli.progress import Reporter
    from eval.labs.folder import start_lab
    from eval.labs.lab import find_lab

    lab = find_lab(number)
    place = folder or Path(lab.name)
    with Reporter(f"start of {lab.heading}"):
        files = start_lab(lab, place, name, seed)
    lines = (
        f"{place}: {', '.join(files)}",
        f"Read {_page(lab)} and {place / 'questions.md'}, then:",
        f"  modexplorer lab check {lab.number}" + (f" {place}" if folder else ""),
    )
    tell({"lab": lab.number, "folder": str(place), "files": files}, lines, as_json)


@cli_command("lab check 1", "lab check 2 my-lab --teacher secret", group=command)
@number_argument
@click.argument("folder", type=FOLDER, required=False)
@teacher_option
def check(number: str, folder: Path | None, teacher: str, as_json: bool) -> None:
    """Check FOLDER, labN if not given: answers, then the code. What is wrong is told with what was
    probably confused. Exit code 1 if something is wrong.

    The code runs as you do, without limits: check a stranger's by `lab grade`.
    """
    from eval.cli.progress import Reporter
    from eval.labs.folder import folder_of, mark
    from eval.labs.lab import find_lab
    from sim.errors import RunError

    lab = find_lab(number)
    place = folder_of(lab, folder)
    with Reporter(f"check of lab {lab.number}"):
        marks = mark(lab, place, teacher)
    got, points = sum(m.got for m in marks), sum(m.points for m in marks)
    if as_json:
        shown = [vars(m) for m in marks]
        print_json({"lab": lab.number, "points": got, "of": points, "marks": shown})
    else:
        _print_marks(lab, marks)
        click.echo(f"{got} of {points} points")
    if got < points:
        raise RunError(f"{place}: {points - got} of {points} points are missing")


@cli_command(
    "lab grade 2 submissions --teacher secret --seed autumn --csv grades.csv", group=command
)
@number_argument
@click.argument("folder", type=FOLDER)
@teacher_option
@option("--seed SEED", "That of the class, by which the numbers are drawn.", default="")
@option(
    "--limit SECONDS",
    "CPU time of a submission's code; five times that by the clock.",
    Number(1, 86400),
    default=SECONDS,
)
@jobs_option
@option("--csv FILE", "Write each grade to a file at once.", OUTPUT, name="csv_file")
def grade(
    number: str,
    folder: Path,
    teacher: str,
    seed: str,
    limit: int,
    jobs: int | None,
    csv_file: Path | None,
    as_json: bool,
) -> None:
    """Grade the subfolders of FOLDER, each a submission to lab NUMBER. Each is one line of the
    table and of the CSV file, written when it is done, whatever the others do.

    The code of a submission runs in a sandbox: bubblewrap, where it is installed and may make
    namespaces; else a weaker one. What each contains is printed before the table.
    A process that runs none of this code computes all marks: from what its functions return, and
    by simulating the Verilog of its hardware. The fl and cl levels of a project, whose
    Python runs in the sandbox alone, can still be forged.
    """
    import os
    from contextlib import ExitStack

    from eval.catalog.inputs import check_output
    from eval.cli.progress import Reporter
    from eval.labs.confining import contained, way
    from eval.labs.grading import Grader, Rows, submissions
    from eval.labs.lab import find_lab

    lab = find_lab(number)
    found = submissions(folder)
    if csv_file:
        check_output("--csv", csv_file)
    grader, held = Grader(lab, teacher, seed, limit), contained(way())
    shown = []
    with ExitStack() as stack:
        progress = stack.enter_context(Reporter(f"grades of lab {lab.number}", len(found)))
        rows = None
        if csv_file:
            rows = Rows(stack.enter_context(csv_file.open("w", newline="")), grader.items)
        if not as_json:
            click.echo("\n".join([f"Grades of lab {lab.number}. On this system:", *held, ""]))
        for one in grader.grade(found, jobs or os.cpu_count() or 1):
            if rows:
                rows.add(one)
            if not as_json:
                _print_grade(one)
            shown.append(vars(one) | {"points": one.got, "of": one.points})
            progress.now("", len(shown))
    if as_json:
        shown.sort(key=lambda one: one["submission"])
        print_json({"lab": lab.number, "contained": held, "submissions": shown})


def _page(lab: "Lab") -> str:
    from eval.labs.lab import PAGES

    return f"{PAGES}/{lab.page.name}"


def _print_marks(lab: "Lab", marks: "list[Mark]") -> None:
    from eval.table.terminal import print_table

    rows = [[m.item, f"{m.got} of {m.points}", m.said] for m in marks]
    print_table(f"{lab.heading}: {lab.title}", ("item", "points", "what is wrong"), rows, (0, 2))


def _print_grade(one: "Graded") -> None:
    """Print a line for a submission, and below it what was seen."""
    import sys
    import textwrap

    from eval.table.terminal import text_width

    wrong = [mark["item"] for mark in one.marks if mark["got"] < mark["points"]]
    told = [*one.did, *one.said, *([f"wrong: {', '.join(wrong)}"] if wrong else [])]
    points = f"{one.got} of {one.points}"
    click.echo(f"{points:>10}  {one.submission}" + (f" ({one.name})" if one.name else ""))
    for line in textwrap.wrap("; ".join(told), text_width() - 14):
        click.echo(f"{'':14}{line}")
    sys.stdout.flush()
