"""Sweeps on a cluster: a scheduler and two workers on this machine's loopback interface, each
with a store of its own, as if they were machines."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import pytest
from dask import config
from distributed import Client
from distributed.client import FutureCancelledError
from distributed.comm.core import CommClosedError

from eval import catalog
from eval.catalog.point import Point
from eval.study import cluster
from eval.study.cluster import cluster_at, cluster_of, run_on_cluster
from eval.study.sweep import run_tasks
from eval.tasks.simulation import Simulation
from eval.tasks.store import Store
from eval.tasks.task import MetricsResult, OnStep, Task, measure
from sim.errors import RunError
from tests.command_line import run, said
from tests.eval.study.test_sweep import naps
from tests.places import ROOT
from tests.processes import left

WORKERS = 2


@dataclass(frozen=True)
class Wait(Task[MetricsResult]):
    """A task that notes its beginning and its end, for which it waits until a file is there."""

    point: Point
    log: str
    gate: str
    kind = "wait"
    text = "wait {0.point.nbits}"
    Result = MetricsResult

    def parameters(self) -> dict:
        """The test, as workers keep rows of others."""
        return {"log": self.log}

    def verilog(self) -> str:
        """None."""
        return ""

    def tools(self) -> dict[str, str]:
        """What a test says."""
        return {"tool": os.environ.get("TEST_TOOL", "")}

    def compute(self, on_step: OnStep) -> MetricsResult:
        """Wait."""
        self.note(f"begin {self.point.nbits} {os.getppid()} {os.getpid()}")
        while not Path(self.gate).exists():
            time.sleep(0.05)
        self.note(f"end {self.point.nbits} {os.getppid()} {os.getpid()}")
        return MetricsResult(tools=self.tools(), metrics={"waited": self.point.nbits})

    def note(self, line: str) -> None:
        """Write a line at once."""
        with open(self.log, "a") as file:
            file.write(f"{line}\n")


class Log(NamedTuple):
    """What tasks have noted, in a folder."""

    folder: Path

    def tasks(self, count: int) -> list[Wait]:
        """Make tasks that wait for this test."""
        log, gate = str(self.folder / "log"), str(self.folder / "gate")
        return [Wait(Point("mul-rem", 8 + i), log, gate) for i in range(count)]

    def open(self) -> None:
        """Let tasks end."""
        (self.folder / "gate").touch()

    def of(self, what: str) -> list[tuple[int, int, int]]:
        """The task, the worker and its process of each line that says so."""
        log = self.folder / "log"
        lines = [line.split() for line in log.read_text().splitlines()] if log.exists() else []
        return [tuple(map(int, numbers)) for word, *numbers in lines if word == what]

    def until(self, begun: int) -> None:
        """Wait for so many beginnings."""
        while len(self.of("begin")) < begun:
            time.sleep(0.05)


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A build folder of the test's own, for the client."""
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "client"))
    return tmp_path


def dask(folder: Path, name: str, *arguments: str) -> subprocess.Popen:
    """Start one of Dask's programs with a build folder of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", f"distributed.cli.dask_{name}", *arguments],
        cwd=ROOT,
        env=os.environ | {"MODEXPLORER_BUILD": str(folder)},
        stderr=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, list]]:
    """The address of a scheduler, and the processes of its workers."""
    folder = tmp_path_factory.mktemp("cluster")
    file = folder / "scheduler.json"
    here = ("--interface", "lo", "--no-dashboard")
    processes = [dask(folder, "scheduler", *here, "--port", "0", "--scheduler-file", str(file))]
    for number in range(WORKERS):
        one = folder / f"worker-{number}"
        found = ("--scheduler-file", str(file), "--local-directory", str(one))
        processes.append(dask(one, "worker", *here, *found, "--nthreads", "1", "--no-nanny"))
    with Client(scheduler_file=str(file), timeout=300) as client:
        client.wait_for_workers(WORKERS, timeout=300)
        address = client.scheduler.address
    yield address, processes[1:]
    for process in processes:
        process.kill()
        process.wait()


@pytest.fixture
def client(places: tuple[str, list]) -> Iterator[Client]:
    """A client of the cluster."""
    with cluster_at(places[0]) as found:
        yield found


def test_a_cluster_that_is_lost_is_said_in_a_line(
    build: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The scheduler is killed just after the command has connected."""
    file = tmp_path / "scheduler.json"
    scheduler = dask(
        tmp_path,
        "scheduler",
        *("--interface", "lo", "--no-dashboard", "--port", "0", "--scheduler-file", str(file)),
    )
    with Client(scheduler_file=str(file), timeout=300) as waiting:
        address = waiting.scheduler.address
    connect = cluster.cluster_at

    @contextmanager
    def connected(address: str) -> Iterator[Client]:
        with connect(address) as client:
            scheduler.kill()
            scheduler.wait()
            with config.set({"distributed.comm.timeouts.connect": "1 s"}):
                yield client

    monkeypatch.setattr(cluster, "cluster_at", connected)
    assert_lost(f"--scheduler {address}")


