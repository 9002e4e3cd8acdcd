"""Gate-level simulation and power on netlists small enough to work out by hand."""

import numpy as np
import pytest

from flow.gates.groups import parse
from flow.gates.logic import Logic
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.gates.power import Nets, PowerModel
from flow.gates.simulate import Mismatch, simulate
from flow.gates.timing import Timing
from flow.recording import RecordedPort, Recording
from tests.flow.netlists import netlist_of

VOLTAGE = 1.1
PERIOD = 3.0
# From the library: capacitance of INV_X1's input, wire of a net with one load, leakage by input.
INV_PIN, WIRE_1, OUTPUT_LOAD = 1.700230, 0.1774 * 1.746, 7.0
INV_LEAKAGE = {0: 10.102224, 1: 18.604146}

CHAIN = (
    *("Chain", "clk a -> y"),
    *("INV_X1 first A=a ZN=n1", "INV_X1 inside.second A=n1 ZN=n2[0]", "INV_X1 third A=n2[0] ZN=y"),
)


def recording(inputs, outputs):
    ports = [RecordedPort(name, False, 1, values) for name, values in inputs.items()]
    ports += [RecordedPort(name, True, 1, values) for name, values in outputs.items()]
    cycles = len(ports[0].values)
    return Recording(tuple(ports), {"all": (0, cycles)})


def run(library, words, load, samples=0):
    given = netlist_of(*words)
    mapped = MappedNetlist(given, library)
    timing = Timing(mapped)
    return given, timing, simulate(timing, load, samples)


def inverted(values):
    return [1 - value for value in values]


def energies(timing, activity):
    nets = Nets(activity.cycles, activity.toggles, activity.high / activity.cycles)
    return PowerModel(timing, PERIOD).energies(nets)


@pytest.mark.quick
def test_liberty_groups_attributes_and_comments():
    text = 'cell ("A") { /* x { */ area : 1.5; pin (Z) { t ("1,2", \
 "3"); } b : "x y"; }'
    group = parse(text)
    assert (group.kind, group.name, group.attributes) == ("cell", "A", {"area": "1.5", "b": "x y"})
    [pin] = group.groups
    assert pin.name == "Z"
    assert pin.values("t") == ["1,2", "3"]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "table"),
    [
        ("!(A | (B & C))", 0b00010101),
        ("A ^ B", 0b01100110),
        ("A * !B + C", 0b11110010),
        ("A' C", 0b01010000),
        ("((A B)+(B C)) !A", 0b01000000),
        ("A & & C", None),
    ],
)
def test_expressions(text, table):
    if table is None:
        with pytest.raises(SyntaxError):
            Logic(text).table(["A", "B", "C"])
    else:
        assert Logic(text).table(["A", "B", "C"]) == table


@pytest.mark.quick
def test_probability_of_an_expression():
    high = {"A": np.array([0.5, 1.0]), "B": np.array([0.25, 0.25])}
    assert Logic("A & !B").probability(high) == pytest.approx([0.375, 0.75])
    assert Logic("A | B").probability(high) == pytest.approx([0.625, 1.0])


@pytest.mark.quick
def test_inverter_chain_by_hand(library):
    cycles = 20
    values = [cycle % 2 for cycle in range(cycles)]
    given, timing, found = run(library, CHAIN, recording({"a": values}, {"y": inverted(values)}))
    [activity] = found.windows["all"]
    toggles = cycles - 1  # in the first cycle a is 0 as before
    nets = {name: given.names[name] for name in ("a", "n1", "n2[0]", "y")}
    assert {name: activity.toggles[net] for name, net in nets.items()} == dict.fromkeys(
        nets, toggles
    )
    assert activity.high[nets["n1"]] == cycles // 2
    inner, last = INV_PIN + WIRE_1, OUTPUT_LOAD + WIRE_1
    assert timing.load[nets["n1"]] == pytest.approx(inner)
    assert timing.load[nets["y"]] == pytest.approx(last)

    power = energies(timing, activity)
    each = [0.5 * load * VOLTAGE**2 * toggles for load in (inner, inner, last)]
    assert [cell.name for cell in given.instances] == ["first", "inside.second", "third"]
    assert power["switching"] == pytest.approx(each)
    assert power["ports"] == pytest.approx(each[0])  # the net of a
    leakage = sum(INV_LEAKAGE.values()) / 2 * cycles * PERIOD * 1e-3
    assert power["leakage"] == pytest.approx([leakage] * 3)
    assert power["clock"] == pytest.approx([0, 0, 0])
    # Slews here are below 0.0172 ns: the table has 1.785 to 1.977 fJ for a rising output at
    # these loads, and next to nothing for a falling one.
    for energy in power["internal"] / toggles:
        assert 1.785 / 2 - 0.001 < energy < 1.977 / 2


