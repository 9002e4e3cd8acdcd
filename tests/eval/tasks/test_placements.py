"""Layouts from other orders of the cells: which are asked for, and what is said of them."""

import math
import re
from types import SimpleNamespace
from typing import Any

import pytest

from eval.catalog.point import Point
from eval.quoting.stored import load
from eval.tasks import placements, placements_section
from eval.tasks.layout.task import LaidOut
from eval.tasks.placements import SEEDS, Laid, Placements, PlacementsResult
from eval.tasks.placements_section import EACH, MEASURED, NOISE, USUAL, USUALLY, bands, bands_of
from tests.command_line import assert_refused
from tests.eval.made_up import result_of, row
from tests.eval.tasks.test_layout import RESULT

pytestmark = pytest.mark.quick
TASK = Placements(Point("mul-rem", 8), 2.5)
OWN = Laid(True, 100.0, 2.0, 0.5, 0.1, 1000.0, 4.0)
OTHERS = [
    Laid(True, 100.0, 2.1, 0.4, 0.1, 1000.0, 4.0),
    Laid(False, 101.0, 1.8, 0.7, None, 900.0, 4.1),
    *[Laid(True, 100.0, 2.0, 0.5, 0.1, 1050.0, 3.8)] * 3,
]
FOUND = PlacementsResult({"coloquinte": "0"}, OWN, OTHERS)


def test_bands_are_the_largest_changes() -> None:
    assert bands(FOUND) == pytest.approx((0.01, 0.1, 0.1, 0.05))


def test_figures_are_those_of_the_layout() -> None:
    """Not those of the netlist, where there are both; the energy is d's, with glitches."""
    netlist = {"area_um2": 1.0, "setup_slack_ns": 2.0, "period_ns": 3.0}
    layout = {"layout_area_um2": 11.0, "layout_period_ns": 12.0, "wire_um": 15.0}
    layout |= {"layout_setup_slack_ns": 13.0, "layout_hold_slack_ns": 14.0}
    d, e = (SimpleNamespace(energy_nj=nj, energy_with_glitches_nj=nj + 1.0) for nj in (15.0, 25.0))
    found = Laid.of("clean", netlist | layout, {"e": e, "d": d})
    assert found == Laid(True, 11.0, 12.0, 13.0, 14.0, 15.0, 16.0)
    found = Laid.of("2 open nets", netlist | layout | {"layout_hold_slack_ns": None}, {"d": d})
    assert (found.clean, found.hold_slack_ns) == (False, None)


def test_the_usual_bands_are_the_largest_that_the_page_shows() -> None:
    """Rounded up to whole per cent; of area, period, wires and energy, in the columns of +-%."""
    shown = [
        re.search(rf"^\| {command.split()[1]}.*", text, re.M)[0].split("|")
        for command, answers in load().items()
        if command.startswith("placements ")
        for text in answers.printed.values()
    ]
    assert len(shown) == 3
    for usual, column in zip(USUAL, (4, 9, 10, 12), strict=True):
        most = max(float(cells[column]) for cells in shown)
        assert usual == pytest.approx(math.ceil(most) / 100), column


def test_the_tables() -> None:
    [line] = NOISE.of({TASK: FOUND}).lines
    assert line.cells[0].startswith("mul-rem")
    assert line.cells[2:] == (
        *("100.0", "1.0", "0.500", "0.400", "0.700", "2.000", "10.0", "10.0", "4.00", "5.0"),
        "4 of 5",
    )
    lines = [line.cells for line in EACH.of({TASK: FOUND}).lines]
    assert [cells[1] for cells in lines] == ["as it is", *map(str, SEEDS)]
    assert lines[2][2:] == ("101.0", "0.700", "-", "1.800", "900", "4.100", "not clean")


def test_each_seed_is_laid_out_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The layout as it is comes of its own row; others run in folders of their own."""
    asked: list[int] = []

    def measure(task: LaidOut, on_step: Any) -> Any:
        assert task == TASK.laid_out
        return row(task, **RESULT)

    def finished(self: LaidOut, on_step: Any, placement_seed: int = 0) -> Any:
        asked.append(placement_seed)
        on_step("place begins")
        layout = SimpleNamespace(label="clean")
        energy = SimpleNamespace(operations=result_of(self, **RESULT).operations_before)
        metrics = RESULT["metrics"] | {"wire_um": 1000.0 + placement_seed}
        return SimpleNamespace(
            steps=SimpleNamespace(layout=layout, layout_energy=energy), metrics=metrics
        )

    monkeypatch.setattr(placements, "measure", measure)
    monkeypatch.setattr(LaidOut, "finished", finished)
    said: list[str] = []
    found = TASK.compute(said.append)
    assert asked == [*SEEDS]
    assert [one.wire_um for one in found.runs] == [1000.0 + seed for seed in SEEDS]
    assert (found.own.clean, found.own.energy_nj, found.own.period_ns) == (False, 2.5, 2.75)
    assert {one.energy_nj for one in found.runs} == {2.0}
    assert said[-1] == "seed 5 of 5, place begins"


def test_a_placement_has_a_folder_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[str, int]] = []

    def run_layout(name: str, *_: Any, placement_seed: int, **__: Any) -> dict[str, Any]:
        seen.append((name, placement_seed))
        return {}

    monkeypatch.setattr("flow.layout_run.run_layout", run_layout)
    monkeypatch.setattr("eval.tasks.layout.task.check_answers", lambda *_: None)
    monkeypatch.setattr("eval.tasks.layout.task.read_results", lambda found: found)
    monkeypatch.setattr("eval.tasks.layout.task.translation", lambda *_: unit)
    unit = SimpleNamespace(text="", top="Top", flattened=(), carry_save=False)
    task = LaidOut(TASK.point, "multiplier", 2.5)
    for seed in (0, 3):
        task.run("layout", lambda step: None, placement_seed=seed)
    assert seen == [(task.folder, 0), (f"{task.folder}-placement3", 3)]


def test_what_has_no_layout_is_refused(bare: str) -> None:
    assert_refused(f"placements mul-rem --nbits 8 --tech {bare}", "tech: bare has no layout")


def test_bands_of_several_layouts_are_the_largest_of_each_figure(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of two layouts either moves more in some figures: 3 % of area, 10 of period and wires."""
    other = PlacementsResult({}, OWN, [Laid(True, 97.0, 2.1, 0.5, 0.1, 1020.0, 3.96)] * 5)
    for found in ([FOUND, other], [other, FOUND]):
        monkeypatch.setattr(placements_section, "stored", lambda tasks, found=found: found)
        largest, whose = bands_of([(TASK.point, 2.5)])
        assert largest == pytest.approx((0.03, 0.1, 0.1, 0.05))
        assert whose == MEASURED
    monkeypatch.setattr(placements_section, "stored", lambda tasks: [])
    assert bands_of([(TASK.point, 2.5)]) == (USUAL, USUALLY)
