"""How often Python looks for garbage that reference counts do not find.

An elaborated design is objects by the hundred thousand that refer to each other and stay. Python
looks through its objects after every 700 new ones, which is a fifth of the time that a design
takes to elaborate and translate.
"""

import gc

NEW_OBJECTS = 10_000  # more than these save no further time


def collect_less() -> None:
    """Have this process look for garbage less often."""
    gc.set_threshold(NEW_OBJECTS)
