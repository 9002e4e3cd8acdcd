"""Document 000's tables 3 and 5 in the report: fixed-modulus multipliers by form and width."""

from collections.abc import Mapping
from typing import Any

from eval.printed.document_000 import TABLE_5
from eval.report.tabulate import Grid, Line
from eval.study.results import StudyResult
from eval.tasks.fixed_multiplier import DIRECT, FORMS, FixedMultiplier, direct_at, pair_at
from fl.modulus import third

Results = Mapping[FixedMultiplier, dict[str, Any]]
MEASURED = (
    "Combinational, without registers, mapped as one module; the netlist with the least area x "
    "delay. Sums: prefix adders side by side at the end."
)


def fixed_multiplier_grids(found: StudyResult) -> tuple[Grid, ...]:
    """The tables that the study has multipliers for."""
    results = found.of(FixedMultiplier)
    grids = (forms_grid(results), pseudo_grid(results))
    return tuple(grid for grid in grids if grid.lines)


def forms_grid(results: Results) -> Grid:
    """Multipliers of one width, by the form of the modulus."""
    rows = [m for m in FORMS if m in results]
    return Grid(
        "Multipliers by the form of the modulus (document 000, table 3)",
        ("modulus", "ones of k", *HEADINGS),
        tuple(
            Line((m.modulus.text, str(abs(m.offset).bit_count()), *_figures(results[m])))
            for m in rows
        ),
        note=f"Compression trees in the document's order. {MEASURED} The document shows these "
        "forms in its figures 13 and 14, without numbers. 2^8-85 is (2^9+1)/3, whose high weights "
        "fold to one bit.",
    )


LONGEST_NAME = 10
HEADINGS = (
    *("stages", "5:3/full\n/half", "sums"),
    *("area\num2", "delay\nns", "area x\ndelay"),
)


def _figures(result: Mapping[str, Any]) -> tuple[str, ...]:
    shape = result["structure"]
    if shape:
        used = f"{shape['five_three']}/{shape['full']}/{shape['half']}"
        built = (str(shape["stages"]), used, str(shape["adders"]))
    else:
        built = ("-", "-", "-")
    return (
        *built,
        f"{result['area_um2']:.1f}",
        f"{result['delay_ns']:.3f}",
        f"{product(result):.0f}",
    )


def product(result: Mapping[str, Any]) -> float:
    """Area x delay in um2*ns."""
    return result["area_um2"] * result["delay_ns"]


def pseudo_grid(results: Results) -> Grid:
    """2^n+k against its pseudo-modulus 2^(n+2)-1, each way of building them."""
    widths = sorted({m.n for m in results if m.offset == third(m.n) and m.n % 2 == 0 and m.n != 2})
    lines, ratios = [], {}
    for n in widths:
        printed = {pair.n: pair.ratio for pair in TABLE_5}.get(n)
        original, late, pseudo = pair_at(n)
        direct, direct_pseudo = direct_at(n)
        against = {original: pseudo, late: pseudo, direct: direct_pseudo}
        for m in (original, late, pseudo, direct, direct_pseudo):
            if m not in results:
                continue
            ratio = ""
            other = against.get(m)
            if other in results:
                value = product(results[other]) / product(results[m])
                ratio = f"{value:.2f}"
                ratios[m] = value
            shown = f"{printed:.2f}" if printed and m is original else ""
            figures = _figures(results[m])
            number = m.modulus.text
            name = number if len(number) <= LONGEST_NAME else f"2^{n}+k"
            lines.append(Line((name, m.how, *figures, ratio, shown)))
    return Grid(
        "A modulus 2^n+k and its pseudo-modulus 2^(n+2)-1 = 3*(2^n+k) (document 000, table 5)",
        ("modulus", "built", *HEADINGS, "pseudo/\nthis", "000"),
        tuple(lines),
        words=(0, 1),
        note=f"{MEASURED} Built: document, a tree that folds carries at every stage; late, a tree "
        "that is compressed to two rows before it is folded; direct, a product and a remainder. "
        "Pseudo / this: area x delay of the pseudo-modulus' multiplier by this one's; 000: "
        f"the same from table 5, at 180 nm. {verdict(ratios)}".rstrip(),
    )


def verdict(ratios: Mapping[FixedMultiplier, float]) -> str:
    """Whether the pseudo-modulus' multiplier has the smaller area x delay, as table 5 has it."""
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
