"""The package `modexplorer`: frames equal to what commands print, and a notebook that uses it."""

import os
import time

import pytest

import modexplorer
from eval import frames
from eval.catalog import DESIGNS, FAMILIES
from eval.report.records import NAMES
from modexplorer.calls import call
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
    assert list(frame.columns)[: len(NAMES)] == list(NAMES)
    # Of ssmm(steps=2), and of the smallest, which has one step.
    assert frame["parameter_steps"].tolist() == [1, 2]
    assert frame["parameter_loop"].tolist() == ["right-to-left"] * 2
    assert frame["area"].isna().all()
    rows = run_json(LINE)["rows"]
    assert frame["design"].tolist() == ["ssmm-small", "ssmm( steps=2 )"]  # as they were asked for
    assert [row["design"] for row in rows] == ["ssmm-small", "ssmm-best"]
    assert frame["cycles"].tolist() == [row["cycles"] for row in rows]


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
        (lambda: frames.explore("quick", nbits=8), "nbits: is of a study of one's own"),
        (lambda: frames.explore("nothing"), "no study named 'nothing'"),
        (lambda: frames.explore(), "--designs: none is named"),
        (lambda: frames.explore(designs="mul-rem", sort="size"), "sort: no 'size' here"),
        (lambda: frames.explore(designs="mul-rem", where=["size<1"]), "no 'size' here"),
        (lambda: frames.compare("mul-rem", "all"), "design: all names several"),
        (lambda: frames.compare("mul-rem", "mul-rem", nbits=[8, 9, 10]), "--nbits: 3 are"),
        (lambda: frames.add_designs("missing.py"), "missing.py is no Python file"),
        (lambda: frames.find(8, "sign", []), "--least: nothing is named"),
        (
            lambda: frames.find(8, "sign", "area", at_most="time=2"),
            "--at-most: time: 2 has no unit",
        ),
        (lambda: frames.find(8, "sign", "area", clock=-1), "--clock: '-1' is not a number of ns"),
    ],
)
def test_what_there_is_not_is_said(call, says):
    with pytest.raises(UserError) as caught:
        call()
    assert says in str(caught.value)


def test_what_fails_is_raised_by_the_package(monkeypatch):
    with pytest.raises(modexplorer.UserError, match="missing.py is no Python file"):
        modexplorer.add_designs("missing.py")
    assert "MODEXPLORER_DESIGNS" not in os.environ
    monkeypatch.setenv("PATH", "")  # so no compiler
    with pytest.raises(modexplorer.RunError, match="not installed"):
        modexplorer.explore(designs="ssmm-small", nbits=9, to="timing", jobs=1)
    with pytest.raises(modexplorer.RunError, match="explode: its process ended with exit code 1"):
        call("explode")


def test_an_interrupt_ends_the_process_of_a_call(monkeypatch, tmp_path):
    """The child is told, and waited for."""
    child = tmp_path / "child.py"
    child.write_text(SLOW)
    monkeypatch.setattr("modexplorer.calls.CHILD", child)

    def interrupt(self, data):
        while not (tmp_path / "begun").exists():
            time.sleep(0.01)
        raise KeyboardInterrupt

    monkeypatch.setattr("subprocess.Popen.communicate", interrupt)
    with pytest.raises(KeyboardInterrupt):
        call("designs")
    assert (tmp_path / "ended").exists()


SLOW = """
import time
from pathlib import Path

here = Path(__file__)
try:
    here.with_name("begun").touch()
    time.sleep(600)
except KeyboardInterrupt:
    here.with_name("ended").touch()
"""


def test_the_notebook_prints_what_it_shows(tmp_path):
    path = ROOT / "docs" / "explore.ipynb"
    import nbformat  # as slow to import as all tests of this file
    from nbclient import NotebookClient

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
