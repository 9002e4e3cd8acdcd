"""`modexplorer pages`: what pages quote: written from what is stored, or measured anew."""

import re
import time

import click

from eval.cli.options import cli_command, flag, given, option, print_json


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


@cli_command("pages", "pages --check", "pages --measure --only 'flow .* --nbits 32'")
@flag("--check", "Name what differs, change nothing; exit code 1 if something does.")
@flag("--measure", "Run the commands that are quoted first, and store what they print.")
@option("--only PATTERN", "Measure commands in which this regular expression is found.")
@option("--budget TIME", "Begin no command later than this: 60m, 8h.")
def command(
    check: bool, measure: bool, only: str | None, budget: str | None, as_json: bool
) -> None:
    """Refresh what the pages of a checkout quote, from eval/atlas/quoted.jsonl. For maintainers.

    Prints the pages and pictures that changed, and with --measure each number that moved. Exit
    code 3 if --budget ended before all commands were measured.
    """
    from eval.quoting.pages import older, write
    from eval.quoting.stored import load
    from sim.errors import Incomplete, RunError, UserError
    from sim.paths import ROOT

    if check and measure:
        raise UserError("--check: excludes --measure; leave one out")
    if not measure and (name := given("only", "budget")):
        raise UserError(f"{name}: is of --measure; give that, or leave it out")
    pattern, seconds = _pattern(only), _budget(budget)
    left, failed, moved = _measure(pattern, seconds, as_json) if measure else ([], [], [])
    if check:
        changed = [str(file.relative_to(ROOT)) for file, _ in older(load())]
    else:
        changed = write(load())
    if as_json:
        print_json({"changed": changed, "moved": moved, "left": left, "failed": failed})
    else:
        for name in changed:
            click.echo(f"{name}: {'differs' if check else 'written'}")
    if failed:
        raise RunError("not measured: " + "; ".join(failed))
    if left:
        raise Incomplete(f"--budget ended before {len(left)} commands: {left[0]} and so on")
    if check and changed:
        raise RunError("pages differ from what is stored; `make pages` writes them")


def _measure(
    pattern: re.Pattern[str], budget: float | None, silent: bool
) -> tuple[list[str], list[str], list[str]]:
    """Measure commands and store what they print; return those left, failures, what moved."""
    from eval.cli.progress import Reporter
    from eval.quoting.measuring import measure, moved
    from eval.quoting.pages import pruned, quoted
    from eval.quoting.stored import Answers, load, save
    from sim.errors import RunError, UserError

    begin = time.monotonic()
    source = quoted(load())
    commands = [c for c in sorted(source.values | source.excerpts) if pattern.search(c)]
    if not commands:
        raise UserError("--only: in no command that is quoted; give another expression")
    left, failed, all_moved = [], [], []
    with Reporter("pages", len(commands)) as progress:
        for done, name in enumerate(commands):
            progress.now(name, done)
            if budget is not None and time.monotonic() - begin > budget:
                left = commands[done:]
                break
            try:
                after = measure(name, source)
            except RunError as error:
                failed.append(str(error))
                continue
            answers = load()
            for one in moved(answers.get(name, Answers()), after):
                all_moved.append(f"{name}: {one}")
                if not silent:
                    click.echo(all_moved[-1])
            save(pruned({**answers, name: after}, source))
    return left, failed, all_moved
