"""`modexplorer run`: a program on the processor."""

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import NUMBER, OUTPUT, SOURCE, cli_command, flag, option, print_json

if TYPE_CHECKING:
    from proc.manager import Manager
    from proc.run.system_run import SystemRun


# A figure that a program prints: a line of a word and a whole number.
_FIGURE = re.compile(r"^(\w+) (\d+)$", re.MULTILINE | re.ASCII)


class Definition(click.ParamType):
    """Reads NAME or NAME=VALUE."""

    name = "definition"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Split it into name and value; UserError if the name is none of C."""
        from sim.errors import UserError

        name, _, text = value.partition("=")
        if not (name.isidentifier() and value.isascii() and value.isprintable()):
            raise UserError(f"--define: {value!r} is not NAME=VALUE")
        return name, text or "1"


@cli_command(
    "run proc/app/hello.c",
    "run proc/app/hello.c --level fl --trace",
    "run proc/app/hello.c --level cl --latency 5 --seed 1",
    "run proc/app/benchmark.c --define XCEL --xcel mul-rem --nbits 32",
)
@click.argument("program", type=SOURCE)
@option(
    "--level LEVEL",
    "fl (instructions only), cl (a model of the pipeline, with the cycles of the hardware), rtl "
    "(hardware in Python), batch (the same translated and compiled: fastest).",
    default="batch",
)
@option("--divider NAME", "seed (always 32 steps) or fast (skips leading zeros).", default="seed")
@option("--xcel DESIGN", "Attach the accelerator of a design.")
@option(
    "--peripheral DESIGN",
    "Give the processor interrupts, and the peripheral of a design on a bus, at 0x40000000.",
)
@option("--nbits N", "Width of the accelerator or the peripheral in bits.", NUMBER)
@option(
    "--xcel-level LEVEL",
    "Level of the accelerator or the peripheral, fl, cl or rtl; if not given the processor's, rtl "
    "at level batch.",
)
@option(
    "--define NAME=VALUE",
    "Define a macro for the C compiler.",
    Definition(),
    name="defines",
    multiple=True,
)
@option(
    "--input WORD",
    "A word that the program reads from mngr2proc; give it once per word.",
    NUMBER,
    name="inputs",
    multiple=True,
)
@option(
    "--latency CYCLES",
    "Cycles until memory answers; with --seed, at most so many.",
    NUMBER,
    default=1,
)
@option("--seed S", "Random delays of memory and manager.", NUMBER)
@option(
    "--memory BYTES",
    "Size of the memory, from address 0; 1 MiB if not given.",
    NUMBER,
    usual=1 << 20,
)
@option(
    "--max-cycles C",
    "Fail after so many cycles, at level fl instructions; 100000000 if not given.",
    NUMBER,
)
@flag("--trace", "Print a line per cycle (levels cl, rtl) or per instruction (fl, batch).")
@option("--vcd FILE", "Write waveforms to a .vcd file.", OUTPUT)
def command(program: str, as_json: bool, trace: bool, **options: Any) -> None:
    """Run PROGRAM, print what it prints, and what it took.

    PROGRAM is an ELF file, assembly (.S or .s), or C (.c: compiled, and linked with the
    runtime and the parts of the library in proc/app whose headers it includes). Exit code 0 if
    the program passes, 1 if it fails, does something that the processor cannot do, or does not
    end. `stats` are the parts of it between setting and clearing CSR stats_en.
    """
    from eval.cli.progress import Reporter
    from proc.manager import Manager
    from proc.programs.load import load_program
    from proc.retire import Stopped
    from proc.run.system_run import DEFAULT_LIMIT
    from sim.errors import RunError

    setup = _setup(**options)
    image = load_program(program, dict(options["defines"]), options["memory"])
    image.check_fits(options["memory"])  # before hardware is built
    print_now = None if trace or as_json else lambda text: click.echo(text, nl=False)
    manager = Manager(options["inputs"], echo=print_now)
    show = (lambda line: click.echo(line, err=as_json)) if trace else None
    limit, memory = options["max_cycles"], options["memory"]
    with Reporter(f"{program} at level {setup.level}", quiet=trace) as progress:
        progress.now("running")
        try:
            limit = DEFAULT_LIMIT if limit is None else limit
            done = setup.run(image, manager, limit, memory, show)
        except Stopped as stop:
            if as_json:
                print_json({"program": program} | _describe(setup, manager, str(stop), None))
            raise
        finally:
            if manager.printed and not as_json:
                rest = "" if manager.printed.endswith("\n") else "\n"
                click.echo((manager.printed if trace else "") + rest, nl=False)
    if as_json:
        print_json({"program": program} | _describe(setup, manager, done.reason, done))
    else:
        _print(setup.level, manager, done)
    if done.exit_code:
        raise RunError(f"{program}: {done.reason}")


def _setup(
    level: str,
    divider: str,
    xcel: str | None,
    peripheral: str | None,
    nbits: int | None,
    xcel_level: str | None,
    latency: int,
    seed: int | None,
    vcd: Path | None,
    memory: int,
    inputs: tuple[int, ...],
    **_: Any,
) -> Any:
    from eval.catalog.processor import point_of
    from eval.tasks.program import Setup
    from proc.programs.image import LARGEST_MEMORY
    from proc.run.timing import Timing
    from sim.errors import UserError

    if not 4 <= memory <= LARGEST_MEMORY or memory % 4:
        raise UserError(f"--memory: {memory} is not a multiple of 4 from 4 to {LARGEST_MEMORY}")
    for word in inputs:
        if word >> 32:
            raise UserError(f"--input: {word} is above {0xFFFFFFFF}; a word has 32 bits")
    if xcel is None and peripheral is None and nbits is not None:
        raise UserError("--nbits: there is no accelerator with a width; give --xcel, or leave it")
    try:
        timing = Timing(latency, seed)
    except UserError as error:
        raise UserError(f"--{error}") from None
    point = None if xcel is None else point_of(xcel, nbits)
    device = None if peripheral is None else point_of(peripheral, nbits)
    return Setup(level, divider, point, xcel_level, timing, vcd, device).check()


def _describe(
    setup: Any, manager: "Manager", reason: str, done: "SystemRun | None"
) -> dict[str, Any]:
    """Tell of a run; what it took is null of one that was stopped."""
    clocked = done if setup.level != "fl" else None
    return {
        "level": setup.level,
        "divider": setup.divider,
        "xcel": setup.xcel and setup.xcel.design,
        "peripheral": setup.peripheral and setup.peripheral.design,
        "nbits": (attached := setup.xcel or setup.peripheral) and attached.nbits,
        "passed": manager.exit_code == 0,
        "reason": reason,
        "exit_code": manager.exit_code,
        "printed": manager.printed,
        "figures": {name: int(value) for name, value in _FIGURE.findall(manager.printed)},
        "outputs": manager.outputs,
        "cycles": clocked.cycles if clocked else None,
        "instructions": done and done.instructions,
        "cpi": clocked.cpi if clocked else None,
        "stats": [
            {"cycles": w.cycles if clocked else None, "instructions": w.instructions}
            for w in (done.windows if done else ())
        ],
    }


def _print(level: str, manager: "Manager", done: "SystemRun") -> None:
    for word in manager.outputs:
        click.echo(f"output        {word:#010x}")
    if done.exit_code == 0:
        click.echo(done.reason)
    if level != "fl":
        click.echo(f"cycles        {done.cycles}")
    click.echo(f"instructions  {done.instructions}")
    if level != "fl":
        click.echo(f"CPI           {done.cpi:.2f}")
    for number, window in enumerate(done.windows, 1):
        cycles = "" if level == "fl" else f"{window.cycles} cycles, "
        click.echo(f"stats {number:<7} {cycles}{window.instructions} instructions")
