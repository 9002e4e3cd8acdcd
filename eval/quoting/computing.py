"""The code of commands that compute what they print themselves, and keep it in no row.

Rows that such a command takes, a netlist for example, say nothing of what it makes of them.
"""

import shlex

from eval.quoting.kept import RowKey
from eval.tasks.closure import named, used_from
from eval.tasks.leakage.keys import parts_of
from eval.tasks.leakage.levels import GATES, RTL
from sim.closure import hash_data

COMPUTING = {
    "assess": ("eval.assess.runs", RTL),
    "probe": ("eval.probe", GATES),
}  # the module, and the level of its traces if none is given
DIGITS = 24  # of a digest


def key_of(command: str) -> list[RowKey]:
    """Return the key of what such a command computes, by its code and its design's; none of another
    command."""
    name, *arguments = shlex.split(command)
    if name not in COMPUTING:
        return []
    module, level = COMPUTING[name]
    design, *options = arguments
    if "--level" in options:
        level = options[options.index("--level") + 1]
    used = named(used_from(module, parts_of(level), [design]))
    return [RowKey(hash_data(used)[:DIGITS], name, design, 0, shlex.join(arguments[1:]))]
