"""What is known of a kind of measurement before it is loaded."""

from typing import NamedTuple


class Kind(NamedTuple):
    """Where a kind is, and how long a row of it takes, about, of 32 bits. One that asks about
    designs at a clock has help: `modexplorer KIND DESIGN --nbits N --clock NS` measures it, by the
    DesignAtClock that is the module's TASK. A document's stands after another in reports."""

    module: str
    seconds: float
    help: str = ""
    after: str = ""
