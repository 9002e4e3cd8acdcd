"""The functions of the package: lists of names and numbers go in, pandas frames come out."""

import os
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from modexplorer.calls import call

if TYPE_CHECKING:
    from pandas import DataFrame

Some = str | int | float | Iterable[str | int | float] | None
"""One value, or several."""

DESIGNS = "MODEXPLORER_DESIGNS"


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
) -> "DataFrame":
    """Measure what is missing of a study, and return a row for each point, clock and workload.

    The arguments are the options of `modexplorer explore`:

    study: a study's name or a TOML file; without it, the study is what the next five say.
    designs, nbits, clock, workloads: designs, widths in bits, clock periods in ns, e or d.
    to: the last step of the flow: none, timing, power, equivalence or layout.
    where: conditions that rows must meet, such as "area<5000".
    sort: the column by which rows are sorted, the least first; or several, between commas.
    jobs: processes at once; as many as there are cores, if not given.
    scheduler: the address of a Dask cluster.

    A design is called as `designs` calls it. Columns `parameter_NAME` have the parameters of the
    configurations. What was not measured is NaN. Raises `UserError` for invalid arguments, and
    `RunError` where a simulation, a tool or a step of the flow fails.
    """
    return call("explore", _given(locals()))


def tables(
    study: str | os.PathLike[str], *, jobs: int | None = None, scheduler: str | None = None
) -> "dict[str, DataFrame]":
    """Measure what is missing of a study, and return the tables of its report by name.

    study: a study's name or a TOML file.
    jobs, scheduler: as in `explore`.
    """
    return call("tables", _given(locals()))


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
) -> "DataFrame":
    """Compare two designs, or one at two clocks or widths, and return a row for each metric.

    before, after: names of designs.
    nbits, clock: one of both designs, or that of each.
    workloads, to, jobs, scheduler: as in `explore`.

    A row has the metric before and after, the relative change, the noise band and the verdict.
    """
    return call("compare", _given(locals()))


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
) -> "DataFrame":
    """Find the designs that are best for a need, and return a row for each that is shown.

    The arguments are the options of `modexplorer find`:

    nbits, operation: the width in bits, and sign, sign-crt or verify.
    least: what is to be least, time, area or energy; several ask for a front.
    at_most: limits with units, such as "area=0.4mm2"; several in a list.
    constant_time: whether the cycles must be the same for every request.
    blinded: bits by which the exponents of signatures are blinded.
    moduli: those that a design must take: odd, any or special.
    families, designs: where to look; everywhere, if neither is given.
    clock: the clock period in ns that is to be met, or "free".
    gated: whether clocks are gated: no, yes or free.
    budget: for how long netlists are made, such as "20min".
    seed: the seed of what is drawn of large families.
    jobs, scheduler: as in `explore`.

    The first row is the best, or the nearest where no design meets the need. `attrs` of the frame
    says whether it is met, whether it is complete or how many designs could still be better, which
    designs were left out, what binds, and how it is known.
    """
    return call("find", _given(locals()))


def designs() -> "DataFrame":
    """Return the designs of the catalog, and those that were added: name, title, family, moduli,
    whether their time is constant, how they are written as a point of a family, and whether they
    are variants, which studies of all designs leave out."""
    return call("designs")


def families() -> "DataFrame":
    """Return the families with their parameters: a row for each parameter, with its default, its
    choices and its title."""
    return call("families")


def add_designs(file: str | os.PathLike[str]) -> None:
    """Add the designs of a file to the catalog, here and in the worker processes that are started.

    file: a Python file such as the `entry.py` that `modexplorer new` writes.
    """
    path = Path(file).absolute()
    call("add_designs", {"file": os.fspath(file)})
    named = os.environ.get(DESIGNS, "").split(os.pathsep)
    os.environ[DESIGNS] = os.pathsep.join(dict.fromkeys([*filter(None, named), str(path)]))


def _given(arguments: dict[str, Any]) -> dict[str, Any]:
    """Write arguments as another process takes them: iterables as lists, paths as texts."""
    return {name: _plain(value) for name, value in arguments.items()}


def _plain(value: Any) -> Any:
    if isinstance(value, os.PathLike):
        return os.fspath(value)
    return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value
