"""`modexplorer atlas`: the results that ship, what moved in them, and whether they are right."""

from dataclasses import asdict
from pathlib import Path

import click

from eval.cli.options import Number, cli_command, option, print_json, tell

ROWS, SEED = 10, 1


@click.group("atlas", epilog="\b\nExample:\n  modexplorer atlas list\n  modexplorer atlas audit")
def command() -> None:
    """List, compare, update or audit the results that ship with ModExplorer."""


@cli_command("atlas list", "atlas list --missing", group=command)
@click.option("--missing", is_flag=True, help="List results of older stages or other Verilog.")
def list_studies(missing: bool, as_json: bool) -> None:
    """Show the studies of the atlas: results by kind, and when the newest was measured."""
    from eval.atlas.audits import state
    from eval.atlas.rows import read, studies
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    rows = []
    for study in studies():
        entries = read(study)
        for kind in sorted({entry.key.kind for entry in entries}):
            of_kind = [entry for entry in entries if entry.key.kind == kind]
            dates = sorted({entry.made.get("date", "") for entry in of_kind})
            row = {"study": study, "kind": kind, "results": len(of_kind), "measured": dates[-1]}
            if missing:
                row["older"] = sum(state(entry) is not None for entry in of_kind)
            rows.append(row)
    if as_json:
        print_json(rows)
        return
    if not rows:
        click.echo("the atlas has no results yet; `modexplorer atlas update STUDY` measures some")
        return
    columns = words({name: name for name in ("study", "kind", "measured")})
    columns += numbers(0, {name: name for name in ("results", *(["older"] if missing else []))})
    print_rows("Results of the atlas", columns, rows)


@cli_command("atlas diff old/eval/atlas eval/atlas", group=command)
@click.argument("old", type=click.Path(path_type=Path))
@click.argument("new", type=click.Path(path_type=Path))
def diff(old: Path, new: Path, as_json: bool) -> None:
    """Show what moved between two folders with atlases, and whether that is more than noise."""
    from eval.atlas.audits import changes
    from sim.errors import UserError

    for name, folder in (("OLD", old), ("NEW", new)):
        if not folder.is_dir():
            raise UserError(f"{name}: {folder} is no folder; give one with atlas files")
    found = list(changes(old, new))
    lines = [f"{one['name']}: {one['what']}" for one in found]
    tell(found, [*lines, f"{len(found)} values differ"], as_json)


@cli_command("atlas update quick", "atlas update quick --budget 600", group=command)
@click.argument("study")
@option("--budget S", "Stop after about so many seconds.", Number(1), default=None)
def update(study: str, budget: float | None, as_json: bool) -> None:
    """Measure what is missing of a study, or older, and store the results in the atlas."""
    from eval.atlas.updates import update as run

    added, total = run(study, budget)
    line = f"{study}: {added} results added or renewed, {total} in all"
    tell({"study": study, "added": added, "results": total}, [line], as_json)


@cli_command("atlas audit", "atlas audit --rows 40 --seed 7 --budget 600", group=command)
@option("--rows N", "How many results to draw.", Number(1), default=ROWS)
@option("--seed S", "The seed by which they are drawn.", Number(0), default=SEED)
@option("--budget T", "Stop after about so many seconds.", Number(1), default=None)
def audit(rows: float, seed: float, budget: float | None, as_json: bool) -> None:
    """Measure results of the atlas again, drawn at random, and compare every value.

    Exit code 1 if a value differs, 3 if the budget ended before all were measured.
    """
    from eval.atlas import audits
    from eval.cli.progress import Reporter
    from sim.errors import Incomplete, RunError

    chosen = audits.drawn(int(rows), int(seed), budget)
    if not chosen:
        raise RunError("the atlas has no results; `modexplorer atlas update STUDY` stores some")
    found = []
    with Reporter("audit", len(chosen)) as progress:
        for one in audits.audit(chosen, budget):
            found.append(one)
            progress.now(one.entry.name, len(found))
    audits.confirm(found)
    counts = {verdict: sum(one.verdict == verdict for one in found) for verdict in audits.VERDICTS}
    lines = [f"{one.entry.name}: {text}" for one in found for text in map(str, one.moved)]
    said = ", ".join(f"{count} {verdict}" for verdict, count in counts.items() if count)
    lines.append(f"{len(found)} of {len(chosen)} results measured again: {said or 'none'}")
    tell([asdict(one) for one in found] if as_json else found, lines, as_json)
    if counts[audits.DIFFERS]:
        raise RunError(f"{counts[audits.DIFFERS]} results differ from the atlas")
    if len(found) < len(chosen):
        raise Incomplete(f"the budget of {budget:g} s ended after {len(found)} of {len(chosen)}")
