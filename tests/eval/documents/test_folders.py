"""A document is a folder: without it the rest works, and an invented one shows everywhere."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from eval.documents.document import numbers
from tests.places import ROOT

PACKAGES = ("fl", "cl", "rtl", "sim", "proc", "flow", "modexplorer", "eval")
ASK = (sys.executable, "-m", "tests.eval.documents.shown")


def scratch(folder: Path) -> Path:
    """Copy our packages, and return where the documents are in the copy."""
    for name in PACKAGES:
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    (folder / "tests").symlink_to(ROOT / "tests")
    return folder / "eval/documents"


def shown(folder: Path) -> dict[str, Any]:
    """Ask the copy what it shows."""
    env = os.environ | {"PYTHONPATH": str(folder), "MODEXPLORER_BUILD": str(folder / "build")}
    done = subprocess.run(ASK, cwd=folder, env=env, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.parametrize("number", numbers())
def test_without_its_folder_a_document_is_gone_and_the_rest_works(number, tmp_path) -> None:
    documents = scratch(tmp_path)
    shutil.rmtree(documents / f"d{number}")
    there = shown(tmp_path)
    listed = re.findall(r"^\| (\d{3}) ", there["documents"], re.M)
    assert listed == [other for other in numbers() if other != number]
    assert {f"document-{n}" for n in listed} < set(there["studies"])
    assert f"document-{number}" not in there["studies"]
    assert f"document-{number}" not in there["list"]
    assert not [name for name in there["modules"] if name.startswith(f"eval.documents.d{number}")]
    assert not [title for title in there["titles"] if f"document {number}" in title.lower()]
    assert not [said for said in there["sentences"] if f"document {number}" in said.lower()]
    assert {figure["source"][:3] for figure in there["beside"]} == {"001"} - {number}
    assert ("table_004" in there["places"]) == (number != "004")


INVENTED = {
    "__init__.py": '"""Invented."""\n',
    "document.toml": """
[document]
authors = "A. Nobody, B. Nobody"
year = 2030
title = "Nothing New"
form = "leaflet"
has = "nothing"

[bases]
arithmetic = ["arithmetic"]

[commands]
NAIVE = "simulate mul-rem --nbits 32 --workload e --level formula"

[[items]]
name = "table 1"
says = "an area of {{ AREA }} um2"
verdict = "refuted"
basis = "arithmetic"
command = "{{ NAIVE }}"
found = "it is {{ printed(AREA) }}, twice that {{ follows(2 * AREA) }}"

[[items]]
name = "figure 1"
says = "a drawing"
verdict = "-"
found = "nothing"

[[items]]
name = "claim 1"
says = "all is small"
verdict = "open"
found = "not measured"

[[claims]]
with = "NOTHING"
says = "Document 999 says {{ AREA }}; ours has {{ ours('mul-rem', 32, 'area_um2') | int }}."

[[claims]]
says = "Never said: {{ ours('mont-best', 32, 'area_um2') }}."
""",
    "figures.py": '"""What it prints."""\n\nAREA = 500\n',
    "beside.py": '''"""What stands beside ours."""

from eval.documents.d999.figures import AREA
from eval.documents.published import Published

PUBLISHED = (Published("mul-rem", "area_um2", "accelerator", 32, AREA, "999, table 1"),)
''',
    "views.py": '''"""What reports show of it."""

from eval.documents.tables import table
from eval.documents.views import ALL
from eval.tasks.section import Section, tables

NOTHING = table("999", "NOTHING", {"name": "None"}, rows=lambda found: found.points)
SECTIONS = {ALL: Section(results=tables(NOTHING))}
''',
    "tables.toml": """
[NOTHING]
title = "Nothing, by document 999"
columns = [["design", "point"], ["bits", "point.nbits", 0], ["1", "point.nbits / point.nbits", 1]]
note = "{name}."
""",
    "studies.toml": """
[lists]
naive = ["mul-rem"]

[[studies]]
name = "document-999"
title = "document 999"
rows = [{ ask = "designs", designs = "naive" }]

[[added]]
to = "quick"
rows = [{ ask = "simulations", designs = ["mont-best"], nbits = [8] }]
""",
}


def test_an_invented_document_of_three_items_takes_one_folder(tmp_path) -> None:
    folder = scratch(tmp_path) / "d999"
    folder.mkdir()
    for name, text in INVENTED.items():
        (folder / name).write_text(text)
    there = shown(tmp_path)
    [line] = re.findall(r"^\| 999 .*", there["documents"], re.M)
    assert re.match(r"\| 999 +\| A\. Nobody and +\| +3 \|", line)
    assert there["tasks"]["document-999"] == 4  # its multiplier's area is another document's
    assert there["tasks"]["quick"] == 3 + 2
    assert "| document-999 " in there["list"]
    assert "Nothing, by document 999" in there["titles"]
    assert "Document 999 says 500; ours has 1000." in there["sentences"]
    assert not [said for said in there["sentences"] if said.startswith("Never")]
    [figure] = [one for one in there["beside"] if one["source"] == "999, table 1"]
    assert (figure["document"], figure["ours"]) == (500, 1000.0)
    page = json.loads(asked(tmp_path, "documents", "999", "--json"))["999"]
    assert [item["name"] for item in page] == ["table 1", "figure 1", "claim 1"]
    assert page[0]["says"] == "an area of 500 um2"
    assert page[0]["found"] == "it is 500, twice that 1000"
    assert page[0]["command"].startswith("simulate mul-rem --nbits 32")
    assert page[0]["compared_with"] == "arithmetic"


def asked(folder: Path, *words: str) -> str:
    """Run a command of the copy."""
    env = os.environ | {"PYTHONPATH": str(folder), "MODEXPLORER_BUILD": str(folder / "build")}
    program = "from eval.start import main; main()"
    done = subprocess.run(
        (sys.executable, "-c", program, *words), cwd=folder, env=env, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.quick
@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ('verdict = "open"', 'verdict = "true"', "claim 1: says, found or verdict is missing"),
        ('basis = "arithmetic"', 'basis = "sums"', "no basis 'sums' in"),
        ('name = "figure 1"', 'name = "table 1"', "item 'table 1' has no name, or another's"),
        ('found = "nothing"', 'finds = "nothing"', "figure 1: no item has finds"),
        ('["arithmetic"]', '["taste"]', "bases arithmetic compare with nothing"),
        ('["arithmetic"]', '["a design of ours"]', "table 1: basis 'arithmetic' does not support"),
        ('basis = "arithmetic"\n', "", "table 1: basis None does not support verdict 'refuted'"),
        ('verdict = "-"', 'basis = "arithmetic"\nverdict = "-"', "does not support verdict '-'"),
    ],
)
def test_what_is_no_item_is_refused(was, now, said, monkeypatch) -> None:
    from tomllib import loads

    from eval.documents import items

    text = INVENTED["document.toml"].replace(was, now, 1)
    assert text != INVENTED["document.toml"]
    monkeypatch.setattr(items, "written", lambda number: loads(text))
    monkeypatch.setattr(
        items, "terms_of", lambda number: items.Terms("", {"AREA": 5, "NAIVE": "list"})
    )
    with pytest.raises(ValueError, match=re.escape(said)):
        items.items_of.__wrapped__("999")
