"""Near names, for somebody who mistyped one."""

from collections.abc import Iterable
from difflib import get_close_matches


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Ask for the names that are near, in whatever case; nothing if none is."""
    near = get_close_matches(name.lower(), list(known))
    return f"did you mean {' or '.join(near)}? " if near else ""
