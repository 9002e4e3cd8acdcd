"""What a text may say of figures: the functions of its template, and how it is rendered.

{{ figure('flow mul-rem --nbits 32', 'metrics.area_um2', '.0f') }}   a figure of ours
{{ value('flow mul-rem --nbits 32', 'metrics.area_um2') }}           the same, to reckon with
{{ session('flow mul-rem --nbits 32', 'Result') }}                   a command and its output
{{ rows('report rsa --tables', 'RSA of 2048 bits: time') }}          a table's cells, to reckon with
{{ printed('17153') }}                                               a document's figure
{{ follows('0.97') }}                                                what follows from such
{{ given('3 ns') }}                                                  a setting or a definition
{{ api('modexplorer') }}                                             a module's docstrings
"""

import shlex
from collections import Counter
from collections.abc import Callable
from functools import cache, cached_property
from math import log, log2
from statistics import linear_regression
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined

from eval.quoting.excerpt import LEFT_OUT, cells, label
from eval.quoting.kept import Kept, kept
from sim.errors import RunError

if TYPE_CHECKING:
    from eval.catalog.design import Design

MARKS = ("printed", "follows", "given", "machine", "tried")


class Unknown(float):
    """Stands for a figure that was not measured yet, and for all that is reckoned with it."""

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
    """The functions of a template; they answer with what is kept, and note what was asked for."""

    def __init__(self, answers: Kept, missing: bool = False) -> None:
        self.kept, self.missing = answers, missing
        self.values: dict[str, set[str]] = {}
        self.excerpts: dict[str, set[tuple[tuple[str, ...], bool]]] = {}
        self.timed: set[str] = set()
        self.marked: Counter[str] = Counter()
        self._compiled: dict[tuple[str, ...], dict[str, Any]] = {}

    def value(self, command: str, path: str) -> Any:
        """Return the value at a path of a command's JSON, Unknown if none is kept."""
        command = normal(command)
        self.values.setdefault(command, set()).add(path)
        return self._found(lambda: self.kept[command].values[path], f"{command}: {path}")

    def figure(
        self, command: str, path: str, spec: str = "", per: float = 1, was: str | None = None
    ) -> str:
        """Return it as text in a format, divided by `per`."""
        return self.number(self.value(command, path), spec, per, was)

    def number(self, found: Any, spec: str = "", per: float = 1, was: str | None = None) -> str:
        """Write a value, or what was reckoned of values, in a format; `was` is what the text said
        before, and says until all of them are measured. RunError if it has to and there is none."""
        if isinstance(found, Unknown):
            if was is not None:
                self.marked["was"] += 1
                return was
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

    def seconds(
        self, command: str, spec: str = ".0f", per: float = 1, was: str | None = None
    ) -> str:
        """Return how long a command's rows took on the machine that measured them."""
        command = normal(command)
        self.values.setdefault(command, set())
        self.timed.add(command)
        taken = self.kept.answers[command].seconds if command in self.kept.answers else None
        return self.number(
            Unknown(f"{command}: seconds") if taken is None else taken, spec, per, was
        )

    def area(self, design: str, nbits: int = 32, options: str = "") -> float:
        """Return the area of a design's accelerator in um2."""
        return self.value(flow(design, nbits, options), "metrics.area_um2")

    def period(self, design: str, nbits: int = 32, options: str = "") -> float:
        """Return the period that its netlist reaches, in ns."""
        return self.value(flow(design, nbits, options), "metrics.period_reached_ns")

    def slack(self, design: str, nbits: int = 32, options: str = "") -> float:
        """Return its slack in ns."""
        return self.value(flow(design, nbits, options), "metrics.setup_slack_ns")

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

    def apart(self, design: str, nbits: int) -> int:
        """Return how many cycles after each other products begin that need the one before."""
        asked = f"simulate {quoted(design)} --nbits {nbits} --base 3 --mod 101 --level formula"
        one, two = (self.value(f"{asked} --exp {exp}", "cycles") for exp in (1, 2))
        return two - one

    def product(self, design: str, nbits: int) -> float:
        """Return area x period of a design as fast as it becomes: document 000's measure."""
        fast = "--clock 0.5"
        return self.area(design, nbits, fast) * self.period(design, nbits, fast)

    def noise(self, what: str) -> str:
        """Return the most by which noise was seen to move area, period or energy."""
        from eval.tasks.noise_section import USUAL

        return f"{100 * getattr(USUAL, what):g} %"

    def designs(self, nbits: int = 32) -> "list[Design]":
        """List the designs of the catalog that there are at a width."""
        from eval.catalog import DESIGNS

        return [design for design in DESIGNS.values() if design.widths[0] <= nbits]

    def api(self, module: str, *names: str) -> str:
        """Return the signatures and docstrings of a module's names, or of all that it offers."""
        from eval.quoting.api import described

        return described(module, *names)

    def _lines(self, command: str, titles: tuple[str, ...], notes: bool) -> str:
        command = normal(command)
        self.excerpts.setdefault(command, set()).add((titles, notes))
        name = label(titles, notes)
        what = f"{command}: output {name}"
        lines = self._found(lambda: self.kept[command].printed[name], what)
        return self._missed(what) if isinstance(lines, Unknown) else "\n".join(lines)

    def exponent(self, values: dict[int, float]) -> float:
        """Return the power of the width that fits values by width best."""
        for one in values.values():
            if isinstance(one, Unknown):
                return one
        line = linear_regression([log(n) for n in values], [log(v) for v in values.values()])
        return line.slope

    def ratio(self, over: float, under: float, spec: str = ".2f") -> str:
        """Write how many times one value is another."""
        return self.number(over / under, spec)

    def marker(self, kind: str) -> Callable[..., str]:
        """Return what marks figures of a kind that no command of ours prints."""

        def mark(text: Any, spec: str = "") -> str:
            self.marked[kind] += 1
            return format(text, spec)

        return mark

    def _found(self, look: Callable[[], Any], what: str) -> Any:
        try:
            return look()
        except KeyError:
            return Unknown(what)

    def _shown(self, found: Any) -> Any:
        """Let no figure be shown that was not measured."""
        return self._missed(found.what) if isinstance(found, Unknown) else found

    def _missed(self, what: str) -> str:
        if self.missing:
            return "?"
        raise RunError(f"no figure is kept of {what}; `make figures` measures it")

    @cached_property
    def _environment(self) -> Environment:
        """Make the environment of texts."""
        env = Environment(
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        names = (
            *("value", "figure", "ratio", "output", "rows", "session", "seconds", "api", "designs"),
            *("area", "period", "slack", "energy", "cycles", "apart", "exponent", "product"),
            "noise",
        )
        env.globals |= {name: getattr(self, name) for name in names}
        env.tests["unknown"] = lambda found: isinstance(found, Unknown)
        env.globals |= {kind: self.marker(kind) for kind in MARKS}
        env.globals["log2"] = lambda found: found if isinstance(found, Unknown) else log2(found)
        env.filters["num"] = self.number
        env.finalize = self._shown
        return env

    def render(self, text: str, macros: str = "", **more: Any) -> str:
        """Put figures into a text, which may use macros."""
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
    """Write the command that maps a design."""
    return " ".join(f"flow {quoted(design)} --nbits {nbits} {options}".split())


def quoted(design: str) -> str:
    """Write a design as the shell takes it."""
    return shlex.quote(design) if "(" in design else design


@cache
def normal(command: str) -> str:
    """Write a command in one way, whatever quotes and spaces a text has."""
    return shlex.join(shlex.split(command.removeprefix("modexplorer ")))


@cache
def _shown() -> Source:
    return Source(kept(), missing=True)


def rendered(text: str, macros: str = "", **names: Any) -> str:
    """Put the package's figures into a short text, such as an item's; ? where none is kept."""
    return _shown().render(text, macros, **names)
