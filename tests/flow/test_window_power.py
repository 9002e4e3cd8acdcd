"""Steps simulation and power on a window's counts, by hand: power, energy, error, operations."""

from statistics import stdev

import msgspec
import numpy as np
import pytest
from msgspec.structs import asdict

from flow.gates import window_power as power
from flow.gates import window_toggles as simulation
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import PowerModel
from flow.gates.simulate import simulate
from flow.gates.timing import Timing
from flow.recording import RecordedPort, Recording, Sampled
from flow.results.energy import Pieces, Power, SimulatedPiece, Window
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
PERIOD = 4.0
TWO = ("Two", "a b -> y z", "INV u.one A=a ZN=y", "XOR2 two A=a B=b Z=z")
Y_FJ = 4.5 * 9  # of a toggle of y or z: 7 fF and a wire of 2


@pytest.fixture(scope="module")
def two(made_up: Library):
    """A model of two cells, and their modules: the first in a `Part`, the second the top's own."""
    given = netlist_of(*TWO)
    model = PowerModel(Timing(MappedNetlist(given, made_up)), PERIOD)
    return given, model, power.Modules(given, {"u.one": ("u", "Part")})


def piece(given, cycles: int, sampled: int, z: int, before: int = 0, after: int = 0) -> power.Piece:
    """Counts of a piece in which z alone toggles: in all, and in sampled cycles, without and with
    delays. Nothing is ever at 1, so that the inverter leaks 10 nW, the other gate 12."""
    counts = {name: np.zeros(2 + len(given.names)) for name in power.ARRAYS}
    places = ("toggles", z), ("sampled_toggles", before), ("delayed_toggles", after)
    for name, value in places:
        counts[name][given.names["z"]] = value
    return power.Piece(cycles, sampled, **counts)


def test_power_of_a_window(two) -> None:
    given, model, modules = two
    found = power.window(model, modules, [piece(given, 100, 0, 60)], 100, PERIOD)
    leakage = 22e-6  # mW
    switching = 60 * Y_FJ / (100 * 4.0) * 1e-3
    assert asdict(found.power_mw) == pytest.approx(
        {"internal": 0, "switching": switching, "clock": 0, "leakage": leakage}
        | {"total": switching + leakage}
    )
    # 400 ns: a mW for so long is 0.4 nJ.
    assert found.energy_nj == pytest.approx(0.4 * (switching + leakage))
    assert found.energy_with_glitches_nj == found.energy_nj
    assert found.sampled is found.pieces is None
    assert [row.module for row in found.modules] == ["Two", "Part"]
    top, part = found.modules
    assert (top.switching, part.switching) == (pytest.approx(switching), 0)
    assert (top.leakage, part.leakage) == (pytest.approx(12e-6), pytest.approx(10e-6))
    assert top.total == pytest.approx(switching + 12e-6)


def test_what_inputs_take_is_a_row_and_in_the_whole(two) -> None:
    given, model, modules = two
    counts = piece(given, 100, 0, 0)
    counts.toggles[given.names["b"]] = 50
    found = power.window(model, modules, [counts], 100, PERIOD)
    expected = 50 * 4.5 * (1.0 + 2) / 400 * 1e-3
    assert found.power_mw.switching == pytest.approx(expected)
    first, *_ = found.modules
    assert asdict(first) == {
        "module": "(inputs of the design)",
        **{"internal": 0, "clock": 0, "leakage": 0},
        **{"switching": pytest.approx(expected), "total": pytest.approx(expected)},
    }


def test_glitches_add_what_delays_add_in_the_sampled_cycles(two) -> None:
    """In 20 of 100 cycles z toggles 15 times without delays, 25 times with."""
    given, model, modules = two
    found = power.window(model, modules, [piece(given, 100, 20, 60, 15, 25)], 100, PERIOD, 1.5)
    before, after = (22e-6 + count * Y_FJ / (20 * 4.0) * 1e-3 for count in (15, 25))
    assert asdict(found.sampled) == {
        **{"cycles": 20, "toggle_factor": 1.5},
        "power_mw": pytest.approx(before),
        "power_with_glitches_mw": pytest.approx(after),
    }
    glitches = 10 * Y_FJ * (100 / 20) * 1e-6
    assert found.energy_with_glitches_nj == pytest.approx(found.energy_nj + glitches)


def test_pieces_stand_for_a_window_with_the_error_of_their_mean(two) -> None:
    given, model, modules = two
    counts = [(30, 10, 3, 5), (42, 10, 4, 12), (36, 10, 5, 6)]
    pieces = [piece(given, 50, *count[1:2], count[0], *count[2:]) for count in counts]
    found = power.window(model, modules, pieces, 9000, PERIOD)
    toggles = Y_FJ * 1e-6  # nJ each
    leakage = 22e-6 * 9000 * PERIOD * 1e-3
    energy = 108 / 150 * 9000 * toggles + leakage
    assert found.energy_nj == pytest.approx(energy)
    assert found.energy_with_glitches_nj == pytest.approx(energy + 11 / 30 * 9000 * toggles)
    plain = [z / 50 for z, *_ in counts]
    whole = [z / 50 + (after - before) / 10 for z, _, before, after in counts]
    # Twice the standard error of a mean of three.
    errors = [2 * stdev(each) / 3**0.5 * 9000 * toggles for each in (plain, whole)]
    assert asdict(found.pieces) == {
        "count": 3,
        "cycles": 150,
        "energy_error_nj": pytest.approx(errors[0]),
        "energy_with_glitches_error_nj": pytest.approx(errors[1]),
    }
    assert stdev(plain) == pytest.approx(0.12)
    assert found.sampled.cycles == 30


