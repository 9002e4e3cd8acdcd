"""A parameter of the flow stands in one place, and reaches the steps that it names and no other."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import asdict, dataclass, fields
from inspect import signature
from pathlib import Path

import pytest
import yaml

from flow.digest import FLOW
from flow.graph import step_named, steps_to
from flow.layout_run import LayoutRequest
from flow.order import STEPS, SUMMARY
from flow.request import NOTHING, Asked, FpgaRequest, Request, parameter
from flow.step import parameters
from sim.errors import UserError
from sim.paths import ROOT
from tests.flow.scripts import step_module

ADDER = "module Adder(input [3:0] a, b, output [3:0] y); assign y = a + b; endmodule\n"
FIELD = "    clock_period: float = parameter("
INVENTED = '    invented: int = parameter(7, "timing", "Nothing.")\n'
TAKEN = "def main("
WORK = "    text, corners = opensta.in_corners("
RUN = """
import json, sys
from pathlib import Path
from flow.run import run_flow
events = {}
asked = {"recipes": ["area"], "on_step": events.__setitem__} | json.loads(sys.argv[2])
run_flow("adder", sys.argv[1], "Adder", Path("build"), **asked)
print(json.dumps(events))
"""


@pytest.mark.quick
def test_values_take_the_type_of_the_default_and_wrong_ones_are_refused() -> None:
    asked = Request("Top", clock_period=2, flatten=["A"], gated=1)
    assert (asked.clock_period, asked.flatten, asked.gated) == (2.0, ("A",), True)
    assert isinstance(asked.clock_period, float)
    with pytest.raises(UserError, match="utilisation 0.9 is not from 0.05 to 0.85"):
        Request("Top", utilisation=0.9)
    with pytest.raises(TypeError, match="unexpected keyword argument 'clock'"):
        Request("Top", clock=3.0)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("name", "allowed", "refused", "says"),
    [
        ("clock_period", (0.001, 99.0), (0.0, -1.0), "clock period .*: must be above 0 ns"),
        ("shortest_clock", (0.0, 2.0), (-0.001,), "shortest clock period .*: must be 0 ns or more"),
        ("gate_registers", (1, 64), (0, -3), "registers of a clock gate .*: must be 1 or more"),
        ("utilisation", (0.05, 0.85), (0.049, 0.851, 1.0), "utilisation .* is not from 0.05 to"),
        ("to", ("rtl", "layout_energy"), ("curve", "", "summary"), "no such step, take one of rtl"),
    ],
)
def test_a_value_at_its_limit_is_allowed_and_one_beyond_is_refused(
    name: str, allowed: tuple, refused: tuple, says: str
) -> None:
    for value in allowed:
        assert getattr(Request("Top", **{name: value}), name) == value
    for value in refused:
        with pytest.raises(UserError, match=says):
            Request("Top", **{name: value})


@pytest.mark.quick
def test_what_is_not_asked_for_is_as_usual() -> None:
    """Figures of pages are those of these values, which no command line says."""
    assert asdict(Request("Top")) == {
        **{"design_name": "Top", "to": "timing", "clock_period": 3.0, "tech": "nangate45"},
        **{"clock_port": "clk", "flatten": (), "recipes": (), "recipe_seconds": 3600.0},
        **{"carry_save": False, "shortest_clock": 0.0, "gated": False, "gate_registers": 3},
        **{"seed": 0, "sampled_cycles": 64, "start_seed": 1, "proof_seconds": 60.0},
        "utilisation": 0.5,
    }
    assert asdict(FpgaRequest("Top", "ecp5")) == {
        **{"design_name": "Top", "device": "ecp5", "clock_port": "clk", "most_operators": 2000},
        **{"seeds": ("1",), "target_mhz": 200},
    }


@pytest.mark.quick
def test_a_step_is_given_what_it_depends_on_and_nothing_is_in_its_folder() -> None:
    for request in (Request("Top"), FpgaRequest("Top", device="ecp5")):
        for one in fields(request):
            assert one.metadata["text"]
            assert {*one.metadata["steps"]} <= {*STEPS, SUMMARY, "curve", "fpga_map", "fpga_route"}
    every = {one.name for kind in (Request, FpgaRequest) for one in fields(kind)}
    for file in (FLOW / "steps").glob("*/configure.yml"):
        assert every.isdisjoint(yaml.safe_load(file.read_text())["parameters"]), file
    assert Request("Top").of_step("place") == {"clock_port": "clk", "utilisation": 0.5}
    given = step_named("synthesis", Request("Top", seed=3)).params()
    assert (given["seed"], given["recipes"], given["design_name"]) == (3, [NOTHING], "Top")


@pytest.mark.quick
def test_steps_read_what_they_are_given_and_nothing_else() -> None:
    """A parameter that a step takes but is not given is an error only once it runs."""
    given: dict[str, set[str]] = {path.name: set() for path in (FLOW / "steps").iterdir()}
    for one in (*fields(LayoutRequest), *fields(FpgaRequest)):
        for step in one.metadata["steps"]:
            given[step].add(one.name)
    given["rtl"].add("verilog_sha256")
    given["simulation"].add("recording_sha256")
    assert {step: {*signature(step_module(step).main).parameters} for step in given} == given


@pytest.mark.quick
def test_parameters_are_read_back_in_their_types(monkeypatch: pytest.MonkeyPatch) -> None:
    """As mflowgen hands them on: text, and of a list its parts between commas."""
    work = step_module("synthesis").main
    for names, gated in (((), False), (("A",), True), (("A", "B"), True)):
        asked = Request("Top", flatten=names, gated=gated, clock_period=2)
        for name, value in asked.of_step("synthesis").items():
            text = ",".join(value) if isinstance(value, list) else str(value)
            monkeypatch.setenv(name, text)
        found = parameters(work)
        assert found == {name: getattr(asked, name) for name in found}
        assert [*map(type, found.values())] == [type(getattr(asked, name)) for name in found]
        assert (found["flatten"], found["gated"], found["clock_period"]) == (names, gated, 2.0)


@pytest.mark.quick
def test_a_clone_is_given_what_its_step_is() -> None:
    steps = steps_to(Request("Top", to="layout_energy", sampled_cycles=5), with_recording=True)
    replays = [step for step in steps if step.get_name().endswith("simulation")]
    assert [step.get_param("sampled_cycles") for step in replays] == [5, 5]


@pytest.mark.quick
def test_a_parameter_that_names_no_step_reaches_none() -> None:
    @dataclass(frozen=True)
    class More(Asked):
        mine: int = parameter(1, "", "For nobody.")

    assert More().of_step("timing") == {}


def test_an_invented_parameter_takes_one_line_and_the_step_that_uses_it(tmp_path: Path) -> None:
    for package in ("flow", "sim"):
        shutil.copytree(ROOT / package, tmp_path / package)
    for name, was, now in (
        ("request.py", FIELD, INVENTED + FIELD),
        ("steps/timing/timing.py", TAKEN, f"{TAKEN}invented: int, "),
        ("steps/timing/timing.py", WORK, f'    print("invented", invented)\n{WORK}'),
    ):
        text = (tmp_path / "flow" / name).read_text()
        assert was in text
        (tmp_path / "flow" / name).write_text(text.replace(was, now, 1))

    def ran(**asked: object) -> dict[str, str]:
        """What became of each step."""
        done = subprocess.run(
            [sys.executable, "-c", RUN, ADDER, json.dumps(asked)],
            env=os.environ | {"PYTHONPATH": str(tmp_path)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
        )
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def said() -> str:
        return (tmp_path / "build/adder/logs/timing.log").read_text()

    ran()
    assert "invented 7\n" in said()
    again = ran(invented=8)
    assert {step for step, event in again.items() if event != "up to date"} == {"timing"}
    assert "invented 8\n" in said()
