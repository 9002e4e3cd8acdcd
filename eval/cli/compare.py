"""`modexplorer compare`: two designs, clocks, widths or stores beside each other."""

from pathlib import Path
from typing import TYPE_CHECKING

import click

from eval.cli.options import Listed, cli_command, engine_options, flag, given, option, print_json

if TYPE_CHECKING:
    from eval.report.changes import Bands, Change
    from eval.study.engine import Engine

STORE = "results.sqlite"


@cli_command("compare mont-best array-4 --nbits 32", "compare mont-best mont-best --clock 3,2")
@click.argument("before")
@click.argument("after")
@option("--nbits LIST", "Width in bits, or that of each; 32 if not given.", Listed())
@option("--clock LIST", "Clock period in ns, or that of each; 3 if not given.", Listed())
@option("--workloads LIST", "Workloads; e and d if not given.", Listed())
@option(
    "--to STEP",
    "Last step of the flow: none, timing (if not given), power, equivalence, layout.",
)
@flag("--gate", "Exit with 1 if a figure is worse by more than noise: for tests of a design.")
@engine_options
def command(
    before: str,
    after: str,
    nbits: list[str] | None,
    clock: list[str] | None,
    workloads: list[str] | None,
    to: str | None,
    gate: bool,
    engine: "Engine",
    as_json: bool,
) -> None:
    """Compare two designs, one design at two clocks or widths, or two results stores.

    Stores are named by their file or build folder: of rows that both have, what differs is shown.
    A change is within the noise if renaming nets moves the figure as much: by what `modexplorer
    noise` has measured of either design, or else by what designs of the catalog usually move. With
    --to layout both are placed and routed, and noise is what `modexplorer placements` has measured.
    """
    from eval.report.changes import changes_grid
    from eval.table.terminal import print_grids
    from sim.errors import RunError, UserError

    stores = [store_of(text) for text in (before, after)]
    if all(stores):
        if name := given("nbits", "clock", "workloads", "to"):
            raise UserError(f"{name}: two stores are compared as they are; leave it out")
        title, found, bands = _stores(*filter(None, stores))
    elif missing := _no_store({"before": before, "after": after}):
        raise UserError(missing)
    else:
        lists = {"nbits": nbits, "clock": clock, "workloads": workloads}
        title, found, bands = _designs([before, after], lists, to, engine)
    if as_json:
        print_json({"title": title, "changes": [change.as_dict() for change in found]})
    elif shown := changes_grid(title, found, bands):
        print_grids([shown])
    else:
        click.echo(f"{title}: nothing")
    if gate and (worse := [change for change in found if change.is_worse]):
        raise RunError(f"{len(worse)} of {len(found)} figures are worse by more than noise")


def store_of(text: str) -> Path | None:
    """Return the store that a file or a build folder is; None if it is neither."""
    path = Path(text)
    try:
        found = [place for place in (path, path / STORE) if place.is_file()]
    except (OSError, ValueError):
        return None
    return next(iter(found), None)


def _no_store(asked: dict[str, str]) -> str | None:
    """Say which argument is no store, though the other is one, or it is written as a path."""
    from eval.catalog.inputs import shorten

    stores = [name for name, text in asked.items() if store_of(text)]
    for name, text in asked.items():
        if name not in stores and (stores or "/" in text or text.endswith(Path(STORE).suffix)):
            return (
                f"{name}: no results store at {shorten(text)!r}; give two stores, each by its file "
                "or build folder, or two designs"
            )
    return None


def _designs(
    designs: list[str], given: dict[str, list[str] | None], to: str | None, engine: "Engine"
) -> tuple[str, list["Change"], "Bands"]:
    """Measure both points, and compare them workload by workload."""
    from eval.cli.studying import run_studies
    from eval.report.changes import between_points
    from eval.study.user_study import pair

    lists = {name: texts for name, texts in given.items() if texts}
    return between_points(
        run_studies(pair(designs, lists, **({} if to is None else {"to": to})), engine)
    )


def _stores(before: Path, after: Path) -> tuple[str, list["Change"], "Bands"]:
    """Compare the rows that both have."""
    from eval.report.changes import Bands, between_stores
    from eval.tasks.store import Store, metrics_of

    found = []
    for path in (before, after):
        with Store(path) as store:
            found.append(metrics_of(store))
    (old, left_out), (new, also) = found
    title = f"What differs of {len(old.keys() & new.keys())} rows that both stores have"
    if left_out or also:
        title += f", but {left_out} and {also} measured with several codes or tools"
    bands = Bands()
    return title, between_stores(old, new, bands), bands
