"""What a register's inverse says of labels behind it, and when wires are looked at."""

import re

import numpy as np
import pytest

from flow.gates.liberty import Library
from flow.gates.mapped import MappedNetlist
from flow.gates.probing import Probed, Probing
from flow.netlist import HIGH, LOW
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick
NONE = re.compile("$^")


class Labelled:
    """A share behind a gate that the inverse of a register opens."""

    def __init__(self, library: Library, bits: int = 1) -> None:
        self.given = netlist_of(
            *("Held", "clk a c -> q", "DFF_X1 share CK=clk D=a Q=s"),
            *("DFF_X1 control CK=clk D=c QN=open", "AND2_X1 gate A1=s A2=open ZN=n"),
            "DFF_X1 kept CK=clk D=n Q=q QN=not_q",
        )
        self.probing = Probing(MappedNetlist(self.given, library), bits, NONE)

    def cycle(self, probed: Probed | None = None, number: int = 0, **inputs: int) -> None:
        values = {"clk": 0, "a": 0, "c": 0} | inputs
        self.probing.settle({self.given.names[name]: bit for name, bit in values.items()})
        if probed:
            self.probing.look(probed, number)
        self.probing.clock()

    def now(self, net: str) -> int:
        return int(self.probing.now[self.given.names[net]])

    def label(self, net: str) -> int:
        return int(self.probing.labels[self.given.names[net]])


@pytest.mark.parametrize("control", [0, 1])
def test_an_inverse_opens_a_gate(library: Library, control: int) -> None:
    """Where the control is 0: then the share is kept, with its label, in either state."""
    found = Labelled(library)
    found.cycle(a=1, c=control)
    assert (found.now("s"), found.now("open")) == (1, 1 - control)
    found.probing.label({"share": 1})
    found.cycle()
    assert found.now("q") == 1 - control
    assert found.now("not_q") == control
    assert found.label("q") == found.label("not_q") == 1 - control


def test_cycles_without_labels_are_not_looked_at(library: Library) -> None:
    found, probed = Labelled(library, 2), Probed()
    found.cycle(probed, 0)
    assert (probed.cycles, probed.saw) == (0, (set(), set()))
    found.probing.label({"share": 0b0010, "control": 0b1000})
    found.cycle(probed, 7)
    assert probed.cycles == 1
    names = [{found.given.name_of[net] for net in wires} for wires in probed.saw]
    assert names == [{"s", "n"}, {"open", "n"}]
    assert {found.given.name_of[n]: where for n, where in probed.met.items()} == {"n": (7, 1)}
    # Where they meet again, the first cycle stays.
    found.probing.label({"share": 0b0010, "control": 0b1000})
    found.cycle(probed, 8)
    assert set(probed.met.values()) == {(7, 1)}


def test_different_bits_do_not_meet(library: Library) -> None:
    found, probed = Labelled(library, 2), Probed()
    found.probing.label({"share": 0b0001, "control": 0b1000})
    found.cycle(probed)
    assert probed.met == {}
    assert np.count_nonzero(found.probing.labels) > 0


@pytest.mark.parametrize("opens", [0, 1])
def test_a_gate_may_be_held_by_a_constant(library: Library, opens: int) -> None:
    """A 1 lets the share through, a 0 keeps it off, and its label."""
    given = netlist_of(
        *("Tied", "clk a -> q", "DFF_X1 share CK=clk D=a Q=s", "AND2_X1 gate A1=s A2=a ZN=n"),
        "DFF_X1 kept CK=clk D=n Q=q",
    )
    given.instances[1].pins["A2"] = (LOW, HIGH)[opens]
    probing = Probing(MappedNetlist(given, library), 1, NONE)
    for label in (0, 1):
        probing.label({"share": label})
        probing.settle({given.names["clk"]: 0, given.names["a"]: 1})
        probing.clock()
    q = given.names["q"]
    assert (probing.now[q], probing.labels[q]) == (opens, opens)
