"""An item of a document: a table, a figure or an algorithm, with what we find of it."""

from dataclasses import dataclass

BUILT = "built"  # hardware or an algorithm that is here as it is printed
REPRODUCED = "reproduced"  # what is printed comes out here, too
BETTERED = "bettered"  # ours is better
REFUTED = "refuted"  # what is said is not so
OTHERWISE = "otherwise"  # ours is another way, or measures something near it
OPEN = "open"  # not measured yet, and why
SAYS_NOTHING = "-"  # nothing that could be measured
VERDICTS = (BUILT, REPRODUCED, BETTERED, REFUTED, OTHERWISE, OPEN, SAYS_NOTHING)


@dataclass(frozen=True)
class Item:
    """What a document says in one place, the verdict on it, what we find, and the command that
    shows that, where there is one."""

    name: str
    says: str
    verdict: str
    found: str
    command: str = ""
