"""How periods and energies follow from a path's, and in which order supplies are simulated; without
any tool."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from eval.catalog.point import Point
from eval.tasks import supply
from eval.tasks.corners import Corners, InCorner
from eval.tasks.supply import Supply
from eval.tasks.supply_section import SUPPLIES
from flow.supply import deck
from flow.supply.conditions import Found
from sim.errors import UserError

pytestmark = pytest.mark.quick
TASK = Supply(Point("ssmm-small", 8), 18.8, tech="sky130")


def corner(name: str, process: str, volt: float, celsius: float, period: float) -> InCorner:
    energies = {"e": volt**2, "d": 10 * volt**2}
    return InCorner(name, process, volt, celsius, period, 0.1, 0.001, energies)


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[tuple]:
    """What is asked of the path, which is 8 ns at 1.8 V, and slower as the square of the supply."""
    simulated: list[tuple] = []

    class Path_:
        stages = [SimpleNamespace(master="dff"), SimpleNamespace(master="inv")]

        def simulated(self, at, guess_ns, scratch):
            simulated.append((at.process, at.volt, at.celsius, round(guess_ns, 3)))
            slower = {"slow": 1.5, "typical": 1.0, "fast": 0.75}[at.process]
            return Found(8.0 * slower * (1.8 / at.volt) ** 2, 3.0 * at.volt**2)

    told = SimpleNamespace(
        area_um2=99.0,
        corners=[
            corner("ss", "slow", 1.6, 100.0, 20.0),
            corner("tt", "typical", 1.8, 25.0, 10.0),
            corner("ff", "fast", 1.95, 100.0, 6.0),
        ],
    )
    monkeypatch.setattr(Corners, "compute", lambda self, on_step: told)
    monkeypatch.setattr(Supply, "_path", lambda self, on_step, usual: Path_())
    monkeypatch.setattr(supply, "transistors_in", lambda tech: Path("nowhere"))
    monkeypatch.setattr(deck, "check_installed", lambda: None)
    return simulated


def test_what_follows_from_the_path(asked: list[tuple]) -> None:
    """In the slow corner the path takes 1.5 * (1.8 / 1.6)^2 times as long: 18.98 ns, where the
    tables say 20."""
    result = TASK.compute(lambda step: None)
    assert (result.area_um2, result.path) == (99.0, ["dff", "inv"])
    volts = [1.8, 1.7, 1.6, 1.5, 1.4, 1.3, 1.2, 1.1, 1.0]
    assert [(one.volt, one.process) for one in result.supplies] == [
        *((volt, "typical") for volt in volts),
        *((1.6, "slow"), (1.95, "fast")),
    ]
    for one, volt in zip(result.supplies, volts, strict=False):
        assert one.period_ns == pytest.approx(10.0 * (1.8 / volt) ** 2)
        assert one.energies_nj == pytest.approx({"e": volt**2, "d": 10 * volt**2})
    nominal, *others, slow, fast = result.supplies
    assert (nominal.table_period_ns, nominal.off) == (10.0, 0.0)
    assert {one.off for one in others} == {None}
    assert slow.period_ns == pytest.approx(10.0 * 1.5 * (1.8 / 1.6) ** 2)
    assert slow.off == pytest.approx(-0.0508, abs=1e-4)
    assert (fast.table_period_ns, fast.table_energies_nj["e"]) == (6.0, 1.95**2)
    lines = SUPPLIES.of({TASK: result}).lines
    assert lines[-2].cells[-3:] == ("20.00", "-5.1", "25.600")
    assert lines[1].cells[-3:] == ("-", "-", "-")


def test_a_guess_is_a_little_more_than_the_delay_before(asked: list[tuple]) -> None:
    """From the tables' period on; in other corners, by what the tables say of these."""
    TASK.compute(lambda step: None)
    assert asked[0] == ("typical", 1.8, 25.0, 13.0)
    assert asked[1] == ("typical", 1.7, 25.0, round(1.3 * 8.0, 3))
    assert asked[2] == ("typical", 1.6, 25.0, round(1.3 * 8.0 * (1.8 / 1.7) ** 2, 3))
    assert asked[-2:] == [("slow", 1.6, 100.0, 20.8), ("fast", 1.95, 100.0, 6.24)]


@pytest.mark.parametrize(
    ("tech", "says"),
    [
        ("sky130@ff", "corner: ff is one; leave it out"),
        ("nangate45", "--tech nangate45: has no models of transistors; choose of: sky130"),
    ],
)
def test_what_has_no_supplies_is_refused(tech: str, says: str) -> None:
    with pytest.raises(UserError, match=says):
        Supply(TASK.point, 18.8, tech=tech)


def test_its_command_is_its_own() -> None:
    assert TASK.command == "modexplorer supply ssmm-small --nbits 8 --clock 18.8 --tech sky130"
