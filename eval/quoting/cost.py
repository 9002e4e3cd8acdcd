"""What a command costs: as it did where it was measured, else a guess from its kind and width.

The guesses are seconds, on two cores, for a row that the store does not have.
"""

import re

from eval.quoting.kept import Answers

WORDS = re.compile(r"--nbits (\d+)")
# By the command: seconds at 32 bits, and what they grow with, as a power of the width beyond.
GUESSES = (
    (r"(list|new|pseudo|keygen --|disasm|documents|verilog|dots)\b", 2, 0.0),
    (r"keygen .*--level fl", 8, 0.3),
    (r"keygen ", 10, 0.4),
    (r"simulate .*--level formula", 2, 0.3),
    (r"simulate", 8, 0.6),
    (r"run ", 15, 0.0),
    (r"rsa ", 20, 0.4),
    (r"check ", 120, 0.5),
    (r"timing ", 60, 0.5),
    (r"leakage ", 60, 0.5),
    (r"fpga ", 15, 0.8),
    (r"flow processor.*--to layout", 600, 0.0),
    (r"flow .*--to layout", 90, 0.9),
    (r"flow .*--to (power|equivalence)", 35, 0.65),
    (r"flow processor", 60, 0.0),
    (r"flow ", 20, 0.65),
    (r"clocks ", 60, 0.8),
    (r"noise ", 150, 0.8),
    (r"crosscheck ", 40, 0.8),
    (r"signoff ", 120, 0.9),
    (r"placements ", 900, 0.9),
    (r"(explore|compare|export) ", 60, 0.5),
    (r"report (rsa|scaling|document|error-bars|layout|systolic|digit)", 3600, 0.0),
    (r"report ", 1800, 0.0),
)


def seconds(command: str, answers: Answers | None) -> float:
    """Say about how many seconds a command takes from nothing."""
    if answers and answers.seconds is not None:
        return answers.seconds
    width = int(found[1]) if (found := WORDS.search(command)) else 32
    for pattern, least, power in GUESSES:
        if re.match(pattern, command):
            return least * max(1.0, width / 32) ** power
    return 60.0


def said(taken: float) -> str:
    """Write a duration for people."""
    return f"{taken:.0f} s" if taken < 100 else f"{taken / 60:.0f} min"