@pytest.mark.parametrize(
    "error",
    [
        RuntimeError("Nanny failed to start."),
        OSError("Timed out trying to connect to tcp://127.0.0.1:1"),
        CommClosedError("in <TCP>: Stream is closed"),
        FutureCancelledError("name", "scheduler-connection-lost"),
        TimeoutError(),
    ],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("step", ["start", "wait_for_workers", "nthreads", "submit", "exception"])
def test_a_cluster_that_does_not_work_is_said_in_a_line(
    build: Path, monkeypatch: pytest.MonkeyPatch, error: Exception, step: str
) -> None:
    """Whatever step of Dask raises, whichever of its errors."""

    def fail(*_: object, **__: object) -> None:
        raise error

    future = SimpleNamespace(exception=fail if step == "exception" else lambda: None)
    steps = {"wait_for_workers": lambda *_, **__: None, "nthreads": lambda: {"a": 1}}
    steps |= {"submit": lambda *_, **__: future, "scheduler": True}
    client = SimpleNamespace(**steps | ({step: fail} if step in steps else {}))

    @contextmanager
    def start(workers: int) -> Iterator[SimpleNamespace]:
        if step == "start":
            fail()
        yield client

    monkeypatch.setattr(cluster, "cluster_of", start)
    monkeypatch.setattr(cluster, "tools", dict)
    assert_lost("--workers 1")


def assert_lost(option: str) -> None:
    """The command ends with exit code 1 and one line."""
    done = run(f"explore --designs mul-rem --nbits 8 --to none {option}")
    assert done.exit_code == 1, done.output
    assert isinstance(done.exception, SystemExit), done.exception
    [line] = said(done.stderr)
    assert line.startswith("modexplorer: error: the Dask cluster does not work (")
    assert line.endswith("start them again, and the same command goes on from the finished rows")


def test_rows_are_a_local_sweep_s(build: Path, client: Client, monkeypatch) -> None:
    tasks, seen = naps(build, 3), []
    rows = run_on_cluster(client, tasks, lambda done, running: seen.append(done))
    assert seen == [0, 1, 2, 3]
    assert not any(row.reused for row in rows)
    again = run_tasks(tasks, 2)  # by what came back into the store
    assert all(row.reused for row in again)
    assert [(r.task, r.result) for r in again] == [(r.task, r.result) for r in rows]
    assert all(row.reused for row in run_on_cluster(client, tasks))
    monkeypatch.setenv("MODEXPLORER_BUILD", str(build / "another"))
    assert [row.result for row in run_tasks(tasks, 2)] == [row.result for row in rows]
    assert len((build / "log").read_text().split()) == 2 * len(tasks)


@pytest.mark.parametrize("workers", [1, 3])
def test_a_cluster_of_this_machine_has_the_workers_asked_for(workers: int) -> None:
    with cluster_of(workers) as client:
        client.wait_for_workers(workers)
        assert [*client.nthreads().values()] == [1] * workers


def test_a_failed_row_is_named_and_the_others_are_kept(build: Path, client: Client) -> None:
    with pytest.raises(RunError, match="1 of 3 rows failed(.|\n)*nap 9: overslept"):
        run_on_cluster(client, naps(build, 3, fails=(1,)))
    with Store() as store:
        assert sorted(key.nbits for key, _ in store.rows()) == [8, 10]


CLIENT = """
import signal
import sys
from pathlib import Path

from eval.study.cluster import cluster_at, run_on_cluster
from tests.eval.study.test_cluster import Log

signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's job may ignore it
try:
    with cluster_at(sys.argv[1]) as client:
        run_on_cluster(client, Log(Path(sys.argv[2])).tasks(5))
except KeyboardInterrupt:
    print("interrupted")
"""


def test_an_interrupted_client_goes_on(build: Path, places: tuple[str, list]) -> None:
    """The client is a process of its own: in this one an interrupt could arrive anywhere."""
    log = Log(build)
    tasks = log.tasks(5)
    command = [sys.executable, "-c", CLIENT, places[0], os.fspath(build)]
    client = subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True)
    log.until(begun=WORKERS)
    client.send_signal(signal.SIGINT)
    assert client.communicate(timeout=300) == ("interrupted\n", None)
    assert len(log.of("begin")) == WORKERS
    while any(Path(f"/proc/{process}").exists() for _, _, process in log.of("begin")):
        time.sleep(0.05)
    assert not log.of("end")
    log.open()
    with cluster_at(places[0]) as client:
        rows = run_on_cluster(client, tasks)
    assert [row.result.metrics["waited"] for row in rows] == [8, 9, 10, 11, 12]
    assert sorted(nbits for nbits, *_ in log.of("end")) == [8, 9, 10, 11, 12]


