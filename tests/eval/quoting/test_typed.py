"""No figure of ours is typed by hand, neither in the sources of pages nor in items."""

import pytest

from eval.documents.document import numbers
from eval.documents.items import items_of
from eval.quoting.pages import pages
from eval.quoting.typed import typed

pytestmark = pytest.mark.quick


@pytest.mark.parametrize("page", pages(), ids=lambda page: page.name)
def test_no_figure_is_typed_in_a_page(page) -> None:
    found = typed(page.source.read_text())
    assert not found, f"{page.source}: {', '.join(map(str, found))}"


@pytest.mark.parametrize("document", numbers())
def test_no_figure_is_typed_in_an_item(document) -> None:
    found = [
        (item.name, str(one))
        for item in items_of(document)
        for one in typed(item.terms.macros + item.found)
    ]
    assert not found


TABLE = """
| design | area um2 | bits |
|---|---|---|
| `array-4` | {} | 64 |
"""


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("It takes 15631 um2.", ["15631", "15631 um2"]),
        ("of 3 ns", ["3 ns"]),
        ("of 3\nns", ["3 ns"]),
        ("in 132 cycles, 49 %", ["132 cycles", "49 %"]),
        ("17153 of 16612", ["16612", "17153"]),
        ("reaches 0.829 at", ["0.829"]),
        ("{{ figure('a', 'b') }} um2, 7 um2", ["7 um2"]),
        (TABLE.format("15631"), ["15631"]),
        (TABLE.format("7 -> 8"), ["7 -> 8"]),
        ("```\n$ modexplorer list\nname 7\n```\n", ["name 7"]),
        ("```\n| mine | 3 |\n```\n", ["| mine | 3 |"]),
    ],
)
def test_it_finds(text, found) -> None:
    assert sorted({one.text for one in typed(text)} & set(found)) == found


@pytest.mark.parametrize(
    "text",
    [
        "{{ figure('flow mul-rem --nbits 32', 'metrics.area_um2') }} um2, {{ given('3 ns') }}",
        "{{ printed('17153') }} at 1024 bits, e = 65537, 2^16 - 1",
        "`modexplorer flow mul-rem --clock 0.95` and [a page](docs/3000.md)",
        TABLE.format("{{ area('array-4') }}"),
        "```\n$ modexplorer list\n{{ output('list') }}\n```\n",
        "```\nmake report   # 3 ns\n```\n",
        "figures 17 and 18, 64-bit words, array-4, RV32",
    ],
)
def test_it_lets_be(text) -> None:
    assert not typed(text)
