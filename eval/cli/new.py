"""`modexplorer new`: the skeleton of a design of one's own, or the entry of a core of others."""

from pathlib import Path
from shlex import quote
from typing import Any

import click

from eval.cli.options import OUTPUT, cli_command, option, tell

ADAPTERS = (
    *("start-done", "val-rdy", "word-memory", "word-stream", "registers", "wishbone", "axi-lite"),
    "steps",
)


@cli_command(
    "new mine",
    "new designs/mine",
    "new mine --level cl",
    "new theirs --verilog docs/examples/modmul.v --top modmul",
)
@click.argument("folder", type=OUTPUT)
@option(
    "--level LEVEL",
    "How far to write it: cl (what it computes and when, no hardware yet), or rtl (all, if not "
    "given), which adds the hardware to a folder of level cl.",
    click.Choice(["cl", "rtl"]),
)
@option(
    "--verilog FILE",
    "A file of a core of others: Verilog, SystemVerilog or VHDL, or a list of files (.f).",
    multiple=True,
)
@option("--top MODULE", "Its top module or entity, if it has several.")
@option(
    "--as ROLE",
    "What it is: a multiplier (if not given), an exponentiator, or bare: measured as it is, "
    "without a port to ask it by.",
    click.Choice(["multiplier", "exponentiator", "bare"]),
    name="role",
)
@option(
    "--adapter NAME",
    "How it is driven: start-done, val-rdy, word-memory, word-stream, registers, wishbone, "
    "axi-lite, or steps, which you write; found by the names of its ports if not given.",
    click.Choice(ADAPTERS),
)
@option("--port ROLE=PORT", "Which port is start, done, a, b, m, result, ...", multiple=True)
@option("--parameter NAME=VALUE", "A parameter; nbits stands for the width.", multiple=True)
@option("--define NAME=VALUE", "A macro.", multiple=True)
@option("--include DIR", "A folder of files that it includes.", multiple=True)
@option("--clock PORT", "Its clock, where the name does not tell.")
@option("--reset PORT", "Its reset, as !PORT where low resets.")
def command(
    folder: Path,
    level: str | None,
    verilog: tuple[str, ...],
    top: str | None,
    role: str | None,
    adapter: str | None,
    port: tuple[str, ...],
    parameter: tuple[str, ...],
    define: tuple[str, ...],
    include: tuple[str, ...],
    clock: str | None,
    reset: str | None,
    as_json: bool,
) -> None:
    """Write a new FOLDER with a small design of that name, to be edited: what it computes (fl.py),
    when (cl.py), how (rtl.py), and its entries in the catalog (entry.py). It works as it is.

    With --level cl it has no rtl.py yet: it is simulated, explored and put beside the processor by
    its model, before there is hardware; --level rtl then adds that.

    With --verilog it has a core of others: its files, and an entry.py that says how the core is
    driven.
    """
    from sim.errors import UserError

    texts = {"--top": top, "--clock": clock, "--reset": reset}
    for name, text in texts.items():
        if text == "":
            raise UserError(f"{name}: an empty name is that of nothing; leave {name} out")
    if verilog:
        if level:
            raise UserError("--level: is of a design of one's own; leave it, or --verilog, out")
        said = {"role": role, "adapter": adapter, "clock": clock, "reset": reset}
        pairs = {"port": port, "parameter": parameter, "define": define}
        _foreign(folder, verilog, top or "", include, said, pairs, as_json)
        return
    options = {"--as": role, "--adapter": adapter, "--port": port, "--parameter": parameter}
    for name, value in (texts | options | {"--define": define, "--include": include}).items():
        if value:
            raise UserError(f"{name}: is of a core of others; give --verilog FILE, too")
    from eval.skeleton.copying import add_hardware, write_skeleton

    name, entry = folder.name, folder / "entry.py"
    if level == "rtl" and folder.is_dir():
        added = add_hardware(folder)
        taken = (
            "entry.py takes the unit from it"
            if added
            else ("let entry.py take the unit from .rtl, not from .cl")
        )
        lines = (f"{folder}: rtl.py added; {taken}", *_next(entry, name, 32))
    elif level == "cl":
        write_skeleton(folder, level)
        lines = (f"{folder}: fl.py, cl.py, entry.py", *_before_hardware(folder))
    else:
        write_skeleton(folder)
        lines = (f"{folder}: fl.py, cl.py, rtl.py, entry.py", *_next(entry, name, 32))
    tell({"design": name, "entry": str(entry)}, lines, as_json)


