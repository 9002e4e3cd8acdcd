"""The assembler's arithmetic: numbers, characters, symbols, + - * << >> & | ~, %hi and %lo.

Numbers are as in C: 0x hexadecimal, 0b binary, a leading 0 octal.
"""

import re
from collections.abc import Callable

from proc.isa import signed

_TOKEN = re.compile(
    r"\s*(?:(?P<number>0[xX][0-9a-fA-F]+|0[bB][01]+|0[0-7]*|[1-9]\d*)(?![\w.$])"
    r"|(?P<char>'(?:\\.|[^\\'])')"
    r"|(?P<name>\d+[bf]\b|[A-Za-z_.$][\w.$]*)"
    r"|(?P<op>%hi|%lo|<<|>>|[-+*&|~()]))"
)
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "0": "\0", "\\": "\\", "'": "'", '"': '"'}
_LEVELS: tuple[dict[str, Callable[[int, int], int]], ...] = (
    {"|": lambda a, b: a | b},
    {"&": lambda a, b: a & b},
    {"<<": lambda a, b: a << b, ">>": lambda a, b: a >> b},
    {"+": lambda a, b: a + b, "-": lambda a, b: a - b},
    {"*": lambda a, b: a * b},
)


def unescape(text: str) -> str:
    """Return the characters of a quoted text's inside."""
    return re.sub(r"\\(.)", lambda m: _ESCAPES.get(m[1], m[1]), text)


def high(value: int) -> int:
    """Return %hi: the upper immediate that makes `value` together with %lo."""
    return (value + 0x800) >> 12 & 0xFFFFF


def low(value: int) -> int:
    """Return %lo: the signed low 12 bits."""
    return signed(value, 12)


class Expression:
    """Reads an expression once; `value(lookup)` computes it, ValueError when it cannot.

    `names` are the symbols it needs.
    """

    def __init__(self, text: str):
        self.text = text.strip()
        self._tokens: list[tuple[str, str]] = []
        at = 0
        while at < len(self.text):
            match = _TOKEN.match(self.text, at)
            if not match:
                raise ValueError(f"cannot read the expression '{self.text}'")
            self._tokens.append((match.lastgroup or "", match[match.lastgroup or 0]))
            at = match.end()
        self.names = [token for kind, token in self._tokens if kind == "name"]

    def value(self, lookup: Callable[[str], int]) -> int:
        """Return the value, with symbols as `lookup` gives them."""
        self._next = 0
        value = self._binary(0, lookup)
        if self._next != len(self._tokens):
            raise ValueError(f"cannot read the expression '{self.text}'")
        return value

    def _peek(self) -> tuple[str, str]:
        return self._tokens[self._next] if self._next < len(self._tokens) else ("end", "")

    def _take(self) -> tuple[str, str]:
        token = self._peek()
        self._next += 1
        return token

    def _binary(self, level: int, lookup: Callable[[str], int]) -> int:
        if level == len(_LEVELS):
            return self._unary(lookup)
        value = self._binary(level + 1, lookup)
        while self._peek()[1] in _LEVELS[level] and self._peek()[0] == "op":
            apply = _LEVELS[level][self._take()[1]]
            value = apply(value, self._binary(level + 1, lookup))
        return value

    def _unary(self, lookup: Callable[[str], int]) -> int:
        kind, token = self._take()
        if kind == "number":
            return int(token, 8 if token.isdigit() and token[0] == "0" else 0)
        if kind == "char":
            return ord(unescape(token[1:-1]))
        if kind == "name":
            return lookup(token)
        prefixes = {"-": lambda v: -v, "~": lambda v: ~v, "+": int, "%hi": high, "%lo": low}
        if token in prefixes:
            return prefixes[token](self._unary(lookup))
        if token == "(":
            value = self._binary(0, lookup)
            if self._take()[1] == ")":
                return value
        raise ValueError(f"cannot read the expression '{self.text}'")
