"""`modexplorer explore`: measure the points of a study, or those that one names."""

from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import Listed, cli_command, engine_options, option, print_json

if TYPE_CHECKING:
    from collections.abc import Sequence

    from eval.report.records import Record
    from eval.study.engine import Engine
    from eval.study.results import StudyResult
    from eval.study.study import Study
    from eval.table import Grid
    from eval.tasks.task import Task


@cli_command(
    "explore quick",
    "explore --designs mont-best --nbits 32,64,128,256",
    "explore --designs all --nbits 64 --clock 2 --workloads d --to power --sort energy",
    "explore --designs 'mont(steps=1..8)' --nbits 32 --where constant=no --sort area,time",
)
@click.argument("study", required=False)
@option(
    "--designs LIST",
    "Of a study of one's own: names, patterns such as array-*, sweeps of a family's parameters "
    "such as 'mont(steps=1..8)' or 'mont(steps=*)', or all.",
    Listed(),
)
@option("--nbits LIST", "Its widths in bits; 32 if not given.", Listed())
@option(
    "--clock LIST",
    "Its clock periods in ns; the usual one of each technology, 3 of nangate45, if not given.",
    Listed(),
)
@option(
    "--tech LIST",
    "Its technologies, of `modexplorer tech`: sky130, or in one corner sky130@ff; nangate45 if not "
    "given.",
    Listed(),
)
@option("--workloads LIST", "Its workloads; e and d if not given.", Listed())
@option(
    "--to STEP",
    "Its last step of the flow: none, timing (if not given), power, equivalence, layout.",
)
@option(
    "--where CONDITION",
    "Show rows with this only, such as area<5000 or constant=yes; several must all be met. "
    "Values: nbits (bits), clock (ns), area (um2), period (ns), slack (ns), cycles, time (us), "
    "energy (nJ), power (mW). Words: design, workload, tech, family, moduli (any, odd), constant "
    "(time: yes, no).",
    multiple=True,
)
@option(
    "--sort NAMES",
    "Sort rows by one of these, the least first, or by several, such as area,time.",
)
@engine_options
def command(
    study: str | None,
    designs: list[str] | None,
    nbits: list[str] | None,
    clock: list[str] | None,
    tech: list[str] | None,
    workloads: list[str] | None,
    to: str | None,
    where: tuple[str, ...],
    sort: str | None,
    engine: "Engine",
    as_json: bool,
) -> None:
    """Measure every point of STUDY and print the results: a name that `modexplorer list` shows
    (default, if not given), a TOML file, or designs that options name.

    A file has the options' names: designs = ["array-*"], nbits = [64, 128], clock = 2.5.

    Finished rows are kept: an interrupted study goes on where it stopped, and one that is
    finished only prints.
    """
    from eval.cli.studying import run_studies
    from eval.report.records import RECORDS, check_names, records, sorted_by, where_all
    from eval.report.wrong import WRONG
    from eval.study.failures import RowsFailed
    from eval.study.results import as_json as in_json
    from eval.table.terminal import print_grids

    lists = {"designs": designs, "nbits": nbits, "clock": clock, "workloads": workloads}
    lists["tech"] = tech
    studies = asked(study, {name: texts for name, texts in lists.items() if texts is not None}, to)
    meets = where_all(where)
    if sort is not None:
        check_names("--sort", sort)
    failed: RowsFailed | None = None
    try:
        founds = run_studies(studies, engine)
    except RowsFailed as error:
        if not studies[0].own:
            raise
        failed = error  # of a wrong design: what there is of the others is shown
        founds = [*error.founds]
    if where or sort is not None or studies[0].own:
        chosen = [record for record in records(founds) if meets(record)]
        chosen = chosen if sort is None else sorted_by(chosen, sort)
        if as_json:
            rows = {"rows": [_in_json(record) for record in chosen]}
            print_json(rows | _layouts_in_json(founds) | _failed(founds))
        elif shown := RECORDS.of(chosen):
            print_grids([shown, *_layouts(founds)])
            levels = {record.simulation.level for record in chosen}
            if levels == {"formula"}:
                click.echo("Cycles are those of level formula: nothing was compiled.")
            elif levels - {"batch"}:
                others = " and ".join(sorted(levels - {"batch"}))
                click.echo(f"Cycles of designs without hardware (?) are those of level {others}.")
        elif where:
            click.echo("No row meets all of: " + ", ".join(where))
        if failed:
            if not as_json:
                print_grids(filter(None, [WRONG.of(failures_of(founds))]))
            raise failed
        return
    (found,) = founds
    if as_json:
        print_json(in_json(found))
        return
    from eval.report.report import Report

    report = Report(found)
    print_grids([*report["overview"], *report["fronts"], *report["designs"], *report["results"]])


def failures_of(founds: "Sequence[StudyResult]") -> "list[tuple[Task, str]]":
    """List the rows that failed, each with the reason, once."""
    return [*{task: why for found in founds for task, why in found.failures.items()}.items()]


def _layouts(founds: "Sequence[StudyResult]") -> "list[Grid]":
    """Show the layouts of a study of one's own, if it asks for any."""
    from eval.tasks.layout.section import LAYOUTS
    from eval.tasks.layout.task import LaidOut

    return [*filter(None, [LAYOUTS.of(found.of(LaidOut)) for found in founds])]


def _layouts_in_json(founds: "Sequence[StudyResult]") -> dict[str, Any]:
    """Return them for JSON, if there are any."""
    from eval.tasks.layout.task import LaidOut
    from eval.tasks.section import measured

    layouts = {
        task.command: task.shown(result)
        for found in founds
        for task, result in measured(found.of(LaidOut)).items()
    }
    return {"layouts": layouts} if layouts else {}


def _failed(founds: "Sequence[StudyResult]") -> dict[str, Any]:
    """Return them for JSON, if there are any."""
    failures = {str(task): reason for task, reason in failures_of(founds)}
    return {"failed": failures} if failures else {}


def _in_json(record: "Record") -> dict[str, Any]:
    """Return a record for JSON, with the cycles that a host usually saves, if there are any."""
    given = record.given_by_host
    shown: dict[str, Any] = {} if given is None else {"given_by_host": given}
    shown |= {"from_host": record.from_host} if record.from_host else {}
    return record.as_dict() | {"level": record.simulation.level} | shown


def asked(name: str | None, lists: dict[str, list[str]], to: str | None) -> list["Study"]:
    """Find the study of a name or file, or make one of what options choose: one for each clock."""
    from eval.catalog.inputs import shorten
    from eval.study.studies import find_studies
    from eval.study.user_study import chosen
    from sim.errors import UserError

    given = [*lists, *([] if to is None else ["to"])]
    if not given:
        return find_studies("default" if name is None else name)
    if name is not None:
        raise UserError(
            f"--{given[0]}: is of a study of one's own; leave out {shorten(name)!r}, or it"
        )
    return chosen(lists, **({} if to is None else {"to": to})).studies()