def _before_hardware(folder: Path) -> tuple[str, ...]:
    """Say what may be done with a design that has no hardware yet, step by step."""
    from eval.tasks.execution import BENCHMARK
    from sim.paths import ROOT

    name, entry = folder.name, folder / "entry.py"
    own = f"--with {quote(str(entry))}"
    source = BENCHMARK if Path(BENCHMARK).exists() else str(ROOT / BENCHMARK)
    program = f"{quote(source)} --define XCEL --xcel {name} --nbits 32 --level cl"
    return (
        "Edit fl.py, then cl.py, and try each:",
        f"  modexplorer check {name} --level fl {own}",
        f"  modexplorer check {name} --level fl,cl {own}",
        f"  modexplorer explore --designs {name} --nbits 32 --to none {own}",
        f"  modexplorer sensitivity {name} --nbits 1024 {own}",
        f"  modexplorer run {program} {own}",
        "When its cycles are worth it, add the hardware:",
        f"  modexplorer new {quote(str(folder))} --level rtl",
    )


def _next(entry: Path, name: str, nbits: int, role: str = "") -> tuple[str, ...]:
    """Say what may be done with a design."""
    from eval.catalog.user_designs import VARIABLE

    if role == "bare":
        line = f"modexplorer flow {name} --nbits {nbits} --unit core --with {quote(str(entry))}"
        return ("Measure it:", f"  {line}")
    return (
        "Try it, then edit it:",
        f"  modexplorer check {name} --with {quote(str(entry))}",
        f"  export {VARIABLE}={quote(str(entry.absolute()))}",
        f"  modexplorer explore --designs {name} --nbits {nbits}",
    )


def _foreign(
    folder: Path,
    verilog: tuple[str, ...],
    top: str,
    include: tuple[str, ...],
    said: dict[str, Any],
    pairs: dict[str, tuple[str, ...]],
    as_json: bool,
) -> None:
    """Write the folder of a core of others, and tell what was found of it."""
    from eval.catalog.inputs import check_path
    from eval.foreign.writing import Given, write_foreign

    given = Given(
        files=tuple(check_path("--verilog", name) for name in verilog),
        top=top,
        role=said["role"] or "multiplier",
        adapter=said["adapter"],
        ports=_pairs("--port", pairs["port"]),
        parameters=_pairs("--parameter", pairs["parameter"]),
        defines=_pairs("--define", pairs["define"]),
        includes=tuple(check_path("--include", name) for name in include),
        clock=said["clock"],
        reset=said["reset"],
    )
    made = write_foreign(folder, given)
    found = made.found
    ports = ", ".join(f"{role}={port}" for role, port in found.ports.items())
    lines = [
        f"{made.entry.parent}: entry.py and the files of the core",
        f"clock {', '.join(found.clocks) or 'none'}; reset {found.reset or 'none'}; "
        f"{found.adapter}{': ' * bool(ports)}{ports}",
        *(f"note: {note}" for note in made.notes),
        *_next(made.entry, folder.name, min(max(32, made.widths[0]), made.widths[1]), given.role),
    ]
    shown: dict[str, Any] = {
        "design": folder.name,
        "entry": str(made.entry),
        "adapter": found.adapter,
    }
    shown |= {"clock": list(found.clocks), "reset": found.reset, "ports": found.ports}
    tell(shown | {"widths": list(made.widths), "notes": list(made.notes)}, lines, as_json)


def _pairs(option: str, texts: tuple[str, ...]) -> dict[str, str]:
    """Read NAME=VALUE."""
    from sim.errors import UserError

    found: dict[str, str] = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not (name and equals and value):
            raise UserError(f"{option}: {text[:40]!r} is not NAME=VALUE; give {option} NAME=VALUE")
        if name in found:
            raise UserError(
                f"{option}: {name} is given twice, as {found[name]} and as {value}; give it once"
            )
        found[name] = value
    return found
