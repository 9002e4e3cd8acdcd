"""The package `modexplorer`: frames equal to what commands print, and a notebook that uses it."""

import os

import nbformat
import pytest
from nbclient import NotebookClient

import modexplorer
from eval.catalog import DESIGNS, FAMILIES
from eval.report.records import NAMES
from sim.errors import UserError
from tests.command_line import run_json
from tests.places import ROOT

LINE = "explore --designs ssmm-small,ssmm-best --nbits 8 --to none --where workload=d"


def test_a_frame_has_the_rows_of_the_command():
    frame = modexplorer.explore(
        designs=["ssmm-small", "ssmm( steps=2 )"],
        nbits=8,
        to="none",
        where="workload=d",
        sort="time",
    )
    assert list(frame.columns) == list(NAMES)
    assert frame["area"].isna().all()
    rows = run_json(LINE)["rows"]
    assert (
        frame["design"].tolist() == [row["design"] for row in rows] == ["ssmm-small", "ssmm-best"]
    )
    assert frame["cycles"].tolist() == [row["cycles"] for row in rows]


@pytest.mark.quick
def test_the_catalog_as_frames():
    catalog = modexplorer.designs()
    assert catalog[~catalog["variant"]]["design"].tolist() == list(DESIGNS)
    assert set(modexplorer.families()["family"]) == set(FAMILIES)
    assert modexplorer.UNITS["area"] == "um2"
    assert set(modexplorer.UNITS) <= set(NAMES)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: modexplorer.explore("quick", nbits=8), "nbits: is of a study of one's own"),
        (lambda: modexplorer.explore("nothing"), "no study named 'nothing'"),
        (lambda: modexplorer.explore(), "--designs: none is named"),
        (lambda: modexplorer.explore(designs="mul-rem", sort="size"), "sort: no 'size' here"),
        (lambda: modexplorer.explore(designs="mul-rem", where=["size<1"]), "no 'size' here"),
        (lambda: modexplorer.compare("mul-rem", "all"), "design: all names several"),
        (lambda: modexplorer.compare("mul-rem", "mul-rem", nbits=[8, 9, 10]), "--nbits: 3 are"),
        (lambda: modexplorer.add_designs("missing.py"), "missing.py is no Python file"),
    ],
)
def test_what_there_is_not_is_said(call, says):
    with pytest.raises(UserError) as caught:
        call()
    assert says in str(caught.value)


def test_the_notebook_prints_what_it_shows(tmp_path):
    path = ROOT / "docs" / "explore.ipynb"
    shown, again = (nbformat.read(path, as_version=4) for _ in range(2))
    client = NotebookClient(again, timeout=600, kernel_name="python3")
    client.execute(cwd=os.fspath(tmp_path))
    assert [printed(cell) for cell in again.cells] == [printed(cell) for cell in shown.cells]
    assert sum(bool(printed(cell)) for cell in shown.cells) == 4


def printed(cell):
    """The texts that a cell of code gives."""
    outputs = cell.get("outputs", ())
    assert all(output.output_type == "execute_result" for output in outputs)
    return [output.data["text/plain"] for output in outputs]
