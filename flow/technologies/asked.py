"""How a technology is asked for: by its name, and a corner of it."""

from sim.errors import UserError

DEFAULT = "nangate45"
AT = "@"  # between a technology and a corner


def split(asked: str) -> tuple[str, str]:
    """Tell technology and corner of what is asked for; no corner is an empty text."""
    name, _, corner = asked.partition(AT)
    return name, corner


def joined(name: str, corner: str | None) -> str:
    """Write a technology, in a corner if one is given; UserError if that has no name."""
    if corner == "":
        raise UserError("--corner: empty; name a corner of the technology, or leave it out")
    return f"{name}{AT}{corner}" if corner else name
