"""What tasks ask of the flow, of a processor and of simulations: each argument, on stand-ins."""

from types import SimpleNamespace

import numpy as np
import pytest

import eval.tasks.at_clock as at_clock
import eval.tasks.execution as execution
import eval.tasks.timing as timing
import flow.run
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.catalog.workloads import Request
from eval.documents.d000.units import FixedMultiplier, FixedReduction
from eval.documents.d004.table_1 import Table004
from eval.tasks import clocks, noise
from eval.tasks.clocks import Curve
from eval.tasks.execution import Call, Execution
from eval.tasks.flow_run import bus_recording, recording
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut, files_of
from eval.tasks.leakage.attack import rounds_of, split
from eval.tasks.leakage.task import Leakage
from eval.tasks.leakage.welch import Moments
from eval.tasks.noise import _recipes
from eval.tasks.unit import ACCELERATOR, EXPONENTIATOR, MULTIPLIER, PERIPHERAL
from proc.run import batch_system
from rtl.mul.mont_mul import MontMulRTL
from rtl.mul.product_remainder import DirectMul, DirectRemainder
from rtl.mul.tree_mul import TreeMul, TreeSquare
from rtl.mul.tree_reduce import TreeReduce
from sim.errors import RunError
from tests.eval.made_up import flow_row

pytestmark = pytest.mark.quick
POINT = Point("ssmm-small", 16)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple[tuple, dict]]:
    """What is asked of the flow, and of whom before that."""
    calls: list[tuple[tuple, dict]] = []
    done = SimpleNamespace(text="module", top="Top", flattened=("A",), carry_save=True)
    for name, stand_in in {
        "check_answers": lambda point, say: calls.append((("check", point), {})),
        "translation": lambda point, unit: calls.append((("translate", unit), {})) or done,
        "read_results": lambda found: found,
        "build_dir": lambda name: f"build of {name}",
    }.items():
        monkeypatch.setattr(at_clock, name, stand_in)
    monkeypatch.setattr(flow.run, "run_flow", lambda *args, **how: calls.append((args, how)) or "f")
    monkeypatch.setattr(recording, "record", lambda point: f"ports of {point}")
    monkeypatch.setattr(bus_recording, "record", lambda point: f"bus of {point}")
    return calls


@pytest.mark.parametrize(
    ("unit", "recorded"),
    [(ACCELERATOR, "ports of ssmm-small-16"), (PERIPHERAL, "bus of ssmm-small-16")],
)
def test_all_that_a_run_of_the_flow_is_asked(asked: list, unit: str, recorded: str) -> None:
    said: list[str] = []
    task = FlowRun(POINT, unit, 2.5, gated=True)
    found = task.run("power", said.append, ["area"], seed=3, energy=True, utilisation=0.4)
    assert found == "f"
    check, translated, (args, how) = asked
    assert (check[0], translated[0]) == (("check", POINT), ("translate", unit))
    assert args == (f"{POINT.top_of(unit)}-2.5ns-gated-seed3", "module", "Top", "build of flow")
    how.pop("on_step")("synthesis", "started")
    assert said == ["recording the workload", "synthesis started"]
    assert how == {
        **{"clock_period": 2.5, "to": "power", "recording": recorded, "flatten": ("A",)},
        **{"carry_save": True, "recipes": ["area"], "seed": 3, "gated": True},
        **{"utilisation": 0.4, "tech": "nangate45", "wait": True},
    }


def test_what_is_usual_of_a_run_of_the_flow(asked: list) -> None:
    FlowRun(POINT, ACCELERATOR, 3.0).run("timing", lambda step: None)
    args, how = asked[-1]
    assert args[0] == f"{POINT.top_of(ACCELERATOR)}-3ns"
    assert (how["recording"], how["recipes"], how["seed"]) == (None, (), 0)
    assert (how["gated"], how["to"]) == (False, "timing")
    assert "utilisation" not in how


@pytest.mark.parametrize("fill", [50, 60])
def test_a_layout_with_a_workload_has_energies(asked: list, fill: int) -> None:
    whole = LaidOut(POINT, ACCELERATOR, 3.0, fill=fill)
    part = LaidOut(POINT, MULTIPLIER, 3.0, fill=fill)
    assert (whole.to, part.to) == ("layout_energy", "layout")
    assert (whole.energy, part.energy) == (True, False)
    more = {} if fill == 50 else {"fill": 60}
    assert part.parameters() == {"clock_ns": 3.0, "unit": MULTIPLIER} | more
    assert whole.parameters().keys() == {"clock_ns", "unit", "workloads", *more}
    how = "" if fill == 50 else ", 60 % filled"
    assert str(part).endswith(f"{MULTIPLIER} layout{how}")
    assert part.options == f" --unit {MULTIPLIER}" + " --fill 60" * (fill == 60)
    assert part.folder.endswith("-3ns" + "-fill60" * (fill == 60))


