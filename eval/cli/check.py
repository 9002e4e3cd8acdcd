"""`modexplorer check`: whether a design keeps the contracts that every design must keep."""

import re
from collections.abc import Iterator
from operator import itemgetter
from shlex import quote
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import Listed, Number, cli_command, option, print_json

if TYPE_CHECKING:
    from eval.catalog.design import Design
    from eval.contract.design import Broken, Check

NOT_RUN, DOES_NOT_RUN, REFERENCE = "not run", "does not run", "reference model"
TRANSLATION = "translation"

HARDWARE = ("rtl", "verilog", "batch")
# Without --cases, at level batch: a fault in 0.1 % of products is found with a chance of 99 %.
PRODUCTS, WIDE_PRODUCTS, POWERS = 5000, 1000, 1000
WIDE = 64  # bits beyond which fewer products are drawn
Rows = list[dict[str, Any]]


@cli_command(
    "check ssmm-small",
    "check 'mont(steps=4)' --nbits 8 --part exponentiator --level rtl",
    "check mont-best --nbits 40 --level batch --cases 20000",
)
@click.argument("design")
@option(
    "--nbits LIST", "Widths in bits; 8, 40, and up to 128 the widest tested if not given.", Listed()
)
@option("--part LIST", "multiplier, exponentiator, accelerator; all if not given.", Listed())
@option("--level LIST", "fl, cl, rtl, verilog or batch; as suits the width if not given.", Listed())
@option(
    "--cases N",
    "Cases of each row, however long they take. If not given, as many as suit the level: at batch "
    f"{PRODUCTS} products ({WIDE_PRODUCTS} beyond {WIDE} bits) and up to {POWERS} exponentiations.",
    Number(1, 100_000),
)
def command(
    design: str,
    nbits: list[str] | None,
    part: list[str] | None,
    level: list[str] | None,
    cases: int | None,
    as_json: bool,
) -> None:
    """Test DESIGN as the designs of the catalog are tested: results, status, cycles equal to its
    formula, every stall pattern, level by level.

    Faults that the design's file lists are injected, too, unless an option narrows the check, and
    must be found. All failures are listed, the most telling first, each with the command that
    repeats it. Exit code 1 if there is one, and if no hardware was run, unless --level names only
    fl and cl.
    """
    from eval.catalog import find
    from eval.cli.progress import Reporter
    from eval.contract.planted import check_fault, faults_of
    from sim.errors import RunError

    found = find(design)
    checks = _asked(found, nbits, part, level, cases)
    is_whole = part is None and nbits is None and (level is None or found.assumed)
    faults = faults_of(found) if is_whole else []
    for fault in faults:
        check_fault(found, fault)
    rows: Rows = []
    with Reporter(f"check of {found.name}", len(checks) + len(faults)) as progress:
        for check in checks:
            progress.now(f"{check.part} of {check.nbits} bits at {check.level}", len(rows))
            rows.append(_row(found, check, checks))
        for fault in faults if not _failures(rows) else ():
            progress.now(f"fault: {fault.name}", len(rows))
            rows.append(_fault_row(found, fault))
    failures = _failures(rows)
    ran = any(row["result"] != NOT_RUN and row.get("level") in HARDWARE for row in rows)
    unchecked = None if ran or level else _no_hardware(found)
    if as_json:
        passed = not failures and not unchecked
        print_json({"design": found.name, "rows": rows, "passed": passed})
    else:
        _print(found, rows)
    if failures:
        raise RunError(f"{found.name} does not keep its contract: {_told(failures)}")
    if unchecked:
        raise RunError(unchecked)