def test_what_other_tools_make_is_not_kept(build: Path, client: Client, monkeypatch) -> None:
    log = Log(build)
    log.open()
    monkeypatch.setenv("TEST_TOOL", "newer")
    with pytest.raises(RunError, match="wait 8: a worker made it with tools .*newer.*not kept"):
        run_on_cluster(client, log.tasks(1))
    with Store() as store:
        assert not [*store.rows()]


def test_no_task_goes_to_workers_with_other_tools(build, client: Client, monkeypatch) -> None:
    here = cluster.tools() | {"yosys": "0.1"}
    monkeypatch.setattr(cluster, "tools", lambda: here)
    with pytest.raises(RunError, match=r"worker tcp://.* with yosys .*, here 0\.1; .*no task"):
        run_on_cluster(client, Log(build).tasks(1))
    assert not Log(build).of("begin")


def test_what_a_killed_worker_had_is_done_by_another(build: Path, places, client: Client) -> None:
    log = Log(build)
    with ThreadPoolExecutor(1) as pool:
        sweep = pool.submit(run_on_cluster, client, log.tasks(5))
        log.until(begun=WORKERS)
        killed = places[1][0]
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        [process] = {process for _, worker, process in log.of("begin") if worker == killed.pid}
        assert not left(lambda folder: folder.name == str(process))
        log.until(begun=WORKERS)
        log.open()
        rows = sweep.result()
    assert [row.result.metrics["waited"] for row in rows] == [8, 9, 10, 11, 12]
    [again] = {nbits for nbits, worker, _ in log.of("begin") if worker == killed.pid}
    begun = sorted(nbits for nbits, *_ in log.of("begin"))
    assert begun == sorted([8, 9, 10, 11, 12, again])
    # What the killed one had begun ended with it.
    assert sorted(nbits for nbits, *_ in log.of("end")) == [8, 9, 10, 11, 12]
    assert killed.pid not in {worker for _, worker, _ in log.of("end")}


def test_a_design_of_ones_own_goes_to_the_workers(mine: Path, build: Path, client: Client) -> None:
    catalog.bring("--with", mine)
    task = Simulation(Point("mine", 8), "e")
    [row] = run_on_cluster(client, [task])
    assert row.made.commit
    assert not row.reused
    assert row.result.metrics["cycles_e"] == catalog.find("mine").cycles(8, **vars(task.request))
    assert measure(task).reused
