"""Reading assembly text: lines to statements, without knowing what the statements mean."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LABEL = re.compile(r"\s*([A-Za-z_.$][\w.$]*|\d+):")
_QUOTED = r""""(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])'"""
_COMMENT = re.compile(rf"({_QUOTED})|(?:#|//).*")
_PREPROCESSOR = re.compile(r"#(include|define|undef|if|ifdef|ifndef|elif|else|endif)\b")
_OPERAND = re.compile(rf"""(?:{_QUOTED}|[^,"'])+""")


@dataclass(frozen=True)
class Statement:
    """Holds a label (name ends with a colon), or a directive or instruction with its operands."""

    line: int
    name: str
    operands: tuple[str, ...] = ()


def statements(source: str) -> Iterator[Statement]:
    """Yield the statements in order; comments start with # or //.

    Of a line for the C preprocessor the statement's name is the line.
    """
    for line, raw in enumerate(source.splitlines(), 1):
        if _PREPROCESSOR.match(raw):
            yield Statement(line, raw.strip())
            continue
        rest = _COMMENT.sub(lambda match: match[1] or "", raw)
        while label := _LABEL.match(rest):
            yield Statement(line, f"{label[1]}:")
            rest = rest[label.end() :]
        name, *tail = rest.split(None, 1)[:2] or [""]
        if name:
            operands = _OPERAND.findall(tail[0]) if tail else []
            yield Statement(line, name.lower(), tuple(part.strip() for part in operands))
