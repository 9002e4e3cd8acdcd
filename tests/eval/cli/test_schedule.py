"""`modexplorer schedule`: the documents' algorithms run product by product, right or as printed."""

import pytest

from tests.command_line import assert_refused, run, run_json

pytestmark = pytest.mark.quick


def test_table_1_of_document_000_comes_out_step_by_step() -> None:
    """Its squares are 9, 23, 7 and 20, its products 3, 27, 12 and 8."""
    answer = run_json("schedule right-to-left --base 3 --exp 23 --mod 29 --steps")
    assert answer["result"] == 8
    made = [(step["a"], step["b"], step["product"]) for step in answer["steps"]]
    assert [p for a, b, p in made if a == b] == [9, 23, 7, 20, 23]
    assert [p for a, b, p in made if a != b] == [3, 27, 12, 8]
    assert len(made) == answer["products"] == answer["squarings"] + answer["multiplications"]


@pytest.mark.parametrize(
    ("name", "squarings", "multiplications"),
    [
        ("repeated", 0, 23),
        ("left-to-right", 5, 4),
        ("right-to-left", 5, 4),
        ("always", 5, 5),
        ("k-ary", 9, 15),  # 2^2, 3 ... 15 of the base, then 8 squares and 2 products
        ("left-windows", 6, 9),  # 2, 3, 5 ... 15 of the base, then windows 1011 and 1
        ("right-windows", 6, 9),
    ],
)
def test_products_are_counted(name: str, squarings: int, multiplications: int) -> None:
    answer = run_json(f"schedule {name} --base 3 --exp 23 --mod 29")
    assert (answer["squarings"], answer["multiplications"]) == (squarings, multiplications)
    assert answer["result"] == 8
    assert "steps" not in answer


def test_digits_are_as_wide_as_asked() -> None:
    assert run_json("schedule k-ary --width 2 --base 3 --exp 5 --mod 29")["schedule"] == "4-ary"


@pytest.mark.parametrize(
    ("name", "exp", "printed", "right"),
    [
        ("left-to-right-as-printed", 4, 3, 81),
        ("left-to-right-as-printed", 65537, 93, 93),  # a palindrome
        ("k-ary-as-printed", 16, 3, 16),
        ("sliding-as-printed", 1, 1, 3),
    ],
)
def test_algorithms_as_printed_are_shown_beside_what_is_right(
    name: str, exp: int, printed: int, right: int
) -> None:
    answer = run_json(f"schedule {name} --base 3 --exp {exp} --mod 101")
    assert (answer["result"], answer["right"]) == (printed, right)


def test_wrong_requests_are_refused() -> None:
    operands = "--base 3 --exp 5 --mod 7"
    assert_refused(f"schedule fastest {operands}", "no schedule 'fastest'; choose from repeated")
    assert_refused(f"schedule sliding-as-printed {operands} --steps", "--steps: not of sliding")
    assert_refused(f"schedule always {operands} --width 2", "--width: always takes a bit at a time")
    assert_refused("schedule repeated --base 3 --exp 1000001 --mod 7", "--exp: takes 1000001")
    assert_refused("schedule repeated --base 3 --exp 1001 --mod 7 --steps", "at most 1000")


def test_a_wrong_result_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("fl.mul_rem.mod_mul", lambda a, b, m: (a * b + 1) % m)
    failed = run("schedule repeated --base 3 --exp 5 --mod 7")
    assert failed.exit_code == 1
    assert "repeated makes 0, Python's pow 5" in failed.stderr
