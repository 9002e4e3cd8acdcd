"""Third-party cores in a search: their cycles are simulated, and what is left out is listed."""

import json
import os

import pytest

from eval.find import search, space
from eval.find.need import read_need
from eval.find.space import named
from eval.study.engine import Engine
from eval.study.failures import RowsFailed
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.simulation import Simulation
from tests.command_line import run, run_json
from tests.eval.made_up import flow_row
from tests.eval.user_designs import edit, forget
from tests.places import ROOT

AREAS = {"theirs": 4338.0, "mul-rem": 9946.0, "ssmm-small": 9000.0}


@pytest.fixture
def cores(mine, monkeypatch):
    """Three cores of one Verilog file: a right one, one with a fault, one that nothing drives."""
    source = ROOT / "tests/eval/foreign/power.v"
    for name, kind in (("theirs", "exponentiator"), ("faulty", "exponentiator"), ("alone", "bare")):
        run_json(f"new {name} --verilog {source} --as {kind} --top power")
    edit(mine.parents[1] / "faulty/power.v", "i <= N - 1;", "i <= N - 2;")
    forget()
    monkeypatch.setattr(search, "stored", lambda: [])
    simulate = Engine(jobs=1).run

    def made(engine, tasks, *progress):
        """Simulations are run; the figures of the flow are made up."""
        rows = [
            flow_row(task, {"area_um2": AREAS[task.point.design], "period_ns": 2.5})
            for task in tasks
            if isinstance(task, FlowRun)
        ]
        asked = [task for task in tasks if isinstance(task, Simulation)]
        try:
            return rows + (simulate(asked) if asked else [])
        except RowsFailed as error:
            raise RowsFailed(error.failures, [*rows, *error.rows]) from None

    monkeypatch.setattr(Engine, "run", made)
    return " ".join(f"--with {name}/entry.py" for name in ("theirs", "faulty", "alone"))


def test_a_given_core_is_found_and_what_cannot_be_is_listed(cores, monkeypatch):
    line = f"find --nbits 8 --operation sign --clock 3 --least area --jobs 1 {cores}"
    designs = "--designs theirs,faulty,alone,mul-rem,ssmm-small"
    answer = run_json(f"{line} {designs}")
    best = answer["rows"][0]
    assert (best["rank"], best["design"], best["area"]) == ("best", "theirs", 4338.0)
    asked = f"simulate theirs --nbits 8 --workload d --level batch --xcel {cores}"
    assert best["cycles"] == run_json(asked)["cycles"]
    assert best["time"] == pytest.approx(best["cycles"] * 3 / 1000)
    assert answer["complete"]
    left_out = answer["left_out"]
    assert {*left_out} == {"faulty", "alone"}
    assert left_out["alone"] == "a synthesis-only core, which has no cycles"
    assert left_out["faulty"].startswith("its simulation failed: ")
    first, second = run(f"{line} {designs}").stdout.split("8-bit sign")[0].split("Not ")[1:]
    assert first == "considered: alone: a synthesis-only core, which has no cycles.\n"
    assert second.startswith("considered: faulty: its simulation failed: ")
    monkeypatch.setattr(space, "families", list)
    assert "theirs" in {*named(read_need(8, "sign", ["area"]))[0]}
    nothing = run(f"{line} --constant-time --designs theirs,alone")
    assert nothing.exit_code == 2


def test_a_core_whose_simulation_does_not_end_leaves_the_answer_open(cores, monkeypatch):
    def over(engine, tasks, *progress):
        raise search.OutOfTime

    monkeypatch.setattr(Engine, "run", over)
    line = f"find --nbits 8 --operation sign --least area --jobs 1 --designs theirs {cores} --json"
    answer = run(line)
    assert answer.exit_code == 3
    told = json.loads(answer.stdout)
    assert (told["complete"], told["open"], told["steps"]["open"]) == (False, 1, ["theirs"])
    assert os.environ["MODEXPLORER_DESIGNS"].count("entry.py") == 3
