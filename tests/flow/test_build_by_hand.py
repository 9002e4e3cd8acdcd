"""What a run and each step of one depend on, and what is left of a run that fails: with a graph of
one step, and without mflowgen."""

import json
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from flow import build, digest, layout_run, run
from flow.build import BuildStep, locked, nearly_full
from flow.curve import run as curve_run
from flow.digest import FLOW, step_digest
from flow.recording import RecordedPort, Recording
from flow.request import Request
from sim.errors import RunError, UserError

pytestmark = pytest.mark.quick


class Runs:
    """A graph of a summary alone, and how often it was made."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self.count, self.error = folder, 0, None
        monkeypatch.setattr(run, "_prepare", self._prepare)
        monkeypatch.setattr(run, "step_hash", lambda step: "code")

    def _prepare(self, folder: Path, *given: object) -> Any:
        step = SimpleNamespace(name="summary", folder=folder / "0-summary", record=lambda: None)
        return SimpleNamespace(
            folder=folder, logs=folder, steps=lambda tools: [step], make=self._make
        )

    def _make(self, step: Any) -> dict[str, Any]:
        if self.error:
            raise self.error
        self.count += 1
        (step.folder / "outputs").mkdir(parents=True, exist_ok=True)
        said = {"metrics": {"run": self.count}}
        (step.folder / "outputs/results.json").write_text(json.dumps(said))
        return {"seconds": 1.5}

    def __call__(self, **more: Any) -> dict[str, Any]:
        def graph() -> None:
            pass

        given: dict[str, Any] = {"graph": graph, "name": "one", "verilog": "module A; endmodule"}
        given |= {"build": self.folder, "request": Request("A"), "tools": {"yosys": "1"}}
        return run.run_graph(**given | {"recorded": "[]"} | more)


@pytest.fixture
def runs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Runs:
    return Runs(tmp_path, monkeypatch)


def other() -> None:
    """Another graph."""


@pytest.mark.parametrize(
    "more",
    [
        {"verilog": "module A; wire b; endmodule"},
        {"request": Request("A", clock_period=2.0)},
        {"request": Request("A", sampled_cycles=9)},
        {"recorded": "[1]"},
        {"recorded": None},
        {"tools": {"yosys": "2"}},
        {"graph": other},
    ],
)
def test_a_run_is_done_again_if_anything_that_it_depends_on_changed(runs: Runs, more: dict) -> None:
    first = runs()
    assert runs() == first
    assert runs.count == 1
    assert runs(**more)["metrics"] == {"run": 2}
    assert runs(**more)["metrics"] == {"run": 2}
    assert runs()["metrics"] == {"run": 3}


def test_a_run_is_done_again_by_other_code(runs: Runs, monkeypatch: pytest.MonkeyPatch) -> None:
    runs()
    monkeypatch.setattr(run, "step_hash", lambda step: "another")
    assert runs()["metrics"] == {"run": 2}


def test_results_name_what_they_are_of(runs: Runs) -> None:
    found = runs()
    assert found == json.loads((runs.folder / "one/results.json").read_text())
    assert (found["name"], found["parameters"]["clock_period"]) == ("one", 3.0)
    [step] = found["run"]
    assert (step["step"], step["seconds"]) == ("summary", 1.5)


def test_nothing_is_left_of_earlier_results_by_a_run_that_fails(runs: Runs) -> None:
    runs()
    runs.error = RunError("no room")
    events: list[tuple[str, str]] = []
    with pytest.raises(RunError, match="no room"):
        runs(recorded="[1]", on_step=lambda *event: events.append(event))
    assert events == [("summary", "started"), ("summary", "failed")]
    assert not (runs.folder / "one/results.json").exists()


@pytest.mark.parametrize("name", ["a/b", "", "-a", ".a", "a b", "a\n"])
def test_a_name_that_is_no_folders_is_refused(runs: Runs, name: str) -> None:
    with pytest.raises(UserError, match="letters, digits"):
        runs(name=name)


def test_a_lock_is_waited_for_if_asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    monkeypatch.setattr(build.fcntl, "flock", lambda handle, how: asked.append(how))
    for wait in (True, False):
        with locked(tmp_path, wait):
            pass
    block, fail = asked
    assert (block, fail) == (build.fcntl.LOCK_EX, build.fcntl.LOCK_EX | build.fcntl.LOCK_NB)


def test_a_disk_is_nearly_full_below_50_mb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for free, lines in ((50_000_000, 0), (49_999_999, 1), (0, 1)):
        usage = SimpleNamespace(free=free)
        monkeypatch.setattr(build.shutil, "disk_usage", lambda folder, usage=usage: usage)
        assert len(nearly_full(tmp_path)) == lines


RUNS = {"flow": (run, {}), "curve": (curve_run, {}), "layout": (layout_run, {"to": "layout"})}


@pytest.mark.parametrize("kind", RUNS)
def test_a_run_depends_on_its_tools_kit_and_recording(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An edited library is another kit."""
    module, more = RUNS[kind]
    asked: list[tuple[tuple, dict]] = []
    monkeypatch.setattr(module, "run_graph", lambda *given, **how: asked.append((given, how)))
    monkeypatch.setattr(module, "tool_versions", lambda: {"yosys": "1"})
    monkeypatch.setattr(module, "kit_hash", lambda tech: f"kit of {tech}")
    given = ("one", "module A; endmodule", "A", tmp_path)
    getattr(module, f"run_{kind}")(*given, tech="nangate45", **more)
    [((_, name, verilog, folder, request, tools, _), how)] = asked
    assert (name, verilog, folder, request.design_name) == ("one", given[1], tmp_path, "A")
    assert tools == {"yosys": "1", "kit": "kit of nangate45"}
    if kind != "curve":
        recording = Recording((RecordedPort("a", False, 1, [0, 1]),), {})
        getattr(module, f"run_{kind}")(*given, recording=recording, wait=True, **more)
        assert asked[-1][1] == {"recorded": recording.to_json(), "wait": True}


