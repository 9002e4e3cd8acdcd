"""Figures of rows by hand: energies and times as metrics, what is recorded, crosschecks."""

from pathlib import Path

import msgspec
import numpy as np
import pytest

from eval.catalog.point import Point
from eval.catalog.workloads import Request
from eval.tasks.crosscheck.parts import Parts
from eval.tasks.crosscheck.saif import write_saif
from eval.tasks.flow_run import sampling
from eval.tasks.flow_run.gating import GATED_AREAS, GATED_ENERGIES, gating_text
from eval.tasks.flow_run.ports import Ports
from eval.tasks.flow_run.recording import _check, requests_without_go
from eval.tasks.flow_run.system_recording import _windows
from eval.tasks.flow_run.task import FlowRun, GatedClocks, energy_metrics
from eval.tasks.metrics import METRICS, with_derived
from eval.tasks.unit import ACCELERATOR
from fl.xcel import GO, READ, requests_for
from flow.gates.power import Nets
from flow.recording import WARM_UP
from flow.results.energy import Energy, Power
from sim.batch_stream import DONE
from sim.errors import RunError
from sim.transfers import Transfer
from sim.translate import Port
from tests.eval.made_up import energy_of, flow_row, found_of
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick


def test_each_metric_of_energy_is_its_own_figure() -> None:
    """Every figure another, so that none can stand for one."""
    energy = energy_of()
    energy["windows"]["idle"]["power_mw"]["total"] = 0.5
    for number, (name, row) in enumerate(energy["operations"].items(), 1):
        figures = ("power_mw", "energy_nj", "energy_with_glitches_nj", "dummy_energy_nj")
        row |= {figure: 10.0 * number + i for i, figure in enumerate(figures)}
        energy["windows"][name]["sampled"]["toggle_factor"] = 100.0 * number
    energy["operations"]["d"]["energy_error_nj"] = 7.0
    assert energy_metrics(msgspec.convert(energy, Energy)) == {
        "power_idle_mw": 0.5,
        **{"power_e_mw": 10.0, "energy_e_nj": 11.0, "energy_glitches_e_nj": 12.0},
        **{"power_d_mw": 20.0, "energy_d_nj": 21.0, "energy_glitches_d_nj": 22.0},
        **{"toggle_factor_e": 100.0, "toggle_factor_d": 200.0, "energy_error_d_nj": 7.0},
    }


def test_the_clocks_share_is_that_of_all_power() -> None:
    assert Power(1.0, 2.0, 3.0, 4.0, 10.0).clock_share == 0.3


@pytest.mark.parametrize(("reached", "period"), [(2.0, 3.0), (3.0, 3.0), (4.0, 4.0)])
def test_times_follow_from_cycles_and_periods(reached: float, period: float) -> None:
    """At the clock asked for, or what is reached where that is longer; and at the shortest."""
    given = {"xcel_cycles_e": 500.0, "period_ns": reached, "shortest_period_ns": 1.5}
    found = with_derived(given | {"cycles_d": 9.0}, 3.0)
    assert found == given | {
        **{"cycles_d": 9.0, "time_e_us": pytest.approx(0.5 * period)},
        "least_time_e_us": pytest.approx(0.75),
    }


def test_no_time_without_its_period() -> None:
    assert with_derived({"xcel_cycles_e": 5.0}, 3.0) == {"xcel_cycles_e": 5.0}
    assert with_derived({"period_ns": 5.0}, 3.0) == {"period_ns": 5.0}
    found = with_derived({"xcel_cycles_d": 5.0, "shortest_period_ns": 2.0}, 3.0)
    assert found["least_time_d_us"] == 0.01
    assert "time_d_us" not in found


def test_a_metric_is_written_with_its_digits() -> None:
    assert METRICS["time_e_us"].format(1.23456) == "1.235"
    assert METRICS["area_um2"].format(1.25) == "1.2"
    assert METRICS["cycles_e"].format(None) == "-"
    assert METRICS["cells"].heading == "cells"
    assert METRICS["area_um2"].heading == "area, um2"


@pytest.mark.parametrize(
    ("stats", "begin", "found"),
    [
        ([0, 1, 1, 0, 1, 0], 0, [(1, 3), (4, 5)]),
        ([0, 1, 0, 0, 1, 1, 1, 0], 3, [(4, 7)]),
        ([0, 0, 0], 0, []),
        ([0, 0, 1, 1], 1, []),  # it never ends
    ],
)
def test_windows_are_where_statistics_are_on(stats: list, begin: int, found: list) -> None:
    assert _windows(stats, begin) == found


