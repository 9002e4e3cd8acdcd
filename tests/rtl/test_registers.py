"""A Register is what one update_ff block writes; a Wire is written by none, in all hardware."""

import pytest
from pymtl3 import Component, InPort, OutPort, Wire, update, update_ff

from eval.catalog import DESIGNS, find
from eval.catalog.point import Point
from proc.rtl.bus_system import BusSystem
from proc.rtl.system import ProcessorSystem
from rtl.leaf.register import Register
from rtl.port.xcel import NullXcelRTL
from tests.proc.alarm import AlarmRTL

NBITS = 8
PORTS = Point("ssmm-small", 32)
SYSTEMS = {
    "accelerator": lambda: PORTS.component("accelerator"),
    "peripheral": lambda: PORTS.component("peripheral"),
    "processor": lambda: ProcessorSystem("seed", NullXcelRTL),
    "bus": lambda: BusSystem(AlarmRTL, "seed"),
}


def misdeclared(component: Component) -> list[str]:
    """The wires whose declaration says something else than their writers."""
    component.elaborate()
    found = []
    for part in component.get_all_components():
        _, written, _ = part.get_upblk_metadata()
        clocked = part.get_update_ff()
        writers: dict[Wire, set] = {}
        for block, signals in written.items():
            for signal in signals:
                writers.setdefault(signal.get_top_level_signal(), set()).add(block)
        for wire in part.get_wires():
            blocks = writers.get(wire, set())
            sound = len(blocks) == 1 and blocks <= clocked
            if not (sound if isinstance(wire, Register) else clocked.isdisjoint(blocks)):
                found.append(repr(wire))
    return sorted(found)


@pytest.mark.parametrize("name", DESIGNS)
def test_registers_of_designs_are_declared_as_such(name: str) -> None:
    assert not misdeclared(find(name).at(NBITS).rtl())


@pytest.mark.parametrize("system", SYSTEMS)
def test_registers_of_systems_are_declared_as_such(system: str) -> None:
    assert not misdeclared(SYSTEMS[system]())


class Faulty(Component):
    """Has a signal of each kind, declared as what it is, but for those that are named."""

    def construct(s, wrong: str):
        kinds = dict.fromkeys(("clocked", "listed", "computed", "unwritten", "halves"), Register)
        kinds |= dict.fromkeys(("computed", "unwritten", "halves"), Wire)
        kinds |= {name: Wire if kinds[name] is Register else Register for name in wrong.split()}
        s.given = InPort(8)
        s.out = OutPort(8)
        s.clocked = kinds["clocked"](8)
        s.listed = [kinds["listed"](8) for _ in range(2)]
        s.computed = kinds["computed"](8)
        s.unwritten = kinds["unwritten"](8)
        s.halves = kinds["halves"](8)
        s.out //= s.clocked

        @update_ff
        def keep():
            s.clocked <<= s.given
            s.listed[0] <<= s.given
            s.listed[1] <<= s.computed

        @update
        def compute():
            s.computed @= s.given + s.halves
            s.halves[0:4] @= s.given[0:4]

        @update
        def compute_other_half():
            s.halves[4:8] @= s.given[0:4]


@pytest.mark.quick
def test_what_is_declared_as_it_is() -> None:
    assert misdeclared(Faulty("")) == []


@pytest.mark.quick
@pytest.mark.parametrize("name", ["clocked", "computed", "unwritten", "halves"])
def test_a_wrong_declaration_is_told(name: str) -> None:
    assert misdeclared(Faulty(name)) == [f"s.{name}"]


@pytest.mark.quick
def test_wrong_declarations_in_a_list_are_told() -> None:
    assert misdeclared(Faulty("listed")) == ["s.listed[0]", "s.listed[1]"]
