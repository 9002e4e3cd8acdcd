"""Pages and pictures have what is stored, and nothing is stored that nothing quotes."""

import re
from datetime import date

import pytest

from eval.cli import pages as cli_pages
from eval.quoting import pages as quoting_pages
from eval.quoting.fronts import PICTURE, drawn
from eval.quoting.pages import BLOCK, NUMBER, older, pages, pruned, quoted, refreshed
from eval.quoting.source import Source
from eval.quoting.stored import FILE, Answers, load, save
from sim.errors import RunError
from tests.asked import parsed
from tests.command_line import run
from tests.places import ROOT

pytestmark = pytest.mark.quick
STORED = load()
MADE_UP = {
    "flow a --nbits 8": Answers({"metrics.area_um2": 1234.56, "runs": 7}, commit="abc"),
    "list": Answers({}, {"": "one\ntwo", "T": "T\n+-+", "T (no notes)": "T"}, "def"),
}
NUMBERS = 150  # at most, within lines of all pages
TABLE = re.compile(
    r"^(?P<before>[^\n]*)\n\n(?P<head>\|[^\n]*)\n\|[-|]+\n(?P<rows>(?:\|[^\n]*\n)+)", re.M
)
MEASURED = re.compile(r"Measured (\d{4}-\d\d-\d\d) at [0-9a-f]{8}: `modexplorer (.+)`")
FEWEST = 4  # cells of measured values that begin with a number
OTHERS = (  # tables of numbers that no run gives, or that another test compares
    "| accelerator | bits | technology |",  # published
    "| document | authors |",
    "| need | composed |",  # tests/eval/find/test_wide.py
)
DRAWN = {"docs/architecture.svg", PICTURE}  # the first shows no data
each_page = pytest.mark.parametrize("page", pages(), ids=lambda page: str(page.relative_to(ROOT)))


def test_pages_and_pictures_are_not_older_than_their_data() -> None:
    assert [str(file) for file, _ in older(STORED)] == [], "make pages"


@pytest.mark.parametrize(
    ("what", "shown", "wrong"),
    [
        ("= flow a -nbits 8; runs", "7", "6"),
        ("= flow a -nbits 8; metrics.area_um2; .0f", "1235", "1234"),
        ("= flow a -nbits 8; metrics.area_um2; .2f; 1000", "1.23", "1.24"),
        ("= eval.catalog.inputs; LARGEST_BITS", "4096", "4095"),
        ("= eval.tasks.noise_section; USUAL.area; .0f; 0.01", "2", "1"),
    ],
)
def test_a_number_is_refreshed(what, shown, wrong) -> None:
    text = "Of <!--{} -->{}<!--/--> and more"
    new = refreshed(text.format(what, wrong), Source(MADE_UP))
    assert new == text.format(what, shown)
    assert refreshed(new, Source(MADE_UP)) == new


@pytest.mark.parametrize(
    ("what", "before", "after"),
    [
        ("output: list", "```\nold\n```", "```\none\ntwo\n```"),
        (
            "output: list; T",
            "```console\n$ modexplorer old\n```",
            "```console\n$ modexplorer list\nT\n+-+\n```",
        ),
        ("output: list; T; no notes", "```\nold\n```", "```\nT\n```"),
        ("file: docs/examples/mine.toml", "```toml\n```", None),
    ],
)
def test_a_block_is_refreshed(what, before, after) -> None:
    if after is None:
        after = f"```toml\n{(ROOT / 'docs/examples/mine.toml').read_text()}```"
    page = f"Before\n\n<!-- {what} -->\n{{}}\n<!-- /{what.partition(':')[0]} -->\nafter\n"
    assert refreshed(page.format(before), Source(MADE_UP)) == page.format(after)


def test_a_table_is_written_by_its_template() -> None:
    page = """<!-- table: {% for design in ("a",) %}
| `{{ design }}` | {{ area(design, 8) | num(".0f") }} |
{% endfor %} -->
| a | um2 |
|---|---|
ROWS<!-- /table -->
"""
    new = refreshed(page.replace("ROWS", "| old | 1 |\n"), Source(MADE_UP))
    assert new == page.replace("ROWS", "| `a` | 1235 |\n")
    assert refreshed(new, Source(MADE_UP)) == new


def test_what_is_not_stored_is_an_error() -> None:
    text = "<!--= flow b -nbits 8; runs -->7<!--/-->"
    with pytest.raises(RunError, match="pages --measure"):
        refreshed(text, Source(MADE_UP))
    source = Source(MADE_UP, missing=True)
    assert refreshed(text, source) == text.replace("7", "?")
    assert source.values == {"flow b --nbits 8": {"runs"}}


@each_page
def test_references_are_invisible_and_whole(page) -> None:
    """No comment within a line begins it, where it would end a paragraph, or has two dashes, by
    which older rules end it; nothing is left of a reference that was edited."""
    text = page.read_text()
    assert not re.search(r"^ *<!--=", text, re.M)
    for number in NUMBER.finditer(text):
        assert "--" not in number["what"]
        assert "|" not in number["what"]  # it would end the cell of a table
    rest = BLOCK.sub("", NUMBER.sub("", text))
    assert not re.search(r"<!--=|<!--/|<!-- /?(output|table|api|file)\b", rest)


