"""`simulate --unit multiplier`: one product on a design's multiplier, and what it refuses."""

import pytest

from eval.catalog.point import Point
from eval.tasks import product
from eval.tasks.product import Product, multiply
from sim.errors import RunError
from tests.command_line import assert_refused, run, run_json

pytestmark = pytest.mark.quick
LINE = "simulate {} --nbits 8 --unit multiplier --a {} --b {} --m {} --level {}"
# Design, a, b, m; by hand: 200 * 77 = 15400 = 69 * 221 + 151.
PRODUCTS = (
    ("mul-rem", 200, 77, 221, 0, 151),
    ("mul-rem", 255, 255, 1, 0, 0),
    ("mul-rem", 0, 255, 256 - 1, 0, 0),
    ("ssmm-small", 200, 77, 221, 0, 151),
    # 219 * 256 = 56064 = 253 * 221 + 151: Montgomery's product.
    ("mont-best", 200, 77, 221, 8, 219),
    ("mont-best", 220, 220, 221, 8, pow(256, -1, 221)),
)


@pytest.mark.parametrize(("design", "a", "b", "m", "radix", "r"), PRODUCTS)
@pytest.mark.parametrize("level", ["formula", "fl", "cl", "rtl"])
def test_it_makes_the_product(design, a, b, m, radix, r, level) -> None:
    found = run_json(LINE.format(design, a, b, m, level))
    assert (found["r"], found["radix"], found["through"]) == (r, radix, "multiplier")
    assert (found["cycles"] is None) == (level == "fl")


def test_levels_agree_in_cycles_and_a_trace_has_a_line_for_each() -> None:
    told = run(LINE.format("ssmm-small", 200, 77, 221, "rtl") + " --trace").stdout
    found = run_json(LINE.format("ssmm-small", 200, 77, 221, "formula"))
    assert f"cycles  {found['cycles']}" in told
    assert len([line for line in told.splitlines() if line[:5].strip().isdigit()]) > 3


def test_waveforms_are_written(tmp_path) -> None:
    run(LINE.format("mul-rem", 3, 5, 7, "rtl") + f" --vcd {tmp_path / 'a.vcd'}")
    assert "$var" in (tmp_path / "a.vcd").read_text()


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("mul-rem --nbits 8 --unit multiplier --a 1 --b 2", "--m: is missing"),
        ("mul-rem --nbits 8 --unit multiplier --a 256 --b 2 --m 5", "--a: 256 has 9 bits"),
        ("mul-rem --nbits 8 --unit multiplier --a 1 --b 2 --m 0", "--m: "),
        ("mont-best --nbits 8 --unit multiplier --a 1 --b 2 --m 6", "is not defined"),
        ("mul-rem --nbits 8 --unit multiplier --a 1 --b 2 --m 5 --base 1", "--base: "),
        ("mul-rem --nbits 8 --unit multiplier --a 1 --b 2 --m 5 --workload e", "--workload: "),
        ("mul-rem --nbits 8 --workload e --a 1", "--a: is of a product"),
        (
            "mul-rem --nbits 8 --unit multiplier --a 1 --b 2 --m 5 --level formula --trace",
            "runs nothing",
        ),
    ],
)
def test_what_is_wrong_is_said_with_its_option(line, said) -> None:
    assert_refused(f"simulate {line}", said)


def test_a_wrong_product_is_no_answer(monkeypatch) -> None:
    assert Product(200, 77, 221, 219, 8, False, 2).is_right
    assert not Product(200, 77, 221, 151, 8, False, 2).is_right
    assert not Product(200, 77, 221, 219 + 221, 8, False, 2).is_right  # not below the modulus
    assert Product(200, 77, 221, 219 + 221, 8, True, 2).is_right
    unit = product.multiplier_of(Point("mul-rem", 8))
    wrong = type("Wrong", (type(unit),), {"value": lambda self, a, b, m: a * b % m ^ 1})(8)
    monkeypatch.setattr(product, "multiplier_of", lambda point: wrong)
    asked = (Point("mul-rem", 8), 200, 77, 221)
    with pytest.raises(RunError, match=r"200 \* 77 mod 221: 150 is not a \* b / 2\^0 mod m"):
        multiply(*asked, "formula")
    with pytest.raises(RunError, match="was answered 151 after .* formula say 150 after"):
        multiply(*asked, "rtl")
