"""The command line: `modexplorer` and how every command of it reports a failure."""

import errno
import os
import select
import sys
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import click

from eval.cli.options import OUTPUT, option, with_option
from eval.cli.version import version_option
from eval.exit_codes import EXIT_INCOMPLETE, EXIT_INTERRUPTED
from eval.tasks.kinds import KINDS
from sim.errors import Incomplete, RunError, UserError

EXIT_FAILED, EXIT_BAD_INPUT = 1, 2
# The help of each command; those of kinds of measurement have theirs in the registry.
AT_CLOCK = {name: kind.help for name, kind in KINDS.items() if kind.help}
HELP = AT_CLOCK | {
    "list": "Show the designs, the studies and the workloads.",
    "new": "Write the skeleton of a design of one's own.",
    "lab": "Begin, check or grade a lab of the course.",
    "campaign": "Test random designs with random requests, for hours.",
    "check": "Test a design by the contracts that every design must keep.",
    "conform": "Try a design by published vectors of RSA: signatures, decryption.",
    "schedule": "Run an exponentiation algorithm of the documents; count its products.",
    "simulate": "Run one exponentiation: result, status, cycles.",
    "levels": "Run one exponentiation with every part at every level: results, cycles, speeds.",
    "sensitivity": "Find which part of a design matters for a whole operation, by how much.",
    "timing": "Find what a design's cycles tell of base, exponent and modulus.",
    "spread": "Find how a design's cycles are spread over random messages.",
    "leakage": "Find what a design's power tells of base and exponent.",
    "attack": "Find a design's exponent by its power: how many traces, through what noise.",
    "assess": "Say by two runs of t-tests what power tells, and what they cannot see.",
    "faults": "Find what somebody gains who flips one bit of a design once.",
    "probe": "Find wires that see both shares of a bit of the exponent.",
    "run": "Run a program on the processor, with or without an accelerator.",
    "rsa": "Run RSA's private operation on the processor: cycles by step.",
    "disasm": "Show a program's instructions.",
    "verilog": "Write the Verilog of a unit of a design.",
    "flow": "Synthesise a design and time it: area, cells, slack.",
    "signoff": "Check a finished layout by its files: rules, density, netlist.",
    "open": "Open a finished layout in KLayout's window.",
    "tech": "List the technologies: corners, cells, what they lack.",
    "fpga": "Map a design to an FPGA: tables, registers, multipliers, frequency.",
    "explore": "Measure all points of a study.",
    "find": "Find the design that a need asks for: limits, and what is to be least.",
    "compare": "Compare two designs, clocks, widths or stores.",
    "export": "Write the tables of a study as files.",
    "report": "Measure a study, write its report, print its tables.",
    "serve": "Show a study's report in a browser while its rows come.",
    "pseudo": "Find the least N for which a modulus divides 2^N - 1 or 2^N + 1.",
    "keygen": "Make an RSA key on the processor, or one whose modulus is easy to reduce by.",
    "redc": "Reduce a product by Montgomery's reduction, step by step.",
    "dots": "Draw the dot matrix of a modular multiplier at every stage.",
    "documents": "Show what the five documents say, item by item, and what we find.",
    "pages": "For maintainers: refresh what the pages of a checkout quote.",
    "atlas": "List, compare, update or audit the results that ship with ModExplorer.",
    "dev": "Check or record the canaries that guard the atlas.",
    "doctor": "Try out every tool; say how to install what is missing.",
}
# In the order in which a newcomer meets them.
GROUPS = {
    "Begin": ("doctor", "list", "lab", "new"),
    "Results and cycles": (
        *("simulate", "check", "levels", "timing", "spread", "sensitivity", "schedule", "campaign"),
        "conform",
    ),
    "Many designs": ("report", "explore", "find", "compare", "serve", "export"),
    "Area, delay, energy": (
        *("verilog", "flow", "clocks", "composed", "private", "noise", "crosscheck", "corners"),
        *("supply", "tech", "fpga"),
    ),
    "Layouts": ("placements", "signoff", "open"),
    "Security": ("leakage", "attack", "assess", "probe", "faults"),
    "Processor and keys": ("run", "rsa", "keygen", "disasm"),
    "Documents and pages": ("documents", "dots", "pseudo", "redc"),
    "Results that ship": ("atlas", "pages", "dev"),
}
# Commands whose work is kept as it goes.
KEEPING = {"campaign", "flow", "fpga", "explore", "find", "compare", "export", "report"}
KEEPING |= {"pages", "signoff", "open"}
KEEPING |= set(AT_CLOCK)
GREETING = """ModExplorer explores hardware for RSA modular exponentiation, from integers to cells.

Three next steps:
  modexplorer simulate mul-rem --nbits 32 --workload e   run a design, count its cycles
  modexplorer new mine                                   begin a design of your own
  modexplorer report quick                               measure a design, get a page of it

Lessons: modexplorer lab list. All commands: modexplorer --help. Tools: modexplorer doctor.
"""


