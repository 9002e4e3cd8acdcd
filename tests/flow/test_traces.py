"""Sums over traces are those of the simulator of one trace, on netlists of made-up delays."""

from random import Random

import numpy as np
import pytest

from flow.gates import simulator, traces
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.simulator import Activity, Prepared
from flow.gates.timing import Timing
from flow.gates.traces import TooManyToggles, Traces
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
INPUTS, REGISTERS, GATES = 5, 7, 60
LENGTH = 6  # cycles of a trace


def random_timing(library: Library, seed: int) -> Timing:
    """Gates that read inputs, registers and gates before them; some registers behind clock gates,
    whose enables are gates, too."""
    rng = Random(seed)
    inputs = [f"i{number}" for number in range(INPUTS)]
    nets = inputs + [f"q{number}" for number in range(REGISTERS)]
    cells = []
    for number in range(GATES):
        a, b = rng.choices(nets[-12:] if rng.random() < 0.7 else nets, k=2)  # or one at both pins
        cells.append(
            rng.choice(
                [
                    f"INV g{number} A={a} ZN=n{number}",
                    f"AND2 g{number} A1={a} A2={b} Z=n{number}",
                    f"XOR2 g{number} A={a} B={b} Z=n{number}",
                ]
            )
        )
        nets.append(f"n{number}")
    made_nets = nets[INPUTS + REGISTERS :]
    for number in range(2):
        enable = rng.choice(made_nets)
        cells.append(f"GATE gate{number} CK=clk E={enable} GCK=c{number}")
    for number in range(REGISTERS):
        clock = rng.choice(["clk", "c0", "c1"])
        pin = rng.choice(["Q", "QN"])
        cells.append(f"DFF r{number}_reg CK={clock} D={rng.choice(made_nets)} {pin}=q{number}")
    ports = f"clk {' '.join(inputs)} -> {' '.join(made_nets[-3:])}"
    return Timing(MappedNetlist(netlist_of("Some", ports, *cells), library))


def nets_of(timing: Timing) -> tuple[list[int], list[int]]:
    ports = timing.netlist.ports
    inputs = [ports[f"i{number}"].nets[0] for number in range(INPUTS)]
    return inputs, [net for port in ports.values() if port.output for net in port.nets]


def counted(design: Prepared, stimulus: np.ndarray, begins: list[int], delays: bool) -> np.ndarray:
    """Toggles by trace, cycle and net, as the simulator of one trace has them."""
    bits = np.random.default_rng(1).integers(0, 2, len(design.state_nets), np.uint8)
    cycles = [begin + k for begin in begins for k in range(LENGTH)]
    windows = [Activity("", cycle, cycle + 1, int(delays), design.nets) for cycle in cycles]
    design.run(stimulus, bits, windows)
    what = "delayed_toggles" if delays else "toggles"
    rows = [getattr(window, what) for window in windows]
    return np.array(rows).reshape(len(begins), LENGTH, design.nets)


@pytest.mark.parametrize("ticks", [None, simulator.TICKS, 20, 5])
@pytest.mark.parametrize("seed", range(8))
def test_sums_are_those_of_the_simulator_of_one_trace(
    made_up, monkeypatch, seed: int, ticks: int | None
) -> None:
    """Without delays, and with some of so many ticks in a ns: of few, many changes come at once."""
    monkeypatch.setattr(simulator, "TICKS", ticks or simulator.TICKS)
    delays = ticks is not None
    timing, rng = random_timing(made_up, seed), np.random.default_rng(seed)
    inputs, outputs = nets_of(timing)
    count = int(rng.choice([1, 2, 7, 64]))
    apart = rng.integers(LENGTH, LENGTH + 4, count)
    begins = np.cumsum(apart) - apart[0] + int(rng.integers(1, 3))
    stimulus = rng.integers(0, 2, (begins[-1] + LENGTH + 2, INPUTS), np.uint8)
    groups = rng.integers(0, 2, count)
    expected = counted(Prepared(timing, inputs, outputs), stimulus, begins.tolist(), delays)
    weights = rng.random(timing.netlist.nets)
    start = np.random.default_rng(1)
    many = Traces(timing, inputs, outputs, weights, delays, start)
    found = many.sums(stimulus, begins.tolist(), LENGTH, groups.tolist())
    many.close()
    for group in (0, 1):
        own = expected[groups == group].astype(int)
        assert (found.sums[group] == own.sum(axis=0)).all()
        assert (found.squares[group] == (own * own).sum(axis=0)).all()
    assert np.allclose(found.totals, expected @ weights)
    assert expected.max() >= (2 if delays else 1)