@pytest.mark.quick
def test_twice_the_toggles_take_twice_the_switching_power(library):
    def parts(step):
        values = [cycle // step % 2 for cycle in range(1, 33)]
        _, timing, found = run(library, CHAIN, recording({"a": values}, {"y": inverted(values)}))
        return {k: np.sum(v) for k, v in energies(timing, found.windows["all"][0]).items()}

    slow, fast = parts(4), parts(2)
    for name in ("switching", "internal", "ports"):
        assert fast[name] == pytest.approx(2 * slow[name])
    assert fast["leakage"] == pytest.approx(slow["leakage"], rel=0.05)


def pulse_generator(stages):
    """y = a ^ (a through an even number of inverters): always 0, but for glitches."""
    nets = ["a", *(f"n{i + 1}" for i in range(stages))]
    inverters = [f"INV_X1 i{i} A={nets[i]} ZN={nets[i + 1]}" for i in range(stages)]
    return "Delayed", "a -> y", *inverters, f"XOR2_X1 pulse A=a B={nets[-1]} Z=y"


@pytest.mark.quick
@pytest.mark.parametrize(("stages", "glitches"), [(2, 0), (20, 2)])
def test_delays_show_glitches_and_swallow_short_ones(library, stages, glitches):
    values = [cycle % 2 for cycle in range(16)]
    given, timing, found = run(
        library, pulse_generator(stages), recording({"a": values}, {"y": [0] * 16}), samples=16
    )
    [activity] = found.windows["all"]
    assert activity.sampled == 16
    y = given.names["y"]
    assert activity.toggles[y] == activity.sampled_toggles[y] == 0
    assert activity.delayed_toggles[y] == 15 * glitches
    chain = given.names[f"n{stages}"]
    assert activity.delayed_toggles[chain] == activity.sampled_toggles[chain] == 15
    assert 0 < found.latest <= timing.latest + 1e-3


def counter(gate="NOR2_X1"):
    return (
        *("Counter", "clk reset -> q[2]"),
        f"{gate} next0 A1=q[0] A2=reset ZN=d0",
        "XOR2_X1 next1 A=q[0] B=q[1] Z=x",
        "INV_X1 invert A=reset ZN=notreset",
        "AND2_X1 clear A1=x A2=notreset ZN=d1",
        "DFF_X1 held[0]_reg CK=clk D=d0 Q=q[0]",
        "DFF_X1 held[1]_reg CK=clk D=d1 Q=q[1]",
    )


def counting(cycles):
    reset = [1, 1] + [0] * (cycles - 2)
    values = [0, 0] + [i % 4 for i in range(cycles - 2)]
    ports = (RecordedPort("reset", False, 1, reset), RecordedPort("q", True, 2, values))
    return Recording(ports, {"counting": (2, cycles)}, ((0, 1),))


@pytest.mark.quick
def test_registers_count_and_clock_power_does_not_depend_on_the_window(library):
    given, timing, found = run(library, counter(), counting(42), samples=42)
    [[activity]] = found.windows.values()
    low, high = given.ports["q"].nets
    assert (activity.toggles[low], activity.toggles[high]) == (39, 19)
    power = energies(timing, activity)
    clocked = power["clock"] > 0
    assert [cell.name for cell, c in zip(given.instances, clocked, strict=True) if c] == [
        "held[0]_reg",
        "held[1]_reg",
    ]
    # Two edges, half of the clock net: 2 pins and the wire of two loads.
    net = 0.5 * (2 * 0.949653 + 0.1774 * 3.9394) * VOLTAGE**2 * 2 / 2
    per_cycle = power["clock"][clocked] / activity.cycles - net
    # A register that keeps its bit takes 2.4 and 4.5 fJ in the clock's edges, one that changes 0
    # and 7.5: the rest is put down to its output.
    assert per_cycle == pytest.approx([7.5, 7.2], abs=0.5)


@pytest.mark.quick
def test_a_wrong_gate_is_found_with_cycle_port_and_bit(library):
    with pytest.raises(Mismatch, match=r"cycle [12] .*: bit 0 of q .* has 0x0"):
        run(library, counter("NAND2_X1"), counting(42))


def unwritten(gate, pins="A=p B=r Z=y"):
    """Two registers that keep what they start with, and a gate of both."""
    return (
        *("Unwritten", "clk a -> y"),
        "BUF_X1 keep_p A=p Z=next_p",
        "BUF_X1 keep_r A=r Z=next_r",
        "DFF_X1 held[0]_reg CK=clk D=next_p Q=p",
        "DFF_X1 held[1]_reg CK=clk D=next_r Q=r",
        f"{gate} decide {pins}",
    )


def never_written(y, stray=True):
    """What the RTL has for 4 cycles."""
    ports = (
        RecordedPort("a", False, 1, [0] * 4),
        RecordedPort("y", True, 1, [y] * 4, stray=stray),
    )
    return Recording(ports, {"all": (0, 4)})


def started(library, words, load, seed):
    return simulate(Timing(MappedNetlist(netlist_of(*words), library)), load, 0, seed)


@pytest.mark.quick
@pytest.mark.parametrize("y", [0, 1])
def test_what_two_registers_decide_that_were_never_written_is_a_stray(library, y):
    """The opposite start gives the same bit."""
    words = unwritten("XOR2_X1")
    strays = {started(library, words, never_written(y), seed).strays for seed in range(1, 9)}
    assert strays == {0, 4}


@pytest.mark.quick
def test_a_stray_is_no_excuse(library):
    """Neither for a bit that no start changes, nor where a port may have none."""
    same = unwritten("XOR2_X1", "A=p B=p Z=y")
    for seed in range(1, 5):
        assert started(library, same, never_written(0), seed).strays == 0
        with pytest.raises(Mismatch, match="bit 0 of y"):
            started(library, same, never_written(1), seed)
    differs = [
        started(library, unwritten("XOR2_X1"), never_written(0), seed).strays > 0
        for seed in range(1, 9)
    ]
    seed = 1 + differs.index(True)
    with pytest.raises(Mismatch, match="bit 0 of y"):
        started(library, unwritten("XOR2_X1"), never_written(0, stray=False), seed)


@pytest.mark.quick
def test_a_stray_of_one_port_is_no_excuse_for_another(library):
    """Which is wrong in the same cycles, or in another one."""
    words = ("Both", "clk a -> y z", *unwritten("XOR2_X1")[2:], "INV_X1 other A=a ZN=z")
    for z in ([0] * 4, [1, 1, 1, 0]):
        for seed in range(1, 5):
            ports = (*never_written(0).ports, RecordedPort("z", True, 1, z))
            with pytest.raises(Mismatch, match="bit 0 of z"):
                started(library, words, Recording(ports, {"all": (0, 4)}), seed)
    right = (*never_written(0).ports, RecordedPort("z", True, 1, [1] * 4))
    found = [
        started(library, words, Recording(right, {"all": (0, 4)}), seed).strays
        for seed in range(1, 5)
    ]
    assert set(found) == {0, 4}


@pytest.mark.quick
def test_a_missing_port_is_found(library):
    with pytest.raises(Mismatch, match="port a"):
        run(library, CHAIN, recording({"b": [0, 1]}, {"y": [1, 0]}))


@pytest.mark.quick
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"INV_X1 first": "INV_X99 first"}, "INV_X99 is not in the library"),
        ({"first A=a": "first A=y"}, "combinational loop"),
        ({"first A=a": "first"}, "has nothing at pin A"),
    ],
)
def test_netlists_that_are_refused(library, change, message):
    [(old, new)] = change.items()
    words = [word.replace(old, new) for word in CHAIN]
    with pytest.raises(NetlistError, match=message):
        run(library, words, recording({"a": [0, 1]}, {"y": [1, 0]}))
