"""What the buffers of a clock tree take: figures of the library's tables by hand, and gates."""

import pytest

from flow.gates.liberty import Library
from flow.layout.clock_tree import MODULE, clock_tree, fj_in, with_tree
from flow.netlist import Instance, Netlist, Port
from flow.results.clock_tree import ClockTree
from flow.results.energy import Power, Sampled, Window
from tests.flow.toys import LIBERTY

pytestmark = pytest.mark.quick

# Of CLKBUF_X3 in stdcells.lib, at LOAD (fF) and both SLEWS (ns): fJ inside for either edge, and the
# slew of the rising one.
FALL, RISE, SLEW = (5.993615, 5.964295), (4.391685, 4.354168), (0.0127706, 0.0127725)
LOAD, SLEWS = 11.3678, (0.00117378, 0.00472397)
# At the second of these slews and the next one; the slews of either edge.
NEXT = 0.0171859
FALL_NEXT, RISE_NEXT = (5.964295, 5.91286), (4.354168, 4.335866)
SLEW_FALL, SLEW_NEXT = (0.0124145, 0.012415), (0.0127725, 0.0128006)
BUFFER_PIN = 1.421162  # fF, of CLKBUF_X3
CLOCK_PIN = 0.949653  # fF, of DFF_X1
LEAKS = (36.521540, 24.594889)  # nW at 0 and 1
CLK, LEAF, OTHER, GATED = 2, 3, 4, 5
NAMES = {"clk": CLK, "leaf": LEAF, "other": OTHER, "gated": GATED}


def netlist(gate: bool) -> Netlist:
    """A buffer of the tree that drives a register; or a gate, and such a buffer behind it."""
    first = "gated" if gate else "clk"
    cells = [
        Instance("clock_buffer_0", "CLKBUF_X3", {"A": NAMES[first], "Z": LEAF}),
        Instance("register", "DFF_X1", {"CK": LEAF, "D": OTHER, "Q": OTHER}),
    ]
    if gate:
        cells.append(Instance("gate", "CLKGATE_X1", {"CK": CLK, "E": OTHER, "GCK": GATED}))
    return Netlist("Small", {"clk": Port(False, (CLK,))}, cells, NAMES)


def at_rest(table: tuple[float, float]) -> float:
    """Go on from two values to a slew of 0."""
    low, high = SLEWS
    return table[0] - low / (high - low) * (table[1] - table[0])


def test_a_buffer_by_hand() -> None:
    library = Library(LIBERTY)
    found = clock_tree(netlist(gate=False), {"leaf": LOAD - CLOCK_PIN}, library, "clk")
    assert found.always_fj == pytest.approx(at_rest(FALL) + at_rest(RISE))
    assert found.gated_fj == {}
    assert found.leakage_nw == pytest.approx(sum(LEAKS) / 2)
    assert found.slew_ns == pytest.approx(at_rest(SLEW))
    assert found.all_fj == found.always_fj


def between(table: tuple[float, float], slew: float) -> float:
    """A value at a slew between the second and the next one."""
    low, high = SLEWS[1], NEXT
    assert low < slew < high
    return table[0] + (slew - low) / (high - low) * (table[1] - table[0])


def test_a_buffer_behind_a_buffer() -> None:
    """Its input rises as the first one's output does, and falls as that does; each edge has its
    own slew."""
    names = {"clk": CLK, "middle": GATED, "leaf": LEAF, "other": OTHER}
    cells = [
        Instance("clock_buffer_0", "CLKBUF_X3", {"A": CLK, "Z": GATED}),
        Instance("clock_buffer_1", "CLKBUF_X3", {"A": GATED, "Z": LEAF}),
        Instance("register", "DFF_X1", {"CK": LEAF, "D": OTHER, "Q": OTHER}),
    ]
    tree = Netlist("Small", {"clk": Port(False, (CLK,))}, cells, names)
    wires = {"middle": LOAD - BUFFER_PIN, "leaf": LOAD - CLOCK_PIN}
    found = clock_tree(tree, wires, Library(LIBERTY), "clk")
    rise, fall = at_rest(SLEW), at_rest(SLEW_FALL)
    second = between(RISE_NEXT, rise) + between(FALL_NEXT, fall)
    assert found.always_fj == pytest.approx(at_rest(FALL) + at_rest(RISE) + second, rel=1e-7)
    assert found.slew_ns == pytest.approx(between(SLEW_NEXT, rise), rel=1e-7)
    assert found.leakage_nw == pytest.approx(sum(LEAKS))


def test_a_buffer_behind_a_gate_takes_its_share() -> None:
    """The gate's output is slower than the clock port: what the buffer takes is near that."""
    found = clock_tree(netlist(gate=True), {"leaf": LOAD - CLOCK_PIN}, Library(LIBERTY), "clk")
    assert found.always_fj == 0
    [(net, fj)] = found.gated_fj.items()
    assert net == "gated"
    assert fj == pytest.approx(10.4, rel=0.03)
    assert fj != pytest.approx(at_rest(FALL) + at_rest(RISE), rel=1e-4)
    # Open in 5 cycles of 40: ten toggles.
    tree = ClockTree(3.0, {"gated": 8.0}, 0.0, 0.0)
    assert fj_in(tree, {"gated": 10.0}, 40) == pytest.approx(3.0 + 1.0)


def test_no_clock_no_tree() -> None:
    found = clock_tree(netlist(gate=False), {}, Library(LIBERTY), "no_clock")
    assert found == ClockTree(0.0, {}, 0.0, 0.0)


def test_a_window_with_its_tree() -> None:
    """12 fJ a cycle of 3 ns are 4 uW; 2000 nW are 2 uW; 100 cycles are 1.8 pJ."""
    power = Power(internal=1.0, switching=1.0, clock=0.5, leakage=0.5, total=3.0)
    sampled = Sampled(10, 1.0, 3.0, 3.5)
    window = with_tree(Window(100, power, 0.9, 1.0, [], sampled), 12.0, 2000.0, 3.0)
    assert window.power_mw.clock == pytest.approx(0.504)
    assert window.power_mw.leakage == pytest.approx(0.502)
    assert window.power_mw.total == pytest.approx(3.006)
    assert window.energy_nj == pytest.approx(0.9 + 1.8e-3)
    assert window.energy_with_glitches_nj == pytest.approx(1.0 + 1.8e-3)
    assert (window.sampled.power_mw, window.sampled.power_with_glitches_mw) == pytest.approx(
        (3.006, 3.506)
    )
    assert [row.module for row in window.modules] == [MODULE]
    assert window.modules[0].total == pytest.approx(0.006)
