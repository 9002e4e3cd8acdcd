"""`modexplorer simulate`: one exponentiation at a level of one's choice."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import (
    NUMBER,
    OUTPUT,
    Cycles,
    base_option,
    cli_command,
    exp_option,
    flag,
    mod_option,
    nbits_option,
    option,
    tell,
)

if TYPE_CHECKING:
    from eval.catalog.point import Point

MULTIPLIER = "multiplier"
MIXING = ("cl", "rtl", "formula")  # levels at which parts may be at another level
TRANSLATED = ("verilog", "batch")


@cli_command(
    "simulate mul-rem --nbits 32 --base 995313404 --exp 0x10001 --mod 2148676643",
    "simulate mul-rem --nbits 16 --workload d --level cl",
    "simulate ssmm-best --nbits 32 --workload e --unit peripheral --waves 0-7",
    "simulate mont-best --nbits 32 --workload e --level rtl --part unit=cl",
    "simulate mont-best --nbits 8 --unit multiplier --a 200 --b 77 --m 221 --trace",
)
@click.argument("design")
@nbits_option
@base_option
@exp_option
@mod_option
@option("--a", "First factor, with --unit multiplier.", NUMBER)
@option("--b", "Second factor.", NUMBER)
@option("--m", "Its modulus.", NUMBER)
@option(
    "--workload NAME",
    "Take base, exp and mod from a workload: e or d; or, with --xcel, private: by an RSA key's "
    "primes, in designs that do that by themselves.",
)
@option(
    "--level LEVEL",
    "fl (values only), cl (cycles by formula), rtl (hardware in Python), verilog (the same "
    "translated, through Verilator), batch (translated, compiled, fastest on long runs), formula "
    "(nothing runs: the cycles that every level must take, at once).",
    default="rtl",
)
@option(
    "--part PART=LEVEL",
    "Put a part at another level, at level cl or rtl. unit, the multipliers: fl (values, after a "
    "cycle), fl:CYCLES, cl, rtl, verilog, or another design's in their place. judge, constant, "
    "r-squared, enter, loop, leave, at level cl: cl, rtl or verilog.",
    name="parts",
    multiple=True,
)
@option(
    "--unit UNIT",
    "exponentiator (if not given), accelerator (through its port, in 32-bit words), peripheral "
    "(through its bus) or multiplier (one product of A and B modulo M).",
    click.Choice(["exponentiator", "accelerator", "peripheral", MULTIPLIER]),
)
@flag("--xcel", "Short for --unit accelerator.")
@flag("--trace", "Print a line for every cycle.")
@option(
    "--waves FIRST-LAST",
    "Print the signals of the peripheral's bus in these cycles, at most 64; 0 is the first.",
    Cycles(64),
)
@option("--vcd FILE", "Write waveforms to a .vcd file.", OUTPUT)
def command(
    design: str,
    nbits: int,
    base: int | None,
    exp: int | None,
    mod: int | None,
    a: int | None,
    b: int | None,
    m: int | None,
    workload: str | None,
    level: str,
    parts: tuple[str, ...],
    unit: str | None,
    xcel: bool,
    trace: bool,
    waves: tuple[int, int] | None,
    vcd: Path | None,
    as_json: bool,
) -> None:
    """Compute BASE^EXP mod MOD with DESIGN; numbers are decimal or 0x.

    Cycles count from the request to the response; with --xcel from the first operand word pushed
    to the last result word popped; on the peripheral's bus from the first write of the key to the
    last word read. There are none at level fl, which has no clock. The trace goes to stderr if
    --json is given. Result and cycles are compared with Python's pow and with the design's formula:
    if either differs, nothing is printed but both, and the exit code is 1. With --unit multiplier
    one product is made: A * B / 2^radix mod M, in the domain of DESIGN's multiplier. Of a core of
    others it is told how many cycles find constants of the modulus that a host usually gives.
    """
    from eval.catalog.mixed import mixed
    from eval.catalog.point import Point
    from eval.catalog.workloads import request_for
    from eval.cli.progress import Reporter
    from eval.foreign.given import from_host, given_by_host
    from eval.tasks import exponentiation
    from eval.tasks.peripheral import check_peripheral, simulate_peripheral
    from eval.tasks.private import PRIVATE
    from sim.errors import UserError

    if xcel and unit not in (None, "accelerator"):
        raise UserError(f"--xcel: excludes --unit {unit}; give one or the other")
    unit = "accelerator" if xcel else unit or "exponentiator"
    exponentiation.check_level(level)
    factors = {"a": a, "b": b, "m": m}
    if unit == MULTIPLIER:
        others: dict[str, object] = {"base": base, "exp": exp, "mod": mod, "workload": workload}
        others |= {"waves": waves, "part": parts or None}
        if given := [name for name, value in others.items() if value is not None]:
            raise UserError(f"--{given[0]}: --unit multiplier takes --a, --b and --m; leave it out")
        _multiply(Point(design, nbits), factors, level, trace, vcd, as_json)
        return
    if given := [name for name, value in factors.items() if value is not None]:
        raise UserError(f"--{given[0]}: is of a product; give --unit multiplier, or leave it out")
    if workload == PRIVATE:
        operands = {"base": base, "exp": exp, "mod": mod, "waves": waves, "part": parts or None}
        if given := [name for name, value in operands.items() if value is not None]:
            raise UserError(f"--{given[0]}: --workload {PRIVATE} has its own; leave it out")
        if unit != "accelerator":
            raise UserError(f"--workload {PRIVATE}: is asked through the port; give --xcel")
        _ask_privately(Point(design, nbits), level, trace, vcd, as_json)
        return
    point = mixed(design, nbits, parts, level)
    if parts and level not in MIXING:
        raise UserError(f"--part: level {level} has no parts; give --level {MIXING[0]} or rtl")
    if level in TRANSLATED:
        point.check_hardware("--level")
    request = request_for(nbits, workload, base, exp, mod, point.entry.moduli.key)
    exponentiation.check_request(point, request)
    exponentiation.check_vcd(level, vcd)
    if level == exponentiation.FORMULA and (trace or vcd or unit == "peripheral"):
        raise UserError("--level formula: runs nothing; leave --trace, --vcd and --unit out")
    show = (lambda line: click.echo(line, err=as_json)) if trace else None
    if unit == "peripheral":
        check_peripheral(point, level)
    elif waves is not None:
        raise UserError(f"--waves: {unit} has no bus; give --unit peripheral, or --trace")
    draw = partial(click.echo, err=as_json)
    ways: dict[str, Callable[..., Any]] = {
        "exponentiator": exponentiation.simulate,
        "accelerator": exponentiation.simulate_xcel,
        "peripheral": partial(simulate_peripheral, waves=waves, draw=draw),
    }
    run = ways[unit]
    if level == exponentiation.FORMULA:
        run = partial(exponentiation.by_formula, through_port=unit == "accelerator")
    with Reporter(f"{point} at level {level}", quiet=trace) as progress:

        def say(cycles: int) -> None:
            if level not in ("fl", exponentiation.FORMULA):
                progress.now(f"{cycles} cycles to simulate{_after(level)}")

        [answer] = run(point, [request], level, show, vcd, say)
    through = "accelerator port" if unit == "accelerator" else unit
    status = exponentiation.STATUS[answer.status]
    shown = {"design": point.design, "nbits": nbits, "level": level, "parts": list(parts)}
    shown["through"] = through
    shown |= vars(request) | {"result": answer.result, "status": status, "cycles": answer.cycles}
    lines: tuple[str, ...] = (
        f"result  {answer.result} (0x{answer.result:x})",
        f"status  {status}",
        f"cycles  {'-' if answer.cycles is None else answer.cycles}",
    )
    if answer.cycles is not None:
        found = given_by_host(point.entry.at(nbits), request.base, request.exp, request.mod)
        lines += _given(found, from_host(point.entry.at(nbits)), shown)
    tell(shown, lines, as_json)


def _after(level: str) -> str:
    """Say what comes before the cycles: it takes longer than a few of them."""
    return ", after compiling" if level in TRANSLATED else ""


def _given(found: int | None, from_host: list[str], shown: dict[str, Any]) -> tuple[str, ...]:
    """Write a line of what the host gives to a core, or of the cycles that find what a host usually
    gives; they join what JSON shows."""
    from eval.foreign.given import GIVEN

    if from_host:
        shown["from_host"] = from_host
        return (f"        {GIVEN}, in no cycles: {', '.join(from_host)}",)
    if found is None:
        return ()
    shown["given_by_host"] = found
    return (f"        {found} of them find constants of the modulus, usually {GIVEN}",)


def _ask_privately(
    point: "Point", level: str, trace: bool, vcd: Path | None, as_json: bool
) -> None:
    """Make a private operation by CRT, and print it."""
    from eval.cli.progress import Reporter
    from eval.tasks import exponentiation
    from eval.tasks.private import STATUS, check_private, simulate_private
    from sim.errors import UserError

    check_private(point)
    if level in TRANSLATED:
        point.check_hardware("--level")
    exponentiation.check_vcd(level, vcd)
    if level == exponentiation.FORMULA and (trace or vcd):
        raise UserError("--level formula: runs nothing; leave --trace and --vcd out")
    show = (lambda line: click.echo(line, err=as_json)) if trace else None
    with Reporter(f"{point} at level {level}", quiet=trace) as progress:

        def say(cycles: int) -> None:
            if level not in ("fl", exponentiation.FORMULA):
                progress.now(f"{cycles} cycles to simulate{_after(level)}")

        answer = simulate_private(point, level, show, vcd, say)
    status = STATUS[answer.status]
    shown: dict[str, Any] = {"design": point.design, "nbits": point.nbits, "level": level}
    shown |= {"through": "accelerator port"} | vars(answer) | {"status": status}
    lines: tuple[str, ...] = (
        f"result  {answer.result} (0x{answer.result:x})",
        f"status  {status}",
        f"cycles  {'-' if answer.cycles is None else answer.cycles}",
    )
    if answer.from_go is not None:
        lines += (f"        {answer.from_go} of them from go to the result",)
    tell(shown, lines, as_json)


def _multiply(
    point: "Point",
    factors: dict[str, int | None],
    level: str,
    trace: bool,
    vcd: Path | None,
    as_json: bool,
) -> None:
    """Make one product, and print it."""
    from eval.cli.progress import Reporter
    from eval.foreign.given import from_host, given_by_host
    from eval.tasks import exponentiation
    from eval.tasks.product import check_operands, multiplier_of, multiply
    from sim.errors import UserError

    operands = {name: value for name, value in factors.items() if value is not None}
    for name in factors:
        if name not in operands:
            raise UserError(f"--{name}: is missing; --unit multiplier takes --a, --b and --m")
    check_operands(point, **operands)
    exponentiation.check_vcd(level, vcd)
    if level == exponentiation.FORMULA and (trace or vcd):
        raise UserError("--level formula: runs nothing; leave --trace and --vcd out")
    show = (lambda line: click.echo(line, err=as_json)) if trace else None
    with Reporter(f"multiplier of {point} at level {level}", quiet=trace):
        product = multiply(point, **operands, level=level, trace=show, vcd=vcd)
    shown = {"design": point.design, "nbits": point.nbits, "level": level, "through": MULTIPLIER}
    shown |= vars(product)
    radix = f" = {product.a} * {product.b} / 2^{product.radix} mod {product.m}"
    lines: tuple[str, ...] = (
        f"result  {product.r} (0x{product.r:x}){radix if product.radix else ''}",
        f"cycles  {'-' if product.cycles is None else product.cycles}",
    )
    if product.cycles is not None:
        found = given_by_host(multiplier_of(point), product.a, product.b, product.m)
        lines += _given(found, from_host(multiplier_of(point)), shown)
    tell(shown, lines, as_json)
