"""`modexplorer figures`: the figures that texts quote: which, of which code, measured anew."""

import os
import re
import time
from functools import cache
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import cli_command, flag, given, jobs_option, option, print_json

if TYPE_CHECKING:
    from eval.quoting.environment import Source
    from eval.quoting.kept import Answers, Kept


@cache
def _quoted(answers: "Kept") -> "Source":
    """Find what is quoted, once: all texts are read for it."""
    from eval.quoting.pages import quoted

    return quoted(answers)


def _budget(text: str | None) -> float | None:
    """Read a time, 90s, 60m or 8h, in seconds; UserError if it is none."""
    from eval.catalog.inputs import shorten
    from sim.errors import UserError

    if text is None:
        return None
    found = re.fullmatch(r"(\d{1,6})([smh])", text, re.ASCII)
    if not found:
        raise UserError(f"--budget: {shorten(text)!r} is no time; give 60m, 90s or 8h")
    return float(found[1]) * {"s": 1, "m": 60, "h": 3600}[found[2]]


def _pattern(text: str | None) -> re.Pattern[str]:
    """Read a regular expression; UserError if it is none."""
    from eval.catalog.inputs import shorten
    from sim.errors import UserError

    try:
        return re.compile(text or "")
    except re.error as error:
        raise UserError(f"--only: {shorten(text)!r} is no regular expression: {error}") from None


@cli_command("figures", "figures --only 'flow .* --nbits 32'", "figures --check --only 'simulate '")
@flag("--measure", "Run the commands, cheapest first; keep what they print, say what moved.")
@flag("--check", "Say which rows are of older code than this; measures nothing.")
@flag("--pages", "Write the pages of the checkout from the figures that are kept.")
@option("--only PATTERN", "Commands in which this regular expression is found.")
@option("--budget TIME", "Begin nothing that would end later than this: 60m, 8h.")
@jobs_option
@flag("--again", "Print anew what other code has printed of rows of this code, too.")
def command(
    measure: bool,
    check: bool,
    pages: bool,
    jobs: int | None,
    only: str | None,
    budget: str | None,
    again: bool,
    as_json: bool,
) -> None:
    """Show the commands whose figures the pages and the items of documents quote.

    Cheapest first, each with the commit at which it was measured, how many figures are quoted, and
    the seconds that it takes. Rows are in the results store: what was interrupted goes on. Commands
    whose time is quoted run alone.
    """
    from eval.catalog.inputs import shorten
    from eval.quoting.kept import kept
    from eval.quoting.pages import write
    from sim.errors import UserError

    pattern, seconds = _pattern(only), _budget(budget)
    answers = kept()
    source = _quoted(answers)
    commands = _cheapest_first(source, answers, pattern)
    if only is not None and not (only and commands):
        raise UserError(
            f"--only: {shorten(only)!r} is in no command; `modexplorer figures` shows all"
        )
    _check_options(measure, check, pages, as_json)
    if measure:
        _measure(commands, source, answers, seconds, again, jobs or os.cpu_count() or 1)
    elif check:
        _check(commands, answers)
    elif not pages:
        _show(commands, source, answers, as_json)
    if pages or measure:
        for name in write(answers):
            click.echo(f"{name}: written")


def _check_options(measure: bool, check: bool, pages: bool, as_json: bool) -> None:
    """Raise UserError if options say different things."""
    from sim.errors import UserError

    if check and (measure or pages):
        raise UserError(f"--check: excludes {'--measure' if measure else '--pages'}; leave one out")
    if not measure and (name := given("budget", "jobs", "again")):
        raise UserError(f"{name}: is of --measure; give that, or leave it out")
    for name, chosen in (("--measure", measure), ("--check", check), ("--pages", pages)):
        if as_json and chosen:
            raise UserError(f"--json: is of the list of commands; leave it out, or {name}")


def _cheapest_first(source: "Source", answers: "Kept", pattern: re.Pattern[str]) -> list[str]:
    from eval.quoting.cost import seconds

    commands = {c for c in source.values.keys() | source.excerpts.keys() if pattern.search(c)}
    return sorted(commands, key=lambda c: (seconds(c, answers.answers.get(c)), c))


