"""Session set-up: builds go to build/, tests run in a scratch folder, a skipped test is a failure.

A test may skip only with a reason that starts with "tool missing:", and not at all where the
environment says CI=true.
"""

import ctypes
import gc
import os
import shutil
import signal
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from hypothesis.configuration import set_hypothesis_home_dir

from flow.signoff.rulefile import RULES
from flow.technologies.rules import FILE
from flow.technologies.technology import MORE, folders
from sim.garbage import collect_less
from sim.paths import build_dir
from sim.verilate import BUILD_QUICKLY, SHARED
from tests.places import ROOT

# GNU readline, which pytest imports, exports the size of the terminal to its workers.
for name in ("COLUMNS", "LINES"):
    os.environ.pop(name, None)

ALLOWED_SKIP = "tool missing:"
M_MMAP_THRESHOLD, LARGE_BLOCK = -3, 1 << 19  # a parameter of glibc's mallopt, and bytes

collect_less()
# glibc keeps large blocks, such as a processor's memory, when they are freed. Small ones that stay
# get into them, and a worker grew to 10 GB. Others have no mallopt.
if hasattr(libc := ctypes.CDLL(None), "mallopt"):
    libc.mallopt(M_MMAP_THRESHOLD, LARGE_BLOCK)

# A shell's background job ignores interrupts, and so would all that the tests start and interrupt.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:  # as under nohup
    signal.signal(signal.SIGHUP, signal.SIG_DFL)

# Absolute, since the tests run in a scratch folder.
os.environ["MODEXPLORER_BUILD"] = str(
    Path(os.environ.get("MODEXPLORER_BUILD", ROOT / "build")).absolute()
)
os.environ[BUILD_QUICKLY], os.environ[SHARED] = "1", str(build_dir("batch"))
os.environ["MODEXPLORER_FRESH"] = "1"  # no result of the atlas stands for a measurement
os.environ.pop("MODEXPLORER_DESIGNS", None)  # designs of somebody's own are no part of the tests
set_hypothesis_home_dir(Path(os.environ["MODEXPLORER_BUILD"], "hypothesis"))
settings.register_profile("modexplorer", deadline=None)
settings.load_profile("modexplorer")


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Do not even import a file without quick tests where these alone are wanted."""
    wanted = config.option.markexpr.startswith("quick")
    if wanted and collection_path.is_file() and "mark.quick" not in collection_path.read_text():
        return True
    return None


@pytest.fixture
def bare(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a technology whose folder does not say by what layouts are made and checked."""
    shutil.copytree(folders()["osu018"], tmp_path / "bare")
    for file in (FILE, RULES):
        (tmp_path / "bare" / file).unlink()
    monkeypatch.setenv(MORE, ":".join(filter(None, (os.environ.get(MORE), str(tmp_path)))))
    return "bare"


@pytest.fixture(scope="session", autouse=True)
def _scratch_folder() -> Iterator[None]:
    """The current folder of this worker, so that a stray file lands in no one's way."""
    parent = Path(os.environ["MODEXPLORER_BUILD"]) / "scratch"
    parent.mkdir(parents=True, exist_ok=True)
    worker = os.environ.get("PYTEST_XDIST_WORKER", "only")
    folder = tempfile.mkdtemp(dir=parent, prefix=f"{worker}-")
    before = Path.cwd()
    os.chdir(folder)
    yield
    os.chdir(before)
    shutil.rmtree(folder)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown() -> Iterator[None]:
    """A test that leaves Python without its search for garbage has failed: the worker would grow to
    8 GB with the tests that follow."""
    yield
    if not gc.isenabled():
        gc.enable()
        pytest.fail("leaves the search for garbage switched off")


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_makereport() -> Iterator[None]:
    """A test that skips for no good reason has failed."""
    return _no_skip((yield))


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_make_collect_report() -> Iterator[None]:
    """The same for a module that skips while it is collected."""
    return _no_skip((yield))


def _no_skip(
    report: pytest.TestReport | pytest.CollectReport,
) -> pytest.TestReport | pytest.CollectReport:
    if report.skipped and not hasattr(report, "wasxfail"):
        reason = report.longrepr[2].removeprefix("Skipped: ")
        if os.environ.get("CI") == "true" or not reason.startswith(ALLOWED_SKIP):
            report.outcome = "failed"
            report.longrepr = f"unexpected skip: {reason}"
    return report
