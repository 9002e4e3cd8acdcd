"""`modexplorer campaign`: random designs under random requests, for hours."""

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval.cli.options import NUMBER, Decimal, Number, cli_command, given, option, tell

if TYPE_CHECKING:
    from eval.cli.progress import Reporter
    from eval.contract.campaign import Trial

BUILD, STATE = "MODEXPLORER_BUILD", "state.json"
NOTHING = {"next": 1, "seconds": 0.0, "requests": 0, "designs": [], "widths": [], "failures": []}


@cli_command("campaign --hours 0.01", "campaign --trial 7")
@option("--hours H", "How long to go on.", Decimal("hours", 0.001, 1000), default=2.0)
@option("--first N", "Number of the first trial, of a campaign of its own.", Number(1), default=1)
@option("--trial N", "Only the trial of that number.", NUMBER)
def command(hours: float, first: int, trial: int | None, as_json: bool) -> None:
    """Ask designs drawn at random, at random widths, with random operands, stalls and resets.

    Designs are entries of the catalog and points of its families; results, status and cycles are
    compared with Python's pow and the formulas, in batch. What is done is kept in build/campaign:
    the same command goes on from there. Exit code 1 if a trial failed; each failure is told with
    the one command that shows it again.
    """
    from eval.cli.progress import Reporter
    from eval.contract.campaign import Trial
    from sim.errors import RunError, UserError
    from sim.paths import build_dir

    if trial is not None and (name := given("hours", "first")):
        raise UserError(f"{name}: is of many trials; leave it out, or --trial")
    end = time.monotonic() + hours * 3600
    with Reporter("campaign") as progress:
        if trial is not None:
            first = trial
            found: dict[str, Any] = dict(NOTHING)
            _add(found, Trial(trial), progress, build_dir("campaign") / "trial")
        else:
            folder = build_dir("campaign") / f"from-{first}"
            found = _kept(folder, first)
            while True:
                _add(found, Trial(found["next"]), progress, folder)
                _keep(folder, found)
                if time.monotonic() >= end:
                    break
    shown: dict[str, Any] = {
        "trials": found["next"] - first,
        "hours": round(found["seconds"] / 3600, 3),
        "requests": found["requests"],
        "designs": len(found["designs"]),
        "widths": len(found["widths"]),
        "failures": found["failures"],
    }
    counted = shown | {"failures": len(found["failures"])}
    tell(shown, (f"{name:10}{value}" for name, value in counted.items()), as_json)
    if failures := found["failures"]:
        told = "".join(f"\n{failure['said']}\n  {failure['command']}" for failure in failures)
        raise RunError(f"{len(failures)} trials failed:{told}")


def _kept(folder: Path, first: int) -> dict[str, Any]:
    """Read what was done."""
    state = folder / STATE
    return json.loads(state.read_text()) if state.exists() else dict(NOTHING) | {"next": first}


def _keep(folder: Path, found: dict[str, Any]) -> None:
    """Write what was done, whole or not at all."""
    folder.mkdir(parents=True, exist_ok=True)
    new = folder / f"{STATE}.new"
    new.write_text(json.dumps(found))
    os.replace(new, folder / STATE)


@contextmanager
def _building_in(folder: Path) -> Iterator[None]:
    """Build in a folder, and remove the simulators afterwards: no other trial has the same."""
    before = os.environ.get(BUILD)
    os.environ[BUILD] = str(folder)
    try:
        yield
    finally:
        if before is None:
            del os.environ[BUILD]
        else:
            os.environ[BUILD] = before
        for library in (folder / "batch").glob("*.so"):
            library.unlink()


def _add(found: dict[str, Any], trial: "Trial", progress: "Reporter", folder: Path) -> None:
    """Run a trial, building in a folder, and add what it came to."""
    progress.now(f"{trial}, {found['requests']} requests, {len(found['failures'])} failures")
    begin = time.monotonic()
    with _building_in(folder):
        requests, failure = trial.run()
    design, nbits, _ = trial.chosen
    found["next"] = trial.number + 1
    found["seconds"] += time.monotonic() - begin
    found["requests"] += requests
    found["designs"] = sorted({*found["designs"], design.name})
    found["widths"] = sorted({*found["widths"], nbits})
    if failure:
        found["failures"] = [*found["failures"], vars(failure)]
