"""Writes what a finding quotes: a template that `found` is made of, filled from rows when shown.

A figure of ours is {{ figure(command, path, form) }}: the command without `modexplorer`, the way
into its JSON, and how to write what is there. One of a document is {{ printed(text) }}, and
what follows from such by arithmetic {{ follows(text) }}.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Ours:
    """A figure of ours: the command that shows it, and where it is in the command's JSON."""

    command: str
    path: str

    def __call__(self, form: str = "") -> str:
        """Quote it in a format of Python's."""
        return f"{{{{ figure('{self.command}', '{self.path}', '{form}') }}}}"

    def over(self, other: "Ours", form: str = ".2f") -> str:
        """Quote how many times the other it is."""
        return f"{{{{ ratio({self.value}, {other.value}, '{form}') }}}}"

    def times(self, figure: float, form: str = ".2f") -> str:
        """Quote how many times a document's figure it is."""
        return f"{{{{ ratio({self.value}, {figure}, '{form}') }}}}"

    @property
    def value(self) -> str:
        """Name the bare number in an expression."""
        return f"value('{self.command}', '{self.path}')"


def printed(value: float | str, form: str = "") -> str:
    """Quote a figure of the document, as it writes it."""
    return f"{{{{ printed('{value:{form}}') }}}}"


def follows(value: float | str, form: str = "") -> str:
    """Quote what follows from a document's figures, or from definitions, by arithmetic alone."""
    return f"{{{{ follows('{value:{form}}') }}}}"
