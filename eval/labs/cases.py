"""Cases that a student writes: a table in cases.toml."""

import tomllib
from pathlib import Path
from typing import Any

from sim.errors import UserError

FILE = "cases.toml"
NAMES = {"a", "b", "m", "r", "cycles"}
MOST = 200


def read_cases(folder: Path, nbits: int) -> list[dict[str, int]]:
    """Read a table of cases; UserError names what is wrong with it."""
    try:
        found = tomllib.loads((folder / FILE).read_text()).get("case", [])
    except (OSError, ValueError, RecursionError) as error:
        raise UserError(f"{FILE}: {error}; mend it") from error
    rows: list[Any] = found if isinstance(found, list) and len(found) <= MOST else [None]
    for case in rows:
        whole = isinstance(case, dict) and case.keys() == NAMES
        if not whole or not all(type(v) is int and 0 <= v < 1 << nbits for v in case.values()):
            raise UserError(
                f"{FILE}: write at most {MOST} [[case]], each with a, b, m, r and cycles below "
                f"{1 << nbits}"
            )
    return rows
