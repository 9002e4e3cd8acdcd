"""Reads an exponent off a mean trace of power. Three gaps are marked.

python3 lab8/attack.py CYCLES ROUNDS      of a round, and how many there are
"""

import sys
from pathlib import Path

TRACE = Path(__file__).with_name("trace.csv")
AFTER = 3  # cycles of trace.csv after the last round, in which the result is popped


def sums(trace: list[float], begin: int, cycles: int, rounds: int) -> list[float]:
    """Return the sum of a trace over each round: they begin at `begin`, and follow each other."""
    # GAP 1: round i has the cycles from begin + i * cycles on.
    return [0.0] * rounds


def split(values: list[float]) -> tuple[float, float]:
    """Return how much of the variance a threshold explains that parts the values into two classes,
    and the threshold, the one that explains most."""
    # GAP 2: try the middle between each value and the next larger one; the page has the equation.
    return 0.0, 0.0


def read(trace: list[float], after: int, cycles: int, rounds: int) -> int:
    """Return the exponent. The first round is of its lowest bit; a 1 makes more registers change.
    The last round is of a 1, whatever its sum, and `after` cycles follow it."""
    # GAP 3: where do the rounds begin, what are their sums, and which of them pass the threshold?
    return 0


def main() -> None:
    """Read the exponent of trace.csv. Given."""
    cycles, rounds = int(sys.argv[1]), int(sys.argv[2])
    lines = TRACE.read_text().split()[1:]
    trace = [float(line.split(",")[1]) for line in lines]
    print(read(trace, AFTER, cycles, rounds))


if __name__ == "__main__":
    main()
