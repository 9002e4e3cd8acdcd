"""What the router is asked for and what is read of its report, without it; and what decides a
result on an FPGA."""

import json
from pathlib import Path

import pytest

from flow.fpga import nextpnr, routing, run
from flow.results.fpga import RouterRun
from sim.errors import RunError
from tests.flow.scripts import step_module

pytestmark = pytest.mark.quick
# The shell's own cells, of which some are none of these.
SHELL = {"LUT4": 5, "TRELLIS_FF": 12, "PFUMX": 3}


def report(fmax: float) -> str:
    """A report as nextpnr writes it, at a target of 200 MHz."""
    used = {"TRELLIS_COMB": 40, "TRELLIS_FF": 30, "TRELLIS_IO": 4}
    return json.dumps(
        {
            "fmax": {"clk": {"achieved": fmax, "constraint": 200.0}},
            "utilization": {name: {"used": n, "available": 999} for name, n in used.items()},
        }
    )


def option(arguments: list[str], name: str) -> str:
    return arguments[arguments.index(name) + 1]


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What nextpnr was asked, which reaches 10 MHz by the seed 1, and so on."""
    monkeypatch.chdir(tmp_path)
    found: list[list[str]] = []

    def run_nextpnr(arguments: list[str], folder: Path) -> int:
        found.append(arguments)
        seed = float(option(arguments, "--seed"))
        (folder / option(arguments, "--report")).write_text(report(10 * seed))
        return 0

    monkeypatch.setattr(routing, "run_nextpnr", run_nextpnr)
    return found


def test_a_run_starts_from_its_seed_and_tells_what_was_reached(asked: list[list[str]]) -> None:
    """Not what was aimed at."""
    assert routing.place_and_route("7", "200") == RouterRun(7, 70.0, luts=40, ffs=30)
    [arguments] = asked
    assert (option(arguments, "--seed"), option(arguments, "--freq")) == ("7", "200")
    assert option(arguments, "--json") == "shell.json"


def test_the_device_is_the_one_that_is_named(asked: list[list[str]]) -> None:
    routing.place_and_route("1", "200")
    size = next(name.removeprefix("--").removesuffix("k") for name in asked[0] if "5k" in name)
    package, speed = (option(asked[0], name) for name in ("--package", "--speed"))
    assert f"LFE5U-{size}F, package {package}, speed grade {speed}" == routing.DEVICE


def test_a_run_that_fails_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)

    def run_nextpnr(arguments: list[str], folder: Path) -> int:
        (folder / option(arguments, "--log")).write_text("Info: so far\nERROR: no room\n")
        (folder / option(arguments, "--report")).write_text(report(50.0))
        return 1

    monkeypatch.setattr(routing, "run_nextpnr", run_nextpnr)
    with pytest.raises(RunError, match="^no room$"):
        routing.place_and_route("1", "200")


@pytest.mark.parametrize(
    ("seeds", "median"), [(("1",), 10.0), (("9", "1", "2"), 20.0), (("1", "4", "2", "9"), 30.0)]
)
def test_the_frequency_is_the_median_over_the_seeds(
    asked: list[list[str]], monkeypatch: pytest.MonkeyPatch, seeds: tuple[str, ...], median: float
) -> None:
    step, left = step_module("fpga_route"), {}
    monkeypatch.setattr(step, "wrap", lambda netlist, top, clock: SHELL)
    monkeypatch.setattr(step, "leave", lambda name, *what: left.update({name: what}))
    step.main("Top", "clk", seeds, "200")
    found, metrics, _ = left["fpga_route"]
    assert metrics == {"fmax_mhz": median}
    assert [one.seed for one in found.runs] == [int(seed) for seed in seeds]
    assert (found.shell.luts, found.shell.ffs) == (5, 12)
    assert found.target_mhz == 200.0


def test_results_depend_on_each_tool_that_makes_them() -> None:
    assert {"pyosys", nextpnr.PACKAGE} <= run.tool_versions().keys()


def test_nextpnr_is_compiled_again_for_another_version(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of itself, or of what compiles it."""
    versions, ran = {nextpnr.PACKAGE: "1", "wasmtime": "1"}, []

    class Done:
        returncode = 0

    def run_it(command: list[str], **how: object) -> Done:
        ran.append(command[-1])
        return Done()

    monkeypatch.setattr(nextpnr, "build_dir", lambda name: tmp_path)
    monkeypatch.setattr(nextpnr, "version", versions.__getitem__)
    monkeypatch.setattr(nextpnr.subprocess, "run", run_it)
    for name in (None, nextpnr.PACKAGE, "wasmtime"):
        if name:
            versions[name] = "2"
        ran.clear()
        for _ in range(2):
            nextpnr.run_nextpnr(["--route"], tmp_path)
        assert ran == ["--version", "--route", "--route"], name
