"""The command line: `modexplorer` and how every command of it reports a failure."""

import os
import signal
import sys
from collections.abc import Sequence
from typing import Any

import click

from eval.cli.clocks import clocks
from eval.cli.disasm import disasm
from eval.cli.doctor import doctor
from eval.cli.dots import dots
from eval.cli.explore import explore
from eval.cli.flow import flow
from eval.cli.fpga import fpga
from eval.cli.keygen import keygen
from eval.cli.list import list_designs
from eval.cli.noise import noise
from eval.cli.pseudo import pseudo
from eval.cli.report import report
from eval.cli.run import run
from eval.cli.simulate import simulate
from sim.errors import RunError, UserError

# Commands whose work is kept as it goes.
KEEPING = {"flow", "fpga", "clocks", "noise", "explore", "report"}
EXIT_FAILED, EXIT_BAD_INPUT, EXIT_INTERRUPTED = 1, 2, 130


class OneLineErrors(click.Group):
    """A group whose failures are a line on stderr and an exit code, never a traceback."""

    def main(self, args: Sequence[str] | None = None, *rest: Any, **options: Any) -> Any:
        """Run the command line and exit: 0, 1 failed, 2 bad input, 130 interrupted."""
        options["standalone_mode"] = False
        try:
            code = super().main(args, *rest, **options)
        except click.exceptions.NoArgsIsHelpError as error:
            click.echo(error.format_message(), err=True)
            sys.exit(EXIT_BAD_INPUT)
        except click.UsageError as error:
            hint = error.ctx.command_path if error.ctx else "modexplorer"
            _fail(EXIT_BAD_INPUT, f"{error.format_message()} See `{hint} --help`.")
        except UserError as error:
            _fail(EXIT_BAD_INPUT, str(error))
        except RunError as error:
            _fail(EXIT_FAILED, str(error))
        except (KeyboardInterrupt, click.Abort):
            keeps = KEEPING & set(sys.argv[1:] if args is None else args)
            kept = "; finished rows are kept, the same command goes on from there" if keeps else ""
            _fail(EXIT_INTERRUPTED, f"interrupted{kept}", kind="note")
        except BrokenPipeError:  # the reader of our output has seen enough
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            sys.exit(EXIT_FAILED)
        except OSError as error:
            place = f"{error.filename}: " if error.filename else ""
            _fail(EXIT_FAILED, f"{place}{error.strerror or error}")
        sys.exit(code if isinstance(code, int) else 0)


def _fail(code: int, message: str, kind: str = "error") -> None:
    click.echo(f"modexplorer: {kind}: {message}", err=True)
    sys.exit(code)


@click.group(
    cls=OneLineErrors,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(package_name="modexplorer")
def cli() -> None:
    """Explore hardware for RSA modular exponentiation, from integers to cell area.

    \b
    Start with:
      modexplorer doctor
      modexplorer list
      modexplorer report
    """


COMMANDS = (
    list_designs,
    simulate,
    run,
    disasm,
    flow,
    fpga,
    clocks,
    noise,
    explore,
    report,
    pseudo,
    keygen,
    dots,
    doctor,
)
for command in COMMANDS:
    cli.add_command(command)


def main() -> None:
    """The console script; a termination request is handled as an interrupt is."""
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    cli.main(prog_name="modexplorer")
