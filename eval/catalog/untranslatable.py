"""What PyMTL3 says of a component that it cannot elaborate or translate: where, and what to write.

docs/authors.md shows the same pitfalls with their ways round.
"""

import ast
import linecache
import re
import traceback

_PLACE = re.compile(r"In file (?P<file>[^\n]*?)(?:, Line |:)(?P<line>\d+)")
_SAID = re.compile(r"^(?:- |\^\^\^ )(.*)", re.MULTILINE)
BITWISE = "write &, | and ~ of single bits, with each comparison in brackets"
# What is in PyMTL3's message, and what to write instead.
HINTS = {
    "Boolean operations": BITWISE,
    "ast.Not ": "write ~ of a single bit, or compare: s.a == 0",
    "2nd argument of": "give the width a name in the constructor, wide = nbits + 1, and write that",
    "should have the same type": "make both sides as wide: zext(s.a, wide) or s.a[0:nbits]",
    "Bitwidth mismatch": "connect signals of one width; blocks can extend and cut them",
    "can only use range": "loop over range() of a constant",
    "must be a constant expression": "loop over range() of a constant that the constructor has",
    "operation: while": "keep a state in a register, or loop over range() of a constant",
    "function is not found": "of functions zext, sext, trunc, concat and reduce_and, _or, _xor are "
    "hardware; compute others in the constructor",
    "only have 2 operands": "write two comparisons: (0 < s.a) & (s.a < 5)",
    "Stand-alone expression": "leave it out; line_trace is where values are shown",
    "used before assignment": "blocks know signals s.name and plain names of the constructor",
    "is not supported": "of operators + - * & | ^ ~ << >> and comparisons are hardware",
    "slice lower bound has more": "slice at constants, or shift by the signal and cut",
    "Multiple update blocks write": "let one block write a signal",
    "only '@=' statements": "write @= in an update block",
    "only '<<=' statements": "write <<= in an update_ff block",
    "does not have field": "declare it in construct: a Wire, Register or port",
}
OTHERWISE = "docs/authors.md lists what is translated, and what to write instead of the rest"


def explain(error: BaseException) -> str | None:
    """Say in which file and line PyMTL3 stopped, at what, and what to write instead; None if the
    error is not one of PyMTL3's."""
    if not type(error).__module__.startswith("pymtl3."):
        return _unsaid(error)
    text = str(error)
    place = _PLACE.search(text)
    said = _SAID.search(text) if place else None
    what = (said[1] if said else text.strip().partition("\n")[0]).rstrip("!. ")
    what = re.sub(r"<ast\.(\w+) object at \w+>", r"\1", what)
    where = code = ""
    if place:
        code = linecache.getline(place["file"], int(place["line"])).strip()
        where = f"{place['file']}, line {place['line']}: " + (f"`{code}`: " if code else "")
    hint = next((hint for part, hint in HINTS.items() if part in text), OTHERWISE)
    if hint is BITWISE:
        hint += f": `{better}`" if (better := bitwise(code)) else ""
    return f"{where}{what}; {hint}"


def bitwise(code: str) -> str | None:
    """Rewrite a line of an update block with &, | and ~ for `and`, `or` and `not`; None if it is no
    whole statement by itself."""
    condition = re.fullmatch(r"((?:el)?if|while) (.*):", code)
    try:
        tree: ast.AST = ast.parse(condition[2] if condition else code, mode="exec")
    except SyntaxError:
        return None
    written = ast.unparse(_Bitwise().visit(tree))
    return f"{condition[1]} {written}:" if condition else written


class _Bitwise(ast.NodeTransformer):
    """Makes Python's Boolean operations those of bits; ast.unparse writes the brackets."""

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.expr:
        """Join the operands by & or |."""
        self.generic_visit(node)
        operation = ast.BitAnd() if isinstance(node.op, ast.And) else ast.BitOr()
        joined, *others = node.values
        for other in others:
            joined = ast.BinOp(joined, operation, other)
        return joined

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        """Invert a condition; of a signal, which may have several bits, ask whether it is 0."""
        self.generic_visit(node)
        if not isinstance(node.op, ast.Not):
            return node
        if isinstance(node.operand, ast.Compare | ast.BinOp | ast.UnaryOp):
            return ast.UnaryOp(ast.Invert(), node.operand)
        return ast.Compare(node.operand, [ast.Eq()], [ast.Constant(0)])


def _unsaid(error: BaseException) -> str | None:
    """Say that PyMTL3 does not translate something, if that is where it fails without a word."""
    frames = traceback.extract_tb(error.__traceback__)
    if not frames or "/pymtl3/passes/" not in frames[-1].filename:
        return None
    return f"PyMTL3 does not translate a statement such as assert ({error!r}); {OTHERWISE}"
