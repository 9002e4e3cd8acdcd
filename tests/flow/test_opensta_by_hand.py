"""What OpenSTA is asked and answers, of the five cells of a library in pF, worked out: a gate takes
0.05 ns, a tenth of its slew and 20 ns for each pF, a register 0.2 ns and these. Slews are 0.05 ns
and 20 ns for each pF. Each input has 1 fF, and outputs have a load of 4 fF."""

import random
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

from flow import opensta
from flow.layout import closing, weights
from flow.opensta import (
    Timed,
    load_of,
    path_points,
    run_script,
    run_sta,
    summary,
    wire_load_of,
)
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
AT_INPUT = 20 * 0.001  # at d, which something drives at the edge
BEGIN = 0.2 + 20 * 0.002  # at m, which two pins are on
AFTER_GATE = BEGIN + 0.05 + 0.1 * (0.05 + 20 * 0.002) + 20 * 0.001
SETUP, HOLD = 0.1, 0.02
BEGIN_OUT = 0.2 + 20 * 0.004  # at the outputs of registers
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
def test_setup_is_of_the_latest_and_hold_of_the_earliest(
    five: Path, tmp_path: Path, rough: bool
) -> None:
    """The input d is earlier than what comes from registers."""
    found = summary(told(tmp_path, five, WAYS, rough=rough), PERIOD)
    assert found.period_ns == pytest.approx(AFTER_GATE + SETUP)
    assert (found.start, found.end) == ("one/Q", "three/D")
    assert found.hold_slack_ns == pytest.approx(AT_INPUT - HOLD)
    assert found.hold_start == "d"
    assert (found.registers, found.unconstrained_endpoints) == (3, 0)


def test_a_quick_run_tells_no_hold(five: Path, tmp_path: Path) -> None:
    found = summary(told(tmp_path, five, WAYS, quick=True), PERIOD)
    assert found.period_ns == pytest.approx(AFTER_GATE + SETUP)
    assert found.hold_slack_ns is None


@pytest.mark.parametrize(
    ("enough", "early"),
    [
        (-0.001, []),
        (0.21, ["one/D"]),
        (0.23, ["one/D", "two/D"]),
        (0.4, ["one/D", "two/D", "three/D"]),
    ],
)
def test_early_pins_are_told_with_what_they_can_wait(
    five: Path, tmp_path: Path, enough: float, early: list[str]
) -> None:
    """From inputs and registers; the slack of setup is that of the same pin."""
    more = {"ENDS": 9, "ENOUGH": enough}
    text = run_script(closing.HOLD, design(tmp_path, five, WAYS), more)
    told = closing.EARLY.findall(text)
    found = {pin: (float(hold), float(late)) for pin, hold, late in told if "/" in pin}
    at = {"one/D": AT_INPUT, "two/D": BEGIN, "three/D": AFTER_GATE}
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
        **{"driving_cell": "INV", "load_ff": 4.5},
        **{"input_delay_ns": 0.0, "output_delay_ns": 0.0},
    }


@pytest.mark.parametrize("seed", range(3))
def test_inputs_are_as_late_and_outputs_as_early_as_the_technology_says(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seed: int
) -> None:
    rng = random.Random(seed)
    late, early = (round(rng.uniform(0.1, 0.9), 3) for _ in range(2))
    five_cells.write(tmp_path)
    entry = tmp_path / "five/technology.toml"
    outside = f"[outside]\ninput_delay_ns = {late}\noutput_delay_ns = {early}"
    entry.write_text(entry.read_text().replace("[outside]", outside))
    monkeypatch.setenv(MORE, str(tmp_path))
    liberty = view("five") / "stdcells.lib"
    arrival = 20 * 0.001 + 0.05 + 0.1 * (0.05 + 20 * 0.001) + 20 * 0.004
    found = summary(told(tmp_path, liberty, GATE), PERIOD)
    assert found.period_ns == pytest.approx(late + arrival + early)
    registers = summary(told(tmp_path, liberty, WAYS), PERIOD)
    assert registers.hold_slack_ns == pytest.approx(min(late + AT_INPUT, BEGIN) - HOLD)
    assert registers.period_ns == pytest.approx(
        max(AFTER_GATE + SETUP, late + AT_INPUT + SETUP, BEGIN_OUT + early)
    )


def test_endpoints_that_no_clock_reaches_are_named_and_constant_ones_are_not(
    tmp_path: Path,
) -> None:
    """A register on a clock that is not the design's, and an output behind it; an output that a tie
    cell holds is counted alone."""
    words = (
        *("Two", "clk other d -> q c", "DFF_X1 mine CK=clk D=d Q=m", "LOGIC1_X1 tie Z=c"),
        *("DFF_X1 theirs CK=other D=m Q=q",),
    )
    netlist_of(*words).write_verilog(tmp_path / "n.v")
    liberty = view("nangate45") / "stdcells.lib"
    found = summary(run_sta(tmp_path / "n.v", "Two", liberty, PERIOD, "clk"), PERIOD)
    assert set(found.untimed) == {"q", "theirs/D"}
    assert found.unconstrained_endpoints == 3


def test_the_model_of_wires_is_named_to_sta(tmp_path: Path) -> None:
    """That which the library takes unless told otherwise: older versions of sta took it themselves.
    By the largest, paths are longer."""
    text = (view("nangate45") / "stdcells.lib").read_text()
    folder = tmp_path / "view"
    shutil.copytree(view("nangate45"), folder, symlinks=False)
    usual = wire_load_of(folder / "stdcells.lib")
    assert usual == "5K_hvratio_1_1"
    netlist_of("Inv", "a -> y", "INV_X1 gate A=a ZN=y").write_verilog(tmp_path / "n.v")

    def period(name: str) -> float | None:
        said = text.replace(f'default_wire_load : "{usual}"', name)
        (folder / "stdcells.lib").write_text(said)
        done = run_sta(tmp_path / "n.v", "Inv", folder / "stdcells.lib", PERIOD, "clk")
        return summary(done, PERIOD).period_ns

    by_usual, by_none = period(f'default_wire_load : "{usual}"'), period("")
    by_other = period('default_wire_load : "1K_hvratio_1_1"')
    assert None not in (by_usual, by_none, by_other)
    assert by_none < by_other < by_usual


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
