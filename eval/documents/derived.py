"""A figure that follows from a document's own figures."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Derived:
    """States what a text draws from its tables, empty if it draws nothing, and what they give."""

    name: str
    says: str
    gives: str
