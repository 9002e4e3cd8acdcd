"""`modexplorer list`: what there is to explore."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import example, json_option, print_json

if TYPE_CHECKING:
    from eval.catalog.family import Family
    from eval.study.study import Study


@example(
    """
modexplorer list
modexplorer list mul-rem
modexplorer list mont
modexplorer list 'mont(steps=4,units=1)'
modexplorer list quick
"""
)
@click.command("list")
@click.argument("names", nargs=-1, metavar="[DESIGN, FAMILY or STUDY]...")
@json_option
def command(names: tuple[str, ...], as_json: bool) -> None:
    """Show the designs of the catalog, the families that make others, the studies and the
    workloads; all about each DESIGN, the parameters of each FAMILY, and what each STUDY
    measures."""
    from eval.catalog import DESIGNS, FAMILIES, VARIANTS, find
    from eval.catalog.workloads import RULE, WORKLOADS
    from eval.report.terminal import print_list, print_table
    from eval.study.studies import STUDIES

    asked = [STUDIES[name] for name in names if name in STUDIES]
    families = [FAMILIES[name] for name in names if name in FAMILIES]
    chosen = [find(name) for name in names if name not in STUDIES | FAMILIES]
    designs = [describe(design) for design in (chosen if names else DESIGNS.values())]
    if as_json:
        shown: dict[str, Any] = {"designs": designs}
        if asked:
            shown["studies"] = [
                {"name": study.name, "title": study.title, "rows": _rows(study)} for study in asked
            ]
        if families:
            shown["families"] = [describe_family(family) for family in families]
        if not names:
            shown |= {
                "families": [describe_family(family) for family in FAMILIES.values()],
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
        for family in families:
            _print_family(family)
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
    rows = [
        (f"{family.name}({', '.join(family.usual)})", family.title) for family in FAMILIES.values()
    ]
    print_table("families, which make designs of parameters", ("name", "title"), rows, left=(0, 1))
    for title, entries in (
        ("variants of designs", VARIANTS),
        ("studies", STUDIES),
        ("workloads", WORKLOADS),
    ):
        rows = [tuple(entry.values()) for entry in _named(entries.values())]
        print_table(title, ("name", "title"), rows, left=(0, 1))
    print_list("How the workloads are fitted to a width", RULE)
    click.echo("All about a design, a family or a study: modexplorer list NAME")


def _print_family(family: "Family") -> None:
    """Print the parameters of a family, and which of its points have names."""
    from eval.catalog import DESIGNS, VARIANTS, example_of
    from eval.catalog.family import spelled
    from eval.report.terminal import print_table

    rows = [(p.name, p.text, spelled(p.default), p.title) for p in family.parameters]
    headings = ("parameter", "choices", "if not given", "")
    print_table(f"family {family.name}: {family.title}", headings, rows, left=range(4))
    rows = [
        (design.spelled, design.name)
        for design in (DESIGNS | VARIANTS).values()
        if design.spelled.startswith(f"{family.name}(")
    ]
    if rows:
        print_table("points with names", ("point", "name"), rows, left=(0, 1))
    click.echo(f"Any other, as a DESIGN: '{example_of(family.name)}', in quotes for the shell")


def describe_family(family: "Family") -> dict[str, Any]:
    """Say all about a family."""
    return {
        "name": family.name,
        "title": family.title,
        "parameters": [
            {
                **{"name": parameter.name, "title": parameter.title},
                **{"choices": list(parameter.choices), "default": parameter.default},
            }
            for parameter in family.parameters
        ],
    }


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
        **({} if design.name == design.spelled else {"simulated_to": design.tested_to}),
        "moduli": design.moduli.text,
        "domain": design.domain,
        "constant_time": design.constant_time,
        **({"point": design.spelled} if design.spelled else {}),
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value} bits in the default tests"
    if isinstance(value, list):
        return f"{value[0]} to {value[1]} bits"
    return value
