"""Studies of documents: studies.toml of a folder lists `[[studies]]`, and under `[[added]]` what it
adds to other studies.

A row of either asks a method of Plan, or as `units.forms_at` a function of a module of the folder.
Its `designs`, names or the name of a list of `[lists]`, at its `nbits` are the points, and its
`accelerators` are on processors; all else in it are arguments by their names. Without designs a
function is asked for each of `nbits`.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any

from eval.documents.document import numbers, part, written
from eval.study.study import Study

if TYPE_CHECKING:
    from eval.study.plan import Plan
    from eval.tasks.task import Task

FILE = "studies"


def studies() -> Iterator[Study]:
    """Make the studies of the documents."""
    for number in numbers():
        for one in written(number, FILE).get("studies", ()):
            fields = {name: value for name, value in one.items() if name != "rows"}
            yield Study(**fields, planned=partial(planned, number, one["rows"]))


def with_added(study: Study) -> Study:
    """Put what documents add to a study after its own tasks."""
    for number in numbers():
        for one in written(number, FILE).get("added", ()):
            if one["to"] == study.name:
                study = study.with_more(partial(planned, number, one["rows"]))
    return study


def planned(number: str, rows: Iterable[Mapping[str, Any]], plan: "Plan") -> Iterator["Task"]:
    """Make the tasks of a document's rows, one row after the other."""
    for row in rows:
        yield from _tasks(number, dict(row), plan)


def _tasks(number: str, row: dict[str, Any], plan: "Plan") -> Iterator["Task"]:
    module, _, name = row.pop("ask").rpartition(".")
    ask = getattr(part(number, module) if module else plan, name)
    for group in {"designs", "accelerators"} & row.keys():
        if isinstance(row[group], str):
            row[group] = written(number, FILE)["lists"][row[group]]
    if "accelerators" in row:
        row["processors"] = plan.with_accelerators(row.pop("accelerators"))
    if "designs" in row:
        yield from ask(points=plan.points(row.pop("designs"), *row.pop("nbits", ())), **row)
    elif module and "nbits" in row:
        for nbits in row.pop("nbits"):
            yield from ask(nbits, **row)
    else:
        yield from ask(**row)
