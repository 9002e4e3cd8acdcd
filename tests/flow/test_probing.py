"""What probes on wires of small netlists see: glitches, controls, registers that pass labels."""

import re

import pytest

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.probing import MOST_BITS, Probed, Probing, _open_pins
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick

NONE = re.compile("$^")
SHARES = {"zero": 0b01, "one": 0b10}
# Two registers that hold the shares of a bit, and one that takes one of them, as `choose` says.
CELLS = (
    "DFF_X1 zero CK=clk D=a Q=share_0",
    "DFF_X1 one CK=clk D=b Q=share_1",
    "DFF_X1 kept CK=clk D=both Q=q",
)
OF_ONE = "MUX2_X1 mux A=share_0 B=share_1 S=choose Z=both"


class Seen:
    """A netlist whose registers hold shares, after so many cycles with these inputs."""

    def __init__(self, library: Library, *gates: str, cycles: int = 1, values=NONE, **inputs: int):
        self.given = netlist_of("Small", "clk a b choose -> q", *CELLS, *gates)
        self.probing = Probing(MappedNetlist(self.given, library), 1, values)
        self.probed = Probed()
        self.probing.label(SHARES)
        given = {"clk": 0, "a": 0, "b": 0, "choose": 0} | inputs
        for cycle in range(cycles):
            self.probing.settle({self.given.names[name]: bit for name, bit in given.items()})
            self.probing.look(self.probed, cycle)
            self.probing.clock()

    def label(self, net: str) -> int:
        """The label that a net of a register has now."""
        return int(self.probing.labels[self.given.names[net]])

    def met(self) -> dict[str, tuple[int, int]]:
        """Where both shares met first."""
        return {self.given.name_of[net]: where for net, where in self.probed.met.items()}


def test_a_gate_of_both_shares_is_seen_whatever_holds_one_off(library: Library) -> None:
    for choose in (0, 1):
        seen = Seen(library, OF_ONE, choose=choose)
        assert seen.met() == {"both": (0, 0)}
        assert seen.label("q") == (0b01, 0b10)[choose]


def test_a_gate_of_one_share_is_none(library: Library) -> None:
    seen = Seen(library, "INV_X1 inv A=share_0 ZN=both")
    assert seen.met() == {}
    assert seen.label("q") == 0b01
    names = [{seen.given.name_of[net] for net in wires} for wires in seen.probed.saw]
    assert names == [{"share_0", "both"}, {"share_1"}]


def test_a_register_has_the_labels_of_what_it_depends_on(library: Library) -> None:
    assert Seen(library, "XOR2_X1 sum A=share_0 B=share_1 Z=both").label("q") == 0b11
    assert Seen(library, "AND2_X1 held A1=share_0 A2=choose ZN=both").label("q") == 0
    assert Seen(library, "AND2_X1 held A1=share_0 A2=choose ZN=both", choose=1).label("q") == 0b01


def test_a_share_that_stood_a_cycle_earlier_meets_the_other_one_later(library: Library) -> None:
    late = ("BUF_X1 pass A=share_0 Z=both", "AND2_X1 later A1=q A2=one_more ZN=met")
    more = "DFF_X1 more CK=clk D=share_1 Q=one_more"
    assert Seen(library, *late, more, cycles=1).met() == {}
    assert Seen(library, *late, more, cycles=2).met() == {"met": (1, 0)}


def test_what_is_told_apart_keeps_no_label(library: Library) -> None:
    """By any part of its name."""
    gate = "BUF_X1 pass A=share_0 Z=both"
    for name, label in (("^kept$", 0), ("ep", 0), ("^ep", 1)):
        assert Seen(library, gate, values=re.compile(name)).label("q") == label


def test_which_pins_count() -> None:
    both = 0b1000  # of two pins: and
    assert _open_pins(both, 2, 0b00, 0b01) == 0
    assert _open_pins(both, 2, 0b10, 0b01) == 0b01
    assert _open_pins(both, 2, 0b00, 0b11) == 0b11


def test_more_bits_than_there_are_labels(library: Library) -> None:
    netlist = netlist_of("Small", "clk a b choose -> q", *CELLS, OF_ONE)
    with pytest.raises(ValueError, match="at most 32 bits have labels, not 33"):
        Probing(MappedNetlist(netlist, library), MOST_BITS + 1, NONE)