class Asked(Exception):
    """What the flow was asked for."""


@pytest.mark.parametrize(
    ("unit", "fill", "to", "utilisation"),
    [
        (ACCELERATOR, 50, "layout_energy", 0.5),
        (ACCELERATOR, 60, "layout_energy", 0.6),
        (MULTIPLIER, 5, "layout", 0.05),
    ],
)
def test_a_core_is_filled_by_a_share(
    monkeypatch: pytest.MonkeyPatch, unit: str, fill: int, to: str, utilisation: float
) -> None:
    def run(task: LaidOut, to: str, on_step, **how: object) -> None:
        raise Asked(to, how)

    monkeypatch.setattr(LaidOut, "run", run)
    task = LaidOut(POINT, unit, 3.0, fill=fill)
    asked = {"energy": unit == ACCELERATOR, "utilisation": utilisation}
    with pytest.raises(Asked) as found:
        task.compute(lambda step: None)
    assert found.value.args == (to, asked | {"placement_seed": 0})
    with pytest.raises(Asked) as found:
        task.finished(lambda step: None, 4)
    assert found.value.args == (to, asked | {"placement_seed": 4})
    assert ("replay" in task.stages()) == (unit == ACCELERATOR)


def test_files_of_a_layout_are_those_of_the_last_step_that_has_them(tmp_path) -> None:
    steps = [SimpleNamespace(folder=str(tmp_path / name)) for name in ("place", "route", "layout")]
    for step, names in zip(
        steps, (["layout.def"], ["layout.def", "other"], ["layout.gds"]), strict=True
    ):
        (tmp_path / step.folder / "outputs").mkdir(parents=True)
        for name in names:
            (tmp_path / step.folder / "outputs" / name).write_text("")
    assert files_of(steps) == {
        "layout.gds": f"{steps[2].folder}/outputs/layout.gds",
        "layout.def": f"{steps[1].folder}/outputs/layout.def",
    }


@pytest.mark.parametrize(
    ("task", "about"),
    [
        (FlowRun(POINT, ACCELERATOR, 3.0), POINT),
        (FlowRun(POINT, ACCELERATOR, 3.0, gated=True), None),
        (FlowRun(POINT, EXPONENTIATOR, 3.0), None),
    ],
)
def test_a_run_is_about_a_point_if_it_is_of_its_accelerator_with_plain_clocks(
    task: FlowRun, about: Point | None
) -> None:
    assert task.about == about


def test_a_curve_keeps_the_tools_of_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    def measure(task, on_step):
        metrics = {"area_um2": 9.0, "period_ns": 2.0}
        metrics["setup_slack_ns"] = task.clock_ns - 2.0
        return flow_row(task, metrics, tools={f"at {task.clock_ns:g}": "1"})

    monkeypatch.setattr(clocks, "measure", measure)
    assert Curve(POINT, 3.0).compute(lambda step: None).tools == {"at 3": "1", "at 0.5": "1"}


def test_recipes_of_noise_stand_in_one_order() -> None:
    parts = [SimpleNamespace(by=f"r{i % 17:02}") for i in range(40)]
    own = SimpleNamespace(flat=None, recipe="mixed", modules=parts)
    assert _recipes(own) == [f"r{i:02}" for i in range(17)]
    assert noise.SEEDS == (1, 2, 3, 4, 5)


@pytest.mark.parametrize(
    ("how", "kind"),
    [
        ("direct", DirectMul),
        ("montgomery", MontMulRTL),
        ("square", TreeSquare),
        ("document", TreeMul),
        ("late", TreeMul),
    ],
)
def test_a_fixed_multiplier_is_built_as_it_says(how: str, kind: type) -> None:
    unit = FixedMultiplier(8, -1, how)
    assert type(unit.component()) is kind
    assert (unit.tree is None) == (how in ("direct", "montgomery"))
    assert unit.tree is None or unit.tree.square == (how == "square")


def test_a_fixed_reduction_is_built_as_it_says() -> None:
    direct, tree = FixedReduction(8, -1, "direct"), FixedReduction(8, -1, "late")
    assert type(direct.component()) is DirectRemainder
    assert type(tree.component()) is TreeReduce
    assert direct.tree is None
    assert tree.tree is not None


