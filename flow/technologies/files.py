"""The names of files in the kit of a technology: Liberty by what it is for, and the entry."""

LIBRARIES = {"setup": "stdcells.lib", "hold": "hold.lib", "power": "power.lib"}
SAYS = "technology.json"


def in_corner(name: str) -> str:
    """Name the Liberty file of a corner."""
    return f"corner-{name}.lib"
