"""What runs beside the step `synthesis`: as much at once as it may, and nothing hangs on order or
company."""

import json
import os
import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from flow.synthesis import modules, workers
from sim.translate import translate
from tests.flow.runs import kept_run
from tests.flow.scripts import mapping_job
from tests.flow.toys import FlowToy, ToyAdder

JOBS = 3
TEXT = "module Top(input a, b, output y); assign y = a ^ b; endmodule\n"


@pytest.fixture
def pool(monkeypatch):
    """A pool of so many jobs."""
    with ThreadPoolExecutor(JOBS) as pool:
        monkeypatch.setattr(workers, "POOL", pool)
        yield


@pytest.mark.quick
@pytest.mark.usefixtures("pool")
def test_as_much_as_may_runs_at_once_and_comes_in_order():
    at_once = threading.Barrier(JOBS, timeout=600)

    def work(number):
        at_once.wait()  # breaks if fewer run
        return number

    assert list(workers.together(work, range(2 * JOBS))) == [*range(2 * JOBS)]


@pytest.mark.quick
@pytest.mark.usefixtures("pool")
def test_what_is_not_asked_for_any_more_is_not_begun():
    begun, go_on = [], threading.Event()

    def work(number):
        begun.append(number)
        assert number == 0 or go_on.wait(60)

    found = workers.together(work, range(100))
    next(found)
    found.close()
    go_on.set()
    assert list(workers.together(lambda item: item, "ab")) == ["a", "b"]
    assert len(begun) <= 1 + JOBS


def job(folder, recipe="area", **more):
    """A design to map."""
    (folder / "top.v").write_text(TEXT)
    return workers.Job(**mapping_job(folder / "top.v", recipe, folder / "out", **more))


@pytest.fixture
def worker(tmp_path, monkeypatch):
    """A worker with a build folder of its own."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "build"))
    worker = workers.Worker(tmp_path)
    yield worker
    worker.close()


def test_a_worker_goes_on_after_an_error_and_after_a_job_that_took_too_long(worker, tmp_path):
    assert worker.do(job(tmp_path, seconds=0.0)).code == -signal.SIGALRM
    (tmp_path / "wrong").mkdir()
    wrong = job(tmp_path / "wrong", top="Missing")
    assert worker.do(wrong).code > 0
    assert "ERROR: " in (tmp_path / "wrong/out.log").read_text()
    first = worker.do(job(tmp_path))
    assert (first.code, first.anew) == (0, True)
    (own,) = modules.made(tmp_path / "out").values()
    assert own.own.cells == 1
    assert "XOR2_X" in own.text
    again = worker.do(job(tmp_path, recipe="fast"))
    assert (again.code, again.anew) == (0, False)


def test_names_of_folders_are_in_no_netlist(worker, tmp_path):
    kept = []
    for name in ("one", "another"):
        (tmp_path / name).mkdir()
        assert worker.do(job(tmp_path / name)).code == 0
        kept += [(tmp_path / name / f"out.{part}").read_bytes() for part in ("v", "tree.json")]
    assert kept[:2] == kept[2:]
    log = (tmp_path / "one/out.log").read_text()
    assert "read_verilog -sv out.sv" in log


def test_a_worker_that_is_killed_is_an_error_and_another_takes_its_place(worker, tmp_path):
    workers._here.worker = worker
    os.kill(worker._process.pid, signal.SIGKILL)
    with pytest.raises(workers.YosysError, match="exit code -9"):
        workers.map_by(job(tmp_path), tmp_path)
    assert workers.map_by(job(tmp_path), tmp_path).code == 0
    workers._here.worker.close()
    workers._here.worker = None


def test_no_worker_is_left_behind(worker, tmp_path):
    worker.do(job(tmp_path))
    until = time.monotonic() + 60
    worker._process.stdin.close()  # as when the step ends
    while worker._process.poll() is None and time.monotonic() < until:
        time.sleep(0.01)
    assert worker._process.returncode == 0


class ToysBeside(FlowToy):
    """The same parts beside others."""

    def construct(s, nbits):
        FlowToy.construct(s, nbits)
        s.third = ToyAdder(nbits + 1)
        s.third.a //= 0
        s.third.b //= 1


def netlist_of_adder(build, design, nbits, jobs, monkeypatch):
    """What becomes of the adder of a design, of which nothing is known yet."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(build))
    monkeypatch.setenv("MODEXPLORER_JOBS", str(jobs))
    unit = translate(design)
    kept_run(unit.text, unit.top, to="synthesis", recipes=["area", "area+sklansky", "fast"])
    kept = [json.loads(path.read_text())["text"] for path in (build / "mapped").glob("*.json")]
    return sorted(text for text in kept if f"module ToyAdder__nbits_{nbits}(" in text)


def test_what_becomes_of_a_module_does_not_depend_on_company(tmp_path, monkeypatch):
    nbits = 11
    alone = netlist_of_adder(tmp_path / "1", FlowToy(nbits), nbits, 1, monkeypatch)
    beside = netlist_of_adder(tmp_path / "2", ToysBeside(nbits), nbits, 2, monkeypatch)
    assert len(alone) == 3
    assert alone == beside
