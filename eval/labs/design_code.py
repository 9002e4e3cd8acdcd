"""Checks of a student's own design: its contract, then its figures beside those of another.

The contract runs the design's code, and leaves its Verilog in the folder. The flow then synthesises
that text, and runs nothing of the design's code. Where submissions are graded, another process
simulates the text, too, and compares its results and cycles.
"""

import json
import re
import stat
import tomllib
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from eval.catalog import DESIGNS, bring, find
from eval.catalog.point import Point
from eval.catalog.user_designs import blamed, holder
from eval.catalog.workloads import WORKLOADS
from eval.contract.design import PARTS, Broken, Check
from eval.labs.lab import TEACHER, Items, Mark, drawn
from eval.labs.stages import Wrong, in_turn
from eval.tasks.noise_section import USUAL
from eval.tasks.unit import ACCELERATOR, simulated, translation
from sim.errors import RunError, UserError
from sim.translate import Translation

CLAIM, MADE = "claim.toml", "made.json"
NBITS, WORKLOAD = 8, "d"
LEVELS = ("fl", "cl", "rtl")
CLOCKS = 0.5, 5.0  # ns
MOST = 4 << 20  # bytes of what is left in the folder
SHOWN = 300  # letters of an error
CLAIMED, CONTRACT, BEATS = "claim", "contract", "beats"
WIDTHS = (9, 10, 11, 12, 13)  # that a teacher's seed draws from
TRIED = 20  # exponentiations of handed-over hardware
PATIENCE = 100_000  # cycles for each of them


class Claim(NamedTuple):
    """Names a design, the one that it beats, and the clock for which both are mapped."""

    design: str
    beats: str
    clock: float


class Figures(NamedTuple):
    """Is what a netlist comes to: um2, and us at the shortest period at which it works."""

    area: float
    time: float


def read_claim(folder: Path, rivals: dict[str, int]) -> Claim:
    """Read claim.toml; Wrong says what is wrong with it."""
    try:
        found = tomllib.loads(_plain(folder / CLAIM).read_text())
    except (OSError, ValueError, RecursionError) as error:
        raise Wrong(f"{CLAIM}: {error}; mend it") from error
    design, beats, clock = (found.get(name) for name in Claim._fields)
    number = clock if isinstance(clock, int | float) and not isinstance(clock, bool) else -1.0
    if beats not in rivals:
        raise Wrong(f"{CLAIM}: beats is {str(beats)[:40]!r}; name one of {', '.join(rivals)}")
    if not isinstance(design, str):
        raise Wrong(f'{CLAIM}: write design = "...", one of those in entry.py')
    if not CLOCKS[0] <= number <= CLOCKS[1]:
        raise Wrong(f"{CLAIM}: clock is {str(clock)[:40]!r}; give {CLOCKS[0]} to {CLOCKS[1]} ns")
    return Claim(design, str(beats), float(number))


def _plain(file: Path) -> Path:
    """Return a file that may be read: no link, no pipe, and not too long; else Wrong."""
    seen = file.lstat()
    if not stat.S_ISREG(seen.st_mode) or seen.st_size > MOST:
        raise Wrong(f"{file.name}: is no plain file, or too long")
    return file


def check_design(
    folder: Path, items: Items, widths: Sequence[int], rivals: dict[str, int]
) -> list[Mark]:
    """Check claim and contract, the teacher's cases at the first of the widths that the design has,
    and leave the design's Verilog and cycles in the folder."""
    (folder / MADE).unlink(missing_ok=True)
    stages: dict[str, Callable[[Claim], None]] = {
        CLAIMED: lambda claim: _is_own(folder, claim),
        CONTRACT: lambda claim: _keeps_contract(claim, LEVELS, NBITS),
        TEACHER: lambda claim: _keeps_contract(claim, ("rtl",), _width(claim, widths), PARTS[:2]),
    }

    def said(item: str) -> str:
        try:
            stages[item](read_claim(folder, rivals))
        except (UserError, RunError, Wrong) as error:
            return str(error)
        except Exception as error:
            if not (told := blamed(error)):
                raise
            return told
        return ""

    marks = in_turn(items, said)
    if {mark.item: mark.said for mark in marks}.get(CONTRACT) == "":
        _leave(folder, read_claim(folder, rivals), widths)
    return marks


