"""Measures what texts quote: runs the commands, cheapest first, and says what moved."""

import contextlib
import io
import json
import os
import re
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from eval.quoting.computing import key_of
from eval.quoting.environment import Source
from eval.quoting.excerpt import excerpt, label
from eval.quoting.kept import Answers, RowKey
from eval.quoting.pages import EXAMPLES
from eval.quoting.paths import value_at
from eval.tasks.answering import LOG
from eval.tasks.provenance import commit
from sim.errors import RunError
from sim.paths import ROOT, build_dir

QUICK = re.compile(r"^simulate .*--level formula")
REFUSED = ("run misaligned.S",)  # commands that texts show to fail
JUDGES = ("signoff ",)  # commands that print what they found, and then fail if it is wrong
AFRESH = ("find ",)  # commands that answer by all rows of the store: they begin with an empty one
HOME = "/home/me"  # what texts call the folder in which commands are typed
MANY = 12  # rows of a command whose keys are all kept; of more, one digest of all
STUDIES = ("report ",)  # commands that may measure more when they have seen results


def measure(command: str, source: Source, cores: int | None = None) -> Answers:
    """Run a command on so many cores, and take from it what is quoted; RunError if it fails or
    prints no such thing."""
    with tempfile.TemporaryDirectory(dir=build_dir("scratch")) as folder:
        place = Path(folder)
        prepare(place, command)
        log = place / "rows"
        before = time.monotonic()
        values, printed = {}, {}
        try:
            if paths := source.values.get(command):
                found = json.loads(_run(f"{command} --json", place, log, cores))
                values = {path: value_at(found, path) for path in paths}
            for titles, notes in source.excerpts.get(command, ()):
                text = excerpt(_run(command, place, log, cores), titles, notes)
                printed[label(titles, notes)] = text.split("\n")
        except LookupError as error:
            raise RunError(f"{command}: {error}") from None
        rows, commits, computing = _rows(log, command)
    if own := key_of(command):
        rows, commits, computing = own, "", 0.0
    taken = computing or round(time.monotonic() - before, 1)
    return Answers(commits or commit(), rows, values, printed, taken, commit())


def prepare(place: Path, command: str) -> None:
    """Make a folder such as texts speak of: with the checkout's files that commands name, the
    examples, and a design of one's own."""
    for name in ("proc", "tests"):
        (place / name).symlink_to(ROOT / name)
    (place / "build").mkdir()
    for file in (ROOT / EXAMPLES).glob("*"):
        (place / file.name).write_bytes(file.read_bytes())
    if "mine" in command and not command.startswith("new "):
        _run("new mine", place, None)
    if "build/div.elf" in command:
        assembled(place)


def assembled(place: Path) -> None:
    """Make the ELF file of which the processor's page speaks, as it says."""
    gcc = "riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -static"
    linked = "-Wl,-Ttext=0x200 -Wl,--no-relax tests/rv32/div.S -o build/div.elf"
    subprocess.run(f"{gcc} {linked}".split(), cwd=place, check=True)


def _run(command: str, place: Path, log: Path | None, cores: int | None = None) -> str:
    """Run a command there, and return what it prints; one that only reckons, here."""
    if QUICK.search(command):
        return run_here(command)
    env = environment(place, command)
    if log:
        env[LOG] = str(log)
    if cores:
        env["MODEXPLORER_JOBS"] = str(cores)
    words = [str(Path(sys.executable).parent / "modexplorer"), *shlex.split(command)]
    done = subprocess.run(words, cwd=place, env=env, capture_output=True, text=True)
    if done.returncode and not (command.startswith(JUDGES) and done.stdout):
        last = done.stderr.strip().splitlines()[-1:] or [f"exit code {done.returncode}"]
        if command in REFUSED:
            return last[0]
        raise RunError(f"{command}: {last[0]}")
    return done.stdout.replace(str(place), HOME)


def environment(place: Path, command: str) -> dict[str, str]:
    """Return the environment of a command in its folder: which store, and which designs."""
    env = dict(os.environ)
    if command.startswith(AFRESH):
        env["MODEXPLORER_BUILD"] = str(place / "build")
    env.setdefault("MODEXPLORER_BUILD", str(build_dir()))
    if (entry := place / "mine/entry.py").exists():
        env["MODEXPLORER_DESIGNS"] = str(entry)
    return env


def run_here(command: str) -> str:
    """Run a command in this process, and return what it prints; RunError if it fails."""
    from eval.cli import cli

    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            cli.main(shlex.split(command), prog_name="modexplorer")
        except SystemExit as end:
            if end.code:
                last = err.getvalue().strip().splitlines()[-1:]
                raise RunError(f"{command}: {last[0] if last else end.code}") from None
    return out.getvalue()


def _rows(log: Path, command: str) -> tuple[list[RowKey], str, float]:
    """Return the keys of the rows that a command took, those that it asked for at once first and
    shortened, the commit at which they were measured, and the seconds that this took."""
    if not log.exists():
        return [], "", 0.0
    found = {row["digest"]: row for row in map(json.loads, log.read_text().splitlines())}
    names = ("kind", "design", "nbits", "parameters", "workload")
    keys = [
        RowKey(digest, **{name: row["key"][name] for name in names})
        for digest, row in sorted(found.items())
    ]
    made = [row["made"] for row in found.values() if row["made"]]
    commits = sorted({one["commit"] for one in made})
    seconds = round(sum(one["seconds"] for one in made), 1)
    return _by_stage(keys, command), ", ".join(commits), seconds


def _by_stage(keys: list[RowKey], command: str) -> list[RowKey]:
    """Shorten the keys, but for those of rows that a study measures after it has seen others: what
    these are depends on results, so that each key is looked for by itself."""
    from eval.quoting.keys import tasks_of

    at_once = set[str]()
    if command.startswith(STUDIES):  # none if it names files of its folder: it cannot be asked here
        at_once = {task.key.digest for task in tasks_of(command)}
    first = [key for key in keys if not at_once or key.digest in at_once]
    return shortened(first) + [key for key in keys if key not in first]


def shortened(keys: list[RowKey]) -> list[RowKey]:
    """Return the keys, or one for all if there are many."""
    if len(keys) <= MANY:
        return keys
    from hashlib import blake2b

    digest = blake2b("".join(sorted(k.digest for k in keys)).encode(), digest_size=12).hexdigest()
    kinds = ", ".join(sorted({key.kind for key in keys}))
    return [RowKey(digest, f"{len(keys)} rows: {kinds}", "", 0, "")]
