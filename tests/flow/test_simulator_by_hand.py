"""The gate-level simulator on netlists of made-up delays: what it counts, cycle by cycle."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from flow.gates import simulator
from flow.gates.levels import read_gates
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.gates.simulate import Mismatch, simulate
from flow.gates.simulator import TICKS, Activity, Prepared
from flow.gates.timing import Timing
from flow.recording import Piece, RecordedPort, Recording, Sampled
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick


def port(name: str, values: list[int], output: bool = False) -> RecordedPort:
    return RecordedPort(name, output, 1, values)


class Played:
    """A netlist that was simulated, with its counts by the names of nets."""

    def __init__(self, library, words, ports, windows, samples=0, unchecked=()) -> None:
        self.given = netlist_of(*words)
        self.timing = Timing(MappedNetlist(self.given, library))
        recording = Recording(tuple(ports), windows, unchecked)
        self.found = simulate(self.timing, recording, samples)

    def counts(self, what: str, *nets: str) -> list[list[int]]:
        """The counts of each net, window by window."""
        return [
            [int(getattr(window, what)[self.given.names[net]]) for net in nets]
            for [window] in self.found.windows.values()
        ]


INVERTED = ("Inverted", "a -> y", "INV one A=a ZN=y")


def test_toggles_and_time_at_1_are_those_of_the_window(made_up: Library) -> None:
    """Windows [0, 3), [3, 4) and [6, 9) of what begins with a at 0."""
    a = [1, 1, 0, 1, 0, 0, 1, 0, 1, 1]
    ports = port("a", a), port("y", [1 - value for value in a], True)
    windows = {"one": (0, 3), "two": (3, 4), "three": (6, 9)}
    found = Played(made_up, INVERTED, ports, windows)
    assert found.counts("toggles", "a", "y") == [[2, 2], [1, 1], [3, 3]]
    assert found.counts("high", "a", "y") == [[2, 1], [1, 0], [2, 1]]
    assert [window.sampled for [window] in found.found.windows.values()] == [0, 0, 0]


def test_the_last_net_settles_when_its_path_says(made_up: Library) -> None:
    """The delays are those of the edges that occur: here y rises after a falls alone."""
    a = [1, 1, 0, 0]
    ports = port("a", a), port("y", [1 - value for value in a], True)
    found = Played(made_up, INVERTED, ports, {"rise": (2, 3)}, 9)
    # As in the timing by hand: 0.035 ns until a has fallen, and a rise at its slew into 9 fF.
    rise = 0.035 + 0.1 + 0.5 * 0.0305 + 0.02 * 9
    assert found.found.latest == pytest.approx(rise, abs=1 / TICKS)
    falls = Played(made_up, INVERTED, ports, {"fall": (0, 1)}, 9)
    assert falls.found.latest == pytest.approx(0.07 + 0.05 + 0.25 * 0.044 + 0.01 * 9, abs=1 / TICKS)
    nothing = Played(made_up, INVERTED, ports, {"still": (1, 2)}, 9)
    assert nothing.found.latest == 0


def test_a_pulse_at_an_input_passes_a_gate_that_is_quick_enough(made_up: Library) -> None:
    """y = a ^ !!!!a, with inverters of some 0.2 ns and a gate of 0.5: two inverters make a pulse
    shorter than that, six a longer one; each costs two toggles, and none without delays."""
    for stages, toggles in ((2, 0), (6, 2)):
        nets = ["a", *(f"n{i}" for i in range(stages))]
        cells = [f"INV i{i} A={nets[i]} ZN={nets[i + 1]}" for i in range(stages)]
        words = ("Pulse", "a -> y", *cells, f"XOR2 last A=a B={nets[-1]} Z=y")
        a = [0, 1, 0, 1]
        found = Played(made_up, words, (port("a", a), port("y", [0] * 4, True)), {"all": (1, 4)}, 9)
        assert found.counts("toggles", "y") == found.counts("sampled_toggles", "y") == [[0]]
        assert found.counts("delayed_toggles", "y", nets[-1]) == [[3 * toggles, 3]]
        assert found.found.latest <= found.timing.latest + 1 / TICKS


REGISTERS = (
    *("Both", "clk d -> q n", "DFF one_reg CK=clk D=d Q=q"),
    "DFF two_reg CK=clk D=d QN=n",
)


def test_registers_take_what_was_there_before_the_edge_and_show_either_state(made_up) -> None:
    d = [1, 0, 0, 1, 1, 0, 1]
    q = [0, *d[:-1]]
    ports = port("d", d), port("q", q, True), port("n", [1 - value for value in q], True)
    found = Played(made_up, REGISTERS, ports, {"all": (2, 7)}, 9, ((0, 1),))
    # q is 0, 0, 1, 1, 0 from cycle 2 on, and was 1 before.
    assert found.counts("toggles", "q", "n") == [[3, 3]]
    assert found.counts("high", "q", "n") == [[2, 3]]
    assert found.counts("delayed_toggles", "q", "n", "clk") == [[3, 3, 0]]
    for name, output in (("q", q), ("n", [1 - value for value in q])):
        wrong = [port("d", d), port("q", q, True), port("n", [1 - v for v in q], True)]
        changed = [*output[:4], 1 - output[4], *output[5:]]
        at = {"q": 1, "n": 2}[name]
        wrong[at] = port(name, changed, True)
        with pytest.raises(Mismatch, match=rf"cycle 4 \(all\): bit 0 of {name} differs"):
            Played(made_up, REGISTERS, wrong, {"all": (2, 7)}, 0, ((0, 1),))


def test_what_registers_end_with_is_told(made_up: Library) -> None:
    timing = Timing(MappedNetlist(netlist_of(*REGISTERS), made_up))
    names = timing.netlist.ports
    outputs = [names[name].nets[0] for name in "qn"]
    design = Prepared(timing, [names["d"].nets[0]], outputs)
    assert design.registers == ["one_reg", "two_reg"]
    for start in ([0, 0], [1, 0], [0, 1], [1, 1]):
        for last in (0, 1):
            stimulus = np.array([[1], [0], [last]], np.uint8)
            found = design.run(stimulus, np.array(start, np.uint8), [])
            assert found.last.tolist() == [last, last]
            assert found.seen.tolist() == [[start[0], 1 - start[1]], [1, 0], [0, 1]]


def test_windows_may_lie_side_by_side(made_up: Library) -> None:
    timing = Timing(MappedNetlist(netlist_of(*INVERTED), made_up))
    a, y = (timing.netlist.ports[name].nets[0] for name in "ay")
    design = Prepared(timing, [a], [y])
    windows = [Activity("", cycle, cycle + 1, 0, timing.netlist.nets) for cycle in range(4)]
    design.run(np.array([[1], [1], [0], [1]], np.uint8), np.zeros(0, np.uint8), windows)
    assert [int(window.toggles[y]) for window in windows] == [1, 0, 1, 1]
    assert [int(window.high[a]) for window in windows] == [1, 1, 0, 1]


def test_gates_come_after_those_that_they_depend_on(made_up: Library) -> None:
    """Given in the wrong order; each level is one more than the deepest input's."""
    words = ("Deep", "a b -> y", "AND2 last A1=p A2=q Z=y", "INV two A=o ZN=p", "INV one A=a ZN=o")
    gates = read_gates(MappedNetlist(netlist_of(*words, "AND2 side A1=o A2=b Z=q"), made_up))
    # By kind: AND2 last and side, INV two and one.
    assert gates.levels.tolist() == [2, 1, 1, 0]
    assert gates.depth == 3
    assert read_gates(MappedNetlist(netlist_of("No", "a -> y"), made_up)).depth == 0
    with pytest.raises(NetlistError, match="combinational loop"):
        read_gates(MappedNetlist(netlist_of("Loop", "-> y", "INV one A=y ZN=y"), made_up))