def test_a_run_goes_on_where_the_last_one_ended(made_up) -> None:
    """In parts: the sums of a run in one piece."""
    timing, rng = random_timing(made_up, 3), np.random.default_rng(3)
    inputs, outputs = nets_of(timing)
    part, begins = 3 * LENGTH + 1, [1, 1 + LENGTH]
    stimulus = rng.integers(0, 2, (2 * part, INPUTS), np.uint8)
    weights = rng.random(timing.netlist.nets)
    of_all = [at + begin for at in (0, part) for begin in begins]
    expected = counted(Prepared(timing, inputs, outputs), stimulus, of_all, True)
    many = Traces(timing, inputs, outputs, weights, True, np.random.default_rng(1))
    parts = [many.sums(stimulus[at : at + part], begins, LENGTH, [0, 1]) for at in (0, part)]
    many.close()
    for one, own in zip(parts, expected.reshape(2, 2, LENGTH, -1), strict=True):
        assert (one.sums == own).all()
        assert np.allclose(one.totals, own @ weights)


def test_sums_by_net_are_left_out_where_they_are_not_wanted(made_up) -> None:
    timing, rng = random_timing(made_up, 4), np.random.default_rng(4)
    inputs, outputs = nets_of(timing)
    stimulus = rng.integers(0, 2, (3 * LENGTH, INPUTS), np.uint8)
    found = []
    for by_net in (True, False):
        weights = np.ones(timing.netlist.nets)
        many = Traces(timing, inputs, outputs, weights, True, np.random.default_rng(1))
        found.append(many.sums(stimulus, [2, 2 + LENGTH], LENGTH, [0, 1], by_net))
        many.close()
    assert (found[0].totals == found[1].totals).all()
    assert found[0].totals.sum() == found[0].sums.sum() > 0
    assert found[1].sums.size == found[1].squares.size == 0


def test_squares_of_many_toggles_are_whole(made_up) -> None:
    """Each stage is a net and itself some time later, so that it toggles twice as often: 32 times,
    whose square does not fit a byte."""
    cells, last, number = [], "a", 0
    for stage in range(5):
        late = last
        for _ in range(6 << stage):
            cells.append(f"INV i{number} A={late} ZN=n{number}")
            late, number = f"n{number}", number + 1
        cells.append(f"XOR2 x{stage} A={last} B={late} Z=y{stage}")
        last = f"y{stage}"
    timing = Timing(MappedNetlist(netlist_of("Doubled", f"clk a -> {last}", *cells), made_up))
    a, y = (timing.netlist.ports[name].nets[0] for name in ("a", last))
    stimulus = np.array([[0], [1], [0], [1]], np.uint8)
    many = Traces(timing, [a], [y], np.ones(timing.netlist.nets), True, np.random.default_rng(1))
    found = many.sums(stimulus, [1, 2, 3], 1, [0, 0, 1])
    many.close()
    assert found.sums[:, 0, y].tolist() == [64, 32]
    assert found.squares[:, 0, y].tolist() == [2048, 1024]


@pytest.mark.parametrize("cycles", [1, 2, 5, 1000])
def test_calls_of_any_length_give_the_same(made_up, monkeypatch, cycles: int) -> None:
    monkeypatch.setattr(traces, "CYCLES_A_CALL", cycles)
    timing, rng = random_timing(made_up, 6), np.random.default_rng(6)
    inputs, outputs = nets_of(timing)
    stimulus = rng.integers(0, 2, (3 * LENGTH + 1, INPUTS), np.uint8)
    begins = [1, 1 + 2 * LENGTH]
    expected = counted(Prepared(timing, inputs, outputs), stimulus, begins, True)
    weights = rng.random(timing.netlist.nets)
    many = Traces(timing, inputs, outputs, weights, True, np.random.default_rng(1))
    found = many.sums(stimulus, begins, LENGTH, [1, 1])
    many.close()
    assert (found.sums[1] == expected.sum(axis=0)).all()
    assert not found.sums[0].any()
    assert np.allclose(found.totals, expected @ weights)


def test_a_net_that_toggles_too_often_is_told(made_up, monkeypatch) -> None:
    """In a cycle of one trace: counts of different traces are no matter."""
    words = ("Inverted", "clk a -> y", "INV one A=a ZN=y")
    timing = Timing(MappedNetlist(netlist_of(*words), made_up))
    a, y = (timing.netlist.ports[name].nets[0] for name in "ay")
    stimulus = np.array([[0], [1], [0], [1]], np.uint8)
    for most in (1, 0):
        monkeypatch.setattr(traces, "MOST", most)
        nets = timing.netlist.nets
        many = Traces(timing, [a], [y], np.ones(nets), True, np.random.default_rng(1))
        if most:
            assert many.sums(stimulus, [1, 2, 3], 1, [0, 0, 1]).sums[:, 0, y].tolist() == [2, 1]
        else:
            with pytest.raises(TooManyToggles, match="a net toggles more than 0 times in a cycle"):
                many.sums(stimulus, [1], 1, [0])
        many.close()