def test_steps_of_a_layout_depend_on_its_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And no step before them."""
    monkeypatch.setattr(layout_run, "layout_hash", lambda tech: f"rules of {tech}")
    (tmp_path / "a.v").write_text("module A; endmodule")
    graph = layout_run.layout_graph("A", tmp_path / "a.v", tech="nangate45", to="layout")
    steps = {name: graph.get_step(name).params() for name in ("synthesis", "timing")}
    assert not any("layout_sha256" in params for params in steps.values())
    for name in ("place", "route", "layout"):
        assert graph.get_step(name).get_param("layout_sha256") == "rules of nangate45"


CONFIG = {
    "source": str(FLOW / "steps/timing"),
    "name": "timing",
    "parameters": {"clock_period": 3.0},
    "commands": ["python timing.py"],
    "preconditions": ["assert a"],
    "postconditions": ["assert b"],
    "edges_i": {"netlist.v": [{"step": "1-synthesis", "f": "netlist.v"}]},
}
UPSTREAM = {"1-synthesis": "hash"}


@pytest.mark.parametrize("what", [*CONFIG, "upstream", "tools", "code"])
def test_a_step_is_done_again_if_anything_that_it_depends_on_changed(
    what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = step_digest(CONFIG, UPSTREAM, {"yosys": "1"})
    config, upstream, tools = dict(CONFIG), dict(UPSTREAM), {"yosys": "1"}
    assert step_digest(config, upstream, tools) == before
    if what == "upstream":
        upstream["1-synthesis"] = "another"
    elif what == "tools":
        tools["yosys"] = "2"
    elif what == "code":
        monkeypatch.setattr(digest, "step_hash", lambda step: "another")
    elif what == "source":
        config["source"] = str(FLOW / "steps/power")
    elif what == "edges_i":
        config["edges_i"] = {"other.v": CONFIG["edges_i"]["netlist.v"]}
    else:
        config[what] = ["another"]
    assert step_digest(config, upstream, tools) != before


def test_what_builds_an_asic_is_named_with_its_version() -> None:
    """Placer, router and what reads GDS beside synthesis and timing."""
    names = {"pyosys", "opensta", "coloquinte", "coriolis-eda", "klayout"}
    assert digest.tool_versions().keys() == names


@pytest.fixture
def step(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[], BuildStep]:
    """A step that takes two files of one before it."""
    monkeypatch.setattr(build, "step_digest", lambda config, before, tools: str((before, tools)))
    for folder in ("1-synthesis/outputs", "2-timing"):
        (tmp_path / folder).mkdir(parents=True)
    for name in ("netlist.v", "cells.json"):
        (tmp_path / "1-synthesis/outputs" / name).write_text("text")
    edges = {n: [{"step": "1-synthesis", "f": n}] for n in ("netlist.v", "cells.json")}
    return lambda: BuildStep("timing", tmp_path / "2-timing", {"edges_i": edges}, {"yosys": "1"})


@pytest.mark.parametrize("name", ["netlist.v", "cells.json"])
def test_each_file_that_a_step_takes_is_looked_at(
    step: Callable[[], BuildStep], tmp_path: Path, name: str
) -> None:
    done = {"digest": step().digest(), "seconds": 2.0}
    assert step().record() is None
    (tmp_path / "2-timing/done.json").write_text(json.dumps(done))
    assert step().record() == done
    (tmp_path / "1-synthesis/outputs" / name).write_text("texts")
    assert step().record() is None
    (tmp_path / "1-synthesis/outputs" / name).write_text("text")
    assert step().record() == done
    (tmp_path / "1-synthesis/outputs" / name).unlink()
    assert step().record() is None
