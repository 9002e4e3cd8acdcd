"""Loads, slews, arrivals and delays of small netlists, worked out from a library of planes."""

from pathlib import Path

import pytest
from msgspec import json, structs

from flow.gates.fo4 import fo4_ns
from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.timing import Timing
from flow.netlist import HIGH, LOW
from flow.technologies.files import SAYS
from flow.technologies.technology import technology
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
PORT_LOAD = 7.0
RISE, FALL = 0, 1


class Timed:
    """A netlist with its timing by the names of nets."""

    def __init__(self, library: Library, *words: str, wires: dict[str, float] | None = None):
        self.given = netlist_of(*words)
        by_number = {self.given.names[name]: value for name, value in (wires or {}).items()}
        self.timing = Timing(MappedNetlist(self.given, library), wires=by_number)

    def load(self, net: str) -> float:
        return self.timing.load[self.given.names[net]]

    def slew(self, net: str) -> list[float]:
        return self.timing.slew[self.given.names[net]].tolist()

    def arrival(self, net: str) -> list[float]:
        return self.timing.arrival[self.given.names[net]].tolist()


def driven(load: float) -> tuple[list[float], list[float]]:
    """Arrivals and slews of a net that the driving cell drives: its delay without a load is not of
    what it drives."""
    delay, slew = made.INV_DELAY, made.INV_SLEW
    return [plane.load * load for plane in delay], [plane.at(0, load) for plane in slew]


def test_a_net_is_loaded_with_its_pins_its_wire_and_its_ports(made_up: Library) -> None:
    found = Timed(
        made_up,
        *("Loads", "a b -> y", "INV first A=a ZN=n", "AND2 second A1=n A2=b Z=y"),
        *("AND2 third A1=n A2=y Z=o", "INV fourth A=n ZN=p", "INV fifth A=n ZN=q"),
    )
    assert found.load("a") == pytest.approx(1.5 + 2)
    assert found.load("b") == pytest.approx(1.25 + 2)
    assert found.load("n") == pytest.approx(1.0 + 1.0 + 1.5 + 1.5 + (10 + 2) * 0.5)
    assert found.load("y") == pytest.approx(1.25 + PORT_LOAD + 7 * 0.5)
    assert found.load("o") == 0
    assert not found.timing.load[:2].any()


def test_wires_of_a_layout_stand_for_those_of_the_library(made_up: Library) -> None:
    words = ("Loads", "a -> y", "INV first A=a ZN=n", "INV second A=n ZN=y")
    found = Timed(made_up, *words, wires={"n": 0.25, "y": 11.0})
    assert found.load("a") == pytest.approx(1.5 + 2)
    assert found.load("n") == pytest.approx(1.5 + 0.25)
    assert found.load("y") == pytest.approx(PORT_LOAD + 11.0)


def test_an_inverter_behind_the_driving_cell(made_up: Library) -> None:
    found = Timed(made_up, "Inverter", "a -> y", "INV gate A=a ZN=y")
    arrival, slew = driven(3.5)
    assert arrival + slew == pytest.approx([0.07, 0.035, 0.044, 0.0305])
    assert found.arrival("a") == pytest.approx(arrival)
    assert found.slew("a") == pytest.approx(slew)
    # Each edge of the output follows the other one of the input, into 7 fF and a wire of 2.
    rising = 0.1 + 0.5 * 0.0305 + 0.02 * 9
    falling = 0.05 + 0.25 * 0.044 + 0.01 * 9
    assert found.arrival("y") == pytest.approx([0.035 + rising, 0.07 + falling])
    assert found.slew("y") == pytest.approx(
        [0.03 + 0.1 * 0.0305 + 0.004 * 9, 0.02 + 0.2 * 0.044 + 0.003 * 9]
    )
    assert found.timing.gate_delays[0, 0] == pytest.approx([rising, falling])
    assert not found.timing.gate_delays[0, 1:].any()
    assert found.timing.latest == pytest.approx(0.035 + rising)


def test_the_later_input_and_the_slower_slew_count(made_up: Library) -> None:
    """Through the inverter A2 is later; the slews are the slowest of either."""
    found = Timed(
        made_up,
        *("Both", "a b -> y", "INV first A=b ZN=n", "AND2 second A1=a A2=n Z=y"),
    )
    early, late = (found.arrival(net) for net in "an")
    for edge in (RISE, FALL):
        delays = [
            made.AND_DELAY[pin][edge].at(found.slew(net)[edge], 9) for pin, net in made_pins("an")
        ]
        slews = [
            made.AND_SLEW[pin][edge].at(found.slew(net)[edge], 9) for pin, net in made_pins("an")
        ]
        assert found.arrival("y")[edge] == pytest.approx(
            max(early[edge] + delays[0], late[edge] + delays[1])
        )
        assert found.slew("y")[edge] == pytest.approx(max(slews))
        assert found.timing.gate_delays[0, :2, edge] == pytest.approx(delays)  # cells by name
    # The slowest slew is not of the latest input at each edge.
    assert found.slew("y")[FALL] == pytest.approx(
        made.AND_SLEW["A1"].fall.at(found.slew("a")[1], 9)
    )


def made_pins(nets: str) -> list[tuple[str, str]]:
    return list(zip(("A1", "A2"), nets, strict=True))