def test_pieces_without_sampled_cycles_are_refused(two) -> None:
    given, model, modules = two
    pieces = [piece(given, 50, 10, 30, 3, 5), piece(given, 50, 0, 42, 0, 0)]
    with pytest.raises(AssertionError, match="pieces without sampled cycles have no error"):
        power.window(model, modules, pieces, 9000, PERIOD)


def test_an_operation_is_what_it_takes_beyond_the_dummy() -> None:
    def window(cycles: int, mw: float, nj: float, glitches: float, pieces=None) -> Window:
        return Window(cycles, Power(0, 0, 0, 0, mw), nj, glitches, [], None, pieces)

    windows = {
        "idle": window(30, 1.5, 2.0, 3.0),
        "e": window(100, 2.5, 12.0, 20.0),
        "d": window(900, 3.5, 90.0, 150.0, Pieces(3, 90, 4.0, 7.0)),
    }
    found = power.operations({"e": "idle", "d": "idle"}, windows)
    assert msgspec.to_builtins(found) == {
        "e": {
            **{"cycles": 70, "power_mw": 2.5, "energy_nj": 10.0, "dummy_energy_nj": 2.0},
            **{"energy_with_glitches_nj": 17.0, "dummy_energy_with_glitches_nj": 3.0},
        },
        "d": {
            **{"cycles": 870, "power_mw": 3.5, "energy_nj": 88.0, "dummy_energy_nj": 2.0},
            **{"energy_with_glitches_nj": 147.0, "dummy_energy_with_glitches_nj": 3.0},
            "energy_error_nj": 7.0,
        },
    }


GATED = (
    *("Gated", "clk e d -> q p r", "GATE gate CK=clk E=e GCK=g", "DFF q_reg CK=g D=d Q=q"),
    *("DFF r_reg CK=g D=p Q=r", "DFF p_reg CK=clk D=d Q=p"),
)
ENABLES, DATA = [1, 1, 0, 0, 1, 0, 1, 1, 0, 0], [0, 0, 1, 0, 1, 1, 0, 1, 0, 1]


def played(made_up: Library, samples: int):
    """Two registers behind a gate and one that is not, in cycles 2 to 9."""
    columns, held = {"q": [], "p": [], "r": []}, {"q": 0, "p": 0, "r": 0}
    for enable, data in zip(ENABLES, DATA, strict=True):
        for name, values in columns.items():
            values.append(held[name])
        held = {
            "q": data if enable else held["q"],
            "p": data,
            "r": held["p"] if enable else held["r"],
        }
    ports = [RecordedPort("e", False, 1, ENABLES), RecordedPort("d", False, 1, DATA)]
    ports += [RecordedPort(name, True, 1, values) for name, values in columns.items()]
    recording = Recording(tuple(ports), {"all": (2, 10)}, ((0, 2),))
    timing = Timing(MappedNetlist(netlist_of(*GATED), made_up))
    return columns, timing, simulate(timing, recording, samples)


def test_a_windows_row_counts_data_and_how_often_registers_are_clocked(made_up: Library) -> None:
    columns, timing, found = played(made_up, 8)
    row = simulation.window_row(8, found.windows["all"], timing.netlist, timing.clocks)
    nets = [ENABLES, DATA, *columns.values()]
    toggles = sum(values[cycle] != values[cycle - 1] for values in nets for cycle in range(2, 10))
    # The cycles 2 to 9 begin with the enables of 1 to 8: four pulses, for two of three registers.
    assert asdict(row) == {
        "cycles": 8,
        "pieces": [SimulatedPiece(cycles=8, sampled=8)],
        **{"toggles": toggles, "sampled_toggles": toggles, "delayed_toggles": toggles},
        **{"sampled_cycles": 8, "toggle_factor": 1.0},
        "clocked": round((1 + 2 * 4 / 8) / 3, 4),
    }


def test_a_factor_is_that_of_the_sampled_cycles(made_up: Library) -> None:
    _, timing, found = played(made_up, 8)
    [activity] = found.windows["all"]
    activity.delayed_toggles[timing.netlist.ports["d"].nets[0]] += 7
    row = simulation.window_row(8, [activity, activity], timing.netlist, timing.clocks)
    before = row.sampled_toggles
    assert row.delayed_toggles == before + 14
    assert row.toggle_factor == round((before + 14) / before, 3)
    assert row.sampled_cycles == 16
    assert row.clocked == round((1 + 2 * 4 / 8) / 3, 4)


def test_a_window_is_as_long_as_recorded_or_said() -> None:
    ports = (RecordedPort("a", False, 1, [0] * 9),)
    recording = Recording(ports, {"e": (2, 7)}, sampled={"d": Sampled(1234, ())})
    assert simulation.cycles_of(recording, "e") == 5
    assert simulation.cycles_of(recording, "d") == 1234


def test_a_window_without_gates_says_nothing_of_clocks(made_up: Library) -> None:
    timing = Timing(MappedNetlist(netlist_of(*TWO), made_up))
    columns = {"a": [0, 1, 0, 1], "b": [0] * 4, "y": [1, 0, 1, 0], "z": [0, 1, 0, 1]}
    ports = tuple(RecordedPort(n, n in "yz", 1, values) for n, values in columns.items())
    found = simulate(timing, Recording(ports, {"all": (1, 4)}), 3)
    row = simulation.window_row(3, found.windows["all"], timing.netlist, timing.clocks)
    assert "clocked" not in msgspec.to_builtins(row)
    assert row.clocked == 1.0