class Benchmark:
    """A processor that runs three windows, and retires divisions and others in each."""

    CYCLES, INSTRUCTIONS, DIVISIONS = (10, 110, 230), (4, 54, 95), (1, 3, 8)

    def __init__(self, exit_code: int = 0) -> None:
        self.exit_code, self.closed = exit_code, False

    def run(self, image: str, manager: object, on_retire) -> object:
        switch, divide, add = 0x7C1_0D073, 0x02C5_C533, 0x00C5_8533  # csrwi, div, add
        for count in self.DIVISIONS:
            for word in (divide, switch, *[divide] * count, add, switch, divide):
                on_retire(SimpleNamespace(word=word))
        both = zip(self.CYCLES, self.INSTRUCTIONS, strict=True)
        windows = [SimpleNamespace(cycles=c, instructions=i) for c, i in both]
        return SimpleNamespace(exit_code=self.exit_code, reason="it said so", windows=windows)

    def close(self) -> None:
        self.closed = True


def executed(monkeypatch: pytest.MonkeyPatch, system: Benchmark):
    monkeypatch.setattr(execution, "traced", lambda point: None)
    monkeypatch.setattr(batch_system, "BatchSystem", lambda design: system)
    monkeypatch.setattr(execution, "_image", lambda variant: variant)
    monkeypatch.setattr(Execution, "tools", lambda task: {"t": "1"})
    return Execution(Processor(), "naive").compute(lambda step: None)


