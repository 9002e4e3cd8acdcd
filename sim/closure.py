"""What code depends on, found in it: what a file imports, includes and names beside itself, and so
on from there; and a hash of what counts of a file: not its comments, not its docstrings."""

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
_INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.M)
_FILE_NAME = re.compile(r"[\w-][\w./-]*\.[A-Za-z]{1,4}")
_BESIDE = re.compile(r"[\w-][\w./-]*|\.\w+")
_DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)

# What reads types while it runs: flow.step those of a step's parameters.
_READING_TYPES = (b"get_type_hints", b"__annotations__", b"signature(", b"from flow.step import")
_OF_TYPES = ("typing", "collections.abc")  # which imports only name what the code then uses

Import = tuple[int, str, tuple[str, ...]]


@dataclass(frozen=True)
class Facts:
    """Says of a file the hash of what counts, its imports (how many folders up, module, names), and
    what it may name beside itself: `near` holds file names and folders, `endings` other endings of
    its own name."""

    digest: str
    imports: tuple[Import, ...] = ()
    near: tuple[str, ...] = ()
    endings: tuple[str, ...] = ()


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
    near: dict[str, None] = {}
    endings: dict[str, None] = {}
    skipped: set[ast.AST] = set()
    if b"__doc__" not in content:
        _drop_docstrings(tree)
    for node in ast.walk(tree):
        if isinstance(node, ast.If) and _for_checkers(node.test):
            skipped |= {inner for part in node.body for inner in ast.walk(part)}
        elif isinstance(node, ast.Import):
            if node not in skipped:
                imports += [(0, name.name, ()) for name in node.names]
        elif isinstance(node, ast.ImportFrom):
            if node not in skipped:
                names = tuple(name.name for name in node.names)
                imports.append((node.level, node.module or "", names))
        elif isinstance(node, ast.stmt) and not hasattr(node, "body") and _says_file(node):
            for name in _strings(node, _BESIDE):
                (endings if name.startswith(".") else near)[name] = None
    near |= dict.fromkeys(_strings(tree, _FILE_NAME))
    if not any(name in content for name in _READING_TYPES):
        _Untyped().visit(tree)
    digest = _sha(ast.dump(tree).encode())
    return Facts(digest, tuple(dict.fromkeys(imports)), tuple(near), tuple(endings))


def _says_file(node: ast.AST) -> bool:
    """Tell whether a statement says where its file is."""
    return any(isinstance(part, ast.Name) and part.id == "__file__" for part in ast.walk(node))


def _strings(node: ast.AST, form: re.Pattern[str]) -> Iterator[str]:
    """Find the strings of a form."""
    for part in ast.walk(node):
        text = isinstance(part, ast.Constant) and part.value
        if isinstance(text, str) and form.fullmatch(text):
            yield text


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
    headers = _INCLUDE.findall(text)
    near = (*headers, *(f"{name.removesuffix('.h')}.c" for name in headers))  # what it declares
    bare = _C.sub(lambda match: " " if match[0].startswith("/") else match[0], text)
    if not (_ODD_C.search(bare) or _ODD_COMMENT.search(text)):
        lines = (line.strip() for line in bare.splitlines())
        text = "\n".join(line for line in lines if line)
    return Facts(_sha(text.encode(errors="surrogateescape")), (), near)


