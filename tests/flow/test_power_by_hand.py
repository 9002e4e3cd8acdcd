"""Energies of single cells, worked out by hand from a library of planes and from what nets did."""

from itertools import product
from pathlib import Path

import numpy as np
import pytest

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.power import Nets, PowerModel
from flow.gates.timing import Timing
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
CYCLES, PERIOD = 100, 4.0
PER_FF = 0.5 * made.VOLTAGE**2  # fJ of a toggle
NW = 1e-3  # fJ in a ns


class Powered:
    """A netlist's energies, of nets that toggled so often and were at 1 for such a share."""

    def __init__(
        self, library: Library, words: tuple[str, ...], did: dict[str, tuple[float, float]],
        period: float = PERIOD,
    ) -> None:  # fmt: skip
        self.given = netlist_of(*words)
        self.timing = Timing(MappedNetlist(self.given, library))
        toggles, high = np.zeros((2, self.timing.netlist.nets))
        for name, (times, share) in did.items():
            toggles[self.given.names[name]], high[self.given.names[name]] = times, share
        nets = Nets(CYCLES, toggles, high)
        found = PowerModel(self.timing, period).energies(nets)
        self.ports = float(found.pop("ports"))
        self.found = {name: values.tolist() for name, values in found.items()}
        self.given_nets = nets

    def slew(self, net: str) -> np.ndarray:
        return self.timing.slew[self.given.names[net]]

    def mean(self, energy: made.Edges, net: str, load: float = 0.0) -> float:
        """What an edge of an output takes, in the mean, at the mean slew of the input."""
        return sum(plane.at(self.slew(net).mean(), load) for plane in energy) / 2

    def hidden(self, energy: made.Edges, net: str) -> float:
        """What an edge of an input takes, in the mean, each at its own slew."""
        return sum(plane.at(slew) for plane, slew in zip(energy, self.slew(net), strict=True)) / 2


def test_an_inverter(made_up: Library) -> None:
    did = {"a": (10, 0.25), "y": (10, 0.75)}
    found = Powered(made_up, ("One", "a -> y", "INV gate A=a ZN=y"), did)
    assert found.found["switching"] == pytest.approx([PER_FF * 9 * 10])
    assert found.ports == pytest.approx(PER_FF * 3.5 * 10)
    # The slews of a are 0.044 and 0.0305 ns.
    assert found.slew("a") == pytest.approx([0.044, 0.0305])
    rise, fall = 3 + 2 * 0.03725 + 0.1 * 9, 1 + 4 * 0.03725 + 0.2 * 9
    assert found.found["internal"] == pytest.approx([10 * (rise + fall) / 2])
    assert found.found["leakage"] == pytest.approx([(0.75 * 10 + 0.25 * 30) * 400 * NW])
    assert found.found["clock"] == [0]


def test_an_edge_of_an_output_is_put_down_to_its_inputs_by_their_toggles(made_up: Library) -> None:
    did = {"a": (30, 0.4), "b": (10, 0.7), "y": (6, 0.2)}
    found = Powered(made_up, ("And", "a b -> y", "AND2 gate A1=a A2=b Z=y"), did)
    each = [found.mean(made.AND_ENERGY[pin], net, 9) for pin, net in (("A1", "a"), ("A2", "b"))]
    own = 6 * (30 * each[0] + 10 * each[1]) / 40
    # An edge of an input takes something if the other is 0.
    own += 30 * (1 - 0.7) * found.hidden(made.AND_HIDDEN["A1"], "a")
    own += 10 * (1 - 0.4) * found.hidden(made.AND_HIDDEN["A2"], "b")
    assert found.found["internal"] == pytest.approx([own])
    shares = {(0, 0): 0.6 * 0.3, (0, 1): 0.6 * 0.7, (1, 0): 0.4 * 0.3, (1, 1): 0.4 * 0.7}
    leakage = sum(shares[state] * made.AND_LEAKAGE[state] for state in shares)
    assert found.found["leakage"] == pytest.approx([leakage * 400 * NW])


