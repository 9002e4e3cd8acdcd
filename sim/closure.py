"""What counts of a file of code, as a digest: not its comments, docstrings and types; and which
files of ours it imports."""

import ast
import hashlib
import json
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from sim.paths import ROOT, SHARED, build_dir

PACKAGES = ("fl", "cl", "rtl", "sim", "proc", "flow", "eval", "modexplorer")  # of ours
C_LIKE = (".c", ".h", ".cpp", ".v", ".S", ".ld")
BY_HASHES = (".tcl", ".ys", ".yml")  # a line that begins with # is a comment
_C = re.compile(r"""//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'""", re.S)
_ODD_C = re.compile(r"""R"|(?<!['\\])\d'""")  # what _C does not understand: raw strings, 1'000
_ODD_COMMENT = re.compile(r"//.*\\\n")  # one that goes on in the next line
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

# What reads types while it runs: flow.step those of a step's parameters.
_READING_TYPES = (b"get_type_hints", b"__annotations__", b"signature(", b"from flow.step import")
_OF_TYPES = ("typing", "collections.abc")  # which imports only name what the code then uses

Import = tuple[int, str, tuple[str, ...]]


@dataclass(frozen=True)
class Facts:
    """Says of a file the digest of what counts, and its imports: how many folders up, module,
    names."""

    digest: str
    imports: tuple[Import, ...] = ()


def facts_of(suffix: str, content: bytes) -> Facts:
    """Read a file of an ending."""
    if suffix == ".py":
        return _python(content)
    if suffix in C_LIKE:
        return _c_like(content)
    if suffix in BY_HASHES:
        lines = content.split(b"\n")
        lines = [line for line in lines if not line.lstrip().startswith(b"#")]
        content = b"\n".join(lines).rstrip()
    return Facts(_sha(content))


def _python(content: bytes) -> Facts:
    tree = ast.parse(content)
    imports: list[Import] = []
    skipped: set[ast.AST] = set()
    if b"__doc__" not in content:
        _drop_docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _for_checkers(node.test):
            skipped |= {inner for part in node.body for inner in ast.walk(part)}
        elif isinstance(node, ast.Import):
            if node not in skipped:
                imports += [(0, name.name, ()) for name in node.names]
        elif isinstance(node, ast.ImportFrom) and node not in skipped:
            names = tuple(name.name for name in node.names)
            imports.append((node.level, node.module or "", names))
    if not any(name in content for name in _READING_TYPES):
        _Untyped().visit(tree)
    digest = _sha(ast.dump(tree).encode())
    return Facts(digest, tuple(dict.fromkeys(imports)))


def _drop_docstrings(tree: ast.Module) -> None:
    for node in ast.walk(tree):
        if isinstance(node, _DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]


class _Untyped(ast.NodeTransformer):
    """Takes out what only type checkers read: the types of arguments, results and variables,
    casts, and imports for these. The fields of a class keep theirs: dataclasses read them."""

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return None if node.module in _OF_TYPES and not node.level else node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.AST]:
        self.generic_visit(node)
        return list(node.orelse) if _for_checkers(node.test) else node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        fields: list[ast.stmt] = [part for part in node.body if isinstance(part, ast.AnnAssign)]
        node.body = [part for part in node.body if part not in fields]
        self.generic_visit(node)
        node.body += fields
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_AsyncFunctionDef(self, node: ast.AsyncFunctionDef) -> ast.AST:
        node.returns = None
        return self.generic_visit(node)

    def visit_arg(self, node: ast.arg) -> ast.AST:
        node.annotation = None
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST | None:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value) if node.value else None

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        is_cast = isinstance(node.func, ast.Name) and node.func.id == "cast"
        return node.args[1] if is_cast and len(node.args) == 2 else node


def _for_checkers(test: ast.expr) -> bool:
    """Tell whether a condition is that of imports which only type checkers see."""
    return getattr(test, "id", getattr(test, "attr", "")) == "TYPE_CHECKING"


def _c_like(content: bytes) -> Facts:
    text = content.decode(errors="surrogateescape")
    bare = _C.sub(lambda match: " " if match[0].startswith("/") else match[0], text)
    if not (_ODD_C.search(bare) or _ODD_COMMENT.search(text)):
        lines = (line.strip() for line in bare.splitlines())
        text = "\n".join(line for line in lines if line)
    return Facts(_sha(text.encode(errors="surrogateescape")))


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


