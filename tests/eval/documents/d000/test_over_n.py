"""Document 000's figures 13, 14 and 24 to 29: what our tables and charts say of units over n."""

from random import Random

import pytest

from eval.chart.panel import GREY
from eval.documents.d000.over_n import (
    forms_over_n,
    products_over_n,
    reductions_over_n,
)
from eval.documents.d000.over_n_chart import multiplier_charts, reduction_charts
from eval.documents.d000.units import (
    DIRECT,
    FORMS,
    MONTGOMERY,
    SQUARE,
    FixedMultiplier,
    FixedReduction,
    FixedUnit,
    MultiplierResult,
    forms_at,
    multipliers_at,
    reductions_at,
)
from eval.study.studies import STUDIES
from tests.eval.chart.drawn import check_names
from tests.eval.made_up import KIT, result_of

FORMS_AT = (4, 8, 12, 16)  # n of figures 13 and 14
PRODUCTS_AT = (2, 4, 6, 8, 10, 12, 16)  # of figures 27 to 29
REDUCTIONS_AT = (2, 6, 10, 14, 18, 22, 26, 30)  # of figures 24 to 26


def result(task: FixedUnit, delay: float, area: float = 100.0) -> MultiplierResult:
    """A measured unit, of the structure that it has."""
    fields = {"area_um2": area, "delay_ns": delay, "structure": task.structure()}
    return result_of(task, recipe="fast", seconds=1.0, kit=KIT, **fields)


def forms(*widths: int) -> dict[FixedUnit, MultiplierResult]:
    """All forms, slower by their number and n."""
    return {
        m: result(m, 0.1 * i + n, 1000 - 10 * i) for n in widths for i, m in enumerate(forms_at(n))
    }


@pytest.mark.quick
def test_forms_over_n() -> None:
    grid = forms_over_n(forms(4, 8))
    assert [line.cells[0] for line in grid.lines][:4] == ["2^n", "2^n-1", "2^n+1", "2^n-3"]
    assert grid.lines[1].cells == ("2^n-1", "4.10", "8.10", "990", "990")
    assert grid.lines[-1].cells[1] == ""  # there is no 2^4+85
    assert "2^n-1 the fastest besides 2^n (here at n = 4, 8)" in grid.note
    assert "2^n+1 the smallest (here at no n)" in grid.note
    assert "(here 2^n+85 at n = 8, 2^n-85 at no n)" in grid.note
    assert forms_over_n(forms(8)) is None
    assert forms_at(8) == FORMS


@pytest.mark.quick
@pytest.mark.parametrize("seed", range(8))
def test_where_the_documents_forms_win(seed: int) -> None:
    """At each n a drawn form is the fastest, one the smallest and one the slowest; 2^n is faster
    and smaller than any, which does not count."""
    rng, widths = Random(seed), (8, 10, 12, 14)
    fastest = {n: rng.choice(["2^n-1", "2^n+1", "2^n+3"]) for n in widths}
    smallest = {n: rng.choice(["2^n+1", "2^n-1", "2^n+85"]) for n in widths}
    slowest = {n: rng.choice(["2^n+85", "2^n-85", "2^n-3"]) for n in widths}
    rows: dict[FixedUnit, MultiplierResult] = {}
    for n in widths:
        for m in forms_at(n):
            form = m.modulus.form
            delay = {fastest[n]: 2.0, slowest[n]: 8.0, "2^n": 1.0}.get(form, 5.0)
            rows[m] = result(m, delay, {smallest[n]: 50.0, "2^n": 40.0}.get(form, 90.0))

    def at(won: dict[int, str], form: str) -> str:
        right = [str(n) for n in widths if won[n] == form]
        return f"at n = {', '.join(right)}" if right else "at no n"

    note = forms_over_n(rows).note
    assert f"2^n-1 the fastest besides 2^n (here {at(fastest, '2^n-1')}), " in note
    assert f"2^n+1 the smallest (here {at(smallest, '2^n+1')}), " in note
    assert f"(here 2^n+85 {at(slowest, '2^n+85')}, 2^n-85 {at(slowest, '2^n-85')})." in note


def products(*widths: int) -> dict[FixedUnit, MultiplierResult]:
    """Every multiplier, those of the pseudo-modulus faster by half, but the direct ones."""
    delays = {"document": 2.0, SQUARE: 1.5, "late": 1.8, DIRECT: 3.0, MONTGOMERY: 0.5}
    return {
        m: result(m, delays[m.how] * (0.5 if m.offset == -1 and m.how != DIRECT else 1))
        for n in widths
        for m in multipliers_at(n)
    }


