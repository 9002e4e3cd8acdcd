"""Quantities have three digits and the prefix that fits."""

import pytest

from eval.table.units import STEPS, engineering, label_expression, significant

pytestmark = pytest.mark.quick
WRITTEN = (
    (203918.0, "um2", "0.204 mm2"),
    (3776.04, "um2", "3,776 um2"),
    (9999.6, "um2", "0.0100 mm2"),
    (1.5e6, "um2", "1.50 mm2"),
    (186.4, "us", "186 us"),
    (0.4204, "us", "420 ns"),
    (999.96, "us", "1.00 ms"),
    (2.5e6, "us", "2.50 s"),
    (91400.0, "nJ", "91.4 uJ"),
    (0.02, "nJ", "20.0 pJ"),
    (0.904, "ns", "0.904 ns"),
    (38_000_000.0, "um2 us", "38.0 mm2 us"),
    (165.0, "", "165"),
    (30_000_000.0, "", "30,000,000"),
    (0.0, "us", "0.00 ns"),
)


@pytest.mark.parametrize(("value", "unit", "text"), WRITTEN)
def test_a_quantity_is_written_with_its_prefix(value: float, unit: str, text: str) -> None:
    assert engineering(value, unit) == text


def test_no_value_has_an_exponent_or_more_than_three_digits_before_a_prefix() -> None:
    for unit in STEPS:
        for power in range(-2, 9):
            text = engineering(1.2345 * 10.0**power, unit)
            assert "e" not in text.split()[0]
            assert text.split()[0].replace(".", "").replace(",", "").lstrip("0")[:3] == "123"
    assert significant(99.96) == "100"


def test_an_axis_has_the_same_prefixes() -> None:
    assert label_expression("ns") == "format(datum.value / 1, ',.5~r') + ' ns'"
    expression = label_expression("us")
    for least, factor, name in STEPS["us"][1:]:
        assert f"datum.value >= {least:g} ? format(datum.value / {factor:g}" in expression
        assert f"' {name}'" in expression