def _asked(
    design: "Design",
    nbits: list[str] | None,
    parts: list[str] | None,
    levels: list[str] | None,
    cases: int | None,
) -> list["Check"]:
    """List the checks that options choose; UserError names the option that is wrong."""
    from eval.catalog.inputs import parse_number, shorten
    from eval.catalog.point import Point
    from eval.contract.design import MULTIPLIER, PARTS, Check, levels_of, tried_parts, widths_of
    from sim.errors import UserError
    from sim.stream import LEVELS

    for name, given, known in (("part", parts, PARTS), ("level", levels, LEVELS)):
        for text in given or ():
            if text not in known:
                raise UserError(
                    f"--{name}: {shorten(text)!r} is none; choose from {', '.join(known)}"
                )
    for text in levels or ():
        if text in HARDWARE:
            Point(design.name, widths_of(design)[0]).check_hardware("--level")
    if parts and (missing := [part for part in parts if part not in tried_parts(design)]):
        raise UserError(
            f"--part: {design.name} has no {missing[0]} that can be run alone; choose from "
            f"{', '.join(tried_parts(design))}"
        )
    widths = widths_of(design)
    if nbits is not None:
        widths = [Point(design.name, parse_number("--nbits", text)).nbits for text in nbits]

    def count(part: str, n: int, level: str) -> int | None:
        if cases is not None or level != "batch":
            return cases
        if part != MULTIPLIER:
            return POWERS
        return PRODUCTS if n <= WIDE else WIDE_PRODUCTS

    return [
        Check(part, n, level, count(part, n, level), exact=cases is not None)
        for n in dict.fromkeys(widths)
        for level in dict.fromkeys(levels or levels_of(n))
        for part in dict.fromkeys(parts or tried_parts(design))
    ]


def _row(design: "Design", check: "Check", checks: list["Check"]) -> dict[str, Any]:
    """Run a check, and return its row with all failures, the most telling first."""
    from eval.contract.check import TIMED_LEVELS
    from eval.foreign.given import GIVEN

    row: dict[str, Any] = {"part": check.part, "nbits": check.nbits, "level": check.level}
    row |= {"cases": None, "stalled": None, "cycles": None, "failures": []}
    row |= {"reason": None, "request": None, "repeat": None}
    if design.assumed and check.level in HARDWARE:
        return row | {"result": NOT_RUN, "reason": "there is no hardware yet"}
    chosen = None
    try:
        for failure in _translated(design, check, checks):
            row["failures"].append(failure)
        chosen = check.chosen(design)
        for broken in check.failures(design, chosen):
            row["failures"].append(_failure(design, broken))
    except Exception as error:
        row["failures"].append(_does_not_run(error))
    if failures := sorted(row["failures"], key=_rank):
        first = {name: failures[0][name] for name in ("reason", "request", "repeat")}
        return row | first | {"failures": failures, "result": _result(failures)}
    assert chosen is not None
    row["cases"], row["stalled"] = check.counts(chosen)
    if check.level in TIMED_LEVELS:
        found, given = check.measured(design, chosen), check.given(design, chosen)
        row["cycles"] = f"{_range(*found)}, measured" if found else "= formula"
        if given:
            row["cycles"] += f", {_range(*given)} of them for constants"
            row["given_by_host"] = list(given)
        if hosted := check.from_host(design):
            row["cycles"] += f", {', '.join(hosted)} {GIVEN}"
            row["from_host"] = hosted
    is_reference = check.model(design).measured and check.level not in HARDWARE
    return row | {"result": REFERENCE if is_reference else "right"}


def _translated(
    design: "Design", check: "Check", checks: list["Check"]
) -> Iterator[dict[str, Any]]:
    """Translate what a check runs in PyMTL3's simulator, unless another one runs its Verilog; yield
    the failure, if it is one."""
    from eval.catalog.untranslatable import explain
    from sim.translate import translate

    others = {one.level for one in checks if (one.part, one.nbits) == (check.part, check.nbits)}
    if check.level != "rtl" or others & {"verilog", "batch"}:
        return
    try:
        translate(check.component(design))
    except Exception as error:
        if not explain(error):
            raise
        yield _does_not_run(error)


def _failure(design: "Design", broken: "Broken") -> dict[str, Any]:
    """Return a failure of the contract as a record."""
    from eval.catalog.user_designs import with_option

    return {
        "kind": broken.kind,
        "reason": str(broken),
        "request": broken.request,
        "hint": broken.hint,
        "repeat": broken.repeating + with_option(design.name),
    }


def _does_not_run(error: Exception) -> dict[str, Any]:
    """Return a record of what keeps a part from running at all; other errors, such as one of what
    was typed or of an entry, are raised again."""
    from eval.catalog.untranslatable import explain
    from eval.catalog.user_designs import blamed
    from sim.errors import RunError, UserError

    kind = TRANSLATION if explain(error) else DOES_NOT_RUN
    reason = str(error) if isinstance(error, RunError | UserError) else blamed(error)
    if not reason or (kind == DOES_NOT_RUN and isinstance(error, UserError)):
        raise error
    return {"kind": kind, "reason": reason, "request": None, "hint": None, "repeat": None}


