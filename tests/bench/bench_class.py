"""How long a class of 30 takes to be graded: lab 2 done, half done, not done, and hostile.

Run as `python -m tests.bench.bench_class`.
"""

import argparse
import os
import shutil
import tempfile
import time
from pathlib import Path

from eval.labs.folder import start_lab
from eval.labs.grading import Grader, contained, submissions
from eval.labs.lab import find_lab
from eval.table.terminal import print_table
from tests.eval.labs.hostile import HOSTILE
from tests.eval.labs.test_grade import answered
from tests.eval.user_designs import edit

HANGS = "while True:\n    pass\n"


def class_of(count: int, folder: Path) -> None:
    """Write submissions: all that are hostile, one that hangs, a third not done, others done."""
    lab = find_lab("2")
    hostile = [*((name, code) for name, (code, _) in HOSTILE.items()), ("hangs", HANGS)]
    for number in range(count):
        name = f"student-{number:02}"
        place = folder / name
        start_lab(lab, place, name, "")
        if number < len(hostile):
            kind, code = hostile[number]
            answered(place)
            file = place / "rtl.py"
            file.write_text(file.read_text() + code.format(victim=str(folder.parent / "victim")))
            place.rename(folder / f"{name}-{kind.replace(' ', '-')}")
        elif number % 3:
            answered(place)
            if number % 2:
                edit(place / "rtl.py", "elif s.send.val & s.send.rdy:", "elif s.send.val:")


def main() -> None:
    """Make the class, grade it, and say what was seen and how long it took."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=30)
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    folder = Path(tempfile.mkdtemp())
    try:
        (folder / "victim").mkdir()
        class_of(args.count, folder / "class")
        start = time.perf_counter()
        found = Grader(find_lab("2"), "a teacher's", "", 120).grade(
            submissions(folder / "class"), args.jobs, lambda done: None
        )
        took = time.perf_counter() - start
    finally:
        shutil.rmtree(folder)
    rows = [[one.submission, f"{one.got} of {one.points}", "; ".join(one.did)] for one in found]
    print_table("A class", ("submission", "points", "did"), rows, (0, 2))
    print(f"{took:.0f} s with {args.jobs} at once; {', '.join(contained())}")


if __name__ == "__main__":
    main()
