"""What a text may say of numbers: the functions of its template, and how it is rendered.

Cycles by formula are computed, limits are read where the code has them, and all other numbers of
commands are stored.

{{ figure('flow.synthesis.portfolio', 'HUGE') }}                     a limit of ours
{{ figure('flow mul-rem --nbits 32', 'metrics.area_um2', '.0f') }}   a number of ours
{{ value('flow mul-rem --nbits 32', 'metrics.area_um2') }}           the same, to compute with
{{ printed('17153') }}                                               a document's number
{{ follows('0.97') }}                                                what follows from such
"""

import re
import shlex
from collections.abc import Callable, Mapping
from functools import cache, cached_property
from importlib import import_module
from typing import Any

from jinja2 import Environment, StrictUndefined

from eval import catalog
from eval.quoting.excerpt import LEFT_OUT, cells, label
from eval.quoting.formulas import COMMAND, computed
from eval.quoting.paths import value_at
from eval.quoting.stored import Answers, stored
from sim.errors import RunError

MODULE = re.compile(r"[a-z]\w*(\.\w+)+")
MARKS = ("printed", "follows")  # of numbers that no command of ours prints


class Unknown(float):
    """Stands for a number that was not measured yet, and for all that is computed with it."""

    what: str

    def __new__(cls, what: str) -> "Unknown":
        """Say what was not measured."""
        new = super().__new__(cls, 1.0)
        new.what = what
        return new

    def _with(self, *_others: Any) -> "Unknown":
        return self

    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = _with
    __truediv__ = __rtruediv__ = __pow__ = __rpow__ = __neg__ = __abs__ = _with

    def __format__(self, spec: str) -> str:
        return "?"

    def __str__(self) -> str:
        return "?"