def test_an_edge_that_no_input_explains_counts_as_the_mean_of_all(made_up: Library) -> None:
    """As in sampled cycles, in which glitches alone were seen."""
    words = ("And", "a b -> y", "AND2 gate A1=a A2=b Z=y")
    found = Powered(made_up, words, {"y": (4, 0.5)})
    each = [found.mean(made.AND_ENERGY[pin], net, 9) for pin, net in (("A1", "a"), ("A2", "b"))]
    assert found.found["internal"] == pytest.approx([4 * sum(each) / 2])


HALF = ("Half", "a b -> s", "HALF gate A=a B=b S=s")


def test_an_edge_counts_by_how_often_its_condition_holds(made_up: Library) -> None:
    """Means of 3 and 13 fJ by A, as B is 0 or 1; 25 by B. The carry goes nowhere."""
    found = Powered(made_up, HALF, {"a": (30, 0.5), "b": (10, 0.8), "s": (8, 0.5)})
    weights = {3: 30 * 0.2, 13: 30 * 0.8, 25: 10}
    mean = sum(energy * weight for energy, weight in weights.items()) / 40
    assert found.found["internal"] == pytest.approx([8 * mean])


def test_an_edge_of_a_part_of_a_toggle_is_explained_too(made_up: Library) -> None:
    """As in the mean of several windows."""
    found = Powered(made_up, HALF, {"a": (0.5, 0.5), "b": (0, 0.8), "s": (0.5, 0.5)})
    assert found.found["internal"] == pytest.approx([0.5 * (0.2 * 3 + 0.8 * 13)])


def test_both_outputs_take_what_is_theirs(made_up: Library) -> None:
    words = ("Half", "a b -> s c", "HALF gate A=a B=b S=s CO=c")
    found = Powered(made_up, words, {"a": (30, 0.5), "b": (0, 1.0), "s": (8, 0.5), "c": (6, 0.5)})
    assert found.found["internal"] == pytest.approx([8 * 13 + 6 * 120])
    assert found.found["switching"] == pytest.approx([PER_FF * 9 * 14])


def test_a_cell_without_states_leaks_its_mean(made_up: Library) -> None:
    found = Powered(made_up, ("Xor", "a b -> y", "XOR2 gate A=a B=b Z=y"), {"y": (4, 0.5)})
    assert found.found["leakage"] == pytest.approx([12 * 400 * NW])
    assert found.found["internal"] == [0]


HELD = ("Held", "clk d -> q", "DFF held CK=clk D=d Q=q")
D, Q = (40, 0.3), (24, 0.6)
# How probable "!Q & QN" and "Q & !QN" are: one output is the other's inverse.
STATES = ((0, 0.4), (1, 0.6))


def clock_energy(changing: float, high: float, slews: tuple[float, float] = (0, 0)) -> float:
    """What an edge of the clock takes in a register that changes so often and is 1 so often."""
    shares = {(0, 0): (1 - changing) * (1 - high), (1, 1): (1 - changing) * high}
    shares |= {(0, 1): changing / 2, (1, 0): changing / 2}
    energies = made.CLOCK_ENERGY
    assert shares.keys() == energies.keys()
    return sum(
        shares[state] * sum(p.at(slew) for p, slew in zip(edges, slews, strict=True)) / 2
        for state, edges in energies.items()
    )


@pytest.mark.parametrize("pin", ["Q", "QN"])
@pytest.mark.parametrize(("period", "clock"), [(PERIOD, 1), (0.16, 1), (0.14, 0)])
def test_a_register(made_up: Library, pin: str, period: float, clock: int) -> None:
    """One whose state nobody takes has it still: as its inverse says. Its input changes while the
    clock is high, or low where the period is so short: it comes after 0.075 ns."""
    did = {"d": D, "q": Q if pin == "Q" else (Q[0], 1 - Q[1])}
    words = ("Held", "clk d -> q", f"DFF held CK=clk D=d {pin}=q")
    found = Powered(made_up, words, did, period)
    # Slew 0 at the clock; 7 fF and a wire of 2. The other output toggles, too, without a load.
    own = Q[0] * found.mean(made.REGISTER_ENERGY[pin], "clk", 9)
    other = {"Q": "QN", "QN": "Q"}[pin]
    own += Q[0] * found.mean(made.REGISTER_ENERGY[other], "clk", 0)
    for state, share in STATES:
        own += D[0] * share * found.hidden(made.DATA_ENERGY[clock, state], "d")
    assert found.found["internal"] == pytest.approx([own])
    assert found.found["switching"] == pytest.approx([PER_FF * 9 * Q[0]])
    # The clock's net: its pin and a wire of one load.
    clocked = 2 * CYCLES * (clock_energy(Q[0] / CYCLES, 0.6) + PER_FF * (0.75 + 2))
    assert found.found["clock"] == pytest.approx([clocked])
    assert found.found["leakage"] == pytest.approx([50 * CYCLES * period * NW])
    assert found.ports == pytest.approx(PER_FF * (1.75 + 2) * D[0])


