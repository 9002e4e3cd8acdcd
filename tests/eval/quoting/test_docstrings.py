"""The page of the Python interface has what users import, with signatures and docstrings."""

import ast
import re

import pytest

from eval.quoting.docstrings import described, found_in, markdown, offered, without_docstring
from eval.skeleton.copying import FILES
from sim.closure import PACKAGES
from tests.places import ROOT

pytestmark = pytest.mark.quick
PAGE = (ROOT / "docs/api.md").read_text()
MODULES = [one.split() for one in re.findall(r"^<!-- api: (.*) -->$", PAGE, re.M)]
PLANTED = '''"""A module."""

from elsewhere import imported

LIMIT: int = 7
"""How many a*b there are."""

_HIDDEN = 8


def total(
    first: int,
    *rest: int,  # more of them
) -> int:
    """Return `first*_` plus <others>.

    first: one of them,
        or none.
    """
    return first + sum(rest)


def bare(): ...


class Pair(tuple):
    """Holds two."""

    # of all pairs
    size: int = 2

    @property
    def left(self) -> int:
        """Return the first."""
        return self[0]

    def swapped(self): return 1

    def _hidden(self) -> None: ...
'''


@pytest.fixture
def planted(tmp_path):
    (tmp_path / "planted").mkdir()
    (tmp_path / "planted" / "inner.py").write_text(PLANTED)
    (tmp_path / "planted" / "__init__.py").write_text(
        'from planted.inner import Pair, total\n__all__ = ["Pair", "total"]\n'
    )
    return tmp_path


def imported(text: str) -> set[tuple[str, str]]:
    """Find which names of our packages a text imports, each with its module."""
    nodes = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.ImportFrom)]
    ours = [node for node in nodes if not node.level and node.module.split(".")[0] in PACKAGES]
    return {(node.module, name.name) for node in ours for name in node.names}


def test_a_planted_module_is_described_without_an_import(planted) -> None:
    assert described("planted.inner", "total", root=planted) == (
        "### `total`\n\n"
        "```python\ndef total(\n    first: int,\n    *rest: int,  # more of them\n) -> int:\n```\n"
        "\nReturn `first*_` plus \\<others>.\n\n- first: one of them,\n  or none."
    )
    text = described("planted.inner", root=planted)
    assert "LIMIT: int = 7\n```\n\nHow many a\\*b there are." in text
    assert "class Pair(tuple):\n    # of all pairs\n    size: int = 2\n```\n\nHolds two." in text
    assert "#### `Pair.left`\n\n```python\n@property\ndef left(self) -> int:\n```" in text
    assert "\n\nReturn the first.\n\n#### `Pair.swapped`" in text
    assert "idden" not in text
    assert "imported" not in text


def test_what_a_package_hands_on_is_in_the_order_of_its_source(planted) -> None:
    assert [one.name for one in offered("planted", planted)] == ["total", "Pair"]


def test_a_missing_docstring_is_found(planted) -> None:
    missing = [path for one in offered("planted.inner", planted) for path in without_docstring(one)]
    assert missing == ["planted.inner.bare", "planted.inner.Pair.swapped"]


@pytest.mark.parametrize("asked", MODULES, ids=lambda asked: asked[0])
def test_every_name_has_a_docstring_and_is_on_the_page(asked) -> None:
    module, *names = asked
    found = [found_in(module, name) for name in names] or offered(module)
    assert found
    assert not [path for one in found for path in without_docstring(one)]
    for one in found:
        assert f"### `{one.name}`\n" in PAGE
        assert markdown(one.docstring.value) in PAGE


@pytest.mark.parametrize("file", FILES)
def test_what_a_design_of_ones_own_imports_is_on_the_page(file) -> None:
    for module, name in imported((ROOT / "eval/skeleton" / file).read_text()):
        assert f"`{module}`" in PAGE
        assert f"`{name}`" in PAGE


def test_what_pages_import_is_on_the_page() -> None:
    texts = "".join((ROOT / f"docs/{page}.md").read_text() for page in ("api", "studies"))
    fences = re.findall(r"^```python\n(from .*?)^```$", texts, re.M | re.S)
    names = {one for fence in fences for one in imported(fence)}
    assert len(names) > 4
    for module, name in names:
        assert f"### `{name}`\n" in PAGE, module


def test_no_place_of_this_machine_is_on_the_page() -> None:
    assert str(ROOT) not in PAGE
    assert "/home/" not in PAGE