def test_a_call_is_less_what_one_takes_that_returns_a_constant(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    system = Benchmark()
    found = executed(monkeypatch, system)
    assert found.call == Call(cycles=10, instructions=4, divisions=1)
    assert found.normalised == {
        "e": Call(cycles=100, instructions=50, divisions=2),
        "d": Call(cycles=220, instructions=91, divisions=7),
    }
    assert found.metrics == {"system_cycles_e": 100, "system_cycles_d": 220}
    assert (found.tools, system.closed) == ({"t": "1"}, True)


def test_a_benchmark_that_fails_is_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(RunError, match="naive: it said so"):
        executed(monkeypatch, Benchmark(exit_code=1))


@pytest.mark.parametrize(
    ("requests", "sent"), [(10, (1, 1, 1)), (100, (10, 10, 10)), (400, (40, 40, 20))]
)
def test_around_a_design_a_tenth_is_asked_and_no_more_than_is_told(
    monkeypatch: pytest.MonkeyPatch, requests: int, sent: tuple[int, ...]
) -> None:
    """Cycles 5, 6, 7 and on, of requests that are each drawn once."""
    given: dict[str, list[Request]] = {}

    def answers(name: str):
        def ask(point: Point, some: list[Request], *level: str) -> list:
            given[name] = some
            counts = range(5, 5 + len(some))
            return [*counts] if name == "program" else [SimpleNamespace(cycles=n) for n in counts]

        return ask

    drawn = SimpleNamespace(requests=[(i, i + 1, i + 2) for i in range(2000)])
    monkeypatch.setattr(timing, "experiment", lambda *_: drawn)
    monkeypatch.setattr(timing, "ways_around", lambda point: ["port", "bus", "C program"])
    monkeypatch.setattr(timing, "PROGRAM", "C program", raising=True)
    monkeypatch.setattr(timing, "PORT", "port")
    monkeypatch.setattr(timing, "BUS", "bus")
    monkeypatch.setattr(timing, "AROUND", {"port": 2000, "bus": 50, "C program": 20})
    monkeypatch.setattr(timing, "simulate_xcel", answers("port"))
    monkeypatch.setattr("eval.tasks.peripheral.simulate_peripheral", answers("bus"))
    monkeypatch.setattr(timing, "by_program", answers("program"))
    found = timing.around_it(POINT, requests, lambda step: None)
    assert [len(some) for some in given.values()] == [*sent]
    assert [*found.values()] == [[5, 4 + count] for count in sent]
    for some in given.values():
        assert len({request.base for request in some}) == len(some)
        assert all(r.exp == r.base + 1 and r.mod == r.base + 2 for r in some)


@pytest.mark.parametrize(
    ("design", "nbits", "ways"),
    [
        ("mont-ct", 31, [timing.PORT, timing.PROGRAM]),
        ("mont-ct", 32, [timing.PORT, timing.BUS, timing.PROGRAM]),
        ("mont-ct", 1024, [timing.PORT, timing.BUS, timing.PROGRAM]),
        ("mont-ct", 1025, [timing.PORT, timing.BUS]),
        ("mont-best", 8, []),
    ],
)
def test_ways_around_a_design_of_constant_time(design: str, nbits: int, ways: list) -> None:
    assert timing.AROUND == {timing.PORT: 2000, timing.BUS: 50, timing.PROGRAM: 20}
    assert timing.ways_around(Point(design, nbits)) == ways


def test_a_program_is_given_odd_moduli_above_1(monkeypatch: pytest.MonkeyPatch) -> None:
    """Another is 3; a wrong answer is told, and the system closed all the same."""
    closed, given = [], []
    wrong = [0]

    def powers(system, base: int, exp: int, mod: int, method: str, nbits: int, times: int):
        given.append((base, exp, mod, method, nbits, times))
        result = pow(base, exp, mod) ^ wrong[0]
        return [SimpleNamespace(result=result, cycles=len(given))]

    system = SimpleNamespace(close=lambda: closed.append(1))
    monkeypatch.setattr("proc.run.systems.make_system", lambda level, make: system)
    monkeypatch.setattr("proc.run.rsa_private.powers", powers)
    requests = [Request(5, 3, mod) for mod in (9, 8, 1, 3, 2)]
    assert timing.by_program(POINT, requests) == [1, 2, 3, 4, 5]
    assert [mod for _, _, mod, *_ in given] == [9, 3, 3, 3, 3]
    assert {one[3:] for one in given} == {("xcel", 16, 1)}
    wrong[0] = 1
    with pytest.raises(RunError, match="on the processor: a call of"):
        timing.by_program(POINT, requests)
    assert closed == [1, 1]


@pytest.mark.parametrize(
    ("design", "side_by_side"),
    [
        ("mont-ct", True),
        ("mul-rem", False),  # two units, whose time depends on operands
        ("mul-rem-one", False),
        ("mont-small", False),  # one unit, in turn
        ("mont-pipe", False),  # one unit, which has two products in it
    ],
)
def test_rounds_are_read_of_two_units_of_constant_time(design: str, side_by_side: bool) -> None:
    assert (rounds_of(Point(design, 32), 0x2F) is not None) == side_by_side


def test_sums_that_are_alike_are_all_zeros() -> None:
    """No threshold parts them: the largest is no 1."""
    assert split(np.array([3.0, 3.0, 3.0])) == (0.0, 3.0)
    assert split(np.array([2.0])) == (0.0, 2.0)
    share, threshold = split(np.array([5.0, 1.0, 5.0]))
    assert (share, threshold) == (pytest.approx(1.0), 3.0)


def test_the_spread_of_squares_may_be_small() -> None:
    """Of 0, 0, 0 and 0.4: the mean 0.1; squares of distances 0.01, 0.01, 0.01 and 0.09."""
    moments = Moments(np.array([0.2]))
    moments.add(np.array([[0.0], [0.0], [0.0], [0.4]]))
    mean, variance = moments.sample(2)
    assert mean == pytest.approx([0.03])
    assert variance == pytest.approx([3 * 0.02**2 / 4 + 0.06**2 / 4])


def test_traces_are_as_many_as_asked_or_as_usual() -> None:
    assert Leakage(POINT).traces == 100_000
    assert Leakage(POINT, level="gates").traces == 2000
    assert Leakage(POINT, 500).traces == 500
    assert Leakage(POINT).options == ""
    asked = Leakage(Point("ssmm-small", 24), 500, blind_base=True, mask_bits=8, level="gates")
    assert asked.options == " --level gates --blind-base --blind-exponent 8 --traces 500"
    assert Leakage(POINT, 2000, level="gates").options == " --level gates"


@pytest.mark.parametrize(
    ("design", "nbits", "simulated", "study"),
    [
        ("ssmm-004", 64, True, "table-004"),
        ("ssmm-004", 512, True, "table-004"),
        ("ssmm-004", 1024, True, "table-004-long"),
        ("ssmm-004", 1024, False, "table-004"),
        ("mmred-004-printed", 64, True, "document-004"),
        ("mmred-004-printed", 1024, False, "table-004"),
    ],
)
def test_which_study_has_a_row_of_table_1(
    design: str, nbits: int, simulated: bool, study: str
) -> None:
    task = Table004(Point(design, nbits), simulated)
    assert task.study == study
    assert task.as_json(task.Result(formula=[10, 20], tools={}))["mean"] == 15
    assert task.as_json(task.Result(formula=[10, 20], cycles=[12, 24], tools={}))["mean"] == 18
