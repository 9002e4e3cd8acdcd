"""What if: multipliers of numbers alone predict the cycles of real designs with these numbers."""

import pytest

from eval.catalog import find
from eval.catalog.point import Point
from eval.catalog.workloads import request_for
from eval.contract.exponentiator import (
    check_exponentiator,
    edge_cases,
    random_cases,
    within,
)
from eval.study.user_study import chosen
from eval.tasks.exponentiation import simulate
from sim.stream import STALLS, StreamRunner
from tests.command_line import run, run_json
from tests.harness import design_runner

# Of real designs the organisation; the numbers are the unit's own at the width.
ORGANISATIONS = {
    "mont-best": "",
    "mont-small": "units=1,loop=left-to-right",
    "mont-pipe": "units=1",
    "mont-001": "units=5,entry=remainder,forward=no",
    "mont-ct": "loop=always",
    "mm-000": "",
    "mont-digit-4": "",
    "mont-ladder": "loop=ladder",
    "near-power-4": "entry=as-it-is",
}


def assumed(name: str, nbits: int) -> str:
    """A point that has the numbers of a real design's multiplier."""
    unit = find(name).at(nbits).parts.unit
    operands = (0, 0, 1)
    numbers = {
        "latency": unit.latency(*operands),
        "interval": unit.interval(*operands),
        "over": unit.radix - nbits if unit.radix else 0,
        "constant": unit.constant.time(1) if unit.constant else 0,
    }
    written = ",".join(f"{key}={value}" for key, value in numbers.items())
    return f"what-if({written},{ORGANISATIONS[name]})"


PREDICTED = (
    "mont-best",
    "mont-small",
    "mont-pipe",
    "mont-001",
    "mm-000",
    "mont-digit-4",
    "mont-ct",
)


@pytest.mark.parametrize("name", PREDICTED)
def test_it_predicts_hardware(name):
    """Request by request, under stalls, too: the very cycles of the translated Verilog."""
    cases = within(edge_cases(8) + random_cases(8, 30, seed=5), find(name).at(8), 2500)
    packed = [(case.base << 8 | case.exp) << 8 | case.mod for case in cases]
    hardware = design_runner(name, 8, "batch")
    with StreamRunner(find(assumed(name, 8)).at(8).cl(), "cl") as runner:
        for stalls in STALLS.values():
            assert runner.run(packed, stalls) == hardware.run(packed, stalls)


@pytest.mark.quick
@pytest.mark.parametrize("nbits", [32, 1024])
@pytest.mark.parametrize("name", ORGANISATIONS)
def test_it_predicts_formulas_at_rsa_sizes(name, nbits):
    """These are tested to be the hardware's."""
    design, point = find(name), find(assumed(name, nbits))
    for workload in ("e", "d"):
        request = request_for(nbits, workload, None, None, None, design.moduli.key)
        operands = tuple(vars(request).values())
        assert point.cycles(nbits, *operands) == design.cycles(nbits, *operands)


@pytest.mark.quick
def test_numbers_that_differ_show():
    operands = (7, 200, 251)
    cycles = {
        text: find(f"what-if({text})").cycles(8, *operands)
        for text in ("latency=9", "latency=10", "latency=9,constant=60", "latency=9,over=8")
    }
    assert len(set(cycles.values())) == len(cycles)


@pytest.mark.parametrize("level", ["cl", "rtl"])
@pytest.mark.parametrize(
    "text",
    [
        "latency=4,interval=1,units=1",
        "latency=3,interval=4,entry=reduced,loop=left-to-right,units=1",
        "latency=5,interval=2,constant=3,over=2,loop=windows-2,units=1",
        "latency=2,constant=60",
        "latency=2,entry=at-once",
    ],
)
def test_the_hardware_around_it_obeys_the_formula(text, level):
    model = find(f"what-if({text})").at(8)
    cases = within(edge_cases(8) + random_cases(8, 30, seed=6), model, 900)
    with StreamRunner(model.component(level), level) as runner:
        check_exponentiator(runner, model, cases, max_cycles=3000)


@pytest.mark.quick
def test_it_runs_behind_the_port_and_on_the_bus():
    design = "what-if(latency=3)"
    port = run_json(f"simulate '{design}' --nbits 32 --workload e --level cl --xcel")
    bus = run_json(f"simulate '{design}' --nbits 32 --workload e --level cl --unit peripheral")
    alone = run_json(f"simulate '{design}' --nbits 32 --workload e --level formula")
    assert (
        port["result"] == bus["result"] == alone["result"] == pow(port["base"], 65537, port["mod"])
    )
    assert bus["cycles"] > port["cycles"] > alone["cycles"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("command", "said"),
    [
        ("simulate 'what-if(interval=30)' --nbits 8 --workload e", "at most latency + 1"),
        ("simulate 'what-if(latency=0)' --nbits 8 --workload e", "choose from 1 to 10000"),
        ("simulate 'what-if(entry=reduced,over=2)' --nbits 8 --workload e", "no R"),
        ("simulate 'what-if(units=2)' --nbits 8 --workload e --level batch", "only numbers"),
        ("simulate 'what-if(area=9)' --nbits 8 --workload e", "give period, too"),
        ("simulate 'what-if(area=-9,period=1)' --nbits 8 --workload e", "area=-9 is no choice"),
        ("simulate 'what-if(area=9,period=0)' --nbits 8 --workload e", "from 0.01 to 1000 ns"),
        ("simulate 'what-if(area=1..9,period=1)' --nbits 8 --workload e", "area=1..9 is no choice"),
        ("explore --designs 'what-if(period=1)' --nbits 8", "with area= and period="),
        ("flow 'what-if(units=1)' --nbits 8", "only numbers"),
        ("explore --designs 'what-if(units=1)' --nbits 8", "only numbers"),
        ("run proc/app/hello.c --xcel 'what-if(units=1)' --nbits 32", "only numbers"),
    ],
)
def test_what_it_is_not_for(command, said):
    result = run(command)
    assert result.exit_code == 2
    assert said in result.stderr


@pytest.mark.quick
def test_cycles_alone_come_of_formulas():
    """No point of the catalog is translated for them, whatever its width."""
    names = ["mont-best", "array-8", "what-if(latency=30)"]
    (study,) = chosen({"designs": names, "nbits": ["2048"], "workloads": ["d"]}, "none").studies()
    for task in study.tasks:
        assert (task.level, task.verilog()) == ("formula", "")
        request = task.request
        found = task.compute(lambda step: None).metrics["cycles_d"]
        assert found == task.point.entry.cycles(2048, *vars(request).values())


@pytest.mark.quick
def test_a_level_that_is_simulated_agrees():
    """The formula's row has the port's cycles of the composed exponentiator."""
    point = Point("mont-best", 64)
    (study,) = chosen({"designs": ["mont-best"], "nbits": ["64"]}, "none").studies()
    for task in study.tasks:
        [answer] = simulate(point, [task.request], "cl")
        assert task.compute(lambda step: None).metrics[f"cycles_{task.workload}"] == answer.cycles