def port(name: str, direction: str, nbits: int = 8) -> Port:
    return Port(name, direction, nbits)


def test_ports_are_recorded_cycle_by_cycle() -> None:
    ports = Ports(
        port(name, direction)
        for name, direction in (
            *(("clk", "input"), ("reset", "input"), ("req__msg", "input")),
            *(("resp__msg", "output"), ("resp__val", "output"), ("dmem__req__msg", "output")),
        )
    )
    assert ports.cycle == 0
    ports.append({"reset": 1})
    ports.append({"resp__msg": 7, "resp__val": 1})
    assert ports.cycle == 2
    rows = {one.name: one for one in ports.recorded()}
    assert "clk" not in rows
    assert rows["reset"].values == [1, 0]
    assert rows["resp__msg"].values == [0, 7]
    assert {name: (one.output, one.valid, one.stray) for name, one in rows.items()} == {
        "reset": (False, None, False),
        "req__msg": (False, None, False),
        "resp__msg": (True, "resp__val", False),
        "resp__val": (True, None, False),
        "dmem__req__msg": (True, "dmem__req__val", True),
    }


class Stored:
    """A model whose records hold a byte of `a`, one of `left_out` and two of `reset`."""

    ports = {"a": (0, Port("a", "input", 3)), "left_out": (1, Port("left_out", "input", 8))} | {
        "reset": (2, Port("reset", "input", 16))
    }
    record_bytes = 4


def test_records_of_a_run_are_read_port_by_port() -> None:
    ports = Ports([port("a", "input"), port("reset", "input")])
    ports.append({"a": 9})
    ports.append_all(Stored(), bytes([1, 77, 2, 0, 3, 78, 4, 5]))
    assert ports.values == {"a": [9, 1, 3], "reset": [0, 2, 0x504]}


POINT, REQUEST = Point("mont-best", 64), Request(3, 5, 1009)  # 243


@pytest.mark.parametrize(
    ("answers", "right"),
    [
        ([9, 9, 243, 0, 1], True),
        ([243, 0, 1], True),
        ([243, 0, 3], False),  # bad modulus
        ([243, 1, 1], False),
        ([242, 0, 1], False),
        ([0, 243, 1], False),
    ],
)
def test_a_recorded_answer_is_the_words_before_the_status(answers: list, right: bool) -> None:
    if right:
        _check(POINT, "e", REQUEST, answers)
    else:
        with pytest.raises(RunError, match="mont-best-64 workload e, recorded: .* right is 243"):
            _check(POINT, "e", REQUEST, answers)


def test_the_dummy_brings_all_operands_and_starts_nothing() -> None:
    """Three operands of two words, and the status; no go, and no result is popped."""
    whole = requests_for(64, *vars(REQUEST).values())
    dummy = requests_without_go(64, REQUEST)
    assert dummy[:6] == whole[:6]
    assert {type_ for type_, *_ in dummy[:6]} == {type_ for type_, *_ in whole[:6]} != {READ}
    assert dummy[6:] == [(READ, GO, 0)]
    assert whole[6][1] == GO


