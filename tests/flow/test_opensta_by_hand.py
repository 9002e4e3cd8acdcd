"""What OpenSTA is asked and answers, of the five cells of a library in pF, worked out: a gate takes
0.05 ns, a tenth of its slew and 20 ns for each pF, a register 0.2 ns and these. Slews are 0.05 ns
and 20 ns for each pF. Each input has 1 fF, and outputs have a load of 4 fF."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow import opensta
from flow.layout import closing, weights
from flow.opensta import Timed, load_of, path_points, run_script, run_sta, summary
from flow.supply.path import Stage, slowest_path
from flow.technologies.kit import view
from flow.technologies.technology import MORE, ClockGate, Outside, technology
from tests.flow import five_cells
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
GATE = ("Gate", "a -> y", "NOT gate A=a Y=y")
# From the register `one` by two ways: straight to the second, and through a gate to the third.
WAYS = (
    *("Ways", "clk d -> q r", "REG one C=clk D=d Q=m", "REG two C=clk D=m Q=q"),
    *("NOT gate A=m Y=n", "REG three C=clk D=n Q=r"),
)
BEGIN = 0.2 + 20 * 0.002  # at m, which two pins are on
AFTER_GATE = BEGIN + 0.05 + 0.1 * (0.05 + 20 * 0.002) + 20 * 0.001
SETUP, HOLD = 0.1, 0.02
PERIOD = 3.0


@pytest.fixture
def five(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The library."""
    five_cells.write(tmp_path)
    monkeypatch.setenv(MORE, str(tmp_path))
    return view("five") / "stdcells.lib"


def design(folder: Path, liberty: Path, words: tuple[str, ...]) -> Timed:
    """A netlist as it is timed."""
    netlist_of(*words).write_verilog(folder / "netlist.v")
    return Timed(folder / "netlist.v", words[0], liberty, PERIOD, "clk")


def told(folder: Path, liberty: Path, words: tuple[str, ...], **how: bool) -> str:
    given = design(folder, liberty, words)
    return run_sta(given.netlist, given.top, liberty, PERIOD, "clk", **how)


def test_a_gate_between_ports(five: Path, tmp_path: Path) -> None:
    """The cell that drives the input takes what its load adds; the output has its load."""
    arrival = 20 * 0.001 + 0.05 + 0.1 * (0.05 + 20 * 0.001) + 20 * 0.004
    found = summary(told(tmp_path, five, GATE), PERIOD)
    assert found.period_ns == pytest.approx(arrival)
    assert found.setup_slack_ns == pytest.approx(PERIOD - arrival)
    assert (found.start, found.end, found.registers) == ("a", "y", 0)
    assert found.hold_slack_ns is None


@pytest.mark.parametrize("rough", [False, True])
def test_setup_is_of_the_latest_and_hold_of_the_earliest_between_registers(
    five: Path, tmp_path: Path, rough: bool
) -> None:
    """The input d is earlier: hold there depends on what drives the design."""
    found = summary(told(tmp_path, five, WAYS, rough=rough), PERIOD)
    assert found.period_ns == pytest.approx(AFTER_GATE + SETUP)
    assert (found.start, found.end) == ("one/Q", "three/D")
    assert found.hold_slack_ns == pytest.approx(BEGIN - HOLD)
    assert (found.registers, found.unconstrained_endpoints) == (3, 0)


def test_a_quick_run_tells_no_hold(five: Path, tmp_path: Path) -> None:
    found = summary(told(tmp_path, five, WAYS, quick=True), PERIOD)
    assert found.period_ns == pytest.approx(AFTER_GATE + SETUP)
    assert found.hold_slack_ns is None


@pytest.mark.parametrize(
    ("enough", "early"), [(0.21, []), (0.23, ["two/D"]), (0.4, ["two/D", "three/D"])]
)
def test_early_pins_are_told_with_what_they_can_wait(
    five: Path, tmp_path: Path, enough: float, early: list[str]
) -> None:
    """Of those that data of registers reaches; the slack of setup is that of the same pin."""
    more = {"ENDS": 9, "ENOUGH": enough}
    text = run_script(closing.HOLD, design(tmp_path, five, WAYS), more)
    told = closing.EARLY.findall(text)
    found = {pin: (float(hold), float(late)) for pin, hold, late in told if "/" in pin}
    at = {"two/D": BEGIN, "three/D": AFTER_GATE}
    assert [*found] == early
    for pin in early:
        assert found[pin] == pytest.approx((at[pin] - HOLD, PERIOD - SETUP - at[pin]), abs=1e-5)


