"""Document 000's tables 7 to 18: what is printed, and what our table and reasons say beside it."""

import pytest

from eval.catalog.point import Point
from eval.documents.claims import claims
from eval.documents.d000.exponentiators import PAIRS
from eval.documents.d000.figures import BY_UNITS, KEY_BITS, ONE, TWO
from eval.study.results import StudyResult
from eval.tasks.flow_run.task import FlowRun
from fl.fixed_exp import family
from tests.eval.made_up import flow_row, found_of


@pytest.mark.quick
@pytest.mark.parametrize("units", [1, 2])
def test_what_is_printed_agrees_with_its_products(units: int) -> None:
    """Its products were printed apart: they follow from the factors, as rounded there."""
    printed = BY_UNITS[units]
    for column, values in printed.products.items():
        for i, value in enumerate(values):
            product = printed.elements[column][i] * printed.delay_ns[column][i] * 1e-9
            assert product == pytest.approx(value, rel=0.25), (column, KEY_BITS[i])
    for column in ("cm-modulus", "cm-pseudo"):
        assert len(printed.mhz[column]) == len(printed.decryption_us[column]) == len(KEY_BITS)
    assert printed.ratio("elements", "cm", 32) < 0.6


def found_with(metrics: dict[str, dict[str, float]]) -> StudyResult:
    """A study of 8-bit points with such metrics."""
    runs = {FlowRun(Point(name, 8), "accelerator", 0.5): of for name, of in metrics.items()}
    return found_of(*(flow_row(run, of) for run, of in runs.items()), clock_ns=0.5)


def measured(area: float, period: float) -> dict[str, float]:
    """What the table shows of an accelerator."""
    return {"area_um2": area, "period_ns": period, "cycles_d": 14.0}


@pytest.mark.quick
def test_pairs_and_ratios() -> None:
    grid = PAIRS.of(
        found_with(
            {
                "cm-modulus-2": measured(1000, 2),
                "cm-late-2": measured(800, 2),
                "cm-pseudo-2": measured(500, 1),
                "cm-pseudo-1": measured(300, 1),
                "mm-000": measured(100, 1),
                "mm-pseudo-2": measured(110, 1),
            }
        )
    )
    cells = [(line.cells[0], *line.cells[-2:]) for line in grid.lines]
    assert cells == [
        ("cm-modulus-2#", "", ""),
        ("cm-pseudo-2#", "0.25", "0.28"),
        ("cm-late-2#", "", ""),
        ("cm-pseudo-2#", "0.31", ""),
        ("mm-000", "", ""),
        ("mm-pseudo-2#", "1.10", "1.09"),
    ]
    assert grid.lines[0].commands == ("modexplorer flow cm-modulus-2 --nbits 8 --clock 0.5",)
    assert PAIRS.of(found_with({"cm-pseudo-2": measured(1, 1)})) is None


@pytest.mark.quick
def test_unsound_claims_are_named() -> None:
    both = {"cm-modulus-2": measured(1000, 2), "cm-pseudo-2": measured(500, 1)}
    text = " ".join(claims(found_with(both)))
    for said in ("46974", "1846", "up to 32 times", "2097152", "divisible by 5"):
        assert said in text
    assert "N = 32, 64, 128, 256, 512, 1024" in text
    assert list(claims(found_with({"cm-pseudo-2": measured(500, 1)}))) == []
    m = family(32).m
    assert all(pow(message, 65537, m) == message for message in range(3, m, m // 997))


@pytest.mark.quick
def test_the_printed_extremes() -> None:
    assert TWO.decryption_us["mm-pseudo"][-1] / TWO.decryption_us["cm-pseudo"][-1] > 46973
    assert ONE.elements["mm-pseudo"] == TWO.elements["mm-pseudo"]
