"""`modexplorer probe`: whether a wire of a design sees both shares of a bit of its exponent."""

from typing import TYPE_CHECKING

import click

from eval.cli.options import Number, cli_command, nbits_option, option, print_json
from sim.errors import RunError

if TYPE_CHECKING:
    from eval.probe import Found

MOST_WIRES = 8  # that are named


@cli_command("probe array-4-masked --nbits 8", "probe 'array-masked(random=0)' --nbits 8")
@click.argument("design")
@nbits_option
@option(
    "--operations K",
    "Run so many private operations, with random bases and exponents.",
    Number(1, 1000),
    default=4,
)
def command(design: str, nbits: int, operations: int, as_json: bool) -> None:
    """Look, in each cycle and with glitches, at every wire of DESIGN's mapped accelerator: does it
    depend on both shares of a bit of the exponent?

    A wire sees the registers that it is computed of, whatever holds them off: before it settles it
    may take any of their values. From the cycle after the exponent is split on, a register holds
    the shares that the settled value of its input depends on. The values of the row (words, digits,
    sums) count as none: which value of the ladder is where tells the exponent to who knows both,
    and these are random multiples. The unsplit exponent, which stands in the port's register, has
    no label either.
    """
    from eval.catalog.point import Point
    from eval.cli.progress import Reporter
    from eval.probe import check_point, probe

    point = Point(design, nbits)
    check_point(point)
    with Reporter(f"probes in {point}") as progress:
        found = probe(point, operations, progress.now)
    if as_json:
        print_json(_describe(found))
    else:
        _print(found)
    if found.probed.met:
        raise RunError(f"{point}: {len(found.probed.met)} wires see both shares of a bit")


def _met(found: "Found") -> list[dict[str, str | int]]:
    return [
        {"wire": found.names[net], "cycle": cycle, "bit": bit}
        for net, (cycle, bit) in found.probed.met.items()
    ]


def _describe(found: "Found") -> dict[str, object]:
    return {
        "design": found.point.design,
        "nbits": found.point.nbits,
        "operations": found.operations,
        "cells": found.cells,
        "cycles": found.probed.cycles,
        "saw": [len(wires) for wires in found.probed.saw],
        "met": _met(found),
    }


def _print(found: "Found") -> None:
    from eval.table import numbers, words
    from eval.table.terminal import print_rows

    columns = numbers(
        0,
        {
            "operations": lambda one: one.operations,
            "cells": lambda one: one.cells,
            "cycles with\nshares": lambda one: one.probed.cycles,
            "wires that see\nshare 0": lambda one: len(one.probed.saw[0]),
            "wires that see\nshare 1": lambda one: len(one.probed.saw[1]),
            "both shares\nof a bit": lambda one: len(one.probed.met),
        },
    )
    print_rows(f"shares of the exponent in {found.point}", columns, [found])
    if met := _met(found)[:MOST_WIRES]:
        columns = words({"wire": lambda one: str(one["wire"])})
        columns += numbers(0, {"cycle": lambda one: one["cycle"], "bit": lambda one: one["bit"]})
        print_rows("where they met first", columns, met)
