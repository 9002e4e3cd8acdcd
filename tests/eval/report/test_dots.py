"""The dot diagrams: what they show is the tree, as text, drawing and numbers."""

import json
import xml.etree.ElementTree as ElementTree
from pathlib import Path

import pytest

from eval.report.dots import counting_line, svg, text
from fl.modulus import Modulus
from fl.tree_mul import Tree
from tests.eval.cli.test_cli import assert_plain, run

SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.quick
def test_a_small_diagram() -> None:
    """2^4-1, by hand: four rows, then two full adders a column, one after the other."""
    result = run("dots 2^n-1 --nbits 4")
    assert result.exit_code == 0
    assert result.stdout.splitlines()[:15] == [
        "a*b mod 2^4-1, document",
        "stage 0: 16 dots, height 4; 4 full",
        *["o o o o"] * 4,
        "",
        "stage 1: 12 dots, height 3; 4 full",
        *["o o o o"] * 2,
        "c c c c",
        "",
        "stage 2: 8 dots, height 2; brent-kung adder, end-around carry",
        "o o o o",
        "c c c c",
    ]


@pytest.mark.quick
@pytest.mark.parametrize("form", ["2^n", "2^n-1", "2^n+1", "2^n-5", "2^n+k --k 21"])
@pytest.mark.parametrize("nbits", [8, 32])
def test_diagrams_fit_a_terminal(form: str, nbits: int) -> None:
    for order in ("document", "late", "dadda"):
        result = run(f"dots {form} --nbits {nbits} --order {order}")
        assert result.exit_code == 0, result.output
        assert_plain(result.stdout)


@pytest.mark.quick
def test_every_diagram_has_all_dots() -> None:
    for modulus in (Modulus(8, 1), Modulus(8, -5), Modulus(16, 3)):
        tree = Tree(modulus)
        for number, matrix in enumerate(tree.matrices):
            head, *rows = text(tree, [number])
            assert head == counting_line(tree, number)
            assert sum(len(row.replace(" ", "")) for row in rows) == matrix.dots
            drawing = ElementTree.fromstring(svg(tree, [number], "title"))
            assert len(drawing.findall(f"{SVG}circle")) == matrix.dots


@pytest.mark.quick
def test_drawing_and_numbers(tmp_path: Path) -> None:
    path = tmp_path / "square.svg"
    result = run(f"dots 2^n+1 --nbits 8 --square --svg {path} --json")
    found = json.loads(result.stdout)
    assert (found["modulus"], found["value"]) == ("2^8+1", 257)
    total = sum(stage["dots"] for stage in found["stages"])
    assert len(ElementTree.fromstring(path.read_text()).findall(f"{SVG}circle")) == total
    assert [s["dots"] for s in found["stages"]] == [sum(s["heights"]) for s in found["stages"]]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ("2^n+k --nbits 8", "--k"),
        ("2^n-1 --k 3 --nbits 8", "--k"),
        ("2^n-200 --nbits 8", "below 128"),
        ("2^n-k --k 0 --nbits 8", "--k: 0 is not from 1 on"),
        ("2^n+0 --nbits 8", "a number K from 1 on"),
        ("3^n --nbits 8", "form"),
        ("2^n-1 --nbits 1", "--nbits"),
        ("2^n-1 --nbits 200", "--svg"),
        ("2^n-1 --nbits 8 --order best", "--order"),
        ("2^n-1 --nbits 8 --stage 9", "--stage"),
    ],
)
def test_bad_input_is_one_line(arguments: str, named: str) -> None:
    result = run(f"dots {arguments}")
    assert result.exit_code == 2
    assert len(result.stderr.splitlines()) == 1
    assert named in result.stderr
