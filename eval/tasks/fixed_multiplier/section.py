"""Document 000's tables 3 and 5 in the report: fixed-modulus multipliers by form and width."""

from collections.abc import Iterable, Mapping

from eval.printed.document_000 import TABLE_5
from eval.tasks.fixed_multiplier.over_n import forms_over_n, products_over_n
from eval.tasks.fixed_multiplier.task import (
    DIRECT,
    FORMS,
    FixedMultiplier,
    MultiplierResult,
    direct_at,
    pair_at,
)
from eval.tasks.grid import Grid, grid, line, numbers, words
from eval.tasks.section import Chart, Section, measured
from fl.modulus import third

LONGEST_NAME = 10
Rows = Mapping[FixedMultiplier, MultiplierResult | None]
MEASURED = (
    "Combinational, without registers, mapped as one module; the netlist with the least area x "
    "delay. Sums: prefix adders side by side at the end."
)


COLUMNS = (
    numbers(0, "stages", "5:3/full\n/half", "sums")
    + numbers(1, "area\num2")
    + numbers(3, "delay\nns")
    + numbers(0, "area x\ndelay")
)


def _figures(result: MultiplierResult) -> tuple[str | float | None, ...]:
    built: tuple[str | int | None, ...] = (None, None, None)
    if shape := result.structure:
        used = f"{shape['five_three']}/{shape['full']}/{shape['half']}"
        built = (shape["stages"], used, shape["adders"])
    return *built, result.area_um2, result.delay_ns, result.product


def forms_grid(rows: Rows) -> Grid | None:
    """Show multipliers of one width, by the form of the modulus; None if none was measured."""
    found = measured(rows)
    return grid(
        "Multipliers by the form of the modulus (document 000, table 3)",
        (words("modulus") + numbers(0, "ones of k") + COLUMNS),
        (
            line(
                m.modulus.text,
                abs(m.offset).bit_count(),
                *_figures(found[m]),
                commands=(m.command,),
            )
            for m in FORMS
            if m in found
        ),
        f"Compression trees in the document's order. {MEASURED} The document shows these forms in "
        "its figures 13 and 14, without numbers. 2^8-85 is (2^9+1)/3, whose high weights fold to "
        "one bit.",
    )


def pseudo_grid(rows: Rows) -> Grid | None:
    """Compare 2^n+k with its pseudo-modulus 2^(n+2)-1, each way of building them; None if there is
    no such pair."""
    found = measured(rows)
    widths = sorted({m.n for m in found if m.offset == third(m.n) and m.n % 2 == 0 and m.n != 2})
    lines, ratios = [], {}
    for n in widths:
        printed = {pair.n: pair.ratio for pair in TABLE_5}.get(n, "")
        original, late, pseudo = pair_at(n)
        direct, direct_pseudo = direct_at(n)
        against = {original: pseudo, late: pseudo, direct: direct_pseudo}
        for m in (original, late, pseudo, direct, direct_pseudo):
            if m not in found:
                continue
            if (other := against.get(m)) in found:
                ratios[m] = found[other].product / found[m].product
            number = m.modulus.text
            name = number if len(number) <= LONGEST_NAME else f"2^{n}+k"
            compared = ratios.get(m, ""), printed if m is original else ""
            lines.append(line(name, m.how, *_figures(found[m]), *compared, commands=(m.command,)))
    return grid(
        "A modulus 2^n+k and its pseudo-modulus 2^(n+2)-1 = 3*(2^n+k) (document 000, table 5)",
        (words("modulus", "built") + COLUMNS + numbers(2, "pseudo/\nthis", "000")),
        lines,
        f"{MEASURED} Built: document, a tree that folds carries at every stage; late, a tree "
        "that is compressed to two rows before it is folded; direct, a product and a remainder. "
        "Pseudo / this: area x delay of the pseudo-modulus' multiplier by this one's; 000: "
        f"the same from table 5, at 180 nm. {verdict(ratios)}".rstrip(),
    )


def verdict(ratios: Mapping[FixedMultiplier, float]) -> str:
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
    if found := by_way.get(DIRECT):
        gains = [str(n) for n, ratio in found.items() if ratio < 1]
        where = f"at n = {', '.join(gains)} only" if gains else "at no width"
        if len(gains) == len(found):
            where = "at every width"
        text += f" The direct multiplier gains {where} ({_span(found)})."
    return text.strip()


def _span(ratios: Mapping[int, float]) -> str:
    return f"{min(ratios.values()):.2f} to {max(ratios.values()):.2f}"


def _charts(rows: Rows) -> Iterable[Chart]:
    from eval.tasks.fixed_multiplier.over_n_chart import multiplier_charts

    return multiplier_charts(rows)


SECTION = Section(
    results=lambda rows: [
        *(forms_grid(rows), pseudo_grid(rows)),
        *(forms_over_n(rows), products_over_n(rows)),
    ],
    charts=_charts,
)