def undated(text: str) -> list[str]:
    """The heads of measured tables that nothing writes, and that do not say when they were."""
    found = []
    for table in TABLE.finditer(BLOCK.sub("", text)):
        cells = [cell for row in table["rows"].splitlines() for cell in row.split("|")[2:]]
        numbers = sum(bool(re.match(r" [-+]?\d", cell)) for cell in cells)
        if numbers < FEWEST or table["head"].startswith(OTHERS):
            continue
        if dated := MEASURED.fullmatch(table["before"]):
            assert date.fromisoformat(dated[1])
            assert parsed(dated[2])
        else:
            found.append(table["head"])
    return found


@each_page
def test_a_measured_table_is_written_or_dated(page) -> None:
    assert undated(page.read_text()) == [], "a `table` block, or a line above: Measured ..."


@pytest.mark.parametrize(
    ("before", "found"),
    [
        ("Measured 2026-11-30 at ddc7b83b: `modexplorer list`", []),
        ("Measured lately: `modexplorer list`", ["| a | ns | um2 |"]),
        ("", ["| a | ns | um2 |"]),
    ],
)
def test_an_undated_table_is_found(before, found) -> None:
    rows = "| x | 1.5 | 20 |\n| y | 2.5 | -3 |\n"
    assert undated(f"{before}\n\n| a | ns | um2 |\n|---|---|---|\n{rows}") == found


@each_page
def test_no_output_is_pasted(page) -> None:
    """A session outside of a block has commands alone."""
    for fence in re.findall(
        r"^```\w*\n(\$ .*?)^```$", BLOCK.sub("", page.read_text()), re.M | re.S
    ):
        lines = fence.replace("\\\n", "").splitlines()
        assert all(line.startswith("$ ") for line in lines), fence


def test_pages_of_results_are_generated() -> None:
    for page in (ROOT / "docs/results").glob("*.md"):
        assert re.fullmatch(r"# .*\n+", BLOCK.sub("", page.read_text())), page


def test_each_picture_of_data_is_drawn_by_the_same_command() -> None:
    found = [
        (page.parent / name).relative_to(ROOT)
        for page in pages()
        for name in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", page.read_text())
    ]
    assert {str(picture) for picture in found} == DRAWN


def test_few_numbers_are_within_lines() -> None:
    counts = [len(NUMBER.findall(page.read_text())) for page in pages()]
    assert sum(counts) <= NUMBERS
    assert max(counts) <= 15


def test_all_that_is_stored_is_quoted_and_can_be_typed() -> None:
    source = quoted(STORED)
    assert pruned(STORED, source) == STORED
    assert source.values.keys() | source.excerpts.keys() == STORED.keys()
    for command in STORED:
        assert isinstance(parsed(command), dict), command


def test_the_file_is_sorted_and_equal_for_equal_contents(tmp_path) -> None:
    save(STORED, tmp_path / "quoted.jsonl")
    assert (tmp_path / "quoted.jsonl").read_text() == FILE.read_text()
    assert load(tmp_path / "quoted.jsonl") == STORED
    assert load(tmp_path / "nothing") == {}


@pytest.fixture
def checkout(tmp_path, monkeypatch):
    """A checkout of one page, which quotes what is made up."""
    for module in (quoting_pages, cli_pages):
        monkeypatch.setattr(f"{module.__name__}.ROOT", tmp_path, raising=False)
    monkeypatch.setattr("sim.paths.ROOT", tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / PICTURE).write_text(drawn(Source(STORED)))
    page = tmp_path / "docs/page.md"
    page.write_text("It has <!--= simulate mul-rem -nbits 8 -workload e; cycles -->1<!--/-->.\n")
    return page


def test_the_command_writes_what_differs(checkout, monkeypatch) -> None:
    command = "simulate mul-rem --nbits 8 --workload e"
    monkeypatch.setattr(
        "eval.quoting.stored.load", lambda: STORED | {command: Answers({"cycles": 42})}
    )
    checked = run("pages --check")
    assert (checked.exit_code, checked.stdout) == (1, "docs/page.md: differs\n")
    assert "make pages" in checked.stderr
    assert ">1<" in checkout.read_text()
    assert run("pages").stdout == "docs/page.md: written\n"
    assert ">42<" in checkout.read_text()
    assert run("pages --check").exit_code == 0


def test_the_command_measures_and_says_what_moved(checkout, monkeypatch, tmp_path) -> None:
    file, command = tmp_path / "quoted.jsonl", "simulate mul-rem --nbits 8 --workload e"
    save(STORED | {command: Answers({"cycles": 84, "unused": 1})}, file)
    monkeypatch.setattr("eval.quoting.stored.load", lambda: load(file))
    monkeypatch.setattr("eval.quoting.stored.save", lambda answers: save(answers, file))
    monkeypatch.setattr(
        "eval.quoting.measuring.measure", lambda name, source: Answers({"cycles": 42}, {}, "new")
    )
    done = run("pages --measure --only 'mul-rem --nbits 8 --workload e$'")
    assert done.exit_code == 0, done.output
    assert f"{command}: cycles: 84 -> 42, -50.0 %" in done.stdout
    assert "docs/page.md: written" in done.stdout
    assert load(file)[command] == Answers({"cycles": 42}, {}, "new")
    late = run("pages --measure --only 'mul-rem --nbits 8 --workload e$' --budget 0s")
    assert late.exit_code == 3
    assert "--budget ended before 1 commands" in late.stderr
