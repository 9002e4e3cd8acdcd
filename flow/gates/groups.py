"""Read the text of a Liberty file as groups within groups."""

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field

TOKEN = re.compile(r'"[^"]*"|[{}():;,]|[^\s{}():;,"\\]+')
BRACE = re.compile("[{}]")
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)


@dataclass
class Group:
    """A group of the file: `kind (name) { attributes; groups }`."""

    kind: str
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    complex: list[tuple[str, list[str]]] = field(default_factory=list)
    groups: list["Group"] = field(default_factory=list)

    def all(self, *kinds: str) -> Iterator["Group"]:
        """List the groups of these kinds that are directly inside."""
        return (group for group in self.groups if group.kind in kinds)

    def values(self, name: str) -> list[str] | None:
        """Find the arguments of a complex attribute such as `index_1 ("...")`; None if absent."""
        return next((arguments for key, arguments in self.complex if key == name), None)


def parse(text: str) -> Group:
    """Read the first group of the text with all that is inside."""
    root = Group("", "")
    stack = [root]
    words: list[str] = []
    tokens = iter(TOKEN.findall(COMMENT.sub(" ", text)))
    for token in tokens:
        if token == "(":
            arguments = []
            for inner in tokens:
                if inner == ")":
                    break
                if inner != ",":
                    arguments.append(inner.strip('"'))
            following = next(tokens, ";")
            if following == "{":
                group = Group(words[-1], " ".join(arguments))
                stack[-1].groups.append(group)
                stack.append(group)
            else:
                stack[-1].complex.append((words[-1], arguments))
                if following == "}":
                    stack.pop()
            words = [] if following in "{};" else [following]
        elif token == "}":
            stack.pop()
            words = []
            if len(stack) == 1:
                break
        elif token == ";":
            words = []
        elif token == ":":
            name, value = words[-1], []
            for inner in tokens:
                if inner == ";":
                    break
                value.append(inner.strip('"'))
            stack[-1].attributes[name] = " ".join(value)
            words = []
        else:
            words.append(token)
    return root.groups[0]


def places(text: str, kinds: Collection[str], within: slice = slice(0, None)) -> Iterator[slice]:
    """Find the groups of these kinds in a text, or in a part of it, and none that is in another."""
    begin = re.compile(rf"\b(?:{'|'.join(kinds)})\s*\([^)]*\)\s*\{{")
    at, stop = within.start, len(text) if within.stop is None else within.stop
    while found := begin.search(text, at, stop):
        at, depth = found.end(), 1
        while depth:
            brace = BRACE.search(text, at)
            assert brace, f"{found[0]} is not closed"
            at, depth = brace.end(), depth + (1 if brace[0] == "{" else -1)
        yield slice(found.start(), at)


def replaced(text: str, changes: Iterable[tuple[slice, str]]) -> str:
    """Put other text in the place of parts of a text, which are given in their order."""
    kept, at = [], 0
    for place, new in changes:
        kept += [text[at : place.start], new]
        at = place.stop
    return "".join([*kept, text[at:]])


def without_groups(text: str, kinds: Collection[str]) -> str:
    """Leave the groups of these kinds out of a text, wherever they are."""
    return replaced(text, ((place, "") for place in places(text, kinds)))
