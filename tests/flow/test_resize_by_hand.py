"""How often a netlist's gates are sized, by how much tighter, and what is taken; without a tool."""

from pathlib import Path
from types import SimpleNamespace

import pytest

from flow.results.netlist import Candidate
from flow.synthesis import netlists, resize
from flow.synthesis.area import Own
from flow.synthesis.modules import Module
from flow.synthesis.resize import ROUNDS, resized, with_cells
from tests.flow.toys import LIBERTY

pytestmark = pytest.mark.quick
PERIOD = 1.0
GOAL = netlists.Goal(Path("design.v"), LIBERTY, "Top", PERIOD, "clk", (), 60.0)
AREAS = {"WEAK": 2.0, "STRONG": 5.0, "HELD": 4.0, "HELD_STRONG": 4.5}


class Text(dict):
    """Cells by name, and a text."""

    text = ""


CELLS = SimpleNamespace(
    library=Text(
        {
            name: SimpleNamespace(area=area, next_state="D" * name.startswith("HELD"))
            for name, area in AREAS.items()
        }
    )
)
TEXT = (
    "module Top;\n  WEAK one (\n  );\n  WEAK \\two[0]  (\n  );\n  HELD three (\n  );\nendmodule\n"
)
TOP = Module(TEXT, Own(8.0, 4.0, 3, {}), {}, {})


def test_cells_are_put_in_the_place_of_others() -> None:
    new = with_cells(TOP, {"two[0]": "STRONG", "three": "HELD_STRONG", "none": "STRONG"}, CELLS)
    assert new.text == TEXT.replace("WEAK \\two", "STRONG \\two").replace("HELD", "HELD_STRONG")
    assert (new.own.area, new.own.sequential_area, new.own.cells) == (11.5, 4.5, 3)
    assert with_cells(TOP, {}, CELLS) is TOP


class Rounds:
    """What sizing comes to, and what OpenSTA says then, round by round."""

    def __init__(self, monkeypatch, folder, found: float, *rounds: tuple) -> None:
        """found: the slack of the netlist as it is. rounds: the slack that sizing comes to, the
        cells that are new, and the slack by OpenSTA."""
        monkeypatch.chdir(folder)
        netlists.WORK.mkdir()
        netlists.write_modules("area", {"Top": TOP})
        self.rounds, self.tighter, self.done = list(rounds), [], []
        sizing = self

        class Sizing:
            def __init__(self, gates, cells, period, whole) -> None:
                assert (gates, cells, period, whole) == ("gates", CELLS, PERIOD, True)
                self.trials, self.tighter = 99, 0.0

            def time(self) -> float:
                return found

            def state(self):
                return SimpleNamespace(worst=sizing.now)

            def changed(self):
                return {"Top": sizing.new} if sizing.new else {}

        def strengthen(module) -> None:
            assert module.trials == 0
            self.tighter.append(pytest.approx(module.tighter))
            self.now, self.new, self.said = self.rounds.pop(0)
            module.trials += 4
            self.done.append("strengthen")

        def weaken(module) -> None:
            module.trials += 3
            self.done.append("weaken")

        monkeypatch.setattr(resize, "Sizing", Sizing)
        monkeypatch.setattr(resize, "strengthen", strengthen)
        monkeypatch.setattr(resize, "weaken", weaken)
        monkeypatch.setattr(resize, "cells_of", lambda path: CELLS)
        monkeypatch.setattr(
            resize, "Flattened", lambda *asked: SimpleNamespace(netlist="n", owners="o")
        )
        monkeypatch.setattr(resize, "output_pins", lambda text: {})
        monkeypatch.setattr(resize, "gates_of_netlist", lambda netlist, owners: "gates")
        monkeypatch.setattr(resize, "timed", self.timed)

    def timed(self, netlist, goal):
        assert netlist == Path("candidates/resized.v")
        slack, period = self.said, goal.period
        return SimpleNamespace(setup_slack_ns=slack, period_ns=period - slack, clock_met=slack >= 0)


