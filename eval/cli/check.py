"""`modexplorer check`: whether a design keeps the contracts that every design must keep."""

from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import Listed, cli_command, option, print_json

if TYPE_CHECKING:
    from eval.catalog.design import Design
    from eval.contract.design import Check


@cli_command("check ssmm-small", "check 'mont(steps=4)' --nbits 8 --part exponentiator --level rtl")
@click.argument("design")
@option(
    "--nbits LIST", "Widths in bits; 8, 40, and up to 128 the widest tested if not given.", Listed()
)
@option("--part LIST", "multiplier, exponentiator, accelerator; all if not given.", Listed())
@option("--level LIST", "fl, cl, rtl, verilog or batch; as suits the width if not given.", Listed())
def command(
    design: str,
    nbits: list[str] | None,
    part: list[str] | None,
    level: list[str] | None,
    as_json: bool,
) -> None:
    """Test DESIGN as the designs of the catalog are tested: results, status, cycles equal to its
    formula, every stall pattern, level by level.

    Faults that the design's file lists are planted, too, unless an option narrows the check, and
    must be found. Exit code 1 if something is wrong; the first case that is, and what repeats it,
    are told.
    """
    from eval.catalog import find
    from eval.cli.progress import Reporter
    from eval.contract.planted import faults_of
    from sim.errors import RunError

    found = find(design)
    checks = _asked(found, nbits, part, level)
    faults = faults_of(found) if part is None and level is None and nbits is None else []
    rows: list[dict[str, Any]] = []
    wrong: list[str] = []
    with Reporter(f"check of {found.name}", len(checks) + len(faults)) as progress:
        for check in checks:
            progress.now(f"{check.part} of {check.nbits} bits at {check.level}", len(rows))
            rows.append(_row(found, check, wrong))
        for fault in faults if not wrong else ():
            progress.now(f"fault: {fault.name}", len(rows))
            rows.append(_fault_row(found, fault, wrong))
    if as_json:
        print_json({"design": found.name, "rows": rows, "passed": not wrong})
    else:
        _print(found, rows)
    if wrong:
        raise RunError(f"{found.name} does not keep its contract: {wrong[0]}")


def _asked(
    design: "Design", nbits: list[str] | None, parts: list[str] | None, levels: list[str] | None
) -> list["Check"]:
    """List the checks that options choose; UserError names the option that is wrong."""
    from eval.catalog.inputs import parse_number, shorten
    from eval.catalog.point import Point
    from eval.contract.design import PARTS, Check, levels_of, tried_parts, widths_of
    from sim.errors import UserError
    from sim.stream import LEVELS

    for name, given, known in (("part", parts, PARTS), ("level", levels, LEVELS)):
        for text in given or ():
            if text not in known:
                raise UserError(
                    f"--{name}: {shorten(text)!r} is none; choose from {', '.join(known)}"
                )
    for text in levels or ():
        if text not in ("fl", "cl"):
            Point(design.name, widths_of(design)[0]).check_hardware("--level")
    widths = widths_of(design)
    if nbits is not None:
        widths = [Point(design.name, parse_number("--nbits", text)).nbits for text in nbits]
    return [
        Check(part, n, level)
        for n in widths
        for level in levels or levels_of(design, n)
        for part in parts or tried_parts(design)
    ]


def _row(design: "Design", check: "Check", wrong: list[str]) -> dict[str, Any]:
    """Run a check; what is wrong joins the list, with the command that repeats it."""
    from eval.catalog.user_designs import blamed, with_option
    from eval.contract.check import TIMED_LEVELS
    from eval.contract.design import Broken
    from eval.foreign.given import GIVEN
    from sim.errors import RunError

    row = vars(check) | {"cases": None, "stalled": None, "cycles": None}
    row |= {"reason": None, "request": None, "repeat": None}
    try:
        row["cases"], row["stalled"] = check.run(design)
    except Broken as error:
        repeat = error.repeating + with_option(design.name)
        told = {"reason": str(error), "request": error.request, "repeat": repeat}
        operands = ", ".join(f"{name} = {value}" for name, value in (error.request or {}).items())
        asked = f"\nThe request: {operands}" if operands else ""
        is_one = repeat.startswith("modexplorer simulate")
        inside = "\nTo look inside, add --trace or --vcd FILE to what repeats it." * is_one
        wrong.append(f"{error}{asked}{inside}\nRepeat it by: {repeat}")
        return row | {"result": "wrong"} | told
    except RunError as error:
        wrong.append(str(error))
        return row | {"result": "does not run", "reason": str(error)}
    except Exception as error:
        if not (said := blamed(error)):
            raise
        wrong.append(said)
        return row | {"result": "does not run", "reason": said}
    if check.level in TIMED_LEVELS:
        found, given = check.measured(design), check.given(design)
        row["cycles"] = f"{_range(*found)}, measured" if found else "= formula"
        if given:
            row["cycles"] += f", {_range(*given)} of them for constants"
            row["given_by_host"] = list(given)
        if hosted := check.from_host(design):
            row["cycles"] += f", {', '.join(hosted)} {GIVEN}"
            row["from_host"] = hosted
    return row | {"result": "right"}


def _range(least: int, most: int) -> str:
    return f"{least} to {most}" if least < most else f"{most}"


def _fault_row(design: "Design", fault: Any, wrong: list[str]) -> dict[str, Any]:
    """Plant a fault; if it is not found out, that joins the list."""
    from eval.contract.planted import found_out

    caught = found_out(design, fault)
    if caught is None:
        wrong.append(f"nothing is wrong with fault {fault.name!r} in {fault.file}")
    return {"fault": fault.name, "result": "not found" if caught is None else "found"}


def _print(design: "Design", rows: list[dict[str, Any]]) -> None:
    """Print what was checked."""
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    columns = words({"part": "part"}) + numbers(0, {"bits": "nbits"}) + words({"level": "level"})
    columns += numbers(0, {"cases": "cases", "stalled": "stalled"})
    columns += words({"cycles": "cycles", "": "result"})
    print_rows(f"contract of {design.name}", columns, (row for row in rows if "part" in row))
    faults = (row for row in rows if "fault" in row)
    print_rows("faults planted in it", words({"fault": "fault", "": "result"}), faults)
