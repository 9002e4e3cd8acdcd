"""Planted faults: a wrong answer, or a right one too late, is an error that names the request, and
nothing is priced whose answers are wrong."""

from collections.abc import Iterator
from pathlib import Path

import pytest

import rtl.mul.mul_rem
from eval.catalog.point import Point
from eval.catalog.processor import ALONE, Processor
from eval.catalog.workloads import WORKLOADS, Request
from eval.study.sweep import _attempt
from eval.tasks.answers import workloads_of
from eval.tasks.execution import Execution
from eval.tasks.exponentiation import simulate
from eval.tasks.flow_run.recording import record
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.fpga.task import OnFpga
from eval.tasks.layout.task import LaidOut
from eval.tasks.simulation import Simulation
from eval.tasks.task import Task
from eval.tasks.unit import simulated
from fl.exponentiator import OK
from sim.errors import RunError
from tests.command_line import run, said
from tests.faults import plant

POINT = Point("mul-rem", 8)
LINE = "simulate mul-rem --nbits 8 --base 3 --exp 5 --mod 29"
FIRST = WORKLOADS["e"].request(8)


def assert_failed(line: str, *says: str) -> None:
    """Exit code 1, nothing on stdout, and one line that says so."""
    result = run(line)
    assert result.exit_code == 1
    assert result.stdout == ""
    [error] = said(result.stderr)
    for words in says:
        assert words in error


@pytest.fixture
def broken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """MulRem's hardware without its product's lowest bit; everything is built anew."""
    fault = plant(
        *(tmp_path, rtl.mul.mul_rem),
        *("s.div_rem.recv.msg.a @= s.product", "s.div_rem.recv.msg.a @= (s.product >> 1) << 1"),
    )
    monkeypatch.setattr(rtl.mul.mul_rem.MulRem, "hardware", fault.MulRemRTL)
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "build"))
    simulated.cache_clear()
    yield
    simulated.cache_clear()


@pytest.mark.quick
@pytest.mark.parametrize(("level", "port"), [("fl", ""), ("fl", " --xcel"), ("cl", " --xcel")])
def test_wrong_integers(level: str, port: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("cl.exponentiator.mod_exp", lambda *_: (7, OK))
    wrong = f"at level {level}: 3^5 mod 29 was answered 7 (ok)"
    assert_failed(f"{LINE} --level {level}{port}", wrong, "right is 11 (ok)")
    assert_failed(f"{LINE} --level {level}{port} --json", wrong)


@pytest.mark.quick
def test_wrong_products(monkeypatch: pytest.MonkeyPatch) -> None:
    """At cycle level an exponentiation is made of them."""
    monkeypatch.setattr(rtl.mul.mul_rem.MulRem, "value", lambda *_: 7)
    wrong = "at level cl: 3^5 mod 29 was answered 7 (ok)"
    assert_failed(f"{LINE} --level cl", wrong, "right is 11 (ok)")


@pytest.mark.quick
@pytest.mark.parametrize("port", ["", " --xcel"])
def test_wrong_hardware(port: str, broken: None) -> None:
    assert_failed(LINE + port, "at level rtl: 3^5 mod 29 was answered ", "right is 11 (ok)")


@pytest.mark.quick
def test_hardware_that_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    unit = type(POINT.entry.at(POINT.nbits))
    latency = unit.latency
    monkeypatch.setattr(unit, "latency", lambda *args, **named: latency(*args, **named) - 1)
    assert_failed(LINE, "11 (ok) after 16 cycles, right is 11 (ok) after 15 cycles")


@pytest.mark.quick
def test_the_request_that_is_wrong_of_several_is_named(broken: None) -> None:
    with pytest.raises(RunError, match=r"mul-rem-8 at level rtl: 3\^5 mod 29 was answered"):
        simulate(POINT, [Request(0, 5, 29), Request(3, 5, 29)])


def test_nothing_is_priced_whose_answers_are_wrong(broken: None, tmp_path: Path) -> None:
    wrong = f"mul-rem-8 accelerator at level batch: {FIRST} was answered"
    assert_failed("flow mul-rem --nbits 8", wrong, f"right is {FIRST.result} (ok)")
    tasks: list[Task] = [OnFpga(POINT, "cyclonev"), LaidOut(POINT, "multiplier", 3.0)]
    for task in (*tasks, FlowRun(Processor("mul-rem", 8), "system", 3.0)):
        outcome = _attempt(task)  # what a study does with each of its rows
        assert isinstance(outcome, RunError)
        assert wrong in str(outcome)
    assert not (tmp_path / "build/flow").exists()
    with pytest.raises(RunError, match=r"mul-rem-8 workload e, recorded: .* was answered"):
        record(POINT)


@pytest.mark.quick
def test_what_is_run_before_a_price() -> None:
    assert list(workloads_of(POINT)) == [Simulation(POINT, "e"), Simulation(POINT, "d")]
    assert list(workloads_of(Processor("mul-rem", 8))) == list(workloads_of(POINT))
    processor = Processor("mul-rem")
    assert list(workloads_of(processor)) == [Execution(processor, "xcel")]
    assert len(list(workloads_of(Processor()))) == 2
    assert not list(workloads_of(Processor(ALONE)))
