"""What of a file counts, and which files it imports."""

from pathlib import Path

import pytest

from sim.closure import Code, facts_of, files_in

pytestmark = pytest.mark.quick

TREE = {
    "fl/__init__.py": "",
    "fl/a.py": "import sim.tool\n\ndef later():\n    from cl.late import x\n",
    "sim/__init__.py": "",
    "sim/tool.py": "import numpy.linalg\nHERE = Path(__file__).parent\nLOOP = HERE / 'loop.cpp'\n",
    "sim/loop.cpp": '#include "shim.h"\nint main() {}\n',
    "sim/shim.h": "int f();\n",
    "sim/shim.c": "int f() { return 1; }\n",
    "sim/unused.py": "",
    "cl/__init__.py": "from . import near\n",
    "cl/near.py": "from .deep.er import y\n",
    "cl/late.py": "import os\nx = 1\n",
    "cl/deep/__init__.py": "",
    "cl/deep/er.py": "from ..other import z\ny = 1\n",
    "cl/other.py": "if TYPE_CHECKING:\n    from proc.seen import never\nz = 1\n",
    "proc/__init__.py": "",
    "proc/seen.py": "never = 1\n",
    "proc/made.py": (
        "SOURCE = Path(__file__).with_suffix('.tcl')\nAPP = Path(__file__).with_name('app')\n"
    ),
    "proc/made.tcl": "puts 1\n",
    "proc/app/a.c": "int a;\n",
    "proc/app/README.md": "Words.\n",
    "flow/__init__.py": "",
    "flow/graph.py": "FOLDER = Path(__file__).parent / 'steps'\nkind = 'layout'\n",
    "flow/layout/__init__.py": "",
    "flow/steps/one/one.py": "import helper\nfrom flow import graph\n",
    "flow/steps/one/helper.py": "import json\n",
    "flow/steps/one/configure.yml": "name: one\n",
    "eval/__init__.py": "",
}


