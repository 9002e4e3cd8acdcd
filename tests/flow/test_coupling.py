"""Wires side by side: what a SPEF file says of them, and what two changes take, worked out by hand
on gates of made-up delays."""

from pathlib import Path

import numpy as np
import pytest

from flow.gates import simulator
from flow.gates.coupling import Coupled, coupled, read_couplings
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.timing import FALL, RISE, Timing
from flow.gates.traces import Traces
from flow.netlist import HIGH
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick

# Nets a, b and one whose name has signs that SPEF escapes; a node is a net's, a pin, or a port.
SPEF = r"""*SPEF "IEEE 1481-1998"
*C_UNIT 1 FF
*PORTS
a I
y[0] O

*D_NET a 3
*CONN
*P a I
*I gate:A I
*CAP
1 a 1
2 gate:A 0.5
3 a other:Z 0.25
4 gate:A inner\.n\[1\]:3 0.75
5 gate:A other:Z 0.5
6 a gate:A 0.125
*RES
1 a gate:A 7
*END

*D_NET inner\.n\[1\] 1.75
*CONN
*I more:A I
*CAP
1 more:A 1
2 inner\.n\[1\]:3 gate:A 0.75
*RES
1 more:A inner\.n\[1\]:3 7
*END

*D_NET y[0] 0.75
*CONN
*I other:Z O
*CAP
1 other:Z a 0.25
2 other:Z gate:A 0.5
*RES
*END
"""


def test_couplings_of_a_file_are_summed_up_by_nets_once(tmp_path: Path) -> None:
    """Between two nets: what is between two nodes of one is none."""
    (tmp_path / "some.spef").write_text(SPEF)
    found = read_couplings(tmp_path / "some.spef")
    assert found == {("a", "inner.n[1]"): 0.75, ("a", "y[0]"): 0.75}


@pytest.mark.parametrize("slower", "yz")
def test_energy_and_time_are_of_supply_and_slews(made_up, slower: str) -> None:
    """C V^2 in fJ; pairs by their lower net; no clock, and no net that the netlist has not."""
    cells = "INV one A=a ZN=y", "INV two A=b ZN=z", f"INV load A={slower} ZN=n"
    netlist = netlist_of("Two", "clk a b -> y z", *cells)
    timing = Timing(MappedNetlist(netlist, made_up))
    names = netlist.names
    given = {("y", "z"): 2.0, ("b", "a"): 0.5, ("clk", "y"): 9.0, ("tree", "y"): 9.0}
    found = coupled(timing, names, given)
    assert found.pairs.tolist() == [
        sorted((names["a"], names["b"])),
        sorted((names["y"], names["z"])),
    ]
    assert found.energy.tolist() == [0.5 * made.VOLTAGE**2, 2.0 * made.VOLTAGE**2]
    y, z = (timing.slew[names[name]].max() for name in ("y", "z"))
    assert (y > z) == (slower == "y")
    assert abs(y - z) > 1e-3
    assert np.isclose(found.apart[1], (y + z) / 2)


def test_a_gated_clock_is_a_clock(made_up) -> None:
    """It rises and falls in a cycle as the clock does: couplings to it are left out, too."""
    cells = ("GATE gate CK=clk E=en GCK=gck", "DFF held CK=gck D=a Q=y")
    netlist = netlist_of("Gated", "clk en a -> y", *cells)
    names = netlist.names
    given = {("gck", "y"): 9.0, ("en", "gck"): 9.0, ("clk", "gck"): 9.0, ("a", "y"): 2.0}
    found = coupled(Timing(MappedNetlist(netlist, made_up)), names, given)
    assert found.pairs.tolist() == [sorted((names["a"], names["y"]))]


def test_no_couplings_are_no_pairs(made_up) -> None:
    netlist = netlist_of("One", "a -> y", "INV one A=a ZN=y")
    found = coupled(Timing(MappedNetlist(netlist, made_up)), netlist.names, {})
    assert found.pairs.shape == (0, 2)
    assert found.energy.size == found.apart.size == 0


class Pair:
    """Nets that follow inputs a and b through so many inverters each, y and z, side by side."""

    def __init__(self, library: Library, of_a: int, of_b: int, fj: float, apart: float) -> None:
        cells = []
        for name, count in (("a", of_a), ("b", of_b)):
            nets = [name, *(f"{name}{i}" for i in range(1, count + 1))]
            cells += [
                f"INV i{out} A={into} ZN={out}" for into, out in zip(nets, nets[1:], strict=False)
            ]
        y, z = f"a{of_a}", f"b{of_b}"
        netlist = netlist_of("Pair", f"a b -> {y} {z}", *cells)
        timing = Timing(MappedNetlist(netlist, library))
        self.names = netlist.names
        pairs = np.array([sorted((self.names[y], self.names[z]))])
        given = Coupled(pairs, np.array([fj]), np.array([apart]))
        inputs, outputs = ([self.names[name] for name in two] for two in (("a", "b"), (y, z)))
        weights = np.zeros(timing.netlist.nets)
        self.design = Traces(
            timing, inputs, outputs, weights, True, np.random.default_rng(1), given
        )

    def takes(self, *rows: tuple[int, int]) -> list[float]:
        """Fj beside the toggles in each cycle of these inputs, after one of zeros."""
        stimulus = np.array([(0, 0), *rows], np.uint8)
        found = self.design.sums(stimulus, [1], len(rows), [0])
        self.design.close()
        return found.totals[0].tolist()


