"""Studies of one's own: designs at widths, clocks and workloads, chosen by options or in a file."""

import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.catalog import DESIGNS, VARIANTS, find, swept
from eval.catalog.family import is_sweep
from eval.catalog.inputs import parse_decimal, parse_number, shorten
from eval.catalog.point import Point
from eval.catalog.user_designs import holder
from eval.catalog.workloads import WORKLOADS
from eval.study.plan import COMPARED_AT
from eval.study.study import Looked, Study
from eval.tasks.flow_run.task import EQUIVALENCE, POWER, TIMING, FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.simulation import AtCycleLevel, ByFormula, Untranslated
from eval.tasks.unit import ACCELERATOR
from flow.technologies.asked import DEFAULT
from flow.technologies.technology import technology
from sim.errors import UserError

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

ALL = "all"
NO_FLOW, LAYOUT = "none", "layout"
STEPS = (NO_FLOW, TIMING, POWER, EQUIVALENCE, LAYOUT)
CLOCKS_NS = (0.1, 1000)


@dataclass(frozen=True)
class OwnStudy:
    """Chooses what is measured: cycles of workloads, and the accelerators at each clock as far as
    step `to` of the flow, or not at all; laid out, with the energies before it, too."""

    designs: tuple[str, ...]
    nbits: tuple[int, ...] = (COMPARED_AT,)
    clocks_ns: tuple[float, ...] = ()  # of each technology the usual one, if none is given
    techs: tuple[str, ...] = (DEFAULT,)
    workloads: tuple[str, ...] = tuple(WORKLOADS)
    to: str = TIMING
    name: str = "own"
    asked: str = ""  # the file's name, if it is from one
    looked: tuple[Looked, ...] = ()  # what a search has looked at beside it

    def studies(self) -> list[Study]:
        """Make a study for each clock and technology; one without any mapping."""
        chosen = f"{', '.join(self.designs)} at {', '.join(map(str, self.nbits))} bits"
        return [
            Study(
                self.name,
                f"{chosen}, {clock_ns:g} ns" + ("" if tech == DEFAULT else f", {tech}"),
                self._planned,
                clock_ns,
                tech,
                own=True,
                asked=self.asked,
                looked=self.looked,
            )
            for tech in self.techs
            for clock_ns in self.clocks_ns or (technology(tech).clock_ns,)
        ]

    def _planned(self, plan: "Plan") -> Iterable["Task"]:
        for point in self._points():
            if model := self._without_hardware(point):
                yield from (model(point, workload) for workload in self.workloads)
                continue
            yield from plan.simulations([point], self.workloads)
            if self.to == LAYOUT:
                yield FlowRun(point, ACCELERATOR, plan.clock_ns, POWER, tech=plan.tech)
                yield LaidOut(point, ACCELERATOR, plan.clock_ns, tech=plan.tech)
            elif self.to != NO_FLOW:
                yield FlowRun(point, ACCELERATOR, plan.clock_ns, self.to, tech=plan.tech)

    def _without_hardware(self, point: Point) -> type[Untranslated] | None:
        """Say what counts cycles where nothing is translated; None where something is."""
        if self.to != NO_FLOW and not point.entry.assumed:
            return None
        if has_tested_formula(point):
            return ByFormula
        return AtCycleLevel if point.entry.assumed else None

    def _points(self) -> list[Point]:
        """Name the designs at the widths; of those that a pattern names, the ones that have it."""
        points = []
        for text in self.designs:
            for nbits in self.nbits:
                found = [Point(name, nbits) for name in matching(text) if _has(name, nbits)]
                if not found:
                    Point(matching(text)[0], nbits)  # says which widths it has
                points += found
        return list(dict.fromkeys(points))


def has_tested_formula(point: Point) -> bool:
    """Return whether a formula may stand for a simulation: of the catalog's designs, which are
    tested to obey theirs, not of somebody's own."""
    return holder(point.design) is None


def matching(text: str) -> list[str]:
    """List the designs of a name, a pattern such as array-*, or a sweep such as mont(steps=1..8);
    all: those for any key."""
    if text == ALL:
        return [name for name, design in DESIGNS.items() if not design.moduli.only]
    if is_sweep(text):
        return list(dict.fromkeys(design.name for design in swept(text)))
    if not set(text) & set("*?["):
        return [find(text).name]
    names = [name for name in (*DESIGNS, *VARIANTS) if fnmatchcase(name, text)]
    if not names:
        raise UserError(
            f"--designs: no design is named like {shorten(text)!r}; `modexplorer list` shows them"
        )
    return names


def _has(name: str, nbits: int) -> bool:
    least, most = find(name).widths
    return least <= nbits <= most


def known_tech(text: str) -> str:
    """Check that there is such a technology, and corner."""
    technology(text)
    return text