def hand_over(folder: Path, items: Items, widths: Sequence[int], rivals: dict[str, int]) -> Any:
    """Check a design where its code may run; return what is said of each item, and what is left."""
    marks = check_design(folder, items, widths, rivals)
    left = folder / MADE
    made = json.loads(left.read_text()) if left.exists() else None
    return {"said": {mark.item: mark.said for mark in marks}, "made": made}


def check_handed(
    folder: Path, items: Items, widths: Sequence[int], rivals: dict[str, int], handed: Any
) -> list[Mark]:
    """Mark what hand_over returned, by the Verilog: its results, and the cycles of the claim; leave
    it in the folder if all is right."""
    told = handed.get("said")
    told = told if isinstance(told, dict) else {}
    made = handed.get("made")

    def said(item: str) -> str:
        if (wrong := told.get(item, "not checked")) != "":
            return str(wrong)[: 3 * SHOWN]
        try:
            claim = read_claim(folder, rivals)
            own = claim.design if holder(claim.design) else ""  # brought into this process
            if item != CLAIMED:
                (folder / MADE).write_text(json.dumps(made))
                left = _left(folder)
                _computes(left, item == TEACHER)
                if item == CONTRACT and (copied := _copied(_of(left), left["cycles"], own)):
                    raise Wrong(f"{claim.design} is {copied} of the catalog")
        except (UserError, RunError, Wrong) as error:
            (folder / MADE).unlink(missing_ok=True)
            return str(error)[: 3 * SHOWN]
        return ""

    marks = in_turn(items, said)
    if any(mark.got < mark.points for mark in marks):
        (folder / MADE).unlink(missing_ok=True)
    return marks


def _computes(made: dict[str, Any], wide: bool) -> None:
    """Simulate an accelerator that was handed over; Wrong at a result or time that is not right."""
    from eval.contract.exponentiator import random_cases
    from eval.contract.xcel import packed
    from fl.xcel import from_words, requests_for, words
    from sim.stream import StreamRunner

    found = made.get("wide") if wide else {"nbits": NBITS, "top": made["top"], "text": made["text"]}
    if not isinstance(found, dict) or found.get("nbits") not in (NBITS, *WIDTHS):
        raise Wrong("no hardware of the teacher's width was handed over")
    nbits = found["nbits"]
    first = WORKLOADS[WORKLOAD].request(nbits)
    cases = [(first.base, first.exp, first.mod)]
    for case in random_cases(nbits, TRIED, seed=len(made["text"])):
        base, exp, mod = case.operands
        cases.append((base % (mod | 1), exp, mod | 1))
    each = len(requests_for(nbits, *cases[0]))
    requests = [one for case in cases for one in requests_for(nbits, *case)]
    limit = PATIENCE * len(cases)
    with StreamRunner(_accelerator(found), "batch", "xcel.req", "xcel.resp") as runner:
        transfers = runner.run(packed(requests), max_cycles=limit)
    for i, (base, exp, mod) in enumerate(cases):
        taken = transfers[i * each : (i + 1) * each]
        pops = taken[-1 - words(nbits) : -1]
        result = from_words([one.response & 0xFFFFFFFF for one in pops])
        if result != pow(base, exp, mod):
            raise Wrong(f"the Verilog of {nbits} bits answers {result} to {base}^{exp} mod {mod}")
        cycles = pops[-1].arrived - taken[0].accepted
        if i == 0 and not wide and cycles != made["cycles"]:
            raise Wrong(f"the Verilog takes {cycles} cycles, and the design says {made['cycles']}")


