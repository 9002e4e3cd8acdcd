"""Points as rows, one for each clock and workload: chosen by conditions, sorted, shown."""

import math
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from operator import eq, ge, gt, itemgetter, le, lt, methodcaller, ne
from typing import Any

from eval.catalog.inputs import shorten
from eval.catalog.workloads import WORKLOADS
from eval.foreign.given import GIVEN, from_host, given_by_host
from eval.study.results import PointResult, StudyResult, accelerator_run
from eval.table import Table, numbers, words
from eval.tasks.simulation import Simulation
from flow.technologies.asked import DEFAULT
from sim.errors import UserError

WORDS = ("design", "workload", "tech", "family", "moduli", "constant")
CHOICES = {"constant": ("yes", "no"), "workload": tuple(WORKLOADS)}
METRICS = {
    "area": "area_um2",
    "period": "period_ns",
    "slack": "setup_slack_ns",
    "cycles": "xcel_cycles_{}",
    "time": "time_{}_us",
    "energy": "energy_glitches_{}_nj",
    "power": "power_{}_mw",
}
OPERATORS: dict[str, Callable[[Any, Any], bool]] = {
    **{"<=": le, ">=": ge, "!=": ne, "<": lt, ">": gt, "=": eq}
}
CONDITION = re.compile(rf"\s*(\w+)\s*({'|'.join(OPERATORS)})\s*(\S.*?)\s*")
TITLE = "Points, clocks and workloads"


@dataclass(frozen=True)
class Record:
    """A workload on a point at a clock."""

    found: StudyResult
    point: PointResult
    workload: str

    def value(self, name: str) -> Any:
        """Return a value by its name in NAMES; None if it was not measured."""
        if name in METRICS:
            return self.point.get(METRICS[name].format(self.workload))
        return {
            "design": self.point.point.design,
            "nbits": self.point.point.nbits,
            "clock": self.found.study.clock_ns,
            "tech": self.found.study.tech,
            "workload": self.workload,
            "family": self.point.point.entry.family,
            "moduli": self.point.point.entry.moduli.kind,
            "constant": "yes" if self.point.point.entry.constant_time else "no",
        }[name]

    @property
    def simulation(self) -> Simulation:
        """The task that counted the cycles."""
        asked = self.point.point, self.workload
        found = self.found.of(Simulation)
        return next(task for task in found if (task.point, task.workload) == asked)

    @property
    def commands(self) -> tuple[str, ...]:
        """The commands that reproduce what was measured."""
        cycles = self.simulation.port_command
        mapped = self.value("area") is not None and not self.point.point.entry.assumed
        return (accelerator_run(self.found, self.point).command,) * mapped + (cycles,)

    @property
    def given_by_host(self) -> int | None:
        """How many cycles find what a host usually gives; None if no core of others asks for it."""
        asked = self.simulation.request
        model = self.point.point.entry.at(self.point.point.nbits)
        return given_by_host(model, asked.base, asked.exp, asked.mod)

    @property
    def from_host(self) -> list[str]:
        """What the host gives to a core of others."""
        return from_host(self.point.point.entry.at(self.point.point.nbits))

    def as_dict(self) -> dict[str, Any]:
        """Return all values by their names."""
        return {name: self.value(name) for name in NAMES}


NAMES = (
    *("design", "nbits", "clock", "tech", "workload"),
    *(*METRICS, "family", "moduli", "constant"),
)


def records(founds: Iterable[StudyResult]) -> list[Record]:
    """List what studies found of points, with the workloads that were simulated."""
    return [
        record
        for found in founds
        for point in found.points
        for record in (Record(found, point, workload) for workload in WORKLOADS)
        if record.value("cycles") is not None
    ]


def where_all(conditions: Sequence[str]) -> Callable[[Record], bool]:
    """Read conditions such as `area<5000`, all of which a record must meet; what was not measured
    meets none."""
    tests = [_condition(text) for text in conditions]
    return lambda record: all(test(record) for test in tests)


def _condition(text: str) -> Callable[[Record], bool]:
    match = CONDITION.fullmatch(text)
    if not match:
        raise UserError(f"--where: {shorten(text)!r} is no condition; give one such as area<5000")
    name, sign, value = match.groups()
    check_name("--where", name)
    if name in WORDS:
        if sign not in ("=", "!="):
            raise UserError(f"--where: {name} is a word; compare it by = or !=")
        if value not in CHOICES.get(name, (value,)):
            raise UserError(
                f"--where: {shorten(value)!r} is none of {name}; choose from "
                f"{', '.join(CHOICES[name])}"
            )
        limit: Any = value
    else:
        try:
            limit = float(value)
        except ValueError:
            limit = math.nan
        if not math.isfinite(limit):
            raise UserError(f"--where: {shorten(value)!r} is not a number; give one")
    compare = OPERATORS[sign]

    def meets(record: Record) -> bool:
        found = record.value(name)
        return found is not None and compare(found, limit)

    return meets


def check_name(argument: str, name: str) -> None:
    """Raise UserError unless there is such a value."""
    if name not in NAMES:
        raise UserError(f"{argument}: no {shorten(name)!r} here; choose from {', '.join(NAMES)}")


def sorted_by(found: Sequence[Record], names: str, argument: str = "--sort") -> list[Record]:
    """Sort by a value, or several between commas of which each decides where those before it are
    equal: the least first, and what was not measured last."""
    in_order = list(found)
    for name in reversed(check_names(argument, names)):
        values = [(record.value(name), record) for record in in_order]
        measured = sorted((pair for pair in values if pair[0] is not None), key=itemgetter(0))
        in_order = [record for _, record in measured]
        in_order += [record for value, record in values if value is None]
    return in_order


def check_names(argument: str, names: str) -> list[str]:
    """Split names between commas; UserError unless there are such values."""
    parts = [name.strip() for name in names.split(",")]
    for name in parts:
        check_name(argument, name)
    return parts


def _value(name: str) -> Callable[[Record], Any]:
    return methodcaller("value", name)


def _note(found: Sequence[Record]) -> str:
    """Say what the columns are, and which of the cycles are those of what a host usually gives."""
    given = {
        f"{record.given_by_host} of workload {record.workload} on {record.point.point}": None
        for record in found
        if record.given_by_host is not None
    }
    told = f" Of the cycles, {', '.join(given)} find constants of the modulus, usually {GIVEN}."
    hosted = {
        f" {GIVEN.capitalize()} to {record.point.point}: {', '.join(record.from_host)}.": None
        for record in found
        if record.from_host
    }
    return NOTE + told * bool(given) + "".join(hosted)


def _named(record: Record) -> str:
    """Name the design, with the technology if that is unusual."""
    tech = record.found.study.tech
    return record.point.marked() + ("" if tech == DEFAULT else f" {tech}")


NOTE = (
    "Cycles through the accelerator's port; time at the clock, or at the minimum period where "
    "that is missed; energy with glitches."
)
RECORDS = Table(
    TITLE,
    words({"design": _named})
    + numbers(0, {"bits": _value("nbits")})
    + numbers(3, {"clock\nns": _value("clock")})
    + numbers(1, {"area\num2": _value("area")})
    + numbers(3, {"period\nns": _value("period")})
    + words({"work-\nload": "workload"})
    + numbers(0, {"cycles": _value("cycles")})
    + numbers(3, {"time\nus": _value("time")})
    + numbers(2, {"energy\nnJ": _value("energy")}),
    _note,
)
