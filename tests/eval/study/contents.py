"""What each study measures, as text: contents.txt has it, and a test compares.

    python -m tests.eval.study.contents

writes the file anew after a study was changed; its difference shows what changed.
"""

from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from textwrap import fill

from eval.study.studies import STUDIES
from eval.study.study import Study
from eval.tasks.task import Task

FILE = Path(__file__).with_name("contents.txt")
WHAT = ("point", "workload")  # fields of which `what` tells
INDENTED = {"initial_indent": "  ", "subsequent_indent": "    ", "break_on_hyphens": False}


def how(task: Task) -> str:
    """Name the kind, and the fields that say how, if they are not as usual."""
    said = [
        f"{one.name}={getattr(task, one.name)!r}"
        for one in fields(task)
        if one.name not in WHAT and getattr(task, one.name) != one.default
    ]
    return " ".join([task.kind, *said])


def what(task: Task) -> str:
    """Name the design at its width, and what runs on it, in one word."""
    words = [str(getattr(task, "point", "")) or "-".join(map(str, task.subject())), task.runs]
    return "/".join(word.replace(" ", "_") for word in words if word)


def lines(study: Study) -> Iterator[str]:
    """List what is measured in the same way in one line, as often as it is asked for."""
    groups: dict[str, list[str]] = {}
    for task in study.tasks:
        groups.setdefault(how(task), []).append(what(task))
    follow = "" if study.then is None else ", and what follows from these"
    yield f"{study.name}: {len(study.tasks)} tasks at {study.clock_ns:g} ns{follow}"
    for name, found in groups.items():
        yield fill(f"{name}: {' '.join(found)}", 100, **INDENTED)


def contents() -> str:
    """List the contents of all studies."""
    return "".join(f"{line}\n" for study in STUDIES.values() for line in lines(study))


if __name__ == "__main__":
    FILE.write_text(contents())