def _accelerator(found: dict[str, Any]) -> Translation:
    """Return a handed-over accelerator behind the ports that all of its width have."""
    from eval.labs.hardware import checked_text, wrapped
    from sim.verilated import translation_of

    ports = [
        (port.name, port.direction == "input", port.nbits)
        for port in simulated(Point("ssmm-small", found["nbits"])).ports
        if port.name not in ("clk", "reset")
    ]
    text = checked_text(found.get("top"), found.get("text"))
    joined = {name: name for name, *_ in ports}
    return translation_of(wrapped(text, found["top"], ports, joined))


def _is_own(folder: Path, claim: Claim) -> None:
    """Say what is wrong with what is claimed to be the student's."""
    bring("folder", folder / "entry.py")
    if holder(claim.design) is None:
        raise Wrong(f"{CLAIM}: entry.py has no design {claim.design!r}")
    design = find(claim.design)
    if design.moduli.only or design.moduli.some or design.moduli.kind not in ("any", "odd"):
        raise Wrong(f"{claim.design} takes {design.moduli.text} moduli; it must take all odd ones")
    if design.assumed or not design.widths[0] <= NBITS <= design.widths[1]:
        raise Wrong(f"{claim.design} has no hardware of {NBITS} bits")
    point = Point(claim.design, NBITS)
    if copied := _copied(simulated(point), port_cycles(point), claim.design):
        raise Wrong(f"{claim.design} is {copied} of the catalog: the same Verilog; change it")


def _copied(made: Translation, cycles: int, own: str) -> str:
    """Name the design of the catalog that has the same hardware; "" if none has."""
    same = made.named("Top").digest
    for name, entry in DESIGNS.items():
        other = Point(name, NBITS)
        comparable = not entry.assumed and not entry.moduli.only and not entry.moduli.some
        if name == own or not comparable or not entry.widths[0] <= NBITS:
            continue
        if port_cycles(other) == cycles and simulated(other).named("Top").digest == same:
            return name
    return ""


def _of(made: dict[str, Any]) -> Translation:
    return Translation(made["top"], made["text"], ())


def drawn_widths(teacher: str) -> list[int]:
    """Put widths into an order that a teacher's seed draws; none without a seed."""
    return drawn(teacher, "project").sample(WIDTHS, len(WIDTHS)) if teacher else []


def _width(claim: Claim, widths: Sequence[int]) -> int:
    """Return the first width that the design has."""
    least, most = find(claim.design).widths
    return next((n for n in widths if least <= n <= most), NBITS)


def _keeps_contract(
    claim: Claim, levels: tuple[str, ...], nbits: int, parts: tuple[str, ...] = PARTS
) -> None:
    """Run the contract of each part at each level."""
    for level in levels:
        for part in parts:
            try:
                Check(part, nbits, level).run(find(claim.design))
            except Broken as error:
                told = str(error).splitlines()[0]
                raise Wrong(f"{told}. Look at it by {error.repeating}") from error


def _leave(folder: Path, claim: Claim, widths: Sequence[int]) -> None:
    """Write what the flow needs of the design, and its Verilog at the teacher's width."""
    point = Point(claim.design, NBITS)
    made = translation(point, ACCELERATOR)
    told: dict[str, Any] = {"top": made.top, "text": made.text, "flattened": made.flattened}
    told |= {"carry_save": made.carry_save, "cycles": port_cycles(point)}
    if widths:
        wide = Point(claim.design, _width(claim, widths))
        again = translation(wide, ACCELERATOR)
        told["wide"] = {"nbits": wide.nbits, "top": again.top, "text": again.text}
    (folder / MADE).write_text(json.dumps(told))


def port_cycles(point: Point) -> int:
    """Count the cycles of the workload through the port."""
    from cl.xcel import xcel_cycles

    request = WORKLOADS[WORKLOAD].request(point.nbits)
    return xcel_cycles(point.nbits, point.entry.cycles(point.nbits, **vars(request)))


