"""Document 000's tables 3 and 5: what the document prints, and what our tables say of results."""

from types import SimpleNamespace

import msgspec
import pytest

from eval.documents.d000.figures import TABLE_5
from eval.documents.d000.multipliers_section import FORM_BY_FORM, PSEUDO, verdict
from eval.documents.d000.units import (
    FORMS,
    MultiplierResult,
    direct_at,
    pair_at,
)
from eval.study.studies import STUDIES
from fl.modulus import third
from flow.results.record import Kit
from tests.eval.made_up import KIT, result_of


@pytest.mark.quick
def test_what_is_printed() -> None:
    """The document's products of area and delay but the misprinted one, and k of its table 4."""
    printed = [6.498, 6.206, 11.112, 10.054, 16.772, 11.739, 20.212, 16.032]
    found = [m.product / 1e6 for pair in TABLE_5 for m in (pair.modulus, pair.pseudo)]
    assert found == pytest.approx(printed, abs=0.0011)
    assert [third(n) for n in (2, 4, 6, 8)] == [1, 5, 21, 85]
    for n in (4, 6, 8, 10, 16, 32):
        original, late, pseudo = pair_at(n)
        assert original.modulus == late.modulus
        assert pseudo.modulus.value == 3 * original.modulus.value


def result(area: float, delay: float, how: str) -> MultiplierResult:
    """A measured multiplier."""
    tree = {"stages": 3, "five_three": 2, "full": 1, "half": 0, "adders": 1}
    return result_of(
        FORMS[0],
        **{"area_um2": area, "delay_ns": delay, "structure": {} if how == "direct" else tree},
        **{"recipe": "fast", "seconds": 1.0, "kit": KIT},
    )


@pytest.mark.quick
def test_ratios_and_verdict() -> None:
    measured = {}
    for n, areas in ((4, (200, 150, 100, 50, 60)), (6, (100, 100, 120, 50, 60))):
        for m, area in zip((*pair_at(n), *direct_at(n)), areas, strict=True):
            measured[m] = result(area, 2.0, m.how)
    grid = PSEUDO.of(measured)
    ratios = {(line.cells[0], line.cells[1]): line.cells[-2:] for line in grid.lines}
    assert ratios["2^4+5", "document"] == ("0.50", "0.96")
    assert ratios["2^4+5", "late"] == ("0.67", "")
    assert ratios["2^6+21", "direct"] == ("1.20", "")
    assert "the document's trees: refuted at n = 6 (0.50 to 1.20)" in grid.note
    assert "late trees: refuted at n = 6 (0.67 to 1.20)" in grid.note
    assert "The direct multiplier gains at no width (1.20 to 1.20)." in grid.note
    assert verdict({pair_at(4)[0]: 0.5}) == (
        "Table 5's trend, the document's trees: holds at every width (0.50 to 0.50)."
    )


@pytest.mark.quick
def test_verdict_of_direct_multipliers() -> None:
    ratios = {direct_at(4)[0]: 1.5, direct_at(16)[0]: 0.9}
    assert verdict(ratios) == "The direct multiplier gains at n = 16 only (0.90 to 1.50)."
    assert verdict({direct_at(16)[0]: 0.9}).startswith("The direct multiplier gains at every width")


@pytest.mark.quick
def test_forms_are_those_of_table_3() -> None:
    grid = FORM_BY_FORM.of({m: result(100, 1.5, m.how) for m in FORMS})
    found = [line.cells[:2] for line in grid.lines]
    assert found[:4] == [("2^8", "0"), ("2^8-1", "1"), ("2^8+1", "1"), ("2^8-3", "2")]
    assert {line.cells[-1] for line in grid.lines} == {"150"}


@pytest.mark.quick
def test_the_study_measures_each_multiplier_once() -> None:
    for name in ("pseudo-tables", "pseudo-tables-long"):
        listed = STUDIES[name].tasks
        assert len(listed) == len(set(listed))
        assert set(pair_at(10)) <= set(listed)


@pytest.mark.quick
def test_the_netlist_of_the_least_area_times_delay_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    """Neither the smallest nor the fastest; what has no area failed."""
    rows = [(100.0, 3.0), (120.0, 2.4), (200.0, 1.5), (None, None)]
    front = [
        SimpleNamespace(area_um2=area, period_ns=delay, recipe=f"r{i}", seconds=2.0 + i)
        for i, (area, delay) in enumerate(rows)
    ]
    kit = msgspec.convert(KIT, Kit)
    steps = SimpleNamespace(synthesis=SimpleNamespace(front=front))
    found = SimpleNamespace(tools={"t": "1"}, kit=kit, steps=steps)
    monkeypatch.setattr("flow.run.run_flow", lambda *args, **how: how)
    monkeypatch.setattr("eval.documents.d000.units.read_results", lambda results: found)
    kept = FORMS[0].compute(lambda step: None)
    assert (kept.recipe, kept.area_um2, kept.delay_ns) == ("r1", 120.0, 2.4)
    assert kept.seconds == 2.0 + 3.0 + 4.0
    assert kept.product == pytest.approx(288.0)
    assert kept.total_ns == 2.4


@pytest.mark.quick
def test_the_delay_of_the_whole_is_that_of_all_steps() -> None:
    one = result(100, 1.5, "direct")
    assert one.total_ns == 1.5
    assert msgspec.structs.replace(one, structure={"cycles": 8}).total_ns == 12.0
