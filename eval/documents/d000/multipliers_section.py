"""Document 000's tables 3 and 5 in the report: fixed-modulus multipliers by form and width."""

from collections.abc import Iterable, Iterator, Mapping

from eval.documents.d000 import units
from eval.documents.d000.figures import TABLE_5
from eval.documents.d000.over_n import forms_over_n, products_over_n
from eval.documents.tables import table
from eval.table import Row, rows_of
from eval.tasks.section import Chart, Section, measured
from fl.modulus import third

LONGEST_NAME = 10
Rows = Mapping[units.FixedMultiplier, units.MultiplierResult | None]
MEASURED = (
    "Combinational, without registers, mapped as one module; the netlist with the least area x "
    "delay. Sums: prefix adders side by side at the end."
)
PRINTED = {pair.n: pair.ratio for pair in TABLE_5}


def _compressors(row: Row) -> str | None:
    shape = row.result.structure
    return "{five_three}/{full}/{half}".format(**shape) if shape else None


FORM_BY_FORM = table(
    "000",
    "FORM_BY_FORM",
    {"measured": MEASURED},
    {"compressors": _compressors, "ones": lambda row: abs(row.task.offset).bit_count()},
    rows=lambda rows: rows_of({m: rows.get(m) for m in units.FORMS}),
)


def of_study(name: str) -> tuple[units.FixedMultiplier, ...]:
    """Name what a study has of tables 3 and 5."""
    return units.of_tables(*units.TABLES[name])


def pseudo_rows(rows: Rows) -> Iterator[Row]:
    """Go through each 2^n+k and its pseudo-modulus 2^(n+2)-1 in each way of building them, with the
    ratio of the pseudo-modulus' area x delay to that of a modulus."""
    found = measured(rows)
    for n in sorted({m.n for m in found if m.offset == third(m.n) and m.n % 2 == 0 and m.n != 2}):
        original, late, pseudo = units.pair_at(n)
        direct, direct_pseudo = units.direct_at(n)
        against = {original: pseudo, late: pseudo, direct: direct_pseudo}
        for m in (original, late, pseudo, direct, direct_pseudo):
            if m in found:
                other = found.get(against.get(m))
                yield Row(
                    *(m, found[m]),
                    name=m.modulus.text if len(m.modulus.text) <= LONGEST_NAME else f"2^{n}+k",
                    ratio=other.product / found[m].product if other else "",
                    printed=PRINTED.get(n, "") if m is original else "",
                )


def _said(rows: Rows) -> dict[str, str]:
    ratios = {row.task: row.ratio for row in pseudo_rows(rows) if row.ratio != ""}
    return {"measured": MEASURED, "verdict": verdict(ratios)}


PSEUDO = table("000", "PSEUDO", _said, {"compressors": _compressors}, rows=pseudo_rows)


def verdict(ratios: Mapping[units.FixedMultiplier, float]) -> str:
    """Say whether the pseudo-modulus' multiplier has the smaller area x delay, as in table 5."""
    by_way: dict[str, dict[int, float]] = {}
    for m, ratio in ratios.items():
        by_way.setdefault(m.how, {})[m.n] = ratio
    said = []
    for how, name in (("document", "the document's trees"), ("late", "late trees")):
        if found := by_way.get(how):
            refuted = [str(n) for n, ratio in found.items() if ratio >= 1]
            outcome = f"refuted at n = {', '.join(refuted)}" if refuted else "holds at every width"
            said.append(f"{name}: {outcome} ({_span(found)})")
    text = f"Table 5's trend, {'; '.join(said)}." if said else ""
    if found := by_way.get(units.DIRECT):
        gains = [str(n) for n, ratio in found.items() if ratio < 1]
        where = f"at n = {', '.join(gains)} only" if gains else "at no width"
        if len(gains) == len(found):
            where = "at every width"
        text += f" The direct multiplier gains {where} ({_span(found)})."
    return text.strip()


def _span(ratios: Mapping[int, float]) -> str:
    return f"{min(ratios.values()):.2f} to {max(ratios.values()):.2f}"


def _charts(rows: Rows) -> Iterable[Chart]:
    from eval.documents.d000.over_n_chart import multiplier_charts

    return multiplier_charts(rows)


SECTION = Section(
    results=lambda rows: [
        *(FORM_BY_FORM.of(rows), PSEUDO.of(rows)),
        *(forms_over_n(rows), products_over_n(rows)),
    ],
    charts=_charts,
)