def measure_design(folder: Path, points: int, rivals: dict[str, int]) -> list[Mark]:
    """Map the Verilog that was left, and compare it with the rival's netlist for the same clock."""
    try:
        claim = read_claim(folder, rivals)
        made = _left(folder)
        own, other = own_figures(made, claim), rival_figures(claim)
    except (UserError, RunError, Wrong) as error:
        return [Mark(BEATS, points, 0, " ".join(str(error).split())[:SHOWN])]
    told = compared(own, other, claim)
    got = 0 if told else rivals[claim.beats]
    return [Mark(BEATS, points, got, told or _short_of(points, got, claim))]


def _short_of(points: int, got: int, claim: Claim) -> str:
    """Say what more there is to earn."""
    return "" if got == points else f"{got} of {points} points are for {claim.beats}"


def _left(folder: Path) -> dict[str, Any]:
    """Read what the check of the contract has left, which the design's code may have written."""
    try:
        found = json.loads(_plain(folder / MADE).read_text())
        top, text, flattened = found["top"], found["text"], found["flattened"]
        names = [top, *flattened]
        if not all(re.fullmatch(r"[A-Za-z]\w{0,200}", name) for name in names):
            raise Wrong(f"{MADE}: a module has a name that is none")
        if type(found["cycles"]) is not int or found["cycles"] < 1 or not isinstance(text, str):
            raise Wrong(f"{MADE}: is not as the check of the contract leaves it")
    except OSError:
        raise Wrong("not tried: claim and contract first") from None
    except (ValueError, TypeError, KeyError, RecursionError) as error:
        raise Wrong(f"{MADE}: is not as the check of the contract leaves it") from error
    return dict(found)


def own_figures(made: dict[str, Any], claim: Claim) -> Figures:
    """Map the Verilog that was left."""
    from flow.results.run import read_results
    from flow.run import run_flow
    from sim.closure import hash_data
    from sim.paths import build_dir

    name = f"lab-project-{hash_data(made['text'])[:12]}-{claim.clock:.10g}ns"
    found = read_results(
        run_flow(
            name,
            made["text"],
            made["top"],
            build_dir("flow"),
            clock_period=claim.clock,
            to="timing",
            flatten=tuple(made["flattened"]),
            carry_save=bool(made["carry_save"]),
            wait=True,
        )
    )
    return _figures(found.metrics, made["cycles"])


def rival_figures(claim: Claim) -> Figures:
    """Take the row of the rival, measured if the store has none."""
    from eval.tasks.flow_run.task import FlowRun
    from eval.tasks.task import measure

    point = Point(claim.beats, NBITS)
    row = measure(FlowRun(point, ACCELERATOR, claim.clock))
    return _figures(row.result.metrics, port_cycles(point))


def _figures(metrics: Any, cycles: int) -> Figures:
    return Figures(metrics["area_um2"], cycles * metrics["period_ns"] / 1000)


def compared(own: Figures, other: Figures, claim: Claim) -> str:
    """Say in what a design does not beat another beyond the noise band; "" if it does."""
    wrong = []
    bands = {"area": USUAL.area, "time": USUAL.period}
    units = {"area": "um2", "time": "us"}
    for metric, band in bands.items():
        mine, theirs = getattr(own, metric), getattr(other, metric)
        if mine * (1 + band) < theirs * (1 - band):
            continue
        unit = units[metric]
        told = f"{metric}: {mine:.4g} {unit}, {claim.beats} has {theirs:.4g} {unit}"
        least = theirs * (1 - band) / (1 + band)
        near = f"within the noise of {100 * band:g} % of each" if mine < theirs else "no less"
        wrong.append(f"{told}: {near}; below {least:.4g} {unit} is beyond it")
    return "; ".join(wrong)