STAGES, APART = 9, 10.0  # inverters that make a pulse, and ns in which all changes are
ROWS = (1, 1), (0, 0), (1, 0), (0, 1), (0, 1), (1, 1)


@pytest.mark.parametrize(("of_a", "of_b", "sign"), [(1, 1, 1), (2, 2, 1), (1, 2, -1)])
def test_changes_at_once_take_less_or_more(made_up, of_a: int, of_b: int, sign: int) -> None:
    """Alike: nothing of C V^2; to opposite sides: twice; alone: that of the loads. With an inverter
    more on one side, changes are apart by its delay, which is nothing beside the time given."""
    pair = Pair(made_up, of_a, of_b, 8.0, 1e5)
    expected = [-8 * sign, -8 * sign, 0, 8 * sign, 0, 0]
    assert np.allclose(pair.takes(*ROWS), expected, rtol=1e-4)


def test_changes_that_are_apart_take_what_each_does(made_up) -> None:
    pair = Pair(made_up, 1, 3, 8.0, 0.001)
    assert pair.takes(*ROWS) == [0] * len(ROWS)


def test_the_closer_the_more(made_up) -> None:
    """Two inverters apart: the delays of a fall and a rise, as of the chain's last two."""
    apart = 1.5
    netlist = netlist_of(
        "Pair", "a b -> a1 b3", *(f"INV i{y} A={a} ZN={y}" for a, y in (("a", "a1"), ("b", "b1"))),
        "INV ib2 A=b1 ZN=b2", "INV ib3 A=b2 ZN=b3",
    )  # fmt: skip
    timing = Timing(MappedNetlist(netlist, made_up))
    y, z = (timing.arrival[netlist.names[net], 1] for net in ("a1", "b3"))
    assert 0 < z - y < apart
    [found] = Pair(made_up, 1, 3, 8.0, apart).takes((1, 1))
    assert np.isclose(found, -8 * (1 - (z - y) / apart), atol=8 / simulator.TICKS)


@pytest.mark.parametrize("outputs", ["pulse y", "y pulse"])
def test_each_of_several_changes_counts(made_up, outputs: str) -> None:
    """A pulse beside a net that rises: its rise is alike, its fall to the other side. Either may be
    the lower one of the pair."""
    late = [f"INV i{k} A={'a' if k == 1 else f'n{k - 1}'} ZN=n{k}" for k in range(1, STAGES + 1)]
    gates = [f"AND2 g A1=a A2=n{STAGES} Z=pulse", "INV j1 A=b ZN=m1", "INV j2 A=m1 ZN=y"]
    netlist = netlist_of("Pulse", f"a b -> {outputs}", *late, *gates)
    timing = Timing(MappedNetlist(netlist, made_up))
    names = netlist.names
    pairs = np.array([sorted((names["pulse"], names["y"]))])
    given = Coupled(pairs, np.array([8.0]), np.array([APART]))
    ports = ([names[name] for name in two] for two in (("a", "b"), ("pulse", "y")))
    start = np.random.default_rng(1)
    design = Traces(timing, *ports, np.zeros(timing.netlist.nets), True, start, given)
    found = design.sums(np.array([(0, 0), (1, 1), (1, 0), (0, 1)], np.uint8), [1], 3, [0])
    design.close()
    assert found.sums[0, :, names["pulse"]].tolist() == [2, 0, 0]

    def delay(net: str, edge: int, pin: int = 0) -> float:
        [gate] = np.flatnonzero(timing.gates.outputs == names[net])
        return timing.gate_delays[gate, pin, edge]

    begins, other = (timing.arrival[names[port], RISE] for port in ("a", "b"))
    rise = begins + delay("pulse", RISE)
    fall = begins + sum(delay(f"n{k}", FALL if k % 2 else RISE) for k in range(1, STAGES + 1))
    fall += delay("pulse", FALL, pin=1)
    beside = other + delay("m1", FALL) + delay("y", RISE)
    expected = 8 * (abs(rise - beside) - abs(fall - beside)) / APART
    assert np.isclose(found.totals[0, 0], expected, atol=0.01)
    assert abs(expected) > 0.5
    assert found.totals[0, 1:].tolist() == [0, 0]


def test_the_constant_one_is_no_neighbour(made_up) -> None:
    """A net that never changes takes nothing beside."""
    netlist = netlist_of("One", "a -> y", "INV one A=a ZN=y")
    timing = Timing(MappedNetlist(netlist, made_up))
    y = netlist.names["y"]
    given = Coupled(np.array([[HIGH, y]]), np.array([8.0]), np.array([1.0]))
    design = Traces(
        timing,
        [netlist.names["a"]],
        [y],
        np.zeros(timing.netlist.nets),
        True,
        np.random.default_rng(1),
        given,
    )
    found = design.sums(np.array([[0], [1], [0]], np.uint8), [1], 2, [0])
    design.close()
    assert found.totals.tolist() == [[0, 0]]
