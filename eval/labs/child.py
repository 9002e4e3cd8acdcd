"""The process that marks one submission: `answers` and `measure`, which run none of its code, or
`code`.

Its last line on the pipe that it is given are the marks, as JSON.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from eval.labs.answers import mark_answers, read_answers
from eval.labs.containing import (
    are_processes_limited,
    keep_to,
    leave_root,
    set_limits,
    watch,
)
from eval.labs.folder import mark_code
from eval.labs.lab import find_lab
from sim.errors import RunError, UserError

TOO_MUCH = "takes more memory than it may"


def main(what: str, number: str, folder: str, teacher: str, seconds: str, pipe: str) -> None:
    """Mark a folder, and tell."""
    lab, place, noticed = find_lab(number), Path(folder), list[str]()
    told: dict[str, Any] = {"noticed": noticed, "error": "", "marks": []}
    out = int(pipe)
    if what == "code":
        leave_root(place.parent)
        set_limits(int(seconds))
        told["limited"] = are_processes_limited()
        _load_what_is_used()
        told["kept"] = keep_to(place.parent)
        if lab.python:
            watch(place.parent, lambda attempt: _note(noticed, attempt, out))
    try:
        if what == "answers":
            given = read_answers(place)
            told |= {"name": given.name, "seed": given.seed}
            marks = mark_answers(lab, place)
        elif what == "measure":
            assert lab.measure, lab.number
            marks = lab.measure(place)
        else:
            marks = mark_code(lab, place, teacher)
        told["marks"] = [vars(mark) for mark in marks]
        if any("MemoryError" in mark.said for mark in marks):
            noticed.append(TOO_MUCH)
    except (UserError, RunError) as error:
        told["error"] = str(error)
    except MemoryError:
        noticed.append(TOO_MUCH)
    except BaseException as error:  # of whatever kind: it is the submission's
        told["error"] = f"{type(error).__name__}: {error}".splitlines()[0][:200]
    _tell(out, told)
    sys.stdout.flush()
    os._exit(0)  # whatever threads there are


def _load_what_is_used() -> None:
    """Import what the checks use, which loads libraries, before anything is refused."""
    import eval.labs.multiplier_code  # noqa: F401
    import sim.python  # noqa: F401


def _note(noticed: list[str], attempt: str, out: int) -> None:
    """Tell an attempt at once: the process may not come to its end."""
    if attempt not in noticed:
        noticed.append(attempt)
        _tell(out, {"noticed": list(noticed)})


def _tell(out: int, told: dict[str, Any]) -> None:
    os.write(out, json.dumps(told).encode() + b"\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
