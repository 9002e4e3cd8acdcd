"""Cases that a student writes: a table in cases.toml."""

import tomllib
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any

from sim.errors import UserError

FILE = "cases.toml"
MOST = 200


def read_cases(
    folder: Path, names: Collection[str], fits: Callable[[dict[str, Any]], bool], told: str
) -> list[dict[str, Any]]:
    """Read a table of cases, each with these names, that fit; UserError says how to write them."""
    try:
        found = tomllib.loads((folder / FILE).read_text()).get("case", [])
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{FILE}: {error}; mend it") from error
    rows: list[Any] = found if isinstance(found, list) and len(found) <= MOST else [None]
    for case in rows:
        if not (isinstance(case, dict) and case.keys() == set(names) and fits(case)):
            raise UserError(f"{FILE}: write at most {MOST} [[case]], each with {told}")
    return rows