def row(slack: float, area: float = 8.0) -> Candidate:
    return Candidate("area", area, 3, slack, PERIOD - slack, slack >= 0, 2.0)


ONE, BOTH = {"one": "STRONG"}, {"one": "STRONG", "two[0]": "STRONG"}


def test_what_meets_the_clock_is_taken_at_once(monkeypatch, tmp_path) -> None:
    """The tables found it 0.03 ns better than OpenSTA does, by which they are tighter."""
    rounds = Rounds(monkeypatch, tmp_path, -0.17, (0.01, ONE, 0.0))
    found = resized(row(-0.2), GOAL, to_meet=True)
    assert found is not None
    assert rounds.tighter == [0.03]
    assert rounds.done == ["strengthen", "weaken"]
    assert (found.area_um2, found.setup_slack_ns, found.clock_met) == (11.0, 0.0, True)
    assert found.period_ns == 1.0
    said = found.resized
    assert (said.gates, said.area_before_um2, said.period_before_ns, said.trials) == (
        *(1, 8.0, 1.2),
        7,
    )
    assert "STRONG one" in netlists.modules_of("area")["Top"].text
    assert "STRONG one" in Path("candidates/area.v").read_text()
    assert found.seconds >= 2.0


def test_what_opensta_finds_too_slow_is_sized_again_so_much_tighter(monkeypatch, tmp_path) -> None:
    """By what it was off: 0.04, then 0.02 ns more."""
    rounds = Rounds(
        *(monkeypatch, tmp_path, -0.2),
        *((0.01, ONE, -0.03), (0.0, ONE, -0.02), (0.0, BOTH, 0.01)),
    )
    found = resized(row(-0.2), GOAL, to_meet=True)
    assert found is not None
    assert rounds.tighter == [0.0, 0.04, 0.06]
    assert (found.area_um2, found.clock_met, found.resized.trials) == (14.0, True, 21)
    assert (found.resized.gates, ROUNDS) == (2, 3)


@pytest.mark.parametrize("to_meet", [True, False])
def test_the_best_of_all_rounds_is_taken_if_the_clock_need_not_be_met(
    monkeypatch, tmp_path, to_meet
) -> None:
    Rounds(
        *(monkeypatch, tmp_path, -0.2),
        *((0.0, BOTH, -0.05), (0.0, ONE, -0.1), (0.0, ONE, -0.09)),
    )
    found = resized(row(-0.2), GOAL, to_meet)
    text = netlists.modules_of("area")["Top"].text
    if to_meet:
        assert found is None
        assert text == TEXT
        return
    assert (found.setup_slack_ns, found.area_um2, found.resized.trials) == (-0.05, 14.0, 7)
    assert text.count("STRONG") == 2


@pytest.mark.parametrize(
    ("to_meet", "now", "asked"), [(True, -0.01, 0), (False, -0.01, 1), (True, 0.0, 1)]
)
def test_what_sizing_does_not_bring_to_the_clock_is_given_up(
    monkeypatch, tmp_path, to_meet, now, asked
) -> None:
    rounds = Rounds(monkeypatch, tmp_path, -0.2, *[(now, ONE, -0.05)] * 3)
    heard = []
    monkeypatch.setattr(resize, "timed", lambda *given: heard.append(given) or rounds.timed(*given))
    found = resized(row(-0.2), GOAL, to_meet)
    assert len(heard) == (asked if now < 0 else 3)
    assert (found is None) == to_meet


@pytest.mark.parametrize("new", [{}, BOTH])
def test_what_is_not_better_is_left_as_it_is(monkeypatch, tmp_path, new, capsys) -> None:
    """Nothing changes, or it is larger."""
    rounds = Rounds(monkeypatch, tmp_path, 0.1, (0.1, new, 0.2))
    assert resized(row(0.1), GOAL) is None
    assert netlists.modules_of("area")["Top"] == TOP
    assert len(rounds.done) == 2
    assert '"better": false' in capsys.readouterr().out
