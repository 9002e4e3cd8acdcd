"""Sign-off as a command: what it prints of a toy layout, and how it ends; and what it refuses."""

import json
from pathlib import Path

import pytest

from eval.catalog.point import Point
from eval.catalog.processor import Processor, unit_of
from eval.tasks.flow_run.grids import not_timed
from eval.tasks.layout.task import LaidOut
from eval.tasks.signoff import task
from eval.tasks.signoff.section import CLEAN, SECTION, faults
from eval.tasks.signoff.task import Signoff, SignoffResult
from eval.tasks.unit import ACCELERATOR
from flow.results.netlist import InCorner
from flow.signoff.signed import Signed
from tests.command_line import assert_refused, run, said
from tests.flow.signoff_toy import CELLS, Toy

POINT = Point("ssmm-small", 8)
TYPICAL = InCorner("typical", "typical", 0.5, 0.1, 2.5, "a")
TASK = Signoff(POINT, ACCELERATOR, 3.0)


def result_of(signed: Signed) -> SignoffResult:
    """The row of what was found."""
    return SignoffResult({"klayout": "0"}, signed, [TYPICAL], tuple(signed.wrong()), "layout.gds")


@pytest.fixture
def clean(tmp_path: Path) -> SignoffResult:
    """That of the toy as it is."""
    return result_of(Toy().signed(tmp_path))


@pytest.fixture
def broken(tmp_path: Path) -> SignoffResult:
    """That of the toy with swapped pins, and metal too close."""
    cells = list(CELLS)
    cells[1] = ("NAND2_X1", {"A1": "d", "A2": "inner", "ZN": "y"})
    toy = Toy(cells)
    left, _, right, top = toy.piece("metal3", "z").box
    toy.draw("metal3", left, top + 0.05, right, top + 0.12)
    return result_of(toy.signed(tmp_path))


def test_tables_say_what_is_wrong(clean: SignoffResult, broken: SignoffResult) -> None:
    def tables(result: SignoffResult) -> dict[str, list[tuple[str, ...]]]:
        shown = (grid for grid in SECTION.alone({TASK: result}) if grid)
        return {grid.title: [line.cells for line in grid.lines] for grid in shown}

    found = tables(clean)
    assert [*found] == [
        *("Design rules", "Density", "Layout beside netlist", "Supply rails"),
        "Timing in corners, after layout",
    ]
    assert found["Layout beside netlist"] == [
        ("nets", "9", "9", "9"),
        ("cells", "3", "3", "3"),
        ("ports", "8", "8", "8"),
    ]
    assert found["Supply rails"] == [("VDD", "2", "1", "0", ""), ("VSS", "1", "1", "0", "")]
    rules = {line[0]: line[1:3] for line in found["Design rules"]}
    assert sum(int(count) for count, _ in rules.values()) == len(clean.signed.rules)
    assert {violations for _, violations in rules.values()} == {"0"}
    [well] = [line for line in found["Density"] if line[0] == "well"]
    assert well[2:7] == ("100.0", "100.0", "100.0", "100 to 100", "0")
    [metal5] = [line for line in found["Density"] if line[0] == "metal5"]
    assert metal5[5] == "-"
    found = tables(broken)
    [line] = found["Rules that are broken"]
    assert line[:5] == ("metal3 space", "metal3", "space 0.07", "LEF", "1")
    assert line[5].startswith("(")
    assert [cells[0] for cells in found["Faults"]] == faults(broken)
    [verdict] = SECTION.results({TASK: clean})
    assert verdict.lines[0].cells[1] == CLEAN
    [verdict] = SECTION.results({TASK: broken})
    assert verdict.lines[0].cells[1].startswith("1 violations of metal3 space; ")


@pytest.mark.quick
def test_only_the_first_faults_are_shown(broken: SignoffResult, monkeypatch) -> None:
    monkeypatch.setattr("eval.tasks.signoff.section.SHOWN", 1)
    [table] = [grid for grid in SECTION.alone({TASK: broken}) if grid and grid.title == "Faults"]
    count = len(faults(broken))
    assert [line.cells[0] for line in table.lines] == [faults(broken)[0], f"and {count - 1} more"]


def test_the_command_ends_with_what_it_found(
    clean: SignoffResult, broken: SignoffResult, monkeypatch, tmp_path: Path
) -> None:
    for name, result, code in (("clean", clean, 0), ("broken", broken, 1)):
        monkeypatch.setattr(Signoff, "compute", lambda self, on_step, result=result: result)
        line = f"--build {tmp_path / name} signoff ssmm-small --nbits 8"
        done = run(line)
        assert done.exit_code == code, done.output
        assert "Layout beside netlist" in done.stdout
        as_json = run(f"{line} --json")
        assert as_json.exit_code == code
        shown = json.loads(as_json.stdout)
        assert (shown["design"], shown["clock_ns"]) == ("ssmm-small", 3.0)
        assert shown["wrong"] == list(result.wrong)
        if code:
            [error] = said(done.stderr)
            assert error.startswith(
                "modexplorer: error: ssmm-small-8: the layout is not clean: 1 v"
            )
            assert said(as_json.stderr) == [error]
        else:
            assert done.stdout.endswith("ssmm-small-8: the layout is clean\n")


@pytest.mark.quick
def test_a_layout_that_misses_a_corner_is_not_clean() -> None:
    corners = [
        InCorner("ss", "slow", -0.25, 0.3, 3.25, "a"),
        InCorner("tt", "typical", 0.0, 0.0, 3.0, "a"),
        InCorner("ff", "fast", None, -0.0625, None, "b"),
    ]
    assert [*task.late(corners)] == [
        "setup slack -0.250 ns in corner ss",
        "hold slack -0.062 ns in corner ff",
    ]
    assert [*not_timed(["a", "b[0]"])] == ["2 endpoints are not timed: a, b[0]"]
    assert not [*not_timed([])]


@pytest.mark.quick
def test_what_has_no_rules_is_refused(bare: str) -> None:
    assert_refused(f"signoff ssmm-small --nbits 8 --tech {bare}", "tech: bare has no layout")
    assert_refused("signoff ssmm-small --nbits 8 --fill 90", "--fill 90: must be from")
    assert_refused("signoff ssmm-small", "--nbits")


@pytest.mark.quick
def test_the_rules_are_in_the_key(monkeypatch, tmp_path: Path) -> None:
    before = TASK.tools()
    other = tmp_path / "rules.toml"
    other.write_text("other")
    monkeypatch.setattr(task, "rules_path", lambda tech: other)
    changed = {name for name, said in TASK.tools().items() if before[name] != said}
    assert changed == {"rules"}
    assert TASK.command == "modexplorer signoff ssmm-small --nbits 8 --clock 3"


@pytest.mark.quick
def test_what_is_asked_of_the_layout_is_asked_of_its_sign_off() -> None:
    """The same layout, in the same folder, of whatever has one."""
    for target, unit in ((POINT, ACCELERATOR), (Processor(), unit_of(Processor(), None))):
        more = {"gated": True, "fill": 40}
        asked, laid_out = (kind(target, unit, 3.0, **more) for kind in (Signoff, LaidOut))
        assert asked.folder == laid_out.folder != Signoff(target, unit, 3.0).folder
        assert asked.command.endswith(" --clock 3 --gated --fill 40")
        assert laid_out.command.endswith(" --clock 3 --to layout --gated --fill 40")
        assert len({asked.key, laid_out.key, Signoff(target, unit, 3.0).key}) == 3
