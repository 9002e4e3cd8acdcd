"""The process that runs the code of a submission, in a sandbox: it answers requests, and marks
nothing.

Requests come as lines of JSON, answers go to the pipe that it is given: what a function returns,
the Verilog of hardware, or what the contract of a design says. Lab 6 alone is marked here: its C
runs in a simulated processor, and no code of a submission in this process.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any

from eval.labs.containing import (
    are_processes_limited,
    keep_to,
    leave_root,
    set_limits,
    watch,
)
from eval.labs.lab import DESIGN, FUNCTIONS, HARDWARE, PROGRAM, Lab, find_lab
from sim.errors import RunError, UserError

TOO_MUCH, FILLS = "takes more memory than it may", "fills the disk"
Answer = dict[str, Any]


def main(folder: str, pipe: str) -> None:
    """Answer requests on a folder until there are none; the first one names lab and limits."""
    place, out = Path(folder), int(pipe)
    first = json.loads(sys.stdin.readline())
    lab = find_lab(first["lab"])
    leave_root(place)
    set_limits(first["seconds"])
    limited = are_processes_limited()
    _load_what_is_used(lab)
    kept = keep_to(place.parent if first["whole"] else place)
    if lab.runs != PROGRAM:
        watch(place, lambda attempt: _tell(out, {"noticed": [attempt]}))
    _tell(out, {"limited": limited, "kept": kept})
    while line := sys.stdin.readline():
        request = json.loads(line)
        _tell(out, _answer(lab, place, request, out))
    sys.stdout.flush()
    os._exit(0)  # whatever threads there are


def _answer(lab: Lab, place: Path, request: Answer, out: int) -> Answer:
    """Do what is requested, and name what was too much."""
    try:
        answer = _done(lab, place, request, out)
    except MemoryError:
        answer = {"error": TOO_MUCH}
    except (UserError, RunError) as error:
        answer = {"error": str(error)}
    except BaseException as error:  # of whatever kind: it is the submission's
        answer = {"error": f"{type(error).__name__}: {error}".splitlines()[0][:200]}
    if "MemoryError" in str(answer.get("error")) or answer.get("error") == TOO_MUCH:
        _tell(out, {"noticed": [TOO_MUCH]})
    seen = os.statvfs(place)
    if not seen.f_bavail or not seen.f_favail:
        _tell(out, {"noticed": [FILLS]})
    return answer


def _done(lab: Lab, place: Path, request: Answer, out: int) -> Answer:
    if lab.runs == HARDWARE:
        from eval.labs.hardware import verilog_of

        return {"hardware": verilog_of(place, lab.name, request["widths"])}
    if lab.runs == PROGRAM:
        from eval.labs.folder import mark_code

        return {"marks": [vars(mark) for mark in mark_code(lab, place, request["teacher"])]}
    if lab.runs == DESIGN:
        from eval.labs.design_code import hand_over
        from eval.labs.project import RIVALS

        return dict(hand_over(place, lab.items(request["teacher"]), request["widths"], RIVALS))
    from eval.labs.functions import answer_call

    def asks(values: list[int]) -> int:
        _tell(out, {"asks": values})
        return int(json.loads(sys.stdin.readline())["product"])

    return answer_call(place, request, asks)


def _load_what_is_used(lab: Lab) -> None:
    """Import what the requests use, which loads libraries, before anything is refused."""
    if lab.runs == FUNCTIONS:
        import eval.labs.front_code
        import eval.labs.functions  # noqa: F401
    else:
        import eval.labs.multiplier_code  # noqa: F401
        import sim.python  # noqa: F401
        import sim.translate  # noqa: F401


def _tell(out: int, told: Answer) -> None:
    text = json.dumps(told).encode() + b"\n"
    while text:
        text = text[os.write(out, text) :]


if __name__ == "__main__":
    main(*sys.argv[1:])
