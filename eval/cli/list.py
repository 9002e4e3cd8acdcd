"""`modexplorer list`: what there is to explore."""

from collections.abc import Iterable
from typing import Any

import click

from eval.cli.options import example, json_option, print_json


@example(
    """
modexplorer list
modexplorer list mul-rem
"""
)
@click.command("list")
@click.argument("names", nargs=-1, metavar="[DESIGN]...")
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Show the designs of the catalog, the studies and the workloads; all about each DESIGN."""
    from eval.catalog import DESIGNS, VARIANTS, find
    from eval.catalog.workloads import RULE, WORKLOADS
    from eval.report.terminal import print_list, print_table
    from eval.study.studies import STUDIES

    chosen = [find(name) for name in names] or list(DESIGNS.values())
    designs = [describe(design) for design in chosen]
    if as_json:
        shown: dict[str, Any] = {"designs": designs}
        if not names:
            shown |= {
                "variants": _named(VARIANTS.values()),
                "studies": _named(STUDIES.values()),
                "workloads": _named(WORKLOADS.values()),
                "rule": RULE,
            }
        print_json(shown)
        return
    if names:
        for design in designs:
            rows = [(key.replace("_", " "), _text(value)) for key, value in design.items()]
            print_table(f"design {design['name']}", ("", ""), rows[1:], left=(0, 1))
        return
    rows = [
        (
            design["name"],
            design["family"],
            _text(design["constant_time"]),
            DESIGNS[design["name"]].moduli.kind,
            design["title"],
        )
        for design in designs
    ]
    headings = ("name", "family", "constant\ntime", "moduli", "title")
    print_table("designs", headings, rows, left=(0, 1, 2, 3, 4))
    for title, entries in (
        ("variants of designs", VARIANTS),
        ("studies", STUDIES),
        ("workloads", WORKLOADS),
    ):
        rows = [tuple(entry.values()) for entry in _named(entries.values())]
        print_table(title, ("name", "title"), rows, left=(0, 1))
    print_list("How the workloads are fitted to a width", RULE)
    click.echo("All about a design: modexplorer list DESIGN")


def _named(entries: Iterable[Any]) -> list[dict[str, str]]:
    return [{"name": entry.name, "title": entry.title} for entry in entries]


def describe(design: Any) -> dict[str, Any]:
    """Say all about a catalog entry, as the list shows it."""
    return {
        "name": design.name,
        "title": design.title,
        "family": design.family,
        "source": design.source,
        "schedule": design.schedule,
        "multiplier": design.multiplier.title,
        "widths": list(design.widths),
        "simulated_to": design.tested_to,
        "moduli": design.moduli.text,
        "domain": design.domain,
        "constant_time": design.constant_time,
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value} bits in the default tests"
    if isinstance(value, list):
        return f"{value[0]} to {value[1]} bits"
    return value