class Code:
    """Our code below a folder. What is read of a file is kept by its contents: parsing all takes
    seconds. `read` may give a file other contents than it has."""

    def __init__(self, root: Path = ROOT, read: Callable[[Path], bytes] = Path.read_bytes) -> None:
        self.root, self.read = root, read
        self._facts: dict[Path, Facts] = {}

    def facts(self, path: Path) -> Facts:
        """Return what a file says."""
        if path not in self._facts:
            self._facts[path] = _kept().of(path.suffix, self.read(path))
        return self._facts[path]

    def imported(self, path: Path) -> set[Path]:
        """Find the files of ours that a file imports itself, but no package's __init__.py."""
        found: set[Path] = set()
        for level, module, names in self.facts(path).imports:
            parts = module.split(".")
            if level:
                above = path.parents[level - 1].relative_to(self.root).parts
                parts = [*above, *filter(None, parts)]
            if parts[0] in PACKAGES:
                found |= self._modules(parts, names)
            elif (beside := path.with_name(f"{parts[0]}.py")).is_file():
                found.add(beside)  # of a script
        return found

    def _modules(self, parts: Sequence[str], names: tuple[str, ...]) -> set[Path]:
        """Find a module, and those of its names that are modules."""
        folder = self.root.joinpath(*parts)
        files = [folder.with_suffix(".py"), *(folder / f"{name}.py" for name in names)]
        return {file for file in files if file.is_file()}

    def contents(self, files: Iterable[Path]) -> str:
        """Hash what counts of each file, whatever their names and places are."""
        lines = sorted(f"{path.suffix}\0{self.facts(path).digest}\0" for path in files)
        _kept().save()
        return hashlib.sha256("".join(lines).encode()).hexdigest()


def files_in(folder: Path) -> Iterator[Path]:
    """Yield the files below a folder, but what only people read, and what Python keeps."""
    for path in folder.rglob("*"):
        if path.suffix != ".md" and "__pycache__" not in path.parts and path.is_file():
            yield path


def hash_data(data: object) -> str:
    """Hash anything that JSON can hold."""
    return hashlib.sha256(json.dumps(data, sort_keys=True).encode()).hexdigest()


class _Kept:
    """What was read of files, by the hash of their contents, in a file for all processes."""

    def __init__(self, path: Path) -> None:
        self.path, self.new, self.known = path, False, _known_to(path)

    def of(self, suffix: str, content: bytes) -> Facts:
        name = f"{suffix} {_sha(content)}"
        if name not in self.known:
            facts = facts_of(suffix, content)
            self.known[name] = [facts.digest, facts.imports]
            self.new = True
        digest, imports = self.known[name]
        return Facts(
            digest, tuple((level, module, tuple(names)) for level, module, names in imports)
        )

    def save(self) -> None:
        """Write what is new, beside what others have written meanwhile."""
        if not self.new:
            return
        self.new = False
        try:
            with tempfile.NamedTemporaryFile("w", dir=self.path.parent, delete=False) as file:
                json.dump(_known_to(self.path) | self.known, file)
            os.replace(file.name, self.path)
        except OSError:  # a full disk: it is read anew the next time
            return


def _known_to(path: Path) -> dict[str, list[Any]]:
    try:
        known: dict[str, list[Any]] = json.loads(path.read_text())
    except (OSError, ValueError):
        return {}
    return known


@lru_cache(None)
def _kept_in(folder: Path, python: str) -> _Kept:
    return _Kept(folder / f"facts-{python}-{_by_this()}.json")


def _kept() -> _Kept:
    if shared := os.environ.get(SHARED):
        folder = Path(shared).with_name("code")
        folder.mkdir(exist_ok=True)
    else:
        folder = build_dir("code")
    return _kept_in(folder, f"{sys.version_info[0]}.{sys.version_info[1]}")


@lru_cache(None)
def _by_this() -> str:
    """Hash what reads files: what another version of it has kept is not taken."""
    return _sha(Path(__file__).read_bytes())[:12]