class Engine:
    """An engine that tells what is asked of it: signals are the cycle, a record a cycle."""

    name = "made up"

    def __init__(self, takes: int) -> None:
        self.model, self.takes, self.asked = self, takes, []
        self.ports = {"a": (0, Port("a", "input", 3)), "b": (1, Port("b", "input", 12))}
        self.record_bytes, self.cycle = 3, 0
        self.places = {"signal": 0}

    def snapshot(self) -> "Engine":
        return self

    @property
    def values(self) -> list[int]:
        return [self.cycle]

    def begin(self, requests: list, stalls: object) -> "Engine":
        return self

    def advance(self, run: "Engine", to: int, record: bool) -> tuple[int, bytes]:
        self.asked.append((to, record))
        cycles = range(self.cycle, min(to, self.takes))
        self.cycle = max(self.cycle, min(to, self.takes))
        raw = b"".join(bytes([cycle % 7, cycle % 256, cycle // 256]) for cycle in cycles)
        return DONE if self.cycle >= self.takes else DONE + 1, raw if record else b""

    def transfers(self, run: "Engine") -> list[Transfer]:
        return ["transfers"]


def test_pieces_are_taken_with_the_state_before_and_after(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sampling, "PIECES", 3)
    monkeypatch.setattr(sampling, "PIECE_CYCLES", 10)
    engine = Engine(998)
    found, recorded, transfers = sampling.Sampler(engine).sample([1], 1000, 40)
    starts = sampling.begins(1000, 1000)
    each = 10 + WARM_UP
    assert found.cycles == 998
    assert [(p.begin, p.end) for p in found.pieces] == [
        (40 + i * each, 40 + (i + 1) * each) for i in range(3)
    ]
    for start, piece in zip(starts, found.pieces, strict=True):
        assert (piece.first, piece.second, piece.after) == ([start], [start + 1], [start + each])
    cycles = [cycle for start in starts for cycle in range(start, start + each)]
    ports = Ports(port for _, port in engine.ports.values())
    ports.append_all(engine, recorded)
    assert ports.values == {"a": [cycle % 7 for cycle in cycles], "b": cycles}
    assert transfers == ["transfers"]
    assert engine.asked[-1] == (2000, False)
    assert [record for _, record in engine.asked] == [False, True, True] * 3 + [False]
    with pytest.raises(RunError, match="made up: no answer in 2000 cycles"):
        sampling.Sampler(Engine(2001)).sample([1], 1000, 40)


@pytest.mark.parametrize("cycles", [5000, 1_000_000])
def test_pieces_begin_anywhere_in_their_parts(monkeypatch: pytest.MonkeyPatch, cycles: int) -> None:
    """The first at 0 at the earliest, the last such that it ends with the operation."""
    monkeypatch.setattr(sampling, "PIECES", 4)
    part = cycles / 4
    room = part - 384 - WARM_UP
    drawn = [sampling.begins(cycles, seed) for seed in range(300)]
    for number in range(4):
        places = [(begins[number] - number * part) / room for begins in drawn]
        assert -0.01 < min(places) < 0.02
        assert 0.98 < max(places) <= 1
        assert 0.4 < np.mean(places) < 0.6


@pytest.mark.parametrize(("drawn", "first"), [(0.0, 0), (0.5, 7), (1 - 1e-12, 14)])
def test_a_piece_and_its_warm_up_lie_within_its_part(
    monkeypatch: pytest.MonkeyPatch, drawn: float, first: int
) -> None:
    """Parts of 400 cycles, a piece of 384 after 2: there are 14 cycles to spare."""
    monkeypatch.setattr(sampling.random.Random, "random", lambda rng: drawn)
    assert (sampling.PIECES, sampling.PIECE_CYCLES, WARM_UP) == (12, 384, 2)
    begins = sampling.begins(12 * 400, 1)
    assert begins == pytest.approx([400 * i + first for i in range(12)], abs=1)
    assert all(begin + 386 <= 400 * (i + 1) for i, begin in enumerate(begins))


SAIF = ("Top", "clk a[2] -> y", "INV one A=a[0] ZN=n", "AND2 two A1=n A2=a[1] Z=y")


def test_saif_says_how_long_each_net_was_at_1(tmp_path: Path) -> None:
    """Of 100 cycles of 2.5 ns: 250000 ps."""
    netlist = netlist_of(*SAIF)
    toggles, high = np.zeros((2, 2 + len(netlist.names)))
    toggles[netlist.names["n"]], high[netlist.names["n"]] = 12, 0.25
    toggles[netlist.names["a[1]"]], high[netlist.names["a[1]"]] = 7.6, 1.0
    write_saif(tmp_path / "made.saif", netlist, Nets(100, toggles, high), 2.5)
    text = (tmp_path / "made.saif").read_text()
    assert "(DURATION 250000)\n(TIMESCALE 1 ps)\n(INSTANCE Top" in text
    assert "(n (T0 187500) (T1 62500) (TX 0) (TC 12) (IG 0))" in text
    assert r"(a\[1\] (T0 0) (T1 250000) (TX 0) (TC 8) (IG 0))" in text
    assert "(y (T0 250000) (T1 0) (TX 0) (TC 0) (IG 0))" in text


def test_parts_of_a_crosscheck_by_hand(tmp_path: Path) -> None:
    """A gate and an inverter that inputs reach, one of each that only a register does."""
    library = tmp_path / "made.lib"
    library.write_text(made.liberty())
    made.around(library)
    netlist = netlist_of(
        *("Top", "clk a b -> y", "INV in_single A=a ZN=n", "AND2 in_gate A1=n A2=b Z=d"),
        *("DFF held CK=clk D=d Q=q", "INV single A=q ZN=p", "AND2 gate A1=p A2=q Z=r"),
        *("AND2 mixed A1=r A2=n Z=y",),
    )
    parts = Parts(netlist, library, 4.0)
    names = ["in_single", "in_gate", "held", "single", "gate", "mixed"]
    assert parts.names == names
    assert dict(zip(names, parts.fed, strict=True)) == dict.fromkeys(names, False) | dict.fromkeys(
        ("in_single", "in_gate", "mixed"), True
    )
    count = 2 + len(netlist.names)
    nets = Nets(100, np.full(count, 10.0), np.full(count, 0.5))
    again = {name: np.array([1.0, 10.0, 100.0]) * 2**i for i, name in enumerate(names)}
    rows = {name: (ours, theirs) for name, ours, theirs in parts.compared(nets, again)}
    assert {name: theirs for name, (_, theirs) in rows.items()} == {
        "switching, behind registers": 10 * (4 + 8 + 16),
        "switching, behind inputs": 10 * (1 + 2 + 32),
        "internal, inverters and buffers": 1 + 8,
        "internal, other gates": 2 + 16 + 32,
        "internal, registers": 4,
        "leakage": 100 * 63,
        "net of the clock": None,
    }
    found = parts.model.energies(nets)
    scale = 1e-3 / 400
    # The clock's pin and wire, twice a cycle.
    clock = 4.5 * 2 * (0.75 + 2) * 1e-3 / 4
    ours = {name: ours for name, (ours, _) in rows.items()}
    assert ours["net of the clock"] == pytest.approx(clock)
    registers = (found["internal"][2] + found["clock"][2]) * scale
    assert ours["internal, registers"] == pytest.approx(registers - clock)
    assert ours["leakage"] == pytest.approx(found["leakage"].sum() * scale)
    assert ours["switching, behind inputs"] == pytest.approx(
        found["switching"][[0, 1, 5]].sum() * scale
    )
    assert ours["internal, other gates"] == pytest.approx(
        found["internal"][[1, 4, 5]].sum() * scale
    )


GATING = GatedClocks(
    **{"clock_gates": 3, "gated_registers": 40, "registers": 50, "least_registers": 8},
    enable_slack_ns=0.125,
)


def test_what_gates_are_worth_is_told_of_both_runs() -> None:
    assert gating_text(GATING) == (
        "Gated clocks: 3 gates clock 40 of 50 registers, 8 each at least; slack of their enables "
        "0.125 ns"
    )
    plain = FlowRun(Point("mont-ct", 8), ACCELERATOR, 3.0, "power")
    gated = FlowRun(Point("mont-ct", 8), ACCELERATOR, 3.0, "power", gated=True)
    energies = [energy_of(), energy_of()]
    for energy, factor in zip(energies, (1.0, 0.25), strict=True):
        for row in energy["operations"].values():
            row["energy_with_glitches_nj"] = 8.0 * factor
        for window in energy["windows"].values():
            window["power_mw"]["clock"] = window["power_mw"]["total"] * 0.5 * factor
    metrics = (
        {"area_um2": 1000.0, "setup_slack_ns": 0.5},
        {"area_um2": 900.0, "setup_slack_ns": 0.4},
    )
    rows = found_of(
        flow_row(plain, metrics[0], energy=energies[0]),
        flow_row(
            *(gated, metrics[1]),
            energy=energies[1],
            gating=msgspec.to_builtins(GATING),
            clocked={"e": 0.3, "d": 0.4},
        ),
    ).of(FlowRun)
    areas, worth = GATED_AREAS.of(rows), GATED_ENERGIES.of(rows)
    [line] = areas.lines
    assert line.cells == (*("mont-ct-8", "1000", "900", "0.50", "0.40", "0.12", "3", "40", "50"),)
    assert [line.cells[1:8] for line in worth.lines] == [
        ("e", "50", "12", "30", "8.00", "2.00", "0.25"),
        ("d", "50", "12", "40", "8.00", "2.00", "0.25"),
    ]
