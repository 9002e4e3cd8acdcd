"""Say once in a Liberty file how late an output follows an input, whatever the other inputs are.

The kit has a delay for each of their states: nine from an input of OAI222 to its output. OpenSTA
works on each, at every cell, to find the latest.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence

from flow.gates.groups import Group, parse, places, replaced

TABLES = ("cell_rise", "cell_fall", "rise_transition", "fall_transition")
CONDITION = re.compile(r"\b(?:when|sdf_cond)\s*:\s*\"[^\"]*\"\s*;")
VALUES = re.compile(r"\bvalues\s*\([^)]*\)")
COMBINATIONAL = "combinational"


def latest_only(text: str) -> str:
    """Put one group of delays in the place of all that go between the same two pins in the same
    sense: at each slew and load of its tables, the greatest delay and slew of any."""
    changes = []
    for pin in places(text, ["pin"]):
        alike = defaultdict(list)
        for place in places(text, ["timing"], pin):
            group = parse(text[place])
            said = group.attributes
            if said.get("timing_type", COMBINATIONAL) == COMBINATIONAL:
                pins = said["related_pin"], said.get("timing_sense")
                alike[*pins, axes(group)].append((place, group))
        for found in alike.values():
            if len(found) > 1:
                (first, *others), groups = zip(*found, strict=True)
                changes.append((first, greatest(text[first], groups)))
                changes += [(place, "") for place in others]
    return replaced(text, sorted(changes, key=lambda change: change[0].start))


def axes(group: Group) -> tuple[str, ...]:
    """Tell of what slews and loads the tables of a group are."""
    return tuple(
        f"{table.kind} {table.values('index_1')} {table.values('index_2')}"
        for table in group.all(*TABLES)
    )


def greatest(text: str, groups: Sequence[Group]) -> str:
    """Write a group with the greatest number of all groups at each place of its tables, for all
    states of the other inputs."""
    changes = [(slice(*found.span()), "") for found in CONDITION.finditer(text)]
    for place in places(text, TABLES):
        kind = parse(text[place]).kind
        tables = [next(group.all(kind)).values("values") for group in groups]
        rows = ", ".join(f'"{most(row)}"' for row in zip(*tables, strict=True))
        found = VALUES.search(text, place.start, place.stop)
        assert found, f"table {kind} has no values"
        changes.append((slice(*found.span()), f"values ({rows})"))
    return replaced(text, changes)


def most(rows: Iterable[str]) -> str:
    """Take the greatest number of each column."""
    columns = zip(*(row.split(",") for row in rows), strict=True)
    return ", ".join(max(column, key=float) for column in columns)
