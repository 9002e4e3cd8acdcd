"""What PyMTL3 cannot elaborate or translate is told with file, line, construct and a remedy."""

import importlib.util
import sys
import textwrap

import pytest

from eval.catalog.untranslatable import bitwise, explain
from sim.translate import translate

pytestmark = pytest.mark.quick
HEAD = """
from pymtl3 import *


class Odd(Component):
    def construct(s, nbits):
        s.a = InPort(nbits)
        s.b = InPort(nbits)
        s.out = OutPort(nbits)
        s.wide = Wire(nbits + 1)
        {connected}

        @update
        def block():
            s.out @= s.b
            {statement}
"""
LINE = 16  # of the statement


def made(folder, statement="s.wide @= 0", connected="s.one = Wire()"):
    """A component with a statement in its block, and one in its constructor."""
    path = folder / "odd.py"
    text = HEAD.format(statement=statement, connected=connected)
    path.write_text(textwrap.dedent(text))
    spec = importlib.util.spec_from_file_location(f"odd_{abs(hash(text)):x}", path)
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module.Odd(8)


def said_of(folder, *statements, **more):
    """What is said of the error that translating such a component ends with."""
    with pytest.raises(Exception) as caught:  # noqa: PT011
        translate(made(folder, *statements, **more))
    return explain(caught.value)


@pytest.mark.parametrize(
    ("statement", "remedy"),
    [
        ("s.out @= s.b if s.a and s.b else s.a", "`s.out @= s.b if s.a & s.b else s.a`"),
        ("s.out @= s.b if not s.a else s.a", "or compare: s.a == 0"),
        ("s.wide @= zext(s.a, nbits + 1)", "give the width a name in the constructor"),
        ("s.wide @= s.a", "make both sides as wide"),
        ("s.out @= s.b if 0 < s.a < 5 else s.a", "write two comparisons"),
        ("s.out @= max(s.a, s.b)", "compute others in the constructor"),
        ("s.out @= s.a // 3", "comparisons are hardware"),
        ("s.out @= other", "plain names of the constructor"),
        ("print(s.a)", "line_trace is where values are shown"),
        ("s.out @= s.a if s.a is s.b else s.b", "comparisons are hardware"),
        ("s.out = s.a", "write @= in an update block"),
        ("s.out @= s.c", "declare it in construct"),
    ],
)
def test_a_statement_that_is_no_hardware(tmp_path, statement, remedy):
    said = said_of(tmp_path, statement)
    assert said.startswith(f"{tmp_path / 'odd.py'}, line {LINE}: `{statement}`: ")
    assert remedy in said


@pytest.mark.parametrize(
    ("code", "better"),
    [
        ("s.v @= s.busy and s.a == 0", "s.v @= s.busy & (s.a == 0)"),
        ("s.v @= s.a == 0 and s.busy", "s.v @= (s.a == 0) & s.busy"),
        ("s.v @= s.a == 0 and s.b == 1", "s.v @= (s.a == 0) & (s.b == 1)"),
        ("if s.x or s.a < 3 and s.y:", "if s.x | (s.a < 3) & s.y:"),
        ("elif not s.a or not (s.b == 1):", "elif (s.a == 0) | ~(s.b == 1):"),
        ("s.v @= s.x and (s.y or s.z)", "s.v @= s.x & (s.y | s.z)"),
        ("s.v @= s.x and s.y | s.z == 2 and s.w", "s.v @= s.x & (s.y | s.z == 2) & s.w"),
        (
            "s.out @= s.b if s.x and s.a > s.b else s.a",
            "s.out @= s.b if s.x & (s.a > s.b) else s.a",
        ),
        ("s.v @= (s.x and", None),
    ],
)
def test_the_brackets_of_a_remedy_are_around_the_comparison(code, better):
    assert bitwise(code) == better


def test_a_remedy_is_translated(tmp_path):
    """The line that is refused, written as the remedy says, is hardware."""
    statement = "s.out @= s.b if s.a[0] and s.a == s.b else s.a"
    remedy = said_of(tmp_path, statement).rpartition(": `")[2].rstrip("`")
    assert translate(made(tmp_path, remedy)).top.startswith("Odd_")


@pytest.mark.parametrize(
    ("statement", "connected", "said"),
    [
        ("assert s.a", "s.one = Wire()", "does not translate a statement such as assert"),
        ("s.wide @= 0", "s.wide //= s.a", "connect signals of one width"),
        ("s.wide @= 0", "s.b //= s.out", "s.b"),
    ],
)
def test_what_has_no_line(tmp_path, statement, connected, said):
    assert said in said_of(tmp_path, statement, connected)


def test_other_errors_are_not_pymtl3s(tmp_path):
    assert translate(made(tmp_path)).top.startswith("Odd_")
    assert explain(ValueError("no width")) is None
    assert said_of(tmp_path, connected="1 / 0") is None