def test_slacks_of_nets_are_those_of_the_slowest_path_through_them(
    five: Path, tmp_path: Path
) -> None:
    """That of `one` drives two paths; those of ports are told with their directions."""
    text = run_script(weights.SCRIPT, design(tmp_path, five, WAYS), {"PATHS": 9})
    told = weights.SLACK.findall(text)
    found = {pin: float(slack) for pin, direction, slack in told if direction == "output"}
    slowest, out = PERIOD - SETUP - AFTER_GATE, PERIOD - 0.2 - 20 * 0.004
    expected = {"one/Q": slowest, "gate/Y": slowest} | dict.fromkeys(
        ("two/Q", "three/Q", "q", "r"), out
    )
    assert found == pytest.approx(expected, abs=1e-5)
    inputs = {pin: float(slack) for pin, direction, slack in told if direction == "input"}
    assert inputs["d"] == pytest.approx(PERIOD - SETUP - 20 * 0.001, abs=1e-5)


def test_the_slowest_path_has_what_is_on_its_nets(five: Path, tmp_path: Path) -> None:
    """By the pins and edges; rising and falling ones are as slow."""
    first, second = slowest_path(design(tmp_path, five, WAYS))
    rises = first.leaves_rising
    assert first == Stage("REG", "C", True, "Q", rises, pytest.approx(2.0))
    assert second == Stage("NOT", "A", rises, "Y", not rises, pytest.approx(1.0))


@pytest.mark.parametrize(
    ("unit", "load"), [("1,ff", 4.5), ("1,pf", 0.0045), ("0.1 , pf", 0.045), ('10,"fF"', 0.45)]
)
def test_loads_are_told_in_the_unit_of_the_library(tmp_path: Path, unit: str, load: float) -> None:
    liberty = tmp_path / "made.lib"
    liberty.write_text(f"library (made) {{\n  capacitive_load_unit ({unit});\n}}\n")
    found = replace(technology(), outside=Outside("INV", 4.5))
    assert load_of(found, liberty) == pytest.approx(load)
    assert opensta.constraints(found) == {
        **{"driving_cell": "INV", "load_ff": 4.5, "input_delay_ns": 0.0},
    }


@pytest.mark.parametrize(
    ("said", "code", "why"),
    [
        ("ALL DONE", 1, "sta stopped early: RESULT registers 2"),
        ("Error: no net\nALL DONE", 0, "Error: no net"),
        ("not ALL DONE", 0, "sta stopped early"),
    ],
)
def test_what_went_wrong_in_any_way_is_no_result(
    five: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, said: str, code: int, why: str
) -> None:
    """An exit code, an error, or a last line that is missing, whatever was told before."""
    script = tmp_path / "bin" / "sta"
    script.parent.mkdir()
    script.write_text(f'#!/bin/sh\nprintf "RESULT registers 2\n{said}\n"\nexit {code}\n')
    script.chmod(0o755)
    monkeypatch.setenv("PATH", str(script.parent), prepend=":")
    with pytest.raises(opensta.StaError, match=f"^sta: {why}"):
        told(tmp_path, five, GATE)


def test_a_clock_is_no_cell_of_a_path() -> None:
    """That of a register, or of a gate whose clock is called otherwise."""
    found, gate = technology(), ClockGate("GATE", "CP", "E", "GCK", 9)
    found = replace(found, cells=replace(found.cells, clock_gate=gate))
    report = (
        "  0.0000   0.0000 ^ gate/CP (GATE)\n  0.1000   0.1000 ^ gate/GCK (GATE)\n"
        "  0.0000   0.1000 ^ held/CK (DFF_X1)\n  0.2000   0.3000 v held/Q (DFF_X1)\n"
        "           0.3000   data arrival time\n  0.0000   3.0000 ^ other/D (DFF_X1)\n"
    )
    assert [point.pin for point in path_points(report, found)] == ["gate/GCK", "held/Q"]
