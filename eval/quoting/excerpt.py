"""Parts of what a command printed: tables by their titles, the rest left out visibly."""

import re

LEFT_OUT = "  ..."
# A title, the rows and borders of its table, and the lines of its note, if it has one.
_TABLE = re.compile(
    r"^(?P<title>[^\n+|$]+)\n(?P<table>\+-[^\n]*\n(?:[|+][^\n]*\n)+)"
    r"(?P<note>(?:(?!Reproduce with:|[|+][^\n]*[|+]\n)[^\n]+\n(?![+]))*)",
    re.M,
)


def excerpt(printed: str, titles: tuple[str, ...] = (), notes: bool = True) -> str:
    """Return the tables of these titles, with their notes unless these are not wanted, and `...`
    where something is left out; LookupError if a title is not there. All if no title is given."""
    printed = printed.strip("\n") + "\n"
    if not titles:
        return printed.rstrip("\n")
    tables = [found for found in _TABLE.finditer(printed) if found["title"] in titles]
    if missing := set(titles) - {found["title"] for found in tables}:
        raise LookupError(f"no table {', '.join(sorted(missing))} is printed")
    lines: list[str] = []
    end = 0
    for found in tables:
        if printed[end : found.start()].strip():
            lines.append(LEFT_OUT)
        kept = found["title"] + "\n" + found["table"] + (found["note"] if notes else "")
        lines += kept.rstrip("\n").split("\n")
        end = found.start() + len(kept)
    if printed[end:].strip():
        lines.append(LEFT_OUT)
    return "\n".join(lines)


def label(titles: tuple[str, ...], notes: bool) -> str:
    """Name an excerpt."""
    return " | ".join(titles) + ("" if notes else " (no notes)")


def cells(lines: list[str]) -> list[list[str]]:
    """Return the rows of a printed table, as the texts of their cells; wrapped ones are joined."""
    found: list[list[str]] = []
    rules = 0
    for line in lines:
        rules += line.startswith("+-")
        if not line.startswith("|") or rules < 2:
            continue
        row = [cell.strip() for cell in line.strip("|").split("|")]
        if row[-1]:
            found.append(row)
        else:
            found[-1] = [one + more for one, more in zip(found[-1], row, strict=True)]
    return found
