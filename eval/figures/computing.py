"""The code of commands that compute what they print themselves, and keep it in no row.

Rows that such a command takes, a netlist for example, say nothing of what it makes of them.
"""

import shlex

from eval.figures.kept import RowKey
from eval.tasks.closure import hardware, named
from sim.closure import hash_data

COMPUTING = {
    "assess": "eval.assess.runs",
    "probe": "eval.probe",
}
DIGITS = 24  # of a digest


def key_of(command: str) -> list[RowKey]:
    """Return the key of what such a command computes, by its code and its design's; none of another
    command."""
    name, *arguments = shlex.split(command)
    if name not in COMPUTING:
        return []
    design = arguments[0]
    used = named(hardware([COMPUTING[name]], [design]))
    return [RowKey(hash_data(used)[:DIGITS], name, design, 0, shlex.join(arguments[1:]))]
