"""Size the gates of a whole netlist that was mapped, flat or with hierarchy, by OpenSTA's slacks.

Gates change their strength and nothing else. OpenSTA tells how far the netlist is from its clock
before and afterwards; in between the library's tables do (sizing.py), which are brought in line
with it. A result that is not better is not taken.
"""

import re
import time
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

import msgspec

from flow.gates.liberty import Library
from flow.gates.strengths import Cells
from flow.results.netlist import Candidate, Resized
from flow.synthesis.area import totals
from flow.synthesis.flatten import Flattened, output_pins
from flow.synthesis.modules import Module
from flow.synthesis.netlists import (
    LATEST,
    WORK,
    Goal,
    figures,
    modules_of,
    say,
    timed,
    write_modules,
)
from flow.synthesis.sizing import Sizing, gates_of_netlist, strengthen, weaken

ROUNDS = 3  # of OpenSTA, beside the first
TRIED = "resized"  # under which a netlist is left until it is known to be better
CELL = re.compile(r"^  (\S+) (\\\S+ |\S+) \($", re.MULTILINE)
HAIR = 1.001
FASTER = 0.999  # times the period: what is gained where the clock is missed still


def resized(row: Candidate, goal: Goal, to_meet: bool = False) -> Candidate | None:
    """Size the gates of a netlist for its clock: its new row, whose text is left under the same
    name; None if it is not better than before, or is to meet the clock and does not: then all
    stays as it is."""
    begin = time.monotonic()
    modules = modules_of(row.recipe)
    cells = cells_of(LATEST.absolute())
    texts = {name: module.text for name, module in modules.items()}
    flat = Flattened(texts, goal.top, output_pins(cells.library.text))
    gates = gates_of_netlist(flat.netlist, flat.owners)
    sizing = Sizing(gates, cells, goal.period, whole=True)
    sizing.tighter = sizing.time() - (row.setup_slack_ns or 0.0)
    found, trials = None, 0
    for _ in range(ROUNDS):
        sizing.trials = 0
        strengthen(sizing)
        weaken(sizing)
        changed = sizing.changed()
        trials += sizing.trials
        now = sizing.state().worst
        if not changed or (to_meet and now < 0):
            break
        new = {name: with_cells(m, changed.get(name, {}), cells) for name, m in modules.items()}
        write_modules(TRIED, new)
        timing, area = timed(WORK / f"{TRIED}.v", goal), totals(figures(new), goal.top)
        trial = msgspec.structs.replace(
            row,
            area_um2=area["area_um2"],
            setup_slack_ns=timing.setup_slack_ns,
            period_ns=timing.period_ns,
            clock_met=timing.clock_met,
            resized=Resized(
                gates=sum(map(len, changed.values())),
                area_before_um2=row.area_um2,
                period_before_ns=row.period_ns,
                trials=trials,
            ),
        )
        if better(trial, found or row):
            found = trial
            for suffix in (".v", ".modules.json"):
                (WORK / f"{TRIED}{suffix}").replace(WORK / f"{TRIED}.best{suffix}")
        if timing.clock_met or now < 0:
            break
        sizing.tighter += now - (timing.setup_slack_ns or 0.0)
    if found and (found.clock_met or not to_meet):
        for suffix in (".v", ".modules.json"):
            (WORK / f"{TRIED}.best{suffix}").replace(WORK / f"{row.recipe}{suffix}")
        seconds = row.seconds + round(time.monotonic() - begin, 1)
        found = msgspec.structs.replace(found, seconds=round(seconds, 1))
        say(found)
        return found
    say({"sized": row.recipe, "better": False, "seconds": round(time.monotonic() - begin, 1)})
    return None


def better(new: Candidate, old: Candidate) -> bool:
    """Tell whether a netlist is better: smaller if it meets the clock, at no more area x period
    (but for a hair), else faster."""
    if new.clock_met != old.clock_met:
        return new.clock_met
    reached, before = new.period_ns or 0.0, old.period_ns or 0.0
    if new.clock_met:
        pays = new.area_um2 * reached <= HAIR * old.area_um2 * before
        return new.area_um2 < old.area_um2 and pays
    return reached < FASTER * before


@cache
def cells_of(library: Path) -> Cells:
    """Read the strengths of a library's cells, once."""
    return Cells(Library(library))


def with_cells(module: Module, new: Mapping[str, str], cells: Cells) -> Module:
    """Put other cells in the place of some of a module, as the new ones of their names."""
    if not new:
        return module
    more = sequential = 0.0

    def put(match: re.Match[str]) -> str:
        nonlocal more, sequential
        old, name = match.groups()
        kind = new.get(name[1:-1] if name.startswith("\\") else name)
        if kind is None:
            return match[0]
        grown = cells.library[kind].area - cells.library[old].area
        more += grown
        sequential += grown if cells.library[old].next_state else 0.0
        return f"  {kind} {name} ("

    text = CELL.sub(put, module.text)
    own = module.own
    own = replace(
        own,
        area=round(own.area + more, 6),
        sequential_area=round(own.sequential_area + sequential, 6),
    )
    return replace(module, text=text, own=own)