def _rank(failure: dict[str, Any]) -> int:
    """Return the place of a failure: the most telling ones come first."""
    from eval.contract.check import KINDS

    return (TRANSLATION, DOES_NOT_RUN, *KINDS).index(failure["kind"])


def _result(failures: Rows) -> str:
    """Return what a table shows of a row with failures."""
    kinds = {failure["kind"] for failure in failures}
    if TRANSLATION in kinds:
        return "not translatable"
    return DOES_NOT_RUN if kinds == {DOES_NOT_RUN} else "wrong"


def _failures(rows: Rows) -> Rows:
    """List the failures of all rows, the most telling first: of one kind those of the parts that
    others are made of."""
    from eval.contract.design import PARTS

    found = []
    for number, row in enumerate(rows):
        for failure in row["failures"]:
            part = PARTS.index(row["part"]) if "part" in row else len(PARTS)
            found.append(((_rank(failure), part, number), failure))
    return [failure for _, failure in sorted(found, key=itemgetter(0))]


def _told(failures: Rows) -> str:
    """Write the first failure with all that is known of it, and a line for each other one; what is
    the same of several levels or patterns of stalls is written once."""
    first, *others = failures
    request = first["request"] or {}
    lines = [first["reason"]]
    if request:
        operands = ", ".join(f"{name} = {value}" for name, value in request.items())
        lines.append(f"The request: {operands}")
    if first["hint"]:
        lines.append(f"Hint: {first['hint']}")
    if first["repeat"]:
        if first["repeat"].startswith("modexplorer simulate"):
            lines.append("To look inside, add --trace or --vcd FILE to what repeats it.")
        lines.append(f"Repeat it by: {first['repeat']}")
    known = {_same(first)}
    further = []
    for failure in others:
        if _same(failure) not in known:
            known.add(_same(failure))
            further.append(f"- {failure['kind']}: {failure['reason'].splitlines()[0]}")
            if failure["hint"] and failure["hint"] != first["hint"]:
                further.append(f"  Hint: {failure['hint']}")
    if further:
        lines += [f"Further failures, of {len(failures)} in all (--json lists them):", *further]
    return "\n".join(lines)


def _same(failure: dict[str, Any]) -> tuple[Any, ...]:
    """Return what makes two failures one for a reader: the request and the kind, or the text."""
    request = failure["request"]
    if request:
        return failure["kind"], *request.items(), failure["repeat"].rpartition("--level")[2]
    return failure["kind"], re.sub(r", stalls [\w-]+", "", failure["reason"].splitlines()[0])


def _no_hardware(design: "Design") -> str:
    """Say why no hardware was run, and what to do."""
    from eval.catalog.user_designs import with_option

    if design.bare:
        return (
            f"{design.name} was not run: a synthesis-only core has no adapter, so nothing compares "
            "its results; `modexplorer new FOLDER --verilog FILE --as multiplier` writes one that "
            "can be checked"
        )
    here = f"modexplorer check {quote(design.name)} --level fl,cl{with_option(design.name)}"
    then = "" if design.only_numbers else "; `modexplorer new FOLDER --level rtl` adds the hardware"
    return (
        f"no hardware of {design.name} was run: its multiplier is no hardware yet. "
        f"`{here}` checks what there is{then}"
    )


def _range(least: int, most: int) -> str:
    return f"{least} to {most}" if least < most else f"{most}"


def _fault_row(design: "Design", fault: Any) -> dict[str, Any]:
    """Inject a fault; it is a failure if the contract does not find it."""
    from eval.contract.planted import found_out

    caught = found_out(design, fault)
    row: dict[str, Any] = {"fault": fault.name, "failures": []}
    if caught is not None:
        return row | {"result": "found"}
    reason = f"nothing is wrong with fault {fault.name!r} in {fault.file}"
    none = dict.fromkeys(("request", "hint", "repeat"))
    return row | {"result": "not found", "failures": [{"kind": "value", "reason": reason} | none]}


def _print(design: "Design", rows: Rows) -> None:
    """Print what was checked."""
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    columns = words({"part": "part"}) + numbers(0, {"bits": "nbits"}) + words({"level": "level"})
    columns += numbers(0, {"cases": "cases", "stalled": "stalled"})
    columns += words({"cycles": "cycles", "": "result"})
    print_rows(f"contract of {design.name}", columns, (row for row in rows if "part" in row))
    faults = (row for row in rows if "fault" in row)
    print_rows("faults planted in it", words({"fault": "fault", "": "result"}), faults)
