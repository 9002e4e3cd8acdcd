"""Measures what texts quote: runs a command, takes from it what is quoted, compares."""

import json
import os
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from eval.quoting.excerpt import excerpt, label
from eval.quoting.pages import EXAMPLES
from eval.quoting.paths import value_at
from eval.quoting.source import Source
from eval.quoting.stored import Answers
from eval.tasks.provenance import commit
from sim.errors import RunError
from sim.paths import ROOT, build_dir

REFUSED = ("run misaligned.S",)  # commands that texts show to fail
JUDGES = ("signoff ",)  # commands that print what they found, and then fail if it is wrong
AFRESH = ("find ",)  # commands that answer by all of the store: they begin with an empty one
HOME = "/home/me"  # what texts call the folder in which commands are typed


def measure(command: str, source: Source) -> Answers:
    """Run a command and return what is quoted of it; RunError if it fails or prints no such
    thing."""
    with tempfile.TemporaryDirectory(dir=build_dir("scratch")) as folder:
        place = Path(folder)
        prepare(place, command)
        found = Answers(commit=commit())
        try:
            if paths := source.values.get(command):
                answer = json.loads(printed_by(f"{command} --json", place))
                found.values = {path: value_at(answer, path) for path in paths}
            if excerpts := source.excerpts.get(command):
                printed = printed_by(command, place)
                found.printed = {label(*one): excerpt(printed, *one) for one in excerpts}
        except LookupError as error:
            raise RunError(f"{command}: {error}") from None
    return found


def moved(before: Answers, after: Answers) -> Iterator[str]:
    """Go through the numbers and outputs that are not what they were."""
    for path, new in sorted(after.values.items()):
        old = before.values.get(path)
        if old == new:
            continue
        part = ""
        if isinstance(old, int | float) and isinstance(new, int | float) and old:
            part = f", {100 * (new / old - 1):+.1f} %"
        yield f"{path}: {'nothing' if old is None else old} -> {new}{part}"
    for name, text in sorted(after.printed.items()):
        if before.printed.get(name) != text:
            yield f"output {name}".rstrip() + (" differs" if name in before.printed else " is new")


def prepare(place: Path, command: str) -> None:
    """Make a folder such as texts speak of: with the checkout's files that commands name, the
    examples, and a design of one's own."""
    for name in ("proc", "tests"):
        (place / name).symlink_to(ROOT / name)
    (place / "build").mkdir()
    for file in (ROOT / EXAMPLES).glob("*"):
        (place / file.name).write_bytes(file.read_bytes())
    if "mine" in command and not command.startswith("new "):
        printed_by("new mine", place)
    if "build/div.elf" in command:
        assembled(place)


def assembled(place: Path) -> None:
    """Make the ELF file of which the processor's page speaks, as it says."""
    gcc = "riscv64-unknown-elf-gcc -march=rv32im_zicsr -mabi=ilp32 -nostdlib -static"
    linked = "-Wl,-Ttext=0x200 -Wl,--no-relax tests/rv32/div.S -o build/div.elf"
    subprocess.run(f"{gcc} {linked}".split(), cwd=place, check=True)


def printed_by(command: str, place: Path) -> str:
    """Run a command there, and return what it prints."""
    words = [str(Path(sys.executable).parent / "modexplorer"), *shlex.split(command)]
    env = environment(place, command)
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