@pytest.fixture
def code(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Code:
    """Some packages."""
    monkeypatch.setenv("MODEXPLORER_SHARED", str(tmp_path / "batch"))
    for name, text in TREE.items():
        path = tmp_path / "tree" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return Code(tmp_path / "tree")


def test_the_imports_of_a_file(code):
    def imported(name: str) -> set[str]:
        return {str(path.relative_to(code.root)) for path in code.imported(code.root / name)}

    assert imported("fl/a.py") == {"sim/tool.py", "cl/late.py"}
    assert imported("cl/__init__.py") == {"cl/near.py"}
    assert imported("cl/deep/er.py") == {"cl/other.py"}
    assert imported("cl/other.py") == set()  # of types alone
    assert imported("flow/steps/one/one.py") == {"flow/steps/one/helper.py", "flow/graph.py"}
    assert imported("sim/tool.py") == imported("sim/loop.cpp") == set()


def test_a_digest_is_of_contents(code):
    files = [code.root / "cl/late.py", code.root / "cl/other.py"]
    before = code.contents(files)
    assert code.contents(files[:1]) != before
    files[0].write_text("x = 2\n")
    assert Code(code.root).contents(files) != before
    files[0].write_text("# said here\nimport os\nx = 1  # and here\n")
    assert Code(code.root).contents(files) == before


def test_what_was_read_is_kept_for_others(code, tmp_path, monkeypatch):
    files = list(files_in(code.root))
    before = code.contents(files)
    monkeypatch.setattr("sim.closure.facts_of", None)
    assert Code(code.root).contents(files) == before


DOCUMENTED = b'''"""What it is."""
class A:
    """A thing."""
    x = "text"  # said
    def f(self):
        """Do it."""
        return """no docstring"""
'''


@pytest.mark.parametrize(
    ("was", "now", "moves"),
    [
        (b"What it is.", b"What it was.", False),
        (b"A thing.", b"Two things.", False),
        (b"Do it.", b"Do it so.", False),
        (b"# said", b"# said otherwise", False),
        (b"    x", b"\n    # more\n    x", False),
        (b"no docstring", b"other text", True),
        (b"text", b"words", True),
        (b"f(self)", b"f(self, y)", True),
    ],
)
def test_comments_and_docstrings_of_python_do_not_count(was, now, moves):
    before, after = (facts_of(".py", c) for c in (DOCUMENTED, DOCUMENTED.replace(was, now, 1)))
    assert (before.digest != after.digest) == moves


TYPED = b"""from typing import Any, cast
from os import path
if TYPE_CHECKING:
    from here import Thing
    seen = 1
else:
    other = 2
@dataclass
class A:
    held: int = 3
    other: "Thing"
    def f(self, x: int, *more: str) -> Any:
        y: list[int] = [x]
        return cast("Thing", y)
"""


@pytest.mark.parametrize(
    ("was", "now", "moves"),
    [
        (b"Any, cast", b"Any, Generic, cast", False),
        (b"from os import path", b"from os import sep", True),
        (b"import Thing", b"import Other", False),
        (b"seen = 1", b"seen = 2", False),
        (b"other = 2", b"other = 3", True),
        (b"held: int", b"held: float", True),
        (b"held: int = 3", b"held: int = 4", True),
        (b'other: "Thing"', b'other: "Other"', True),
        (b"x: int", b"x: float | None", False),
        (b"x: int", b"x", False),
        (b"*more: str", b"*more", False),
        (b"-> Any", b"-> int", False),
        (b"y: list[int] = [x]", b"y = [x]", False),
        (b"y: list[int] = [x]", b"y: list[int] = [x, x]", True),
        (b'cast("Thing", y)', b"y", False),
        (b'cast("Thing", y)', b'cast("Thing", x)', True),
    ],
)
def test_types_do_not_count_but_those_of_fields_which_dataclasses_read(was, now, moves):
    assert was in TYPED
    before, after = (facts_of(".py", c) for c in (TYPED, TYPED.replace(was, now, 1)))
    assert (before.digest != after.digest) == moves


@pytest.mark.parametrize("read", [b"print(f.__annotations__)", b"from flow.step import run"])
def test_types_count_where_they_are_read(read):
    text = b"def f(x: int): pass\n" + read
    assert facts_of(".py", text).digest != facts_of(".py", text.replace(b"int", b"str")).digest


def test_docstrings_count_where_they_are_read():
    text = b'"""One."""\nprint(__doc__)\n'
    assert facts_of(".py", text).digest != facts_of(".py", text.replace(b"One", b"Two")).digest


C = b"""// One file.
int x = 1;  /* what
it is */ char* s = "// no comment";
"""


@pytest.mark.parametrize(
    ("was", "now", "moves"),
    [
        (b"One file", b"A file", False),
        (b"// One file.\n", b"", False),
        (b"what\nit", b"how", False),
        (b"no comment", b"other text", True),
        (b"x = 1", b"x = 2", True),
    ],
)
@pytest.mark.parametrize("suffix", [".c", ".h", ".cpp", ".v"])
def test_comments_of_c_and_verilog_do_not_count(suffix, was, now, moves):
    before, after = (facts_of(suffix, c) for c in (C, C.replace(was, now, 1)))
    assert (before.digest != after.digest) == moves


def test_what_comments_cannot_be_told_from_counts_as_it_is():
    for text in (b'R"(// raw)"; // said', b"int x = 1'000; // '", b"// goes on \\\nint x;"):
        assert facts_of(".cpp", text).digest != facts_of(".cpp", text + b" // more").digest


def test_an_apostrophe_after_a_digit_in_a_comment_or_a_character_is_nothing_odd():
    for text in (
        b"/* 001's */ int x;",
        b"char c = '0';",
        b"char c = '\\0';",
        b"// the 5's\nint x;",
    ):
        assert facts_of(".c", text).digest == facts_of(".c", text + b" // more").digest


def test_lines_that_are_comments_do_not_count_in_scripts():
    for suffix in (".tcl", ".ys", ".yml"):
        facts = facts_of(suffix, b"# said\nstep 1 # 2\n")
        assert facts == facts_of(suffix, b"  # otherwise\nstep 1 # 2\n")
        assert facts != facts_of(suffix, b"# said\nstep 1 # 3\n")
