"""What a lab is: questions with numbers to find, and gaps in hardware to fill in."""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from random import Random

from sim.errors import UserError
from sim.paths import ROOT

HERE = Path(__file__).parent
PAGES = "docs/course"
PROJECT = "project"  # which has a name, and no number
Answer = int | float | str
Items = tuple[tuple[str, int], ...]  # what is checked of code, and the points for each
OWN_CASES = "own cases"
OF_MULTIPLIERS: Items = (
    (OWN_CASES, 4),
    ("values", 10),
    ("cycles", 5),
    ("stalls", 6),
    ("translation", 4),
    ("exponentiator", 3),
)
TEACHER = "teacher's cases"
# What code of a submission runs as where it is graded: functions in Python, which are called;
# hardware, and a design, which are translated to Verilog; a program in C for the processor.
FUNCTIONS, HARDWARE, DESIGN, PROGRAM = "functions", "hardware", "design", "program"


@dataclass(frozen=True)
class Question:
    """Asks for a number or a word; the answer is computed when it is checked.

    name: its key in answers.toml.
    confusions: answers that somebody gives who confused something, each with a hint.
    tolerance: by which part of the answer a given one may differ.
    """

    name: str
    text: str
    points: int
    answer: Callable[[], Answer]
    confusions: tuple[tuple[str, Callable[[], Answer]], ...] = ()
    tolerance: float = 0.0


@dataclass(frozen=True)
class Mark:
    """Says what an item earned of its points, and what is wrong with it."""

    item: str
    points: int
    got: int
    said: str = ""


@dataclass(frozen=True)
class Lab:
    """Describes a lab.

    hours: how long it takes.
    ask: draws the questions.
    check_code: checks the code in a folder, with more cases if there is a teacher's seed.
    code_items, teacher_points: what is checked of it, and the points for the teacher's cases.
    given: files of the starting folder that nobody changes.
    runs: what the code runs as.
    made: makes further files of the starting folder, from the source that draws questions.
    measure: marks what the check of the code has left in the folder, and runs none of the code.
    measured: what is marked so, and the points for it.
    """

    number: str
    title: str
    hours: str
    ask: Callable[[Random], list[Question]]
    check_code: Callable[[Path, str], list[Mark]] | None = None
    code_items: Items = ()
    teacher_points: int = 0
    given: tuple[str, ...] = ()
    runs: str = HARDWARE
    made: Callable[[Random], dict[str, str]] | None = None
    measure: Callable[[Path], list[Mark]] | None = None
    measured: Items = ()

    @property
    def name(self) -> str:
        """Return the name of its folder: lab1, project."""
        return folder_name(self.number)

    @property
    def heading(self) -> str:
        """Return how it is called: Lab 1, Project."""
        return self.number.capitalize() if self.number == PROJECT else f"Lab {self.number}"

    @property
    def start(self) -> Path:
        """Return its starting folder."""
        return HERE / self.name / "start"

    @property
    def page(self) -> Path:
        """Return its page."""
        return ROOT / PAGES / f"{page_name(self.number)}.md"

    def items(self, teacher: str) -> Items:
        """List what is checked of code, with a teacher's cases if there is a seed for them."""
        last = ((TEACHER, self.teacher_points),) if teacher and self.code_items else ()
        return (*self.code_items, *last)

    def without_points(self, teacher: str, said: str) -> list[Mark]:
        """Mark code that cannot be checked."""
        return [Mark(item, points, 0, said) for item, points in self.items(teacher)]

    def questions(self, name: str, seed: str) -> list[Question]:
        """Draw the questions of a student of that name, in a class of that seed."""
        return self.ask(self._source(name, seed))

    def made_files(self, name: str, seed: str) -> dict[str, str]:
        """Make the files that are of that student alone, by their names."""
        return self.made(self._source(name, seed)) if self.made else {}

    def _source(self, name: str, seed: str) -> Random:
        return Random(f"lab {self.number} {seed} {name}")


def folder_name(number: str) -> str:
    """Return the name of a lab's folder."""
    return number if number == PROJECT else f"lab{number}"


def page_name(number: str) -> str:
    """Return the name of a lab's page, without .md."""
    return number if number == PROJECT else f"lab-{number}"


def numbers() -> list[str]:
    """List the labs there are, in their order."""
    folders = (place.parent.name for place in HERE.glob("*/__init__.py"))
    return sorted((name.removeprefix("lab") for name in folders), key=lambda n: (len(n), n))


def find_lab(number: str) -> Lab:
    """Return a lab; UserError if there is none of that number."""
    number = number.removeprefix("lab").removeprefix("-")
    if number not in numbers():
        raise UserError(f"number: no lab {number[:40]!r}; choose from {', '.join(numbers())}")
    lab: Lab = import_module(f"eval.labs.{folder_name(number)}").LAB
    return lab


def drawn(seed: str, what: str) -> Random:
    """Return a source of numbers that depends on a teacher's seed."""
    return Random(hashlib.sha256(f"{seed}\0{what}".encode()).hexdigest())
