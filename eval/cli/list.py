"""`modexplorer list`: what there is to explore."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import example, json_option, print_json

if TYPE_CHECKING:
    from eval.study.study import Study


@example(
    """
modexplorer list
modexplorer list mul-rem
modexplorer list quick
"""
)
@click.command("list")
@click.argument("names", nargs=-1, metavar="[DESIGN or STUDY]...")
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Show the designs of the catalog, the studies and the workloads; all about each DESIGN, and
    what each STUDY measures."""
    from eval.catalog import DESIGNS, VARIANTS, find
    from eval.catalog.workloads import RULE, WORKLOADS
    from eval.report.terminal import print_list, print_table
    from eval.study.studies import STUDIES

    asked = [STUDIES[name] for name in names if name in STUDIES]
    chosen = [find(name) for name in names if name not in STUDIES]
    designs = [describe(design) for design in (chosen if names else DESIGNS.values())]
    if as_json:
        shown: dict[str, Any] = {"designs": designs}
        if asked:
            shown["studies"] = [
                {"name": study.name, "title": study.title, "rows": _rows(study)} for study in asked
            ]
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
        for study in asked:
            rows = [tuple(row.values()) for row in _rows(study)]
            print_table(f"study {study.name}: {study.title}", ("row", "command"), rows, left=(0, 1))
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
    click.echo("All about a design or a study: modexplorer list NAME")


def _named(entries: Iterable[Any]) -> list[dict[str, str]]:
    return [{"name": entry.name, "title": entry.title} for entry in entries]


def _rows(study: "Study") -> list[dict[str, str]]:
    return [{"row": str(task), "command": task.command} for task in study.tasks]


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
