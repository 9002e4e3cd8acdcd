"""What is asked of a netlist in each corner, and which figures are its; without any tool."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from eval.catalog.point import Point
from eval.tasks import corners
from eval.tasks.corners import Corners, CornersResult, InCorner
from eval.tasks.corners_section import CORNERS
from eval.tasks.flow_run.task import FlowRun
from flow import opensta
from flow.gates import liberty
from flow.technologies import kit
from flow.technologies.technology import technology

pytestmark = pytest.mark.quick
TASK = Corners(Point("ssmm-small", 8), 18.8, tech="sky130")
ORDER = ("ss", "tt", "ff")


def test_each_corner_is_timed_and_weighed_by_its_own_library(monkeypatch) -> None:
    asked: list[tuple] = []
    found = SimpleNamespace(tools={"sta": "1"}, metrics={"area_um2": 4321.0})

    def run(self, to, on_step, energy):
        asked.append((self, to, energy))
        return found

    def run_sta(netlist, top, library, period, clock_port):
        asked.append((netlist, top, library, period, clock_port))
        return Path(library).parent.name

    def summary(corner, period):
        number = ORDER.index(corner)
        return SimpleNamespace(period_ns=9.0 - number, hold_slack_ns=0.5 - number / 8)

    def energy(library, clock_ns, clock_port, rest):
        number = ORDER.index(library.corner)
        asked.append((library.path, clock_ns, clock_port, rest))
        power = SimpleNamespace(leakage=0.01 * 2**number)
        others = SimpleNamespace(leakage=99.0)
        windows = {"d": SimpleNamespace(power_mw=power), "e": SimpleNamespace(power_mw=others)}
        operations = {
            name: SimpleNamespace(energy_nj=77.0, energy_with_glitches_nj=at + number)
            for name, at in (("e", 10.0), ("d", 20.0))
        }
        return SimpleNamespace(windows=windows, operations=operations)

    monkeypatch.setattr(FlowRun, "run", run)
    monkeypatch.setattr(Corners, "_replayed", lambda self, done: SimpleNamespace(energy=energy))
    monkeypatch.setattr(corners, "folder_of", lambda done, step: Path("run") / step)
    monkeypatch.setattr(opensta, "run_sta", run_sta)
    monkeypatch.setattr(opensta, "summary", summary)
    monkeypatch.setattr(kit, "view", lambda tech: Path("views") / tech.rpartition("@")[2])
    monkeypatch.setattr(
        liberty,
        "Library",
        lambda path: SimpleNamespace(path=path, corner=Path(path).parent.name),
    )
    heard: list[str] = []
    result = TASK.compute(heard.append)
    assert heard == [f"corner {name}" for name in ORDER]
    (task, to, with_energy), *others = asked
    assert (task.point, task.clock_ns, task.tech) == (TASK.point, 18.8, "sky130")
    assert (to, with_energy) == ("power", True)
    netlist = Path("run/synthesis/outputs/netlist.v")
    top = TASK.point.top_of("accelerator")
    libraries = [one[2] for one in others[::2]]
    assert [path.parent.name for path in libraries] == list(ORDER)
    assert others == [
        one
        for library in libraries
        for one in ((netlist, top, library, 18.8, "clk"), (library, 18.8, "clk", None))
    ]
    assert (result.area_um2, result.tools) == (4321.0, {"sta": "1"})
    assert [one.corner for one in result.corners] == list(ORDER)
    assert [one.period_ns for one in result.corners] == [9.0, 8.0, 7.0]
    assert [one.hold_slack_ns for one in result.corners] == [0.5, 0.375, 0.25]
    assert [one.leakage_mw for one in result.corners] == [0.01, 0.02, 0.04]
    assert [one.energies_nj for one in result.corners] == [
        {"e": 10.0 + number, "d": 20.0 + number} for number in range(3)
    ]
    said = technology("sky130").corners
    for one in result.corners:
        corner = said[one.corner]
        assert (one.process, one.volt, one.celsius) == (
            *(corner.process, corner.volt),
            corner.celsius,
        )
    ss, _, ff = result.corners
    assert ss.volt < ff.volt


def test_a_line_for_each_corner() -> None:
    """Of one area; what has no hold slack has a dash."""
    fast = InCorner("ff", "fast", 1.95, -40.0, 1.25, None, 0.0075, {"e": 1.5, "d": 12.25})
    slow = InCorner("ss", "slow", 1.6, 100.0, 4.125, 0.0625, 0.000125, {"e": 1.0, "d": 8.0})
    grid = CORNERS.of({TASK: CornersResult({}, 4321.0, [fast, slow])})
    assert [line.cells[1:] for line in grid.lines] == [
        ("ff", "1.95", "-40", "4321.0", "1.250", "-", "0.007500", "1.500", "12.250"),
        ("ss", "1.60", "100", "4321.0", "4.125", "0.062", "0.000125", "1.000", "8.000"),
    ]
