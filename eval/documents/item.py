"""An item of a document: a table, a figure or an algorithm, with the verdict on it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

BUILT = "built"  # hardware or an algorithm that is here as it is printed
REPRODUCED = "reproduced"  # what is printed comes out here, too
BETTERED = "bettered"  # ours is better
REFUTED = "refuted"  # what is said is not so
OTHERWISE = "otherwise"  # ours is another way, or measures something near it
OPEN = "open"  # not measured yet, and why
SAYS_NOTHING = "-"  # nothing that could be measured
VERDICTS = (BUILT, REPRODUCED, BETTERED, REFUTED, OTHERWISE, OPEN, SAYS_NOTHING)

ARITHMETIC = "arithmetic"
THEIR_FIGURES = "the document's own figures"
THEIR_DESIGN = "the document's design, built here"
OUR_DESIGN = "a design of ours"
AGAINST = (ARITHMETIC, THEIR_FIGURES, THEIR_DESIGN, OUR_DESIGN)
SAME, OTHER, NONE = "same", "other", ""


@dataclass(frozen=True)
class Basis:
    """States what the printed text is compared with, and whether algorithm and technology are the
    same in both; NONE where the comparison involves no algorithm or no technology."""

    against: str
    algorithm: str = NONE
    technology: str = NONE

    def supports(self, verdict: str) -> bool:
        """Tell whether the comparison can give a verdict: what a design of ours shows refutes no
        document, and a document's design is judged by its own algorithm."""
        theirs = (self.against, self.algorithm) == (THEIR_DESIGN, SAME)
        if verdict == REFUTED:
            return theirs or self.against in (ARITHMETIC, THEIR_FIGURES)
        return theirs or verdict != BUILT

    def __str__(self) -> str:
        parts = [self.against]
        parts += [f"{self.algorithm} algorithm"] if self.algorithm else []
        parts += [f"{self.technology} technology"] if self.technology else []
        return ", ".join(parts)


@dataclass(frozen=True)
class Terms:
    """Holds what the templates of a document's items use: macros, and names with their values."""

    macros: str = ""
    names: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Item:
    """A statement of a document in one place, the verdict on it and its basis, our finding, a
    template of what commands answer, and the command that shows the finding, if there is one."""

    name: str
    says: str
    verdict: str
    found: str
    command: str = ""
    basis: Basis | None = None
    terms: Terms = field(default_factory=Terms, repr=False, compare=False)

    def told(self, render: Callable[..., str]) -> str:
        """Say what we find, by what renders templates."""
        return render(self.found, self.terms.macros, **self.terms.names)


@dataclass(frozen=True)
class Derived:
    """States what a text draws from its tables, empty if it draws nothing, and what they give."""

    name: str
    says: str
    gives: str