class Source:
    """Answers with what is stored, and notes what was requested."""

    def __init__(self, answers: Mapping[str, Answers], missing: bool = False) -> None:
        self.answers, self.missing = answers, missing
        self.values: dict[str, set[str]] = {}
        self.excerpts: dict[str, set[tuple[tuple[str, ...], bool]]] = {}
        self._compiled: dict[tuple[str, ...], dict[str, Any]] = {}

    def value(self, command: str, path: str) -> Any:
        """Return the value at a path of a command's JSON, Unknown if none is stored; or of a module
        that is named in place of a command."""
        if MODULE.fullmatch(command):
            return value_at(import_module(command), path)
        command = normal(command)
        if COMMAND.match(command):
            return value_at(computed(command), path)
        self.values.setdefault(command, set()).add(path)
        return self._found(lambda: self.answers[command].values[path], f"{command}: {path}")

    def figure(self, command: str, path: str, spec: str = "", per: float = 1) -> str:
        """Return it as text in a format, divided by `per`."""
        return self.number(self.value(command, path), spec, per)

    def number(self, found: Any, spec: str = "", per: float = 1) -> str:
        """Return a value, or what was computed from values, in a format; RunError if it is not
        measured."""
        if isinstance(found, Unknown):
            return self._missed(found.what)
        return format(found if per == 1 else found / per, spec)

    def output(self, command: str, *titles: str, notes: bool = True) -> str:
        """Return what a command printed, or its tables of these titles."""
        lines = self._lines(command, titles, notes)
        return lines.removeprefix(f"{LEFT_OUT}\n").removesuffix(f"\n{LEFT_OUT}")

    def rows(self, command: str, title: str) -> list[list[str]]:
        """Return the cells of a table that a command printed, row by row."""
        return cells(self._lines(command, (title,), True).split("\n"))

    def session(self, command: str, *titles: str, notes: bool = True) -> str:
        """Return the same below the command, as a terminal shows it."""
        return f"$ modexplorer {command}\n{self._lines(command, titles, notes)}"

    def area(self, design: str, nbits: int = 32, options: str = "") -> float:
        """Return the area of a design's accelerator in um2."""
        return self.value(flow(design, nbits, options), "metrics.area_um2")

    def period(self, design: str, nbits: int = 32, options: str = "") -> float:
        """Return the period that its netlist reaches, in ns."""
        return self.value(flow(design, nbits, options), "metrics.period_ns")

    def energy(self, design: str, workload: str, nbits: int = 32, options: str = "") -> float:
        """Return the energy of an operation in nJ, with glitches."""
        command = flow(design, nbits, f"{options} --to power")
        return self.value(command, f"metrics.energy_glitches_{workload}_nj")

    def cycles(self, design: str, workload: str, nbits: int = 32, options: str = "") -> int:
        """Return the cycles of an exponentiation; with `--xcel` through the accelerator's port."""
        unit = f" {options}" if options else ""
        level = "" if "--level" in options else " --level formula"  # hardware takes as many
        command = f"simulate {quoted(design)} --nbits {nbits} --workload {workload}{level}{unit}"
        return self.value(command, "cycles")

    def product(self, design: str, nbits: int) -> float:
        """Return area x period of a design as fast as it becomes: document 000's measure."""
        fast = "--clock 0.5"
        return self.area(design, nbits, fast) * self.period(design, nbits, fast)

    def ratio(self, over: float, under: float, spec: str = ".2f") -> str:
        """Return how many times one value is another, as text."""
        return self.number(over / under, spec)

    def marker(self, kind: str) -> Callable[..., str]:
        """Return what marks numbers of a kind that no command of ours prints."""
        return lambda text, spec="": format(text, spec)

    def _lines(self, command: str, titles: tuple[str, ...], notes: bool) -> str:
        command = normal(command)
        self.excerpts.setdefault(command, set()).add((titles, notes))
        name = label(titles, notes)
        what = f"{command}: output {name}"
        return self._shown(self._found(lambda: self.answers[command].printed[name], what))

    def _found(self, look: Callable[[], Any], what: str) -> Any:
        try:
            return look()
        except KeyError:
            return Unknown(what)

    def _shown(self, found: Any) -> Any:
        """Let no number be shown that was not measured."""
        return self._missed(found.what) if isinstance(found, Unknown) else found

    def _missed(self, what: str) -> str:
        if self.missing:
            return "?"
        raise RunError(f"not stored: {what}; `modexplorer pages --measure` measures it")

    @cached_property
    def _environment(self) -> Environment:
        """Make the environment of texts."""
        env = Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
        numbers = ("value", "figure", "rows", "ratio")
        names = (*numbers, "area", "period", "energy", "cycles", "product")
        env.globals |= {name: getattr(self, name) for name in names}
        env.globals |= {kind: self.marker(kind) for kind in MARKS}
        env.globals["designs"] = lambda: catalog.DESIGNS  # most texts need no design
        env.filters["num"] = self.number
        env.finalize = self._shown
        return env

    def render(self, text: str, macros: str = "", **more: Any) -> str:
        """Put numbers into a text, which may use macros."""
        if macros:
            more |= self._macros(macros, more)
        return self._environment.from_string(text).render(more)

    def _macros(self, text: str, names: dict[str, Any]) -> dict[str, Any]:
        """Compile macros, once for names of one kind: they keep the first values of these."""
        key = (text, *names)
        if key not in self._compiled:
            module = self._environment.from_string(text).make_module(names)
            self._compiled[key] = {k: v for k, v in vars(module).items() if k[0] != "_"}
        return self._compiled[key]


def flow(design: str, nbits: int, options: str = "") -> str:
    """Return the command that synthesises a design."""
    return " ".join(f"flow {quoted(design)} --nbits {nbits} {options}".split())


def quoted(design: str) -> str:
    """Return a design as the shell takes it."""
    return shlex.quote(design) if "(" in design else design


@cache
def normal(command: str) -> str:
    """Return a command in one way, whatever quotes and spaces a text has."""
    return shlex.join(shlex.split(command.removeprefix("modexplorer ")))


@cache
def _package() -> Source:
    return Source(stored(), missing=True)


def rendered(text: str, macros: str = "", **names: Any) -> str:
    """Put the package's numbers into a short text, such as an item's; ? where none is stored."""
    return _package().render(text, macros, **names)
