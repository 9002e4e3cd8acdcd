"""The process that marks one submission, and runs none of its Python.

It compares the answers, starts a sandbox for the code, marks what comes out of that, and measures.
What it knows is written line by line, so that earlier marks outlast what goes wrong later.
"""

import contextlib
import json
import os
import resource
import shutil
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from eval.labs import python_code
from eval.labs.answers import mark_answers, read_answers
from eval.labs.confining import BUBBLEWRAP, Confined, Ended
from eval.labs.containing import landlock_version
from eval.labs.folder import changed_files
from eval.labs.lab import DESIGN, FUNCTIONS, HARDWARE, Lab, Mark, find_lab
from eval.labs.stages import Wrong
from sim.errors import RunError, UserError

SECONDS = 300  # for the simulation of a submission's Verilog, by the clock
MEMORY = 4 << 30


def main() -> None:
    """Mark as a line of JSON requests, and write what is known."""
    asked = json.loads(sys.stdin.readline())
    lab, place = find_lab(asked["lab"]), Path(asked["place"])
    try:
        given = read_answers(place)
        _tell({"seed": given.seed})
        _tell({"marks": [vars(mark) for mark in mark_answers(lab, place)]})
    except (UserError, RunError) as error:
        _tell({"error": str(error).replace(f"{place}/", "")})
    if lab.check_code:
        _code(lab, place, asked)
    if lab.measure:
        _tell({"marks": [vars(mark) for mark in lab.measure(place)]})


def _code(lab: Lab, place: Path, asked: dict[str, Any]) -> None:
    """Run the code in a sandbox, and mark what it answers."""
    teacher, scratch = asked["teacher"], place.parent / "sandbox"
    if changed := changed_files(lab, place):
        _tell({"marks": [vars(mark) for mark in lab.without_points(teacher, changed)]})
        return
    scratch.mkdir()
    hidden = tuple(map(Path, asked["hidden"]))
    with Confined(asked["by"], place, scratch, asked["seconds"], hidden) as confined:
        try:
            whole = asked["by"] == BUBBLEWRAP
            limits = {"lab": lab.number, "seconds": asked["seconds"], "whole": whole}
            began = confined.ask(limits)
            if began.get("limited") is not True:
                _tell({"error": "could have started any number of processes"})
            if began.get("kept") is not True and landlock_version() > 0 and not whole:
                _tell({"error": "could have changed files outside its folder"})
            marks = _marked(lab, place, teacher, confined)
        except (Ended, Wrong, UserError, RunError) as error:
            told = str(error)
            marks = lab.without_points(teacher, f"not checked: {told}")
            if not confined.noticed:
                _tell({"error": told})
    _tell({"marks": [vars(mark) for mark in marks], "noticed": confined.noticed})


def _marked(lab: Lab, place: Path, teacher: str, confined: Confined) -> list[Mark]:
    """Mark by answers to requests."""
    assert lab.check_code is not None
    if lab.runs == FUNCTIONS:
        from eval.labs.functions import Remote

        python_code.module_of = lambda file: Remote(confined, file)
        return lab.check_code(place, teacher)
    if lab.runs == HARDWARE:
        from eval.labs.multiplier_code import WIDTHS

        answer = _answered(confined, {"widths": [*range(8, max(WIDTHS) + 1)]})
        with limited():
            return lab.check_code(_with_hardware(lab, place, answer.get("hardware")), teacher)
    if lab.runs == DESIGN:
        from eval.labs.design_code import check_handed, drawn_widths
        from eval.labs.project import RIVALS

        widths, items = drawn_widths(teacher), lab.items(teacher)
        answer = _answered(confined, {"widths": widths, "teacher": "x" if teacher else ""})
        with limited():
            return check_handed(place, items, widths, RIVALS, answer)
    return _read_marks(lab, teacher, _answered(confined, {"teacher": teacher}).get("marks"))


def _answered(confined: Confined, request: dict[str, Any]) -> dict[str, Any]:
    """Ask, and end the sandbox, which has no more to say."""
    answer = confined.ask(request)
    confined.close()
    if isinstance(error := answer.get("error"), str):
        raise Wrong(error)
    return answer


def _read_marks(lab: Lab, teacher: str, found: Any) -> list[Mark]:
    """Read marks of a program that ran in a simulated processor; Wrong if they are none."""
    marks = []
    for (item, points), one in zip(lab.items(teacher), found or [], strict=True):
        if one["item"] != item or one["points"] != points or one["got"] not in (0, points):
            raise Wrong("no marks")
        marks.append(Mark(item, points, one["got"], str(one["said"])))
    return marks


def _with_hardware(lab: Lab, place: Path, handed: Any) -> Path:
    """Write a folder of the files that are given and of the cases, and let its unit's hardware be
    the Verilog that was handed over."""
    from eval.catalog import bring, find
    from eval.labs.cases import FILE
    from eval.labs.hardware import NOT_TRANSLATED, multiplier_of

    if not isinstance(handed, dict):
        raise Wrong(NOT_TRANSLATED)
    ours = place.parent / "ours" / lab.name
    shutil.copytree(lab.start, ours, ignore=shutil.ignore_patterns("__pycache__"))
    with contextlib.suppress(OSError):
        shutil.copyfile(place / FILE, ours / FILE)
    bring("folder", ours / "entry.py")
    unit: Any = type(find(lab.name).multiplier.at(8))
    unit.hardware = staticmethod(multiplier_of(handed))
    return ours


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """Limit the time and memory that the Verilog of a submission costs; this process is ended when
    the time is over."""
    before = resource.getrlimit(resource.RLIMIT_AS)
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(SECONDS)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, before[1]))
    try:
        yield
    finally:
        signal.alarm(0)
        resource.setrlimit(resource.RLIMIT_AS, before)


def _tell(told: dict[str, Any]) -> None:
    os.write(int(sys.argv[1]), json.dumps(told).encode() + b"\n")


if __name__ == "__main__":
    main()
