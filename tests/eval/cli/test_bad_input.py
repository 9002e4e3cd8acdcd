"""Bad values for every option and argument of every command, by what the commands declare.

A value that an option admits is not worked on: the work's entrances raise Admitted. Each command is
tried as in the examples of its help, with one value changed.
"""

import re
import shlex
from collections.abc import Iterator
from itertools import product

import click
import pytest
from click.testing import CliRunner

from eval.cli import HELP, cli
from eval.cli.options import (
    Address,
    Cycles,
    Decimal,
    File,
    Folder,
    Listed,
    Number,
    with_option,
)
from eval.cli.run import Definition
from tests.command_line import said
from tests.places import ROOT

ENTRANCES = (
    *("eval.cli.measuring.measure", "eval.study.engine.Engine.run"),
    *(f"eval.tasks.exponentiation.{name}" for name in ("simulate", "simulate_xcel")),
    *(
        "proc.programs.load.build_program",
        "proc.programs.load.assemble_file",
        "proc.programs.load.load_elf",
    ),
    *("fl.pseudo_modulus.least_pseudo_modulus", "fl.near_power.near_power_key"),
    *(
        "eval.cli.finding.Search",
        "eval.cli.serve.open_server",
        "eval.report.dots.text",
        "eval.report.dots.stage_json",
        "eval.tasks.rsa_levels.make_system",
        "eval.tasks.rsa_make.make_system",
        "eval.tasks.rsa_peripheral.make_bus_system",
        "eval.contract.campaign.Trial.run",
        "eval.conform.files.load",
        "eval.conform.run.try_all",
        "eval.tasks.faults.task.run_campaign",
        "eval.assess.runs.assess",
        "eval.tasks.peripheral.simulate_peripheral",
        "eval.tasks.unit.translation",
    ),
)
NO_NUMBERS = (
    "-1",
    "",
    "1.5",
    "1e3",
    "1_0",
    "seven",
    "\u0663",
    "7\0",
    "9" * 5000,
    "0x" + "f" * 3998,
)
NUMBERS = ("0", str(10**9))
NO_DECIMALS = ("-1", "", "fast", "nan", "inf", "\u0663", "3\0", "0", str(10**9), "9" * 5000)
NO_DEFINITIONS = ("", "=1", "\u0663=1", "A=\0", "A=\n")
NO_TEXTS = ("", "nothing", "\u0663", "\0", "two\nlines", "x" * 300, "9" * 5000)
NO_PATHS = ("", "\0", "two\nlines.vcd", f"{'x' * 300}.vcd", "FOLDER", "FILE/in.vcd")
NO_SOURCES = ("missing/file.c", "missing.c")


class Admitted(Exception):
    """Tells that a command has found nothing wrong with what was typed."""


@pytest.fixture(autouse=True)
def _no_work(monkeypatch: pytest.MonkeyPatch) -> None:
    def enter(*_: object, **__: object) -> None:
        raise Admitted

    for entrance in ENTRANCES:
        monkeypatch.setattr(entrance, enter)


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """What stands for FOLDER and FILE."""
    folder = tmp_path_factory.mktemp("folder.vcd")
    file = folder / "file"
    file.write_text("")
    return {"FOLDER": str(folder), "FILE": str(file)}


def command_named(name: str) -> click.Command:
    """The command, as `modexplorer` finds it."""
    return cli.get_command(click.Context(cli), name)


def parameters() -> Iterator[tuple[str, click.Parameter]]:
    """Go through everything that may be typed after a command's name, but for flags."""
    for name in HELP:
        for parameter in command_named(name).params:
            if parameter is with_option and name != "list":  # the same of every command
                continue
            if not getattr(parameter, "is_flag", False):
                yield name, parameter


def values_of(parameter: click.Parameter) -> dict[str, bool]:
    """List values, and of each whether the parameter's declaration may admit it."""
    kind = parameter.type
    if isinstance(kind, Number):
        width = parameter.opts[0] == "--nbits"  # of which no design has these
        admitted = {n: not width and kind.least <= int(n) <= (kind.most or int(n)) for n in NUMBERS}
        return dict.fromkeys(NO_NUMBERS, False) | admitted
    for one, refused in (
        (Decimal, NO_DECIMALS),
        (Cycles, (*NO_TEXTS, "5", "-", "3-2", "0-64", "1--2", "-1-3", "0-\u0663")),
        (Definition, NO_DEFINITIONS),
        (Address, (*NO_TEXTS, "host", "tcp://host", "host:port")),
        (Listed, (*NO_TEXTS, ",", "8,,16")),
        (Folder, [path for path in NO_PATHS if path != "FOLDER"]),
        (File, NO_PATHS if getattr(kind, "written", False) else NO_PATHS + NO_SOURCES),
        ((click.Choice, click.types.StringParamType), NO_TEXTS),
    ):
        if isinstance(kind, one):
            return dict.fromkeys(refused, False)
    raise AssertionError(f"{parameter.opts[0]}: of {kind} no bad values are known")


def examples_of(name: str) -> list[list[str]]:
    """List the words after the command's name in each example of its help."""
    found = re.findall(rf"^ +modexplorer {name}\b(.*)$", command_named(name).epilog, re.MULTILINE)
    return [
        [str(ROOT / w) if w.startswith(("proc/", "docs/")) else w for w in shlex.split(line)]
        for line in found
    ]


def with_value(words: list[str], parameter: click.Parameter, value: str) -> list[str]:
    """Give a parameter of an example another value; an argument is its first word, if it has it."""
    if isinstance(parameter, click.Argument):
        others = words if words and words[0].startswith("--") else words[1:]
        return [*others, "--", value]
    return [*words, parameter.opts[0], value]


CASES = [pytest.param(n, p, id=f"{n} {p.opts[0]}") for n, p in parameters()]


@pytest.mark.parametrize(("name", "parameter"), CASES)
def test_what_is_not_admitted_is_refused_in_a_line_that_names_it(
    name: str, parameter: click.Parameter, places: dict[str, str]
) -> None:
    for value, may_pass in values_of(parameter).items():
        for place, path in places.items():
            value = value.replace(place, path)
        for words, flags in product(examples_of(name), ([], ["--json"])):
            line = [name, *flags, *with_value(words, parameter, value)]
            result = CliRunner().invoke(cli, line, prog_name="modexplorer")
            if may_pass and (result.exit_code == 0 or isinstance(result.exception, Admitted)):
                continue
            about = f"{[word[:40] for word in line]}: {result.exception!r} {result.output[-500:]}"
            assert result.exit_code == 2, about
            assert result.stdout == "", about
            assert len(said(result.stderr)) == 1, about
            assert result.stderr.startswith("modexplorer: error: "), about
            assert parameter.opts[0] in result.stderr or repr(value)[1:9] in result.stderr, about
