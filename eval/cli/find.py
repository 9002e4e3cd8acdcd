"""`modexplorer find`: the design that a need asks for."""

from pathlib import Path
from shlex import quote
from textwrap import fill
from typing import TYPE_CHECKING

import click

from eval.cli.options import (
    NUMBER,
    OUTPUT,
    Listed,
    Number,
    cli_command,
    engine_options,
    flag,
    option,
    print_json,
)

if TYPE_CHECKING:
    from eval.study.engine import Engine


@cli_command(
    "find --nbits 32 --operation sign --at-most time=2us --least area",
    "find --nbits 1024 --operation sign --at-most time=2ms,area=0.4mm2 --least energy",
    "find --nbits 32 --operation verify --families mont,array --least area,time",
)
@option("--nbits N", "Width of the modulus in bits.", NUMBER, required=True)
@option(
    "--operation NAME",
    "What it is to do: sign (workload d); sign-crt, two powers of half the bits; or verify (e).",
    required=True,
)
@option(
    "--least LIST",
    "What is to be least: time, area or energy; of several, the front of designs that no other "
    "beats in all.",
    Listed(),
    required=True,
)
@option("--at-most LIST", "Limits with units, such as time=2ms,area=0.4mm2,energy=35uJ.", Listed())
@flag("--constant-time", "Only designs that take the same cycles for every request of a width.")
@option(
    "--blinded BITS",
    "Blind the exponents of signatures by so many bits; the design is so much wider.",
    Number(0, 256),
    usual=0,
)
@option(
    "--moduli KIND",
    "Moduli that it must take: odd ones; any, even ones, too; special: a form is enough.",
    default="odd",
)
@option(
    "--families LIST", "Look in these families only; `modexplorer list --space` counts.", Listed()
)
@option(
    "--designs LIST", "Look at these designs only, as `modexplorer explore` takes them.", Listed()
)
@option("--clock NS", "Clock period in ns that it must meet, or free: its own.", default="free")
@option("--gated WHICH", "Gated clocks: no, yes, or free: whichever is better.", default="no")
@option("--budget TIME", "For how long netlists are made, such as 20min.", default="15min")
@option("--seed N", "Seed of what is drawn of large families.", Number(), default=1)
@option(
    "--study FILE",
    "Write a study of what was measured, a TOML file for `modexplorer report`.",
    OUTPUT,
    name="study_file",
)
@engine_options
def command(
    nbits: int,
    operation: str,
    least: list[str],
    at_most: list[str] | None,
    constant_time: bool,
    blinded: int,
    moduli: str,
    families: list[str] | None,
    designs: list[str] | None,
    clock: str,
    gated: str,
    budget: str,
    seed: int,
    study_file: Path | None,
    engine: "Engine",
    as_json: bool,
) -> None:
    """Find the design that is best for a need, with few runs of the flow.

    Cycles come by formula, areas, periods and energies of estimates with a doubt; what may win is
    synthesised, the most promising first, until nothing else may win or --budget is over. Rows are
    kept: the same command goes on where it stopped.

    Exit code 0 if the answer is complete, 3 if it is the best so far: after --budget, an interrupt
    (Ctrl-C) or where a candidate is too large to be measured. Exit code 1 if no design meets the
    need.
    """
    from eval.catalog.inputs import write_whole
    from eval.cli.finding import check_study, found
    from eval.find.answer import LINES
    from eval.find.need import command_of, read_need
    from eval.table.terminal import print_grids, print_list, text_width
    from sim.errors import Incomplete, RunError, UserError

    need = read_need(
        nbits,
        operation,
        least,
        at_most=at_most or (),
        constant_time=constant_time,
        blinded=blinded,
        moduli=moduli,
        families=families or (),
        designs=designs or (),
        clock=clock,
        gated=gated,
        budget=budget,
        seed=seed,
    )
    if study_file:
        if need.gated != "no":
            raise UserError("--study: a study has no clock-gated netlists; leave out --gated")
        check_study("--study", study_file)
    answer = found(need, engine)
    if study_file and answer.lines:
        write_whole(study_file, answer.study(command_of(need)))
    if as_json:
        print_json(answer.as_json())
    else:
        for line in answer.headline:
            click.echo(fill(line, text_width()))
        click.echo("\n" * bool(answer.headline), nl=False)
        if shown := LINES.of(answer):
            print_grids([shown])
        print_list("What binds", answer.binds())
        print_list("How it is known", answer.how())
        if study_file and answer.lines:
            click.echo(f"Study written; its page: modexplorer report {quote(str(study_file))}")
    if not answer.complete:
        raise Incomplete(answer.incomplete)
    if not answer.met:
        raise RunError(f"no design meets the need: {need.text}; {answer.remedy}")
