"""What the functions of modexplorer/frames.py do, in a process of their own."""

import os
from collections.abc import Iterable, Sequence
from typing import Any

from pandas import DataFrame

from eval.catalog import DESIGNS, FAMILIES, VARIANTS, bring
from eval.catalog import find as design_named
from eval.catalog.design import Design
from eval.catalog.family import is_sweep, parts_of
from eval.find.answer import NAMES as FOUND
from eval.find.answer import Answer
from eval.find.need import read_need
from eval.find.search import Search
from eval.report.changes import Change, between_points
from eval.report.export import tables_of
from eval.report.records import METRICS, NAMES, check_names, records, sorted_by, where_all
from eval.report.report import Report
from eval.study.engine import Engine
from eval.study.results import StudyResult, run_all
from eval.study.studies import find_at_one_clock, find_studies
from eval.study.study import Study
from eval.study.sweep import cores
from eval.study.user_study import chosen, pair
from eval.table.values import frame_of
from eval.tasks.metrics import METRICS as MEASURED
from sim.errors import RunError, UserError

Some = str | int | float | Iterable[str | int | float] | None
"""One value, or several."""


def units() -> dict[str, str]:
    """Return the unit of each column that has one."""
    found = {name: MEASURED[metric.format("e")].unit for name, metric in METRICS.items()}
    return {"nbits": "bits", "clock": "ns"} | found


def explore(
    study: str | os.PathLike[str] | None = None,
    *,
    designs: Some = None,
    nbits: Some = None,
    clock: Some = None,
    workloads: Some = None,
    to: str | None = None,
    where: Some = None,
    sort: str | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> DataFrame:
    """Measure what is missing of a study, and return a row for each point, clock and workload."""
    lists = _lists(designs=designs, nbits=nbits, clock=clock, workloads=workloads)
    how = {} if to is None else {"to": to}
    if study is None:
        studies = chosen(lists, **how).studies()
    elif given := [*lists, *how]:
        raise UserError(f"{given[0]}: is of a study of one's own; leave out the study, or it")
    else:
        studies = find_studies(os.fspath(study))
    meets = where_all(_texts(where))
    if sort is not None:
        check_names("sort", sort)
    rows = [
        record for record in records(_run(studies, Engine(jobs, None, scheduler))) if meets(record)
    ]
    rows = rows if sort is None else sorted_by(rows, sort, "sort")
    asked = _asked(_texts(designs))
    found = [record.as_dict() | _parameters(record.point.point.entry) for record in rows]
    for row in found:
        row["design"] = asked.get(row["design"], row["design"])
    parameters = dict.fromkeys(name for row in found for name in row if name not in NAMES)
    frame = DataFrame(found, columns=[*NAMES, *parameters])
    return frame.astype({name: float for name in METRICS if name != "cycles"})


def _asked(designs: Sequence[str]) -> dict[str, str]:
    """Return the spellings of configurations that have another name in the catalog, by that."""
    single = (text for text in designs if "(" in text and not is_sweep(text))
    return {design_named(text).name: text for text in single}


def _parameters(design: Design) -> dict[str, Any]:
    """Return the values of a configuration's parameters, by the names of their columns."""
    if not design.spelled:
        return {}
    name, inside = parts_of(design.spelled)
    family = FAMILIES[name]
    return {f"parameter_{key}": v for key, v in (family.usual | family.read(inside)).items()}


def tables(
    study: str | os.PathLike[str], *, jobs: int | None = None, scheduler: str | None = None
) -> dict[str, DataFrame]:
    """Measure what is missing of a study, and return the tables of its report by name."""
    asked = find_at_one_clock(os.fspath(study))
    (found,) = _run([asked], Engine(jobs, None, scheduler))
    return {name: frame_of(grid) for name, grid in tables_of(Report(found)).items()}


def compare(
    before: str,
    after: str,
    *,
    nbits: Some = None,
    clock: Some = None,
    workloads: Some = None,
    to: str | None = None,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> DataFrame:
    """Compare two points, and return a row for each metric."""
    lists = _lists(nbits=nbits, clock=clock, workloads=workloads)
    studies = pair([before, after], lists, **({} if to is None else {"to": to}))
    _, found, _ = between_points(_run(studies, Engine(jobs, None, scheduler)))
    columns = [*Change.__dataclass_fields__, "relative", "verdict"]
    return DataFrame([change.as_dict() for change in found], columns=columns)


def find(
    nbits: int,
    operation: str,
    least: Some,
    *,
    at_most: Some = None,
    constant_time: bool = False,
    blinded: int = 0,
    moduli: str = "odd",
    families: Some = None,
    designs: Some = None,
    clock: str | float = "free",
    gated: str = "no",
    budget: str = "15min",
    seed: int = 1,
    jobs: int | None = None,
    scheduler: str | None = None,
) -> DataFrame:
    """Find the designs that are best for a need, and return a row for each that is shown."""
    need = read_need(
        nbits,
        operation,
        _texts(least),
        at_most=_texts(at_most),
        constant_time=constant_time,
        blinded=blinded,
        moduli=moduli,
        families=_texts(families),
        designs=_texts(designs),
        clock=str(clock),
        gated=gated,
        budget=budget,
        seed=seed,
    )
    engine = Engine(jobs, None, scheduler)
    search = Search(need, engine.run, jobs or cores())
    search.go()
    answer = Answer(search)
    if not answer.lines:
        raise RunError(f"no design was measured for the need: {need.text}; {answer.remedy}")
    frame = DataFrame([line.as_dict() for line in answer.lines], columns=list(FOUND))
    frame.attrs = {
        "met": answer.met,
        "complete": answer.complete,
        "open": len(answer.open),
        "left_out": answer.left_out,
        "binds": answer.binds(),
        "how": answer.how(),
    }
    return frame.astype({"energy": float})


def designs() -> DataFrame:
    """List the designs of the catalog, and those that were added."""
    named = [*DESIGNS.values(), *VARIANTS.values()]
    return DataFrame(
        {
            "design": [design.name for design in named],
            "title": [design.title for design in named],
            "family": [design.family for design in named],
            "moduli": [design.moduli.text for design in named],
            "constant_time": [design.constant_time for design in named],
            "point": [design.spelled for design in named],
            "variant": [design.name in VARIANTS for design in named],
        }
    )


def families() -> DataFrame:
    """List the parameters of the families."""
    rows = [
        (family.name, parameter.name, parameter.default, list(parameter.choices), parameter.title)
        for family in FAMILIES.values()
        for parameter in family.parameters
    ]
    return DataFrame(rows, columns=["family", "parameter", "default", "choices", "title"])


def add_designs(file: str | os.PathLike[str]) -> None:
    """Add the designs of a file to the catalog; UserError if there is none."""
    bring("file", file)


def _run(studies: Sequence[Study], engine: Engine) -> list[StudyResult]:
    return run_all(studies, engine.run)


def _lists(**values: Some) -> dict[str, list[str]]:
    """Write what is given as lists of texts, as options have them."""
    return {name: texts for name, given in values.items() if (texts := _texts(given))}


def _texts(given: Some) -> list[str]:
    if given is None:
        return []
    if isinstance(given, str | int | float):
        return [str(given)]
    return [str(value) for value in given]