@pytest.mark.parametrize("pin", ["Q", "QN"])
def test_what_a_register_leaks_is_by_its_state(tmp_path: Path, pin: str) -> None:
    """The states that are listed have all of the time between them."""
    listed = 'leakage_power () {{ when : "{}"; value : {}; }}'
    states = listed.format("!D & !Q & QN", 10) + listed.format("D & !Q & QN", 20)
    states += listed.format("!D & Q & !QN", 40) + listed.format("D & Q & !QN", 80)
    library = changed(tmp_path, 'ff ("IQ", "IQN")', states + ' ff ("IQ", "IQN")')
    words = ("Held", "clk d -> q", f"DFF held CK=clk D=d {pin}=q")
    found = Powered(library, words, {"d": D, "q": Q if pin == "Q" else (Q[0], 1 - Q[1])})
    mean = 0.4 * (0.7 * 10 + 0.3 * 20) + 0.6 * (0.7 * 40 + 0.3 * 80)
    assert found.found["leakage"] == pytest.approx([mean * 400 * NW])


def test_two_registers_share_the_clocks_net(made_up: Library) -> None:
    words = ("Pair", "clk d -> p q", "DFF one CK=clk D=d Q=p", "DFF two CK=clk D=d Q=q")
    found = Powered(made_up, words, {"d": D, "p": Q, "q": (0, 1.0)})
    each = PER_FF * (2 * 0.75 + 3.5) / 2
    expected = [clock_energy(0.24, 0.6), clock_energy(0, 1.0)]
    assert found.found["clock"] == pytest.approx([200 * (energy + each) for energy in expected])


def test_a_register_cannot_change_more_often_than_it_is_clocked(made_up: Library) -> None:
    found = Powered(made_up, HELD, {"d": D, "q": (300, 0.5)})
    assert found.found["clock"] == pytest.approx([200 * (clock_energy(1, 0.5) + PER_FF * 2.75)])


def changed(folder: Path, old: str, new: str) -> Library:
    """The library, with a condition of its registers changed."""
    text, path = made.liberty(), folder / "changed.lib"
    assert old in text
    path.write_text(text.replace(old, new))
    return made.around(path)


@pytest.mark.parametrize(
    ("new", "often"),
    [
        ("", 1.0),
        ('when : "D & Q & QN";', 0.0),
        ('when : "D & Q";', 0.76 * 0.6),
        ('when : "D & Q | !D & !Q";', 0.76),
    ],
)
def test_conditions_of_a_clocks_energy(tmp_path: Path, new: str, often: float) -> None:
    library = changed(tmp_path, 'when : "D & Q & !QN";', new)
    found = Powered(library, HELD, {"d": D, "q": Q})
    whole = clock_energy(0.24, 0.6) + (often - 0.76 * 0.6) * 5.0 + PER_FF * 2.75
    assert found.found["clock"] == pytest.approx([200 * whole])


@pytest.mark.parametrize("when", ["D & QN", "Q & !QN"])
def test_a_condition_of_something_else_is_refused(tmp_path: Path, when: str) -> None:
    library = changed(tmp_path, 'when : "D & Q & !QN";', f'when : "{when}";')
    with pytest.raises(ValueError, match=f"the condition {when} of a clock pin is not understood"):
        Powered(library, HELD, {"d": D, "q": Q})


