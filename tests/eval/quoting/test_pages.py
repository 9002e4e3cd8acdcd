"""Pages are what their sources and the kept figures make of them, to the last digit."""

import re

import pytest

from eval.quoting.environment import Source
from eval.quoting.fronts import PICTURE, draw
from eval.quoting.kept import UNKNOWN, Answers, Kept, load
from eval.quoting.pages import ELSEWHERE, footer, pages, quoted
from sim.errors import RunError
from tests.places import ROOT

pytestmark = pytest.mark.quick
KEPT = load()
PAGES = pages()
BY_HAND = {"README.md", "flow/README.md", "proc/README.md"} | {
    f"docs/{file.name}" for file in (ROOT / "docs").glob("*.md")
}


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_is_what_its_source_gives(page) -> None:
    assert page.file.read_text() == page.text(KEPT), "make pages"


def test_the_picture_is_what_the_cached_results_give(tmp_path) -> None:
    drawn = tmp_path / "fronts.svg"
    draw(Source(KEPT), drawn)
    assert drawn.read_text() == (ROOT / PICTURE).read_text(), "make pages"


def test_every_page_has_a_source() -> None:
    assert {page.name for page in PAGES} == BY_HAND
    assert set(ELSEWHERE.values()) <= BY_HAND


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_page_says_where_it_comes_from(page) -> None:
    first = page.file.read_text().splitlines()[0]
    assert f"from {page.source.relative_to(ROOT)}" in first
    assert "make pages" in first


def test_all_that_is_kept_is_quoted() -> None:
    source = quoted(KEPT)
    assert set(KEPT) <= source.values.keys() | source.excerpts.keys()
    for command in KEPT:
        assert KEPT[command].values.keys() <= source.values.get(command, set()), command
        assert len(KEPT[command].printed) == len(source.excerpts.get(command, ())), command


def test_what_is_not_kept_is_said_as_it_was() -> None:
    source = made_up()
    text = "{{ (area('a', 8) / area('b', 8)) | num('.2f', was='0.57') }}"
    assert source.render(text) == "0.57"
    assert "1 not measured since" in footer(source)
    with pytest.raises(RunError, match="flow b --nbits 8"):
        made_up().render("{{ (area('a', 8) / area('b', 8)) | num('.2f') }}")
    with pytest.raises(RunError, match="flow b --nbits 8"):
        made_up().render("{{ area('b', 8) }}")


def test_a_figure_that_moves_moves_the_page() -> None:
    [page] = [page for page in PAGES if page.name == "docs/catalog.md"]
    moved = load()
    moved["flow mul-rem --nbits 32"].values["metrics.area_um2"] += 1
    assert page.text(moved) != page.text(KEPT)


def test_the_file_is_equal_for_equal_contents(tmp_path) -> None:
    file = tmp_path / "kept.json"
    KEPT.save(file)
    again = load(file)
    assert again.answers == KEPT.answers
    assert file.read_text() == (ROOT / "eval/quoting/kept.json").read_text(), "sorted by hand?"


def test_what_two_have_measured_at_once_is_kept_of_both(tmp_path) -> None:
    file = tmp_path / "kept.json"
    Kept(dict(MADE_UP)).save(file)
    one, other = load(file), load(file)
    for kept, name in ((one, "flow one"), (other, "flow other")):
        with kept.updating(file):
            kept.answers[name] = Answers("abc")
    with one.updating(file):
        del one.answers["list"]
    assert [*load(file)] == ["flow a --nbits 8", "flow one", "flow other"]


MADE_UP = {
    "flow a --nbits 8": Answers("abc", [], {"metrics.area_um2": 1234.56, "runs": 7}),
    "list": Answers(UNKNOWN, [], {}, {"": ["one", "two"], "T": ["T", "+-+"]}, 12.3),
}


def made_up() -> Source:
    return Source(Kept(MADE_UP))


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("{{ figure('flow a --nbits 8', 'metrics.area_um2', '.0f') }} um2", "1235 um2"),
        ("{{ figure('flow  a --nbits 8', 'metrics.area_um2', '.2f', per=1000) }}", "1.23"),
        ("{{ area('a', 8) | num('.1f') }}", "1234.6"),
        ("{{ (2 * value('flow a --nbits 8', 'runs')) | num }}", "14"),
        ("{{ figure('modexplorer flow a --nbits 8', 'runs') }}", "7"),
        ("{% if value('flow a --nbits 8', 'runs') is unknown %}old{% endif %}", ""),
        ("{% if value('flow b --nbits 8', 'runs') is unknown %}old{% endif %}", "old"),
        ("{{ output('list') }}", "one\ntwo"),
        ("{{ session('list', 'T') }}", "$ modexplorer list\nT\n+-+"),
        ("{{ seconds('list') }}", "12"),
        ("{{ printed('17153') }} {{ given('3 ns') }}", "17153 3 ns"),
        ("{{ exponent({2: 4, 4: 16, 8: 64}) | num('.2f') }}", "2.00"),
    ],
)
def test_a_text_says(text, says) -> None:
    assert made_up().render(text) == says


@pytest.mark.parametrize(
    "text", ["{{ figure('flow a --nbits 8', 'metrics.cells') }}", "{{ output('flow b') }}"]
)
def test_what_is_not_kept_is_an_error(text) -> None:
    with pytest.raises(RunError, match="make figures"):
        made_up().render(text)
    assert re.fullmatch(r"\?", Source(Kept(MADE_UP), missing=True).render(text))


def test_the_foot_counts_figures_by_commit() -> None:
    source = made_up()
    source.render("{{ figure('flow a --nbits 8', 'runs') }}{{ area('a', 8) }}{{ output('list') }}")
    source.render("{{ tried('7 um2') }}{{ machine('1 GB') }}")
    assert "2 measured at abc" in footer(source)
    assert "1 not measured since" in footer(source)
    assert "1 of one machine" in footer(source)
    assert "1 of code that was tried" in footer(source)
    assert footer(Source(Kept({}))) == ""