@pytest.mark.quick
def test_products_over_n() -> None:
    grid = products_over_n(products(4, 6))
    assert [line.cells[:2] for line in grid.lines] == [
        ("4", "modulus"),
        ("4", "pseudo-modulus"),
        ("6", "modulus"),
        ("6", "pseudo-modulus"),
    ]
    # Montgomery's takes n + 3 cycles of a modulus of n bits: 5 those of 2^4 + 5, 6 of 2^6 - 1.
    assert grid.lines[0].cells[2:] == ("2.00", "1.80", "1.50", "3.00", "0.50", "4.00")
    assert grid.lines[1].cells[-2:] == ("0.25", "2.25")
    assert "CM everywhere; CM late everywhere; DM at no n; MM product everywhere." in grid.note
    assert "squares take 0.75 to 0.75 of a product's delay here" in grid.note
    trees_only = {m: r for m, r in products(4).items() if m.how != MONTGOMERY}
    assert products_over_n(trees_only) is None


def reductions(*widths: int) -> dict[FixedUnit, MultiplierResult]:
    """Every reduction, slower by what it takes in."""
    return {r: result(r, r.value_bits / 10) for n in widths for r in reductions_at(n)}


@pytest.mark.quick
def test_reductions_over_n() -> None:
    wide, own = reductions_over_n(reductions(4, 6))
    assert wide.title.endswith("(document 000, figures 24 and 25)")
    assert {*wide.lines[0].cells[1:7]} == {"3.20"}
    # A modulus 2^4 + 5 has 5 bits, its pseudo-modulus 2^6 - 1 has 6.
    assert own.lines[0].cells[:3] == ("4", "0.50", "0.60")
    assert "faster: CM at no n; CM late at no n; DM at no n." in own.note
    assert [grid for grid in reductions_over_n({}) if grid] == []


@pytest.mark.quick
def test_at_30_bits_the_pseudo_modulus_has_all_32() -> None:
    """As the document says of its test 16: then both figures have one value."""
    assert FixedReduction(32, -1, DIRECT, 32) in reductions_at(30)
    assert len(set(reductions_at(30))) == len(reductions_at(30)) - 3


def test_charts() -> None:
    of_forms, of_products = multiplier_charts(forms(4, 8) | products(4, 6))
    (of_reductions,) = reduction_charts(reductions(4, 6))
    for chart in (of_forms, of_products, of_reductions):
        assert chart.svg.startswith("<svg")
        for panel in chart.panels:
            check_names(panel)
    delay, area = of_forms.panels
    for panel, field in ((delay, "delay_ns"), (area, "area_um2")):
        drawn = {(p.x, p.y) for p in panel.points}
        assert drawn == {
            (unit.n, getattr(r, field))
            for unit, r in (forms(4, 8) | products(4, 6)).items()
            if unit in forms_at(unit.n)
            and unit.n != 6
            and unit.modulus.form in {each.modulus.form for each in forms_at(8)}
        }
    [delays] = of_products.panels
    assert (delays.y.kind, delays.x.ticks) == ("log", [4, 6])
    pseudo = [line for line in delays.lines if line.dash]
    assert 0 < len(pseudo) < len(delays.lines)
    assert {line.colour for line in pseudo} == {GREY}
    assert [panel.y.kind for panel in of_reductions.panels] == ["log", "linear"]
    assert [*multiplier_charts(products(4))] == []  # one n is no curve
    assert [*reduction_charts(reductions(4))] == []


@pytest.mark.quick
def test_the_study_has_them_all() -> None:
    tasks = set(STUDIES["document-000"].tasks)
    assert tasks >= {m for n in FORMS_AT for m in forms_at(n)}
    assert tasks >= {m for n in PRODUCTS_AT for m in multipliers_at(n)}
    assert tasks >= {m for n in REDUCTIONS_AT for m in reductions_at(n)}


@pytest.mark.quick
def test_who_reproduces_it() -> None:
    """A row of the tables by their study; others by that of the figures."""
    assert FixedMultiplier(8, 85, "document").study == "pseudo-tables"
    assert FixedMultiplier(16, 21845, "late").study == "pseudo-tables-long"
    assert FixedMultiplier(12, 3, "document").study == "document-000"
    assert FixedReduction(8, 85, "document", 32).study == "document-000"
