"""What moved between kept figures and measured ones, and whether that is more than noise."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from eval.quoting.kept import Answers
from eval.report.changes import Bands, Change, kind_of


@dataclass(frozen=True)
class Moved:
    """A figure, or an output, that is not what it was."""

    command: str
    what: str
    before: Any
    after: Any

    @property
    def change(self) -> Change | None:
        """The change of a number, with the noise of its kind."""
        if not all(isinstance(v, int | float) for v in (self.before, self.after)):
            return None
        kind = kind_of(self.what)
        band = Bands().of(kind) if kind else (0.0 if isinstance(self.after, int) else None)
        return Change("", self.what, self.before, self.after, band)

    def __str__(self) -> str:
        text = f"{self.command}: {self.what}: "
        if not (change := self.change):
            return text + ("new" if self.before is None else "differs")
        part = "" if change.relative is None else f", {100 * change.relative:+.1f} %"
        verdict = change.verdict if change.verdict != "-" else "no noise is known of it"
        return f"{text}{self.before:g} -> {self.after:g}{part}, {verdict}"


def moved(command: str, before: Answers, after: Answers) -> Iterator[Moved]:
    """Compare all that is measured now with what was kept."""
    for old, new in ((before.values, after.values), (before.printed, after.printed)):
        for what, value in new.items():
            if old.get(what) != value and not _as_typed(old.get(what), value):
                yield Moved(command, what, old.get(what), value)


def _as_typed(before: Any, after: Any) -> bool:
    """Whether a measured figure is the one that was typed, of fewer digits."""
    if not isinstance(before, int | float) or not isinstance(after, float):
        return False
    digits = len(str(before).partition(".")[2]) if isinstance(before, float) else 0
    return round(after, digits) == before
