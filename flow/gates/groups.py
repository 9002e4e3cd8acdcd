"""Read the text of a Liberty file as groups within groups."""

import re
from collections.abc import Collection, Iterator
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
    stack, words = [root], []
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


def without_groups(text: str, kinds: Collection[str]) -> str:
    """Leave the groups of these kinds out of a text, wherever they are."""
    begin = re.compile(rf"\b(?:{'|'.join(kinds)})\s*\([^)]*\)\s*\{{")
    kept, at = [], 0
    while found := begin.search(text, at):
        kept.append(text[at : found.start()])
        at, depth = found.end(), 1
        while depth:
            brace = BRACE.search(text, at)
            at, depth = brace.end(), depth + (1 if brace[0] == "{" else -1)
    return "".join([*kept, text[at:]])