def _sha(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()[:32]


@dataclass(frozen=True)
class Used:
    """The files that something depends on, and the packages of others, by the names of imports."""

    files: frozenset[Path] = frozenset()
    packages: frozenset[str] = frozenset()

    def __or__(self, other: "Used") -> "Used":
        return Used(self.files | other.files, self.packages | other.packages)


class Code:
    """Our code below a folder. What is read of a file is kept by its contents: parsing all takes
    seconds. `read` may give a file other contents than it has."""

    def __init__(self, root: Path = ROOT, read: Callable[[Path], bytes] = Path.read_bytes) -> None:
        self.root, self.read = root, read
        self._facts: dict[Path, Facts] = {}
        self._closures: dict[tuple[frozenset[Path], tuple[str, ...]], Used] = {}
        self._exists = lru_cache(None)(Path.is_file)
        self._folder = lru_cache(None)(lambda path: tuple(files_in(path)))
        self._name = lru_cache(None)(self._name_of)
        self._of = lru_cache(None)(self._direct)

    def facts(self, path: Path) -> Facts:
        """Return what a file says."""
        if path not in self._facts:
            self._facts[path] = _kept().of(path.suffix, self.read(path))
        return self._facts[path]

    def uses(self, roots: Iterable[Path], ends: tuple[str, ...] = ()) -> Used:
        """Find the roots and all that they depend on, but nothing at or below `ends`, paths from
        the folder of all packages."""
        key = frozenset(roots), ends
        if key not in self._closures:
            self._closures[key] = self._uses(key[0], [self.root / end for end in ends])
            _kept().save()
        return self._closures[key]

    def _uses(self, roots: frozenset[Path], ends: list[Path]) -> Used:
        files, packages, waiting = set(roots), set(), list(roots)
        below = {str(end) for end in ends}
        while waiting:
            path = waiting.pop()
            found, others = self._of(path)
            packages |= others
            for file in found - files:
                names = (str(file), *map(str, file.parents))
                if below.isdisjoint(names):
                    files.add(file)
                    waiting.append(file)
        return Used(frozenset(files), frozenset(packages))

    def _imported(self, path: Path) -> tuple[set[Path], set[str]]:
        """Find the files of ours, and the packages of others, that a file imports."""
        facts, found, others = self.facts(path), set(), set()
        for level, module, names in facts.imports:
            if level:
                folder = path.parents[level - 1]
                if not folder.is_relative_to(self.root):
                    continue  # somebody's own, who hashes the whole folder
                parts = [*folder.relative_to(self.root).parts, *filter(None, module.split("."))]
            else:
                parts = module.split(".")
            beside = path.with_name(f"{parts[0]}.py")
            if parts[0] in PACKAGES:
                found |= self._modules(parts, names)
            elif not level and self._exists(beside) and not self._is_package(path.parent):
                found.add(beside)  # of a script
            elif parts[0] not in sys.stdlib_module_names:
                others.add(parts[0])
        return found, others

    def _direct(self, path: Path) -> tuple[set[Path], set[str]]:
        """Find what a file itself uses of ours, and of others."""
        facts, (found, others) = self.facts(path), self._imported(path)
        for name in facts.near:
            found |= self._beside(path.parent / name)
        for ending in facts.endings:
            found |= self._beside(path.with_suffix(ending))
        if path.suffix == ".py" and path.is_relative_to(self.root):
            found |= self._modules(path.parent.relative_to(self.root).parts, ())
        return found, others

    def _is_package(self, folder: Path) -> bool:
        return self._exists(folder / "__init__.py")

    def _modules(self, parts: Sequence[str], names: tuple[str, ...]) -> set[Path]:
        """Find a module, the packages that it is in, and those of its names that are modules."""
        found, folder = set(), self.root
        for part in parts:
            module = folder / f"{part}.py"
            folder /= part
            found |= {file for file in (module, folder / "__init__.py") if self._exists(file)}
        for name in names:
            for file in (folder / f"{name}.py", folder / name / "__init__.py"):
                if self._exists(file):
                    found.add(file)
        return found

    def _beside(self, path: Path) -> set[Path]:
        """Find a file that is named, or the files of a folder that is no package."""
        path = Path(os.path.normpath(path))
        if not path.is_relative_to(self.root) or path == self.root:
            return set()
        if self._exists(path):
            return {path}
        if path.is_dir() and not self._is_package(path):
            return set(self.folder(path))
        return set()

    def _name_of(self, path: Path) -> str:
        return str(path.relative_to(self.root) if path.is_relative_to(self.root) else path.name)

    def hash(self, files: Iterable[Path]) -> str:
        """Hash the names of files, and what counts of each."""
        lines = sorted(f"{self._name(path)}\0{self.facts(path).digest}\0" for path in files)
        _kept().save()
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def imported(self, path: Path) -> set[Path]:
        """Find the files of ours that a file imports itself, but no package's __init__.py."""
        found, _ = self._imported(path)
        return {file for file in found if file.name != "__init__.py"}

    def contents(self, files: Iterable[Path]) -> str:
        """Hash what counts of each file, whatever their names and places are."""
        lines = sorted(f"{path.suffix}\0{self.facts(path).digest}\0" for path in files)
        _kept().save()
        return hashlib.sha256("".join(lines).encode()).hexdigest()

    def folder(self, path: Path) -> tuple[Path, ...]:
        """List the files below a folder, as files_in."""
        return self._folder(path)


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
            self.known[name] = [facts.digest, facts.imports, facts.near, facts.endings]
            self.new = True
        digest, imports, near, endings = self.known[name]
        return Facts(
            digest,
            tuple((level, module, tuple(names)) for level, module, names in imports),
            tuple(near),
            tuple(endings),
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