def in_pieces(library: Library, a: list[int], begins: tuple[int, ...], samples: int, length: int):
    """Simulate pieces of so many cycles of an inverter, which are all that was recorded."""
    ports = port("a", a), port("y", [1 - value for value in a], True)
    pieces = tuple(Piece(begin, begin + length, [], [], []) for begin in begins)
    recording = Recording(ports, {}, sampled={"long": Sampled(999, pieces)})
    timing = Timing(MappedNetlist(netlist_of(*INVERTED), library))
    return timing.netlist.ports["a"].nets[0], simulate(timing, recording, samples)


@pytest.mark.parametrize(
    ("samples", "each"), [(0, 0), (1, 1), (3, 1), (4, 2), (5, 2), (9, 3), (99, 4)]
)
def test_samples_are_shared_by_pieces(made_up: Library, samples: int, each: int) -> None:
    """By three of six cycles, of which two are its warm-up: at least as many as are asked for, if
    there are so many."""
    a = [0, 1, 0, 1, 1, 0] * 3
    net, found = in_pieces(made_up, a, (0, 6, 12), samples, 6)
    pieces = found.windows["long"]
    assert [(piece.cycles, piece.sampled) for piece in pieces] == [(4, each)] * 3
    # From its third cycle on: 1 to 0, 0 to 1, 1 to 1 and 1 to 0.
    assert [int(piece.toggles[net]) for piece in pieces] == [3, 3, 3]


def test_the_last_net_of_all_pieces_is_told(made_up: Library) -> None:
    """y rises later than it falls; neither changes in the last piece."""
    still, rises, falls = [1] * 4, [1, 1, 1, 0], [0, 0, 0, 1]
    rise, fall = 0.035 + 0.1 + 0.5 * 0.0305 + 0.02 * 9, 0.07 + 0.05 + 0.25 * 0.044 + 0.01 * 9
    for a, settled in (
        ([*rises, *falls, *still], rise),
        ([*falls, *rises, *still], rise),
        ([*still, *falls, *still], fall),
        (still * 3, 0.0),
    ):
        _, found = in_pieces(made_up, a, (0, 4, 8), 99, 4)
        assert found.latest == pytest.approx(settled, abs=1 / TICKS)


def test_the_simulator_is_compiled_anew_for_what_decides_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its source, the compiler and its flags: a library that was compiled for another processor
    stops the program."""
    names = []
    source = tmp_path / "source.cpp"
    source.write_text("one")
    tool = SimpleNamespace(version="12", path="g++")
    monkeypatch.setattr(simulator, "SOURCE", source)
    monkeypatch.setattr(simulator, "compiler", lambda: tool)
    monkeypatch.setattr(simulator, "kept", lambda target, build: names.append(target.name))
    monkeypatch.setattr(simulator.ctypes, "CDLL", lambda path: None)
    make = simulator._library.__wrapped__
    make()
    make()
    assert names[0] == names[1]
    source.write_text("two")
    make()
    tool.version = "13"
    make()
    monkeypatch.setattr(simulator, "FLAGS", ("-O3",))
    make()
    assert len({*names}) == 4


def test_delays_are_rounded_to_the_nearest_tick() -> None:
    """A ten-thousandth of a ns; none takes no time."""
    delays = np.array([[0.0, 0.00004, 0.00014], [0.00016, 0.12344, 0.12346]])
    assert simulator._ticks(delays).tolist() == [[1, 1, 1], [2, 1234, 1235]]
