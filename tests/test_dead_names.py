"""No name stands in the levels for tests alone: what only a test uses is the test's."""

import ast
from collections.abc import Iterator

import pytest

from sim.closure import PACKAGES, files_in
from tests.places import ROOT

pytestmark = pytest.mark.quick

LEVELS = ("fl", "cl", "rtl", "sim", "proc")


def texts() -> dict[str, str]:
    """The code of all packages, by module."""
    files = [f for package in PACKAGES for f in files_in(ROOT / package) if f.suffix == ".py"]
    names = (".".join(file.relative_to(ROOT).with_suffix("").parts) for file in files)
    read = zip(names, (file.read_text() for file in files), strict=True)
    return {name.removesuffix(".__init__"): text for name, text in read}


def names_in(node: ast.AST) -> set[str]:
    """The names that are read or written somewhere in a statement."""
    return {part.id for part in ast.walk(node) if isinstance(part, ast.Name)}


def defined_by(node: ast.stmt) -> set[str]:
    """The names that a statement of a module defines."""
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        return {node.name}
    if isinstance(node, ast.Assign):
        return set().union(*map(names_in, node.targets))
    return names_in(node.target) if isinstance(node, ast.AnnAssign) else set()


def dead_names(code: dict[str, str]) -> Iterator[str]:
    """Find what nothing else in its module names, no module imports, and no attribute is called;
    of names that one assignment defines, one that is used speaks for all."""
    trees = {module: ast.parse(text) for module, text in code.items()}
    imported, attributes = set(), set()
    for tree in trees.values():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom):
                imported |= {(node.module, name.name) for name in node.names}
            elif isinstance(node, ast.Attribute):
                attributes.add(node.attr)
    for module in (name for name in trees if name.split(".")[0] in LEVELS):
        statements = trees[module].body
        named = [names_in(node) for node in statements]
        for place, node in enumerate(statements):
            names = {name for name in defined_by(node) if not name.startswith("__")}
            used = attributes.union(*named[:place], *named[place + 1 :])
            if names and names.isdisjoint(used | {n for m, n in imported if m == module}):
                yield f"{module}: {', '.join(sorted(names))}"


@pytest.mark.seconds
def test_every_name_is_used_by_more_than_tests() -> None:
    assert not list(dead_names(texts()))


def test_a_name_that_nothing_uses_is_found() -> None:
    code = {
        "fl.made": "A, B = 1, 2\nC = A\ndef used(): return used_too\ndef dead(): return dead()\n",
        "cl.made": "from fl.made import used\nLAST: int = used.C\nclass Used: x = 1\nprint(Used)\n",
        "flow.made": "from fl.made import A\ndead = 1\n",
    }
    assert list(dead_names(code)) == ["fl.made: dead", "cl.made: LAST"]