class Commands(click.Group):
    """A group that loads a command when it is run, and whose failures are a line on stderr and an
    exit code, never a traceback."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, from the module of that name; each takes designs of one's
        own."""
        if cmd_name not in HELP:
            return None
        if cmd_name in AT_CLOCK:
            command = import_module("eval.cli.at_clock").command(cmd_name)
        else:
            command = import_module(f"eval.cli.{cmd_name}").command
        if with_option not in command.params:
            command.params.append(with_option)
        if ctx.resilient_parsing:  # a shell asks what to offer
            from eval.cli.completion import complete

            complete(command)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the commands with their help, group by group, without loading them."""
        width = max(map(len, HELP))
        for title, names in GROUPS.items():
            with formatter.section(title):
                formatter.write_dl([(name.ljust(width), HELP[name]) for name in names])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. A pipe that breaks is a reader for click, who has seen enough; it may
        be another pipe."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            if _reader_has_left():
                raise
            raise RunError(str(error)) from error

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run the command line and exit with one of the codes that the help lists."""
        options["standalone_mode"] = False
        try:
            code = super().main(args, *rest, **options)
        except click.exceptions.NoArgsIsHelpError as error:  # of a command that has others below it
            click.echo(error.format_message(), err=True)
            sys.exit(EXIT_BAD_INPUT)
        except click.UsageError as error:
            hint = error.ctx.command_path if error.ctx else "modexplorer"
            _fail(EXIT_BAD_INPUT, f"{error.format_message()} See `{hint} --help`.")
        except UserError as error:
            _fail(EXIT_BAD_INPUT, str(error))
        except RunError as error:
            _fail(EXIT_FAILED, _told(str(error)))
        except Incomplete as error:
            _fail(EXIT_INCOMPLETE, str(error), kind="note")
        except (KeyboardInterrupt, click.Abort):
            keeps = KEEPING & set(sys.argv[1:] if args is None else args)
            kept = "; finished rows are kept, the same command goes on from there" if keeps else ""
            _fail(EXIT_INTERRUPTED, f"interrupted{kept}", kind="note")
        except MemoryError:
            _fail(EXIT_FAILED, "out of memory")
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _fail(EXIT_FAILED, f"{place}{error.strerror or error}")
        except Exception as error:
            from eval.catalog.user_designs import blamed

            if not (said := blamed(error)):
                raise
            _fail(EXIT_FAILED, said)
        sys.exit(code if isinstance(code, int) else 0)


def _reader_has_left() -> bool:
    """Find whether nobody reads our output any more."""
    output = select.poll()
    output.register(sys.stdout, 0)
    return any(event & select.POLLERR for _, event in output.poll(0))


def _told(message: str) -> str:
    """Say first that the disk is full, if that is why a program failed."""
    if os.strerror(errno.ENOSPC) not in message:
        return message
    from sim.paths import build_dir

    remedy = f"free some of {build_dir()}, or choose another folder by --build"
    return f"the disk is full; {remedy}\n{message}"


def _fail(code: int, message: str, kind: str = "error") -> None:
    try:
        click.echo(f"modexplorer: {kind}: {message}", err=True)
    except OSError:  # a file that is full: the code says it, if no flush at the end changes that
        sys.stderr = None
    sys.exit(code)


@click.group(
    cls=Commands,
    commands=dict.fromkeys(HELP),
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@version_option
@option(
    "--build DIR", "Where results and builds are kept; build in the checkout if not given.", OUTPUT
)
def cli(build: Path | None) -> None:
    """Explore hardware for RSA modular exponentiation, from integers to cell area.

    \b
    Start with:
      modexplorer doctor
      modexplorer list
      modexplorer report

    Exit codes: 0 complete, 1 failed, 2 bad input, 3 incomplete (the best so far), 130 interrupted.
    """
    if build:
        _check_build(build)
        os.environ["MODEXPLORER_BUILD"] = str(build.absolute())  # for all that is started, too
    if click.get_current_context().invoked_subcommand is None:
        click.echo(GREETING, nl=False)


def _check_build(build: Path) -> None:
    """Raise UserError if a folder cannot be where it is asked for; none is made."""
    places = (build, *build.absolute().parents)
    there = next(place for place in places if os.path.exists(place))  # no OSError of long names
    if not there.is_dir():
        raise UserError(f"--build: {there} is a file; give a folder")
    if there != build and not os.access(there, os.W_OK):
        raise UserError(f"--build: no folder can be made in {there}; give another one")


cli.params.append(with_option)
