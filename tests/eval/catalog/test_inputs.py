"""Numbers and paths as people type them."""

from pathlib import Path

import pytest

from eval.catalog.inputs import check_output, check_path, parse_decimal, parse_number, shorten
from sim.errors import UserError

pytestmark = pytest.mark.quick


@pytest.mark.parametrize(
    ("text", "value"),
    [("0", 0), ("65537", 65537), ("0x10001", 65537), ("0XfF", 255), (" 7 ", 7), ("007", 7)],
)
def test_numbers_are_decimal_or_hexadecimal(text: str, value: int) -> None:
    assert parse_number("--exp", text) == value


def test_a_number_of_4096_bits_is_read() -> None:
    value = (1 << 4096) - 1
    assert parse_number("--mod", str(value)) == parse_number("--mod", hex(value)) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("-1", "negative"),
        ("- 1", "negative"),
        ("", "decimal"),
        ("0x", "decimal"),
        ("12a", "hexadecimal"),
        ("3.5", "whole number"),
        ("1e3", "whole number"),
        ("1_000", "whole number"),
        ("0b11", "whole number"),
        ("9" * 5000, "5000 digits are more than anything takes"),
        (hex(1 << 4096), "1027 digits"),
        ("\u0663", "whole number"),
    ],
)
def test_what_is_no_number_is_refused_in_one_short_line(text: str, says: str) -> None:
    with pytest.raises(UserError, match=says) as caught:
        parse_number("--exp", text)
    message = str(caught.value)
    assert message.startswith("--exp: ")
    assert "\n" not in message
    assert len(message) < 140


def test_an_output_in_an_impossible_place_is_refused(tmp_path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(UserError, match="--out: cannot write"):
        check_output("--out", tmp_path / "file" / "report.html")
    with pytest.raises(UserError, match="--out: cannot write"):
        check_output("--out", tmp_path)


def test_a_folder_that_is_made_for_an_output_is_noted(tmp_path, capsys) -> None:
    for _ in range(2):  # noted once
        check_output("--vcd", tmp_path / "new" / "a.vcd")
    folder = tmp_path / "new"
    assert capsys.readouterr().err == f"modexplorer: note: --vcd: made the folder {folder}\n"
    assert folder.is_dir()


def test_a_number_out_of_range_is_told_the_range() -> None:
    assert parse_number("--jobs", "8", 1, 8) == 8
    with pytest.raises(UserError, match="--jobs: 9 is not from 1 to 8"):
        parse_number("--jobs", "9", 1, 8)
    with pytest.raises(UserError, match="m: 0 is not from 1 on"):
        parse_number("m", "0", 1)


@pytest.mark.parametrize(("text", "value"), [("3", 3.0), ("0.5", 0.5), (".5", 0.5), ("2.", 2.0)])
def test_decimals(text: str, value: float) -> None:
    assert parse_decimal("--clock", text, "ns", 0.1, 1000) == value


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("0.09", "--clock: 0.09 ns is not from 0.1 to 1000 ns"),
        ("9" * 5000, "99 ns is not from"),
        ("nan", "'nan' is not a number of ns"),
        ("\u0663", "is not a number of ns"),
        ("-3", "is not a number of ns"),
    ],
)
def test_decimals_that_are_refused(text: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        parse_decimal("--clock", text, "ns", 0.1, 1000)


def test_what_is_long_is_shortened() -> None:
    assert shorten("a" * 24) == "a" * 24
    assert shorten(10**40) == "10000000000..00000000000"
    assert shorten(1 << 20_000) == "0x100000000..00000000000"


@pytest.mark.parametrize(
    ("text", "says"),
    [("", "an empty name"), ("a\nb", "cannot be printed"), ("x" * 300, "File name too long")],
)
def test_paths_that_no_file_can_have(text: str, says: str) -> None:
    assert check_path("--out", "a b/c.html") == Path("a b/c.html")
    with pytest.raises(UserError, match=f"--out: .*{says}"):
        check_path("--out", text)
