"""What a text may say of figures: the functions of its template, and how it is rendered.

{{ figure('flow mul-rem --nbits 32', 'metrics.area_um2', '.0f') }}   a figure of ours
{{ value('flow mul-rem --nbits 32', 'metrics.area_um2') }}           the same, to reckon with
{{ session('flow mul-rem --nbits 32', 'Result') }}                   a command and its output
{{ printed('17153') }}                                               a document's figure
{{ given('3 ns') }}                                                  a setting or a definition
"""

import shlex
from collections import Counter
from collections.abc import Callable
from functools import cache
from math import log, log2
from statistics import linear_regression
from typing import TYPE_CHECKING, Any

from jinja2 import Environment, StrictUndefined

from eval.figures.excerpt import excerpt, label
from eval.figures.kept import Kept, kept
from sim.errors import RunError

if TYPE_CHECKING:
    from eval.catalog.design import Design

MARKS = ("printed", "given", "machine", "tried")


class Unknown(float):
    """Stands for a figure that was not measured yet, while it is found what texts quote."""

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
        self.marked: Counter[str] = Counter()

    def value(self, command: str, path: str) -> Any:
        """Return the value at a path of a command's JSON."""
        command = normal(command)
        self.values.setdefault(command, set()).add(path)
        return self._found(lambda: self.kept[command].values[path], f"{command}: {path}")

    def figure(self, command: str, path: str, spec: str = "", per: float = 1) -> str:
        """Return it as text in a format, divided by `per`."""
        found = self.value(command, path)
        return format(found if per == 1 or isinstance(found, Unknown) else found / per, spec)

    def output(self, command: str, *titles: str, notes: bool = True) -> str:
        """Return what a command printed, or its tables of these titles."""
        command = normal(command)
        self.excerpts.setdefault(command, set()).add((titles, notes))
        name = label(titles, notes)
        lines = self._found(lambda: self.kept[command].printed[name], f"{command}: output {name}")
        return "\n".join(lines) if isinstance(lines, list) else str(lines)

    def session(self, command: str, *titles: str, notes: bool = True) -> str:
        """Return the same below the command, as a terminal shows it."""
        return f"$ modexplorer {command}\n{self.output(command, *titles, notes=notes)}"

    def seconds(self, command: str, spec: str = ".0f", per: float = 1) -> str:
        """Return how long a command's rows took on the machine that measured them."""
        command = normal(command)
        self.values.setdefault(command, set())

        def taken() -> float:
            if (found := self.kept[command].seconds) is None:
                raise KeyError(command)
            return found / per

        return format(self._found(taken, f"{command}: seconds"), spec)

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

    def designs(self, nbits: int = 32) -> "list[Design]":
        """List the designs of the catalog that there are at a width."""
        from eval.catalog import DESIGNS

        return [design for design in DESIGNS.values() if design.widths[0] <= nbits]

    def exponent(self, values: dict[int, float]) -> float:
        """Return the power of the width that fits values by width best."""
        line = linear_regression([log(n) for n in values], [log(v) for v in values.values()])
        return line.slope

    def marker(self, kind: str) -> Callable[[str], str]:
        """Return what marks figures of a kind that no command of ours prints."""

        def mark(text: str) -> str:
            self.marked[kind] += 1
            return str(text)

        return mark

    def _found(self, look: Callable[[], Any], what: str) -> Any:
        try:
            return look()
        except KeyError:
            if self.missing:
                return Unknown(1)
            raise RunError(f"no figure is kept of {what}; `make figures` measures it") from None

    def environment(self) -> Environment:
        """Return the environment of texts."""
        env = Environment(
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            keep_trailing_newline=True,
        )
        names = ("value", "figure", "output", "session", "seconds")
        helpers = ("area", "period", "slack", "energy", "cycles", "exponent", "designs")
        env.globals |= {name: getattr(self, name) for name in (*names, *helpers)}
        env.globals |= {kind: self.marker(kind) for kind in MARKS}
        env.globals |= {"log2": log2}
        env.filters["num"] = lambda found, spec="", per=1: format(found / per, spec)
        return env

    def render(self, text: str, **more: Any) -> str:
        """Put figures into a text."""
        return self.environment().from_string(text).render(**more)


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
def rendered(text: str) -> str:
    """Put the package's figures into a short text, such as an item's."""
    return Source(kept()).render(text) if "{" in text else text


__all__ = ["Source", "Unknown", "excerpt", "normal", "rendered"]
