"""`modexplorer list`: what there is to explore."""

from typing import Any

import click

from eval.commands.options import example, json_option, print_json


@example("modexplorer list")
@click.command("list", short_help="Show the designs, the studies and the workloads.")
@json_option
def list_designs(as_json: bool) -> None:
    """Show the designs of the catalog, the studies and the workloads."""
    from eval.catalog import DESIGNS, VARIANTS
    from eval.studies import STUDIES
    from eval.workloads import RULE, WORKLOADS

    designs = [describe(design) for design in DESIGNS.values()]
    studies = [{"name": s.name, "title": s.title} for s in STUDIES.values()]
    variants = [{"name": v.name, "title": v.title} for v in VARIANTS.values()]
    workloads = [{"name": w.name, "title": w.title} for w in WORKLOADS.values()]
    if as_json:
        print_json(
            {
                "designs": designs,
                "variants": variants,
                "studies": studies,
                "workloads": workloads,
                "rule": RULE,
            }
        )
        return
    from eval.tables import print_list, print_table

    for design in designs:
        rows = [(key.replace("_", " "), _text(value)) for key, value in design.items()]
        print_table(f"design {design['name']}", ("", ""), rows[1:], left=(0, 1))
    for title, entries in (
        ("variants of designs", variants),
        ("studies", studies),
        ("workloads", workloads),
    ):
        rows = [(entry["name"], entry["title"]) for entry in entries]
        print_table(title, ("name", "title"), rows, left=(0, 1))
    print_list("How the workloads are fitted to a width", RULE)


def describe(design: Any) -> dict[str, Any]:
    """A catalog entry as the list shows it."""
    return {
        "name": design.name,
        "title": design.title,
        "family": design.family,
        "source": design.source,
        "schedule": design.schedule,
        "multiplier": design.multiplier.title,
        "widths": list(design.widths),
        "moduli": design.moduli.text,
        "domain": design.domain,
        "constant_time": design.constant_time,
    }


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, list):
        return f"{value[0]} to {value[1]} bits"
    return value