def chosen(values: Mapping[str, Sequence[str]], to: str = TIMING, name: str = "own") -> OwnStudy:
    """Make a study of lists of texts by option: designs, nbits, clock, workloads, tech; an empty
    one is as if it were not given."""
    for option, known in (("workloads", tuple(WORKLOADS)), ("to", STEPS)):
        for text in [to] if option == "to" else values.get(option, ()):
            if text not in known:
                raise UserError(
                    f"--{option}: {shorten(text)!r} is none; choose from {', '.join(known)}"
                )
    if not values.get("designs"):
        raise UserError("--designs: none is named; give some, such as mont-best,array-*, or all")
    read: dict[str, tuple[str, Callable[[str], Any]]] = {
        "designs": ("designs", str),
        "nbits": ("nbits", lambda text: parse_number("--nbits", text)),
        "clock": ("clocks_ns", lambda text: parse_decimal("--clock", text, "ns", *CLOCKS_NS)),
        "workloads": ("workloads", str),
        "tech": ("techs", known_tech),
    }
    fields: dict[str, Any] = {
        field: tuple(dict.fromkeys(make(text) for text in values[option]))
        for option, (field, make) in read.items()
        if values.get(option)
    }
    for option, field in (("clock", "clocks_ns"), ("tech", "techs")):
        if to == NO_FLOW and field in fields:
            raise UserError(
                f"--{option}: nothing is mapped up to step none; leave it out, or take another step"
            )
    study = OwnStudy(to=to, name=name, **fields)
    for point in study._points():  # what is wrong with one is said before anything runs
        if to != NO_FLOW and point.entry.assumed_area_um2 is None:
            point.check_hardware("--designs")
    return study


def pair(
    designs: Sequence[str], values: Mapping[str, Sequence[str]], to: str = TIMING
) -> list[Study]:
    """Make a study of each of two designs, at one width and clock, or at that of each."""
    studies = []
    for number, design in enumerate(designs):
        own = dict(values) | {"designs": [design]}
        for option in ("nbits", "clock", "tech"):
            if texts := values.get(option):
                if len(texts) > len(designs):
                    raise UserError(f"--{option}: {len(texts)} are given; give one, or one of each")
                own[option] = texts[min(number, len(texts) - 1) :][:1]
        (study,) = chosen(own, to).studies()
        if len({task.point for task in study.tasks}) > 1:
            raise UserError(f"design: {shorten(design)} names several; name one")
        studies.append(study)
    return studies


def from_file(text: str) -> OwnStudy:
    """Read a study from a TOML file with the options' names, each a value or a list."""
    path = Path(text)
    try:
        given = tomllib.loads(path.read_text())
    except OSError as error:
        raise UserError(
            f"study: cannot read {text} ({error.strerror}); give another file"
        ) from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise UserError(f"study: {text} is not TOML ({error}); mend it") from None
    lists = ("designs", "nbits", "clock", "workloads", "tech")
    looked = given.pop("looked", [])
    if unknown := given.keys() - {*lists, "to"}:
        raise UserError(
            f"study: {text} has {', '.join(sorted(unknown))}; it may have {', '.join(lists)} and to"
        )
    values = {
        name: [
            _text_of(text, name, item) for item in (value if isinstance(value, list) else [value])
        ]
        for name, value in given.items()
        if name in lists
    }
    to = _text_of(text, "to", given.get("to", TIMING))
    try:
        study = chosen(values, to, path.stem)
    except UserError as error:  # of what options are called here, too
        raise UserError(f"study: {text}: {str(error).removeprefix('--')}") from None
    return replace(study, asked=text, looked=tuple(_looked(text, looked, study)))


def _text_of(file: str, name: str, item: Any) -> str:
    """Return a value of a file as an option would have it; UserError if no option has such."""
    if isinstance(item, bool) or not isinstance(item, str | int | float):
        written = str(item).lower() if isinstance(item, bool) else str(item)
        raise UserError(
            f"study: {file}: {name} has {shorten(written)!r}, which is neither a text nor a "
            "number; give one, or a list of such"
        )
    return str(item)


def _looked(text: str, given: Any, study: OwnStudy) -> Iterator[Looked]:
    """Read what `modexplorer find --study` writes of what it has looked at: of each design area in
    um2 and time in us of the study's first workload; UserError if it is something else."""
    for one in given if isinstance(given, list) else [given]:
        match one:
            case [str(name), int() | float() as area, int() | float() as time]:
                design, workload = find(name).name, study.workloads[0]
                yield Looked(design, study.nbits[0], workload, float(area), float(time))
            case _:
                raise UserError(
                    f"study: looked: {shorten(one)} in {text} is no design with area and time; "
                    "write it as modexplorer find --study does, or leave looked out"
                )