def test_a_register_that_was_clocked_once_changed_at_most_once(made_up: Library) -> None:
    did = {"g": (2, 0.0), "q": (1, 0.6)}
    found = Powered(made_up, GATED, did)
    assert found.found["clock"][1] == pytest.approx(2 * (clock_energy(1, 0.6) + PER_FF * 2.75))


GATED = (
    *("Gated", "clk e d -> q", "GATE gate CK=clk E=e GCK=g"),
    "DFF held CK=g D=d Q=q",
)


def gated(made_up: Library, opened: int, enables: int, period: float) -> Powered:
    """A register behind a gate that is open in so many of the cycles."""
    did = {"e": (enables, 0.3), "g": (2 * opened, 0.0), "d": D, "q": (20, 0.6)}
    return Powered(made_up, GATED, did, period)


@pytest.mark.parametrize(("opened", "enables"), [(0, 0), (100, 0), (30, 20), (30, 80)])
def test_a_clock_gate(made_up: Library, opened: int, enables: int) -> None:
    """Its enable changes while the clock is high: the latch follows when that falls."""
    found = gated(made_up, opened, enables, PERIOD)
    shut = 100 - opened
    opening, shutting = min(enables / 2, shut), min(enables / 2, opened)
    # The clock's edges while shut: 1.5 and 2 fJ, or 5 when it falls on an enable of 1.
    own = shut * 1.5 + (shut - opening) * 2 + opening * 5
    # The output's: 7 and 13 fJ, or 11 when it falls on an enable of 0.
    own += opened * 7 + (opened - shutting) * 13 + shutting * 11
    # Enable's, the clock being high, and the output in so many of the cycles.
    up = opened / 100
    own += enables / 2 * ((1 - up) * (0.4 + 0.8) + up * (1.6 + 3.2))
    net = 200 * PER_FF * (1.5 + 2)
    behind = 2 * opened * PER_FF * (0.75 + 2)
    register = 2 * opened * clock_energy(min(20 / max(opened, 1), 1), 0.6)
    assert found.found["clock"] == pytest.approx([own + net, register + behind])
    assert found.found["internal"][0] == found.found["switching"][0] == 0


def test_a_clock_gate_whose_enable_comes_late(made_up: Library) -> None:
    """The clock has fallen: the latch is open, and follows at once."""
    opened, enables = 30, 20
    found = gated(made_up, opened, enables, 0.05)
    own = 70 * (1.5 + 2) + 30 * (7 + 13) + enables / 2 * (0.1 + 0.2)
    assert found.found["clock"][0] == pytest.approx(own + 200 * PER_FF * 3.5)


def test_what_a_clock_gate_leaks(made_up: Library) -> None:
    """Half of the time the clock is low; else the output is high in 30 cycles of 100. Enable is so
    in as many as the nets say."""
    found = gated(made_up, 30, 20, PERIOD)
    low = 0.7 * 1 + 0.3 * 2
    share = {
        (e, o): (0.3 if e else 0.7) * (0.3 if o else 0.7) for e, o in product((0, 1), repeat=2)
    }
    up = sum(share[e, o] * made.GATE_LEAKAGE[1, e, o] for e, o in share)
    assert found.found["leakage"][0] == pytest.approx((low + up) / 2 * 400 * NW)


def test_an_input_behind_a_gate_changes_while_the_clock_is_high_in_open_cycles(
    made_up: Library,
) -> None:
    found = gated(made_up, 30, 20, PERIOD)
    own = 20 * found.mean(made.REGISTER_ENERGY["Q"], "g", 9)
    own += 20 * found.mean(made.REGISTER_ENERGY["QN"], "g", 0)
    for clock, often in ((1, 0.3), (0, 0.7)):
        for state, share in STATES:
            own += D[0] * often * share * found.hidden(made.DATA_ENERGY[clock, state], "d")
    assert found.found["internal"][1] == pytest.approx(own)


def test_the_clocks_net_is_no_ports_energy(made_up: Library) -> None:
    found = gated(made_up, 30, 20, PERIOD)
    assert found.ports == pytest.approx(PER_FF * (20 * (0.5 + 2) + D[0] * (1.75 + 2)))