def _show(commands: list[str], source: "Source", answers: "Kept", as_json: bool) -> None:
    from eval.quoting.cost import said, seconds
    from eval.quoting.kept import Answers
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    rows: list[dict[str, Any]] = []
    for name in commands:
        found = answers.answers.get(name, Answers("not measured"))
        count = len(source.values.get(name, ())) + len(source.excerpts.get(name, ()))
        taken = seconds(name, found)
        rows.append({"command": name, "commit": found.commit, "figures": count, "seconds": taken})
    if as_json:
        print_json({"commands": rows})
        return
    columns = words({"command": "command", "commit": "commit"})
    columns += numbers(0, {"figures": "figures", "takes": lambda row: said(row["seconds"])})
    print_rows("Commands whose figures are quoted", columns, rows)
    total = sum(row["seconds"] for row in rows)
    click.echo(f"{len(rows)} commands, {sum(row['figures'] for row in rows)} figures and outputs,")
    click.echo(f"{said(total)} from nothing, one after the other")


def _check(commands: list[str], answers: "Kept") -> None:
    from eval.cli.progress import Reporter
    from eval.quoting.keys import is_current, printed_by_this_code

    with_rows = [c for c in commands if c in answers.answers and answers[c].rows]
    older = []
    with Reporter("keys", len(with_rows)) as progress:
        for done, name in enumerate(with_rows):
            progress.now(name, done)
            if not is_current(name, answers[name]):
                older.append(name)
    for name in older:
        click.echo(f"of older code, {answers[name].commit}: {name}")
    unkeyed = len(commands) - len(with_rows)
    click.echo(f"{len(with_rows) - len(older)} commands have rows of this code, {len(older)} of")
    click.echo(f"older code; {unkeyed} keep no rows or were not measured")
    known = [answers[name] for name in commands if name in answers.answers]
    if printed := sum(not printed_by_this_code(one) for one in known):
        click.echo(f"{printed} were printed by other code; they are printed anew by")
        click.echo("modexplorer figures --measure --again")


def _measure(
    commands: list[str],
    source: "Source",
    answers: "Kept",
    budget: float | None,
    again: bool,
    jobs: int,
) -> None:
    from eval.cli.progress import Reporter
    from eval.quoting.campaign import measure_all
    from eval.quoting.cost import said, seconds
    from eval.quoting.kept import Answers
    from eval.quoting.moved import moved
    from eval.quoting.pages import pages as all_texts
    from sim.errors import RunError

    begin, left, failed = time.monotonic(), [], []

    def before(name: str) -> Answers:
        return answers.answers.get(name, Answers())

    def fits(name: str) -> bool:
        taken = seconds(name, before(name))
        if budget is None or time.monotonic() - begin + taken <= budget:
            return True
        left.append(name)
        return False

    to_do = [name for name in commands if _is_to_do(name, source, before(name), again)]
    with Reporter("figures", len(to_do)) as progress:
        found = measure_all(to_do, source, jobs, fits, progress.now)
        for done, (name, after) in enumerate(found, 1):
            if isinstance(after, RunError):
                failed.append(str(after))
                continue
            kept = before(name)
            after.seconds = max(after.seconds or 0, kept.seconds or 0)
            with answers.updating():
                answers.answers[name] = after
            progress.now(progress.step, done)
            for one in moved(name, kept, after):
                click.echo(str(one))
    for name in left:
        click.echo(f"left for another time, about {said(seconds(name, None))}: {name}")
    if all_texts():
        with answers.updating():
            for name in answers.answers.keys() - (source.values.keys() | source.excerpts.keys()):
                del answers.answers[name]  # no text quotes it any more
    if failed:
        raise RunError("not measured: " + "; ".join(failed))


def _is_to_do(name: str, source: "Source", kept: "Answers", again: bool) -> bool:
    from eval.quoting.keys import of_this_code, printed_by_this_code

    if not (_has_all(name, source, kept) and of_this_code(name, kept)):
        return True
    return again and not printed_by_this_code(kept)


def _has_all(name: str, source: "Source", kept: "Answers") -> bool:
    """Whether all that texts quote of a command was measured, without changes to the checkout."""
    from eval.quoting.excerpt import label
    from eval.tasks.provenance import CHANGED

    labels = {label(*one) for one in source.excerpts.get(name, ())}
    values = source.values.get(name, set())
    clean = CHANGED not in kept.commit
    return clean and values <= kept.values.keys() and labels <= kept.printed.keys()
