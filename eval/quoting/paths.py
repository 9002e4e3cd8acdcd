"""Where in a command's JSON a figure stands: `metrics.area_um2`, `steps[step=check].cycles`.

An entry of a list is chosen by its index, or by what some of its members are.
"""

import re
from typing import Any

_PART = re.compile(r"(?P<name>[^.\[\]]+)|\[(?P<index>-?\d+)\]|\[(?P<where>[^\]]*=[^\]]*)\]|\.")

_COMMA = re.compile(r",(?=\w+=)")  # between choices, not within a name


class NoSuchPath(LookupError):
    """Says which part of a path is not there."""


def parts(path: str) -> list[str | int | dict[str, str]]:
    """Split a path into names, indices and choices."""
    found: list[str | int | dict[str, str]] = []
    at = 0
    while at < len(path):
        part = _PART.match(path, at)
        if not part:
            raise NoSuchPath(f"{path!r} is no path: a name, [0] or [name=value] is missing at {at}")
        if part["name"]:
            found.append(part["name"])
        elif part["index"]:
            found.append(int(part["index"]))
        elif part["where"]:
            found.append(dict(one.split("=", 1) for one in _COMMA.split(part["where"])))
        at = part.end()
    return found


def value_at(json: Any, path: str) -> Any:
    """Return what stands at the path; NoSuchPath if nothing does, or more than one entry is
    chosen."""
    here = json
    for part in parts(path):
        if isinstance(part, dict):
            here = _chosen(here, part, path)
            continue
        try:
            named = isinstance(part, str) and not isinstance(here, dict)
            here = getattr(here, str(part)) if named else here[part]
        except (LookupError, TypeError, AttributeError):
            raise NoSuchPath(f"{path!r}: there is no {part!r}{_near(here)}") from None
    return here


def _chosen(entries: Any, where: dict[str, str], path: str) -> Any:
    if not isinstance(entries, list):
        raise NoSuchPath(f"{path!r}: there is no list to choose from")
    found = [
        entry
        for entry in entries
        if isinstance(entry, dict)
        and all(str(entry.get(name)) == value for name, value in where.items())
    ]
    if len(found) != 1:
        raise NoSuchPath(f"{path!r}: {len(found)} entries are of {where}, 1 must be")
    return found[0]


def _near(here: Any) -> str:
    return f"; there are {', '.join(here)}" if isinstance(here, dict) else ""
