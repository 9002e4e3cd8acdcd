"""`modexplorer list`: what there is to explore."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import click

from eval.cli.options import Listed, cli_command, flag, given, option, print_json
from eval.table import words

if TYPE_CHECKING:
    from eval.catalog.design import Design
    from eval.catalog.family import Family
    from eval.study.study import Study


@cli_command(
    *("list", "list mul-rem", "list mont", "list 'mont(steps=4,units=1)'", "list quick"),
    "list --space --nbits 32,1024",
)
@click.argument("names", nargs=-1, metavar="[DESIGN, FAMILY or STUDY]...")
@flag("--space", "Count the points that `modexplorer find` may choose from, by family and width.")
@flag(
    "--all",
    "Print a line for each design, family, variant and study, with its title.",
    name="whole",
)
@option("--nbits LIST", "The widths of --space; 32, 1024 and 2048 if not given.", Listed())
def command(
    names: tuple[str, ...], space: bool, whole: bool, nbits: list[str] | None, as_json: bool
) -> None:
    """Show the names of the designs of the catalog, of the families that make others, of the
    studies and the workloads, with --all their titles; all about each DESIGN, the parameters of
    each FAMILY, and what each STUDY measures."""
    from eval.catalog import DESIGNS, FAMILIES, VARIANTS
    from eval.catalog.workloads import RULE, WORKLOADS
    from eval.study.studies import STUDIES
    from eval.table.terminal import print_list, print_rows
    from sim.errors import UserError

    if space:
        if names or whole:
            other = repr(names[0]) if names else "--all"
            raise UserError(f"--space: counts all families; leave out {other}, or it")
        _print_space(nbits or [], as_json)
        return
    if whole and (names or as_json):
        other = repr(names[0]) if names else "--json, which prints all,"
        raise UserError(f"--all: is of everything; leave out {other} or it")
    if option_name := given("nbits"):
        raise UserError(f"{option_name}: is of --space; leave it out, or give --space")
    asked = [STUDIES[name] for name in names if name in STUDIES]
    families = [FAMILIES[name] for name in names if name in FAMILIES]
    designs = [_design(name) for name in names if name not in STUDIES | FAMILIES]
    named = {"variants": VARIANTS, "studies": STUDIES, "workloads": WORKLOADS}
    if as_json:
        described = map(describe, designs if names else DESIGNS.values())
        shown: dict[str, Any] = {"designs": list(described)}
        if asked:
            shown["studies"] = [
                {"name": study.name, "title": study.title, "rows": _rows(study)} for study in asked
            ]
        if families or not names:
            shown["families"] = [describe_family(f) for f in families or FAMILIES.values()]
        if not names:
            shown |= {place: _named(entries.values()) for place, entries in named.items()}
            shown["rule"] = RULE
        print_json(shown)
        return
    for design in designs:
        _, *facts = describe(design).items()
        print_rows(f"design {design.name}", FACTS, facts)
    for family in families:
        _print_family(family)
    for study in asked:
        print_rows(f"study {study.name}: {study.title}", ROWS, study.tasks)
    if names:
        return
    if not whole:
        print_rows("what there is to explore", SHORT, _short())
        click.echo("With titles, kinds of moduli and costs: modexplorer list --all")
        click.echo("All about a design, a family or a study: modexplorer list NAME")
        return
    print_rows("designs", DESIGN, DESIGNS.values())
    print_rows("families, which make designs of parameters", FAMILY, FAMILIES.values())
    for title, entries in named.items():
        print_rows("variants of designs" if entries is VARIANTS else title, NAMED, entries.values())
    print_list("How the workloads are fitted to a width", RULE)
    click.echo("All about a design, a family or a study: modexplorer list NAME")


def _short() -> list[tuple[str, str]]:
    """List the names of the designs by family, then of the families, studies and workloads."""
    from eval.catalog import DESIGNS, FAMILIES, VARIANTS
    from eval.catalog.workloads import WORKLOADS
    from eval.study.studies import STUDIES

    named: dict[str, list[str]] = {}
    for design in DESIGNS.values():
        named.setdefault(f"designs, {design.family}", []).append(design.name)
    named["variants"] = [f"{len(VARIANTS)} of these designs (--all lists them)"]
    others = {"families": FAMILIES, "studies": STUDIES}
    named |= {kind: [*entries] for kind, entries in (others | {"workloads": WORKLOADS}).items()}
    return [(kind, ", ".join(names)) for kind, names in named.items()]


def _design(name: str) -> "Design":
    """Find a design; UserError with the nearest names of all that may be listed if there is
    none."""
    from eval.catalog import DESIGNS, FAMILIES, VARIANTS, find
    from eval.catalog.inputs import shorten
    from eval.study.near import did_you_mean
    from eval.study.studies import STUDIES
    from sim.errors import UserError

    if "(" in name or name in DESIGNS | VARIANTS:
        return find(name)
    hint = did_you_mean(name, [*DESIGNS, *VARIANTS, *FAMILIES, *STUDIES])
    raise UserError(
        f"name: no design, family or study named {shorten(name)!r}; {hint}"
        "`modexplorer list` shows them all"
    )


SPACE_BITS = (32, 1024, 2048)


def _text(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value} bits in the default tests"
    if isinstance(value, list):
        return f"{value[0]} to {value[1]} bits"
    return value


FACTS = (
    *words({"": lambda fact: fact[0].replace("_", " ")}),
    *words({"": lambda fact: _text(fact[1])}),
)
ROWS = words({"row": str, "command": "command"})
SHORT = words({"": 0, "names": 1})
NAMED = words({"name": "name", "title": "title"})
DESIGN = (
    words({"name": "name", "family": "family"})
    + words({"constant\ntime": lambda design: _text(design.constant_time)})
    + words({"moduli": "moduli.kind", "title": "title"})
)
FAMILY = words({"name": lambda f: f"{f.name}({', '.join(f.usual)})", "title": "title"})
POINT = words({"point": "spelled", "name": "name"})


def _print_family(family: "Family") -> None:
    """Print the parameters of a family, and which of its points have names."""
    from eval.catalog import DESIGNS, VARIANTS, example_of
    from eval.catalog.family import spelled
    from eval.table.terminal import print_rows

    columns = words({"parameter": "name", "choices": "text"})
    columns += words({"if not given": lambda p: spelled(p.default), "": "title"})
    print_rows(f"family {family.name}: {family.title}", columns, family.parameters)
    every = (DESIGNS | VARIANTS).values()
    named = [design for design in every if design.spelled.startswith(f"{family.name}(")]
    print_rows("values that go together", words({"": "text"}), family.constraints)
    print_rows("points with names", POINT, named)
    click.echo(f"Any other, as a DESIGN: '{example_of(family.name)}', in quotes for the shell")


def _print_space(nbits: list[str], as_json: bool) -> None:
    """Print how many points each family has at each width, and what they leave open."""
    from eval.catalog import FAMILIES
    from eval.catalog.inputs import parse_number
    from eval.find.need import WIDTHS
    from eval.find.space import counts
    from eval.table import numbers
    from eval.table.terminal import print_rows

    widths = [parse_number("--nbits", text, *WIDTHS) for text in nbits] or list(SPACE_BITS)
    counted = {width: counts(width) for width in dict.fromkeys(widths)}
    if as_json:
        print_json({"points": {str(width): found for width, found in counted.items()}})
        return
    first = next(iter(counted.values()))
    rows = [(name, *(found[name] for found in counted.values())) for name in first]
    rows.append(("all", *(sum(found.values()) for found in counted.values())))
    opened = {name: ", ".join(FAMILIES[name].usual) for name in first if name in FAMILIES}
    columns = words({"family": 0})
    columns += numbers(0, {f"{width} bits": i for i, width in enumerate(counted, 1)})
    columns += words({"parameters": lambda row: opened.get(row[0], "")})
    print_rows("points of designs; each at any clock, with or without gated clocks", columns, rows)
    click.echo("The parameters and choices of a family: modexplorer list FAMILY")


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
        "constraints": [constraint.text for constraint in family.constraints],
    }


def _named(entries: Iterable[Any]) -> list[dict[str, str]]:
    return [{"name": entry.name, "title": entry.title} for entry in entries]


def _rows(study: "Study") -> list[dict[str, str]]:
    return [{"row": str(task), "command": task.command} for task in study.tasks]


def _is_tested(design: "Design") -> bool:
    """Return whether the default tests simulate a design: one of the catalog, not of a user."""
    from eval.catalog import DESIGNS, VARIANTS
    from eval.catalog.user_designs import holder

    return design.name in DESIGNS | VARIANTS and holder(design.name) is None


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
        **({"simulated_to": design.tested_to} if _is_tested(design) else {}),
        "moduli": design.moduli.text,
        "domain": design.domain,
        "constant_time": design.constant_time,
        **({"point": design.spelled} if design.spelled else {}),
    }
