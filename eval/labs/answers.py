"""The answers of a student: read from answers.toml, compared, and wrong ones explained."""

import re
import tomllib
from dataclasses import dataclass
from pathlib import Path

from eval.labs.lab import Answer, Lab, Mark, Question
from sim.errors import UserError

FILE = "answers.toml"
OPEN = "?"  # what stands for an answer that is not given
MOST = 65536  # bytes
LONGEST = 60  # letters of a name


@dataclass(frozen=True)
class Given:
    """Holds who answers, in which class, and what."""

    name: str
    seed: str
    answers: dict[str, object]


def read_answers(folder: Path) -> Given:
    """Read answers.toml; UserError names what is wrong with it."""
    file = folder / FILE
    if not file.is_file():
        raise UserError(f"{file}: is missing; `modexplorer lab start` writes it")
    if file.stat().st_size > MOST:
        raise UserError(f"{file}: has more than {MOST} bytes; give the answers alone")
    try:
        found = tomllib.loads(file.read_text())
    except (ValueError, RecursionError) as error:
        raise UserError(f"{file}: {str(error) or 'is nested too deep'}; mend it") from error
    name, seed, answers = found.get("name"), found.get("seed", ""), found.get("answers", {})
    if not isinstance(name, str) or not name or len(name) > LONGEST or not name.isprintable():
        raise UserError(f'{file}: has no name; write name = "..." of at most {LONGEST} letters')
    if not isinstance(seed, str) or not isinstance(answers, dict):
        raise UserError(f'{file}: write seed = "..." and the answers below [answers]')
    return Given(name, seed, answers)


def write_answers(lab: Lab, name: str, seed: str) -> str:
    """Write the text of an answers.toml without answers."""
    lines = [f"# {lab.heading}: {lab.title}. questions.md has the questions.", ""]
    lines += [f'name = "{name}"', f'seed = "{seed}"', "", "[answers]"]
    return "\n".join([*lines, *(f'{q.name} = "{OPEN}"' for q in lab.questions(name, seed))]) + "\n"


def write_questions(lab: Lab, name: str, seed: str) -> str:
    """Write the text of questions.md."""
    lines = [f"# {lab.heading}: questions for {name}", ""]
    lines += [f"Write the answers in {FILE}. `modexplorer lab check {lab.number}` checks them.", ""]
    for question in lab.questions(name, seed):
        near = f" (within {100 * question.tolerance:g} %)" if question.tolerance else ""
        lines.append(f"- `{question.name}`: {question.text}{near}")
    return "\n".join(lines) + "\n"


def mark_answers(lab: Lab, folder: Path) -> list[Mark]:
    """Compare the answers with those that are computed now."""
    given = read_answers(folder)
    return [
        mark_answer(question, given.answers.get(question.name, OPEN))
        for question in lab.questions(given.name, given.seed)
    ]


def mark_answer(question: Question, given: object) -> Mark:
    """Compare an answer; of a wrong one, say what was probably confused."""
    if given == OPEN:
        return Mark(question.name, question.points, 0, f"not answered: {question.text}")
    if is_answer(given, question.answer(), question.tolerance):
        return Mark(question.name, question.points, question.points)
    for hint, confused in question.confusions:
        if is_answer(given, confused(), question.tolerance):
            return Mark(question.name, question.points, 0, f"{_shown(given)} is {hint}")
    said = f"{_shown(given)} is wrong: {question.text}"
    return Mark(question.name, question.points, 0, said)


def is_answer(given: object, right: Answer, tolerance: float) -> bool:
    """Return whether a given answer is this one. Numbers may be typed as text: "0x1f"."""
    if isinstance(right, str):
        return isinstance(given, str) and _words(given) == _words(right)
    number = _number(given)
    if number is None:
        return False
    if isinstance(right, int) and not tolerance:
        return number == right
    try:
        return abs(float(number) - right) <= tolerance * abs(right)
    except OverflowError:
        return False


def _words(text: str) -> set[str]:
    """Part names, in whatever order and case."""
    return set(re.split(r"[,\s]+", text.strip().lower()))


def _number(given: object) -> int | float | None:
    """Read a number, decimal or 0x."""
    if isinstance(given, bool):
        return None
    if isinstance(given, int | float):
        return given
    if not isinstance(given, str):
        return None
    for read in (lambda text: int(text, 0), float):
        try:
            found: int | float = read(given.strip())
        except (ValueError, OverflowError):
            continue
        return found
    return None


def _shown(given: object) -> str:
    text = f"{given}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}..."
