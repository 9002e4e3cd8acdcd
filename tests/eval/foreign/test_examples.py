"""The examples of the page for authors: from `new` to a row, and their planted faults."""

import shutil

import pytest

from eval.catalog import bring, find
from eval.contract.design import Check
from eval.contract.planted import faults_of, found_out
from tests.command_line import assert_refused, run, run_json
from tests.places import ROOT

EXAMPLES = ROOT / "docs/examples"
FAULTS = """FAULTS = {
    "a step too few": ("modmul.v", "left <= WIDTH;", "left <= WIDTH - 1;"),
    "a subtraction left out": ("modmul.v", "once >= m_kept ? once - m_kept : once", "once"),
}
"""


@pytest.fixture
def modmul(mine):
    """The folder that `new` writes of the multiplier in Verilog."""
    made = run_json(f"new theirs --verilog {EXAMPLES}/modmul.v --top modmul")
    assert made["ports"] == {name: name for name in ("start", "done", "a", "b", "m")} | {
        "result": "r"
    }
    assert (made["clock"], made["reset"]) == (["clk"], "!rst_n")
    entry = mine.parents[1] / "theirs/entry.py"
    entry.write_text(f"{entry.read_text()}{FAULTS}")
    return entry


@pytest.fixture
def cios(mine):
    """The folder of the multiplier in VHDL, with the entry of the page."""
    run_json(f"new cios --verilog {EXAMPLES}/cios.vhd --parameter W=16")
    entry = mine.parents[1] / "cios/entry.py"
    shutil.copy(EXAMPLES / "cios_entry.py", entry)
    return entry


def test_the_multiplier_in_verilog_gets_a_row_beside_ours(modmul):
    rows = run_json(
        "explore --designs theirs-small,ssmm-small --nbits 8 --workloads e --with theirs/entry.py"
    )["rows"]
    theirs, ours = rows
    assert (theirs["design"], ours["design"]) == ("theirs-small", "ssmm-small")
    assert theirs["area"] > 500
    assert theirs["cycles"] > ours["cycles"] > 0
    alone = run_json("flow theirs --nbits 8 --unit core")["metrics"]
    assert 0 < alone["area_um2"] < theirs["area"]
    powered = run_json("flow theirs-small --nbits 8 --to power")["metrics"]
    assert powered["energy_e_nj"] > 0
    told = run_json("timing theirs --nbits 8 --requests 100")
    assert told["found"]
    checked = run_json("check theirs --nbits 8 --part multiplier --level batch")
    assert checked["rows"][0]["cycles"] == "11, measured"  # 8 steps, load, start and done
    assert_refused("leakage theirs --nbits 8", "rtl does not see the registers inside")


@pytest.mark.parametrize(("part", "nbits"), [("multiplier", 8), ("exponentiator", 40)])
def test_the_multiplier_in_vhdl_keeps_the_contract(cios, part, nbits):
    bring("--with", cios)
    design = find("cios")
    least, most = Check(part, nbits, "batch").measured(design)
    assert 1 <= least <= most
    cases, stalled = Check(part, nbits, "batch").run(design)
    assert cases > 100
    assert stalled > 500


@pytest.mark.parametrize("name", ["modmul", "cios"])
def test_planted_faults_are_found(name, request):
    entry = request.getfixturevalue(name)
    bring("--with", entry)
    design = find(entry.parent.name)
    faults = faults_of(design)
    assert len(faults) == 2
    for fault in faults:
        assert "expected" in found_out(design, fault), fault


def test_a_wrong_answer_is_shown_with_its_request(modmul):
    source = modmul.with_name("modmul.v")
    source.write_text(source.read_text().replace("left <= WIDTH;", "left <= WIDTH - 1;"))
    result = run("check theirs --nbits 8 --part multiplier --level batch --with theirs/entry.py")
    assert result.exit_code == 1
    assert "wrong" in result.stdout
    assert "The request: a = " in result.stderr
    line = "explore --designs theirs,ssmm-small --nbits 8 --workloads e --to none"
    result = run(f"{line} --with theirs/entry.py")
    assert result.exit_code == 1
    assert "1 of 2 rows failed" in result.stderr
    assert "was answered" in result.stderr
    [shown] = [line for line in result.stdout.splitlines() if line.startswith("| ssmm-small")]
    assert " e " in shown
    study = modmul.parents[1] / "study.toml"
    study.write_text(
        'designs = ["theirs", "ssmm-small"]\nnbits = 8\nworkloads = ["e"]\nto = "none"'
    )
    result = run(f"report {study} --out page.html --with theirs/entry.py")
    assert result.exit_code == 1
    assert "1 of 2 rows failed" in result.stderr
    page = study.with_name("page.html").read_text()
    assert "102^17 mod 221 was answered" in page
    assert "ssmm-small" in page
