"""Map each distinct module once, wherever it stands: what a recipe makes of one is kept.

Modules are mapped on their own. What becomes of one depends on its text, on the texts of those that
are flattened in it, and on the ports of the others that it holds: an element of a row, a register
or the processor's decoder is the same in a thousand places, designs, widths and runs.
"""

import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path

import msgspec

from flow.digest import hash_files
from flow.synthesis.area import Own, own_figures
from flow.synthesis.recipes import Recipe
from flow.synthesis.states import Codes, read_states
from flow.technologies.technology import Technology
from sim.build_cache import kept
from sim.closure import hash_data
from sim.paths import build_dir
from sim.stages import stages

COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
MODULE = re.compile(r"^module\s+(\w+).*?\bendmodule\b", re.MULTILINE | re.DOTALL)
MAPPED = re.compile(r"^module (\S+?) ?\(.*?^endmodule\n", re.MULTILINE | re.DOTALL)
TYPE = re.compile(r"^typedef\s+struct\s+packed\s*\{[^}]*\}\s*(\w+)\s*;", re.MULTILINE)
PORTS = re.compile(r"module\s+\w+\s*\(.*?\)\s*;", re.DOTALL)
NAME = re.compile(r"[A-Za-z_]\w*")
# Ways in which a module may depend on what stands elsewhere, or be several.
UNUSUAL = re.compile(r"`|#\s*\(|\bparameter\b|\bdefparam\b|\bbind\b")
BLACK_BOX = "(* blackbox *)"
ASSIGNMENT = re.compile(r"^(\s*[\w.\[\]:']+) <= ", re.MULTILINE)


class Source:
    """A design's modules as texts. flatten: classes of modules that are mapped where they are."""

    def __init__(self, text: str, top: str, flatten: Iterable[str]) -> None:
        """Read the text; `usual` is whether its modules can be told apart."""
        plain = COMMENT.sub("", text)
        self.types = {match[1]: match[0] for match in TYPE.finditer(plain)}
        self.texts = {match[1]: match[0] for match in MODULE.finditer(plain)}
        between = MODULE.sub("", TYPE.sub("", plain))
        self.usual = top in self.texts and not between.strip() and not UNUSUAL.search(plain)
        self._flatten = tuple(flatten)
        names = self._reached([top], set(self.texts)) if self.usual else set()
        self.names = [name for name in self.texts if name in names and not self._flattened(name)]

    def part(self, names: Iterable[str]) -> str:
        """Write some of the modules, with what is flattened in them and the others' ports."""
        flattened = {name for name in self.texts if self._flattened(name)}
        inside = self._reached(names, flattened)
        ports = {below for name in inside for below in self._held(name)} - inside
        headers = [self._header(name) for name in sorted(ports)]
        parts = [f"{BLACK_BOX}\n{header}\nendmodule" for header in headers]
        parts += [self.texts[name] for name in sorted(inside)]
        return "\n\n".join([*self._types("\n".join(parts)), *parts]) + "\n"

    def _header(self, name: str) -> str:
        found = PORTS.match(self.texts[name])
        assert found, f"module {name} has no ports"
        return found[0]

    def _flattened(self, name: str) -> bool:
        return class_of(name) in self._flatten

    def _held(self, name: str) -> set[str]:
        return (set(NAME.findall(self.texts[name])) & self.texts.keys()) - {name}

    def _reached(self, names: Iterable[str], through: set[str]) -> set[str]:
        """Find the names, and those that can be reached from them by others of a set."""
        found, waiting = set(), set(names)
        while waiting:
            name = waiting.pop()
            found.add(name)
            waiting |= (self._held(name) & through) - found
        return found

    def _types(self, text: str) -> list[str]:
        """List the types that a text needs, in their order."""
        used: set[str] = set()
        new = set(NAME.findall(text)) & self.types.keys()
        while new - used:
            used |= new
            new = {n for t in new for n in NAME.findall(self.types[t]) if n in self.types}
        return [definition for name, definition in self.types.items() if name in used]


@dataclass(frozen=True)
class Module:
    """What a recipe made of a module: its netlist, what is in it, the module of each instance in
    it, and how the registers of its state machines are coded."""

    text: str
    own: Own
    instances: Mapping[str, str]
    states: Codes


def made(out: Path) -> dict[str, Module]:
    """Read what candidate.py has made."""
    tree = json.loads(out.with_suffix(".tree.json").read_text())
    inside = {module for below in tree.values() for module in below.values()}
    figures = own_figures(json.loads(out.with_suffix(".json").read_text()), inside - tree.keys())
    states = read_states(out.with_suffix(".states"))
    texts = split(out.with_suffix(".v").read_text())
    return {
        name: Module(texts[name], own, tree[name], states.get(name, {}))
        for name, own in figures.items()
    }


def split(netlist: str) -> dict[str, str]:
    """Split a netlist that yosys wrote into the texts of its modules."""
    return {match[1].removeprefix("\\"): match[0] for match in MAPPED.finditer(netlist)}


class Kept:
    """What a recipe makes of modules, for a clock and a library."""

    def __init__(
        self,
        source: Source,
        recipe: Recipe,
        period: float,
        gate: int,
        libraries: Sequence[Path],
        technology: Technology,
    ) -> None:
        """gate: registers of a clock gate at least, or 0."""
        self._source, self._recipe = source, recipe
        code = stages().digest(["map"])
        library = [hash_files(path.parent, [path]) for path in libraries]
        self._all = [code, library, technology.decides, period, gate, version("pyosys")]

    def module(self, name: str, build: Callable[[Recipe, str], Module]) -> Module:
        """Return what was made of a module, or build it, by what matters of the recipe, from the
        text of all that it depends on: so it is the same whoever asks, and whatever for."""
        file, recipe, text = self._place(name)

        def write(scratch: Path) -> Path:
            found = scratch / "module.json"
            found.write_bytes(msgspec.json.encode(build(recipe, text)))
            return found

        return msgspec.json.decode(kept(file, write).read_bytes(), type=Module)

    def _place(self, name: str) -> tuple[Path, Recipe, str]:
        text = self._source.part([name])
        recipe = self._recipe.that_matters(*operators(text))
        key = hash_data([name, text, recipe.name, *self._all])
        return build_dir("mapped") / f"{key}.json", recipe, text


def class_of(name: str) -> str:
    """Name the class that a module was translated from."""
    return name.removesuffix("_noparam").split("__")[0]


def operators(text: str) -> tuple[bool, bool]:
    """Tell whether a text may multiply, and whether it may add, compare or divide."""
    text = ASSIGNMENT.sub(r"\1 = ", text)
    signs = set(re.sub(re.escape(BLACK_BOX) + "|<<|>>", "", text))
    multiplies = "*" in signs
    return multiplies, multiplies or not signs.isdisjoint("+-<>/%")
