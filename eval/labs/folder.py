"""The folder of a student: begun from a lab's starting folder, and checked."""

import getpass
import shutil
from pathlib import Path

from eval.labs.answers import FILE, LONGEST, mark_answers, write_answers, write_questions
from eval.labs.lab import Lab, Mark
from sim.errors import UserError

QUESTIONS = "questions.md"


def start_lab(lab: Lab, folder: Path, name: str | None, seed: str) -> list[str]:
    """Write a new folder, and list its files; UserError if there is one, or no such name."""
    from eval.catalog.inputs import make_folder

    name = name or _user()
    for option, text in (("--name", name), ("--seed", seed)):
        if len(text) > LONGEST or not text.isprintable() or set(text) & set('"\\'):
            raise UserError(
                f"{option}: {text[:40]!r} is none; give at most {LONGEST} letters without quotes"
            )
    made = lab.made_files(name, seed)
    make_folder("folder", folder)
    for file in starting_files(lab):
        shutil.copyfile(file, folder / file.name)
    for file_name, text in made.items():
        (folder / file_name).write_text(text)
    (folder / FILE).write_text(write_answers(lab, name, seed))
    (folder / QUESTIONS).write_text(write_questions(lab, name, seed))
    return sorted(file.name for file in folder.iterdir())


def starting_files(lab: Lab) -> list[Path]:
    """List the files of the starting folder."""
    found = lab.start.glob("*") if lab.start.is_dir() else ()
    return sorted(file for file in found if file.is_file() and file.name != "__init__.py")


def folder_of(lab: Lab, folder: Path | None) -> Path:
    """Return the folder that is meant: the one that is named, the lab's here, or this one."""
    for place in (folder,) if folder else (Path(lab.name), Path()):
        if (place / FILE).is_file():
            return place
    place = folder or Path(lab.name)
    raise UserError(
        f"folder: {place} has no {FILE}; `modexplorer lab start {lab.number} {place}` writes one"
    )


def mark_code(lab: Lab, folder: Path, teacher: str) -> list[Mark]:
    """Check the code of a folder, if the lab has any."""
    if lab.check_code is None:
        return []
    if changed := changed_files(lab, folder):
        return lab.without_points(teacher, changed)
    return lab.check_code(folder.absolute(), teacher)


def changed_files(lab: Lab, folder: Path) -> str:
    """Say which given files of a folder are changed; "" if none is."""
    changed = [
        name
        for name in lab.given
        if not (folder / name).is_file()
        or (folder / name).read_text(errors="replace") != (lab.start / name).read_text()
    ]
    if not changed:
        return ""
    return f"{', '.join(changed)}: given, and changed; take the file of a new `lab start`"


def mark(lab: Lab, folder: Path, teacher: str) -> list[Mark]:
    """Check answers and code, and measure what that has made."""
    marks = mark_answers(lab, folder) + mark_code(lab, folder, teacher)
    return marks + (lab.measure(folder.absolute()) if lab.measure else [])


def _user() -> str:
    try:
        return getpass.getuser()
    except (OSError, KeyError):
        raise UserError("--name: is missing; give the name that draws your numbers") from None