def test_a_gate_that_is_not_unate_follows_either_edge(made_up: Library) -> None:
    found = Timed(made_up, "Either", "a b -> y", "XOR2 gate A=a B=b Z=y")
    arrival, slew = driven(1.0 + 2)
    same, other = made.XOR_DELAY["positive_unate"], made.XOR_DELAY["negative_unate"]
    expected = [
        max(
            arrival[edge] + same[edge].at(slew[edge], 9),
            arrival[1 - edge] + other[edge].at(slew[1 - edge], 9),
        )
        for edge in (RISE, FALL)
    ]
    assert found.arrival("y") == pytest.approx(expected)


def test_a_register_starts_at_the_clock_edge(made_up: Library) -> None:
    found = Timed(
        made_up,
        *("Held", "clk d -> y z", "DFF held CK=clk D=d Q=q QN=z", "INV gate A=q ZN=y"),
    )
    q, z = 1.5 + 2, PORT_LOAD + 2
    # From the clock's rising edge, without a slew.
    assert found.arrival("q") == pytest.approx([0.40 + 0.03 * q, 0.44 + 0.02 * q])
    assert found.arrival("z") == pytest.approx([0.50 + 0.04 * z, 0.47 + 0.05 * z])
    assert found.slew("z") == pytest.approx([0.01 + 0.002 * z, 0.012 + 0.001 * z])
    rising, falling = found.arrival("q")
    slews = found.slew("q")
    assert found.arrival("y") == pytest.approx(
        [
            falling + made.INV_DELAY.rise.at(slews[1], 9),
            rising + made.INV_DELAY.fall.at(slews[0], 9),
        ]
    )
    assert found.timing.register_delays[0].tolist() == [found.arrival("q"), found.arrival("z")]
    assert found.arrival("clk") == found.slew("clk") == [0, 0]


def test_an_input_of_a_register_comes_as_late_as_its_load_makes_it(made_up: Library) -> None:
    found = Timed(made_up, "Held", "clk d -> q", "DFF held CK=clk D=d Q=q")
    arrival, slew = driven(1.75 + 2)
    assert found.arrival("d") == pytest.approx(arrival)
    assert arrival == pytest.approx([0.075, 0.0375])
    assert found.slew("d") == pytest.approx(slew)


def test_of_several_registers_and_gates_each_has_its_own_delays(made_up: Library) -> None:
    found = Timed(
        made_up,
        *("Several", "clk d -> y z", "DFF one CK=clk D=d Q=m", "DFF two CK=clk D=m QN=n"),
        *("INV three A=m ZN=y", "INV four A=n ZN=o", "INV five A=o ZN=z"),
    )
    delays = found.timing.register_delays
    assert delays[0, 0] == pytest.approx(found.arrival("m"))
    assert delays[1, 1] == pytest.approx(found.arrival("n"))
    assert not delays[0, 1].any()
    assert not delays[1, 0].any()
    gates = found.timing.gate_delays
    for row, (source, target) in enumerate(("my", "no", "oz")):
        slews, load = found.slew(source), found.load(target)
        expected = [
            made.INV_DELAY.rise.at(slews[FALL], load),
            made.INV_DELAY.fall.at(slews[RISE], load),
        ]
        assert gates[row, 0] == pytest.approx(expected)
        late = found.arrival(source)
        assert found.arrival(target) == pytest.approx(
            [late[FALL] + expected[0], late[RISE] + expected[1]]
        )


def test_each_kind_of_register_has_its_own_delays(made_up: Library) -> None:
    found = Timed(
        made_up,
        *("Kinds", "clk d -> m n o", "DFF2 one CK=clk D=d Q=m", "DFF two CK=clk D=m Q=n"),
        *("DFF2 three CK=clk D=n QN=o", "DFF four CK=clk D=o QN=p"),
    )
    rows = {"two": (0, "n"), "four": (1, "p"), "one": (2, "m"), "three": (3, "o")}  # by kind
    for row, net in rows.values():
        column = int(net in "op")
        assert found.timing.register_delays[row, column].tolist() == found.arrival(net), net
        assert not found.timing.register_delays[row, 1 - column].any()


def test_constants_are_driven_by_nobody(made_up: Library) -> None:
    given = netlist_of("Tied", "a b c -> y z", "AND2 one A1=a A2=b Z=y", "AND2 two A1=b A2=c Z=z")
    for instance, net in zip(given.instances, (HIGH, LOW), strict=True):
        instance.pins["A2"] = net
    timing = Timing(MappedNetlist(given, made_up))
    assert timing.load[LOW] == timing.load[HIGH] == 0
    assert not timing.arrival[[LOW, HIGH]].any()
    assert timing.load[given.names["b"]] == pytest.approx(1.0 + 2)


def test_an_inverter_in_a_long_chain_of_its_like(tmp_path: Path) -> None:
    """It drives four, 6 fF, and each edge follows the other one: slews of 0.054 ns and a tenth of
    that of the fall, and of 0.038 ns and a fifth of that of the rise, settle at these."""
    made.library(tmp_path)
    known = technology()
    inverter = structs.replace(known.cells.inverter, cell="INV")
    known = structs.replace(known, cells=structs.replace(known.cells, inverter=inverter))
    (tmp_path / SAYS).write_bytes(json.encode(known))
    rise = (0.054 + 0.1 * 0.038) / (1 - 0.1 * 0.2)
    fall = 0.038 + 0.2 * rise
    assert rise == pytest.approx(0.054 + 0.1 * fall)
    delays = 0.1 + 0.5 * fall + 0.02 * 6, 0.05 + 0.25 * rise + 0.01 * 6
    assert fo4_ns(Library(tmp_path / "made.lib")) == pytest.approx(sum(delays) / 2)
