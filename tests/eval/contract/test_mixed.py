"""The contract's cases over pairs of levels: an exponentiator at one, its units at another."""

import re

import pytest

import sim.at_level
import sim.unit_behind_ports
import sim.unit_hardware
from eval.catalog.design import Design
from eval.catalog.mixed import mixed
from eval.contract.exponentiator import (
    check_exponentiator,
    edge_cases,
    fitted,
    random_cases,
    within,
)
from sim.errors import UserError
from sim.stream import STALLS, StreamRunner
from tests.faults import CAUGHT, plant

UNITS = ("fl", "fl:7", "cl", "rtl", "verilog")
LIMIT = 3000  # cycles after which a run hangs
CYCLES = {"cl": 800, "rtl": 300}
# units that refill, those whose time depends on operands, those with a constant of their own
PAIRS = [
    *(
        (name, level, unit)
        for name in ("mont-best", "mul-rem")
        for level, unit in (("cl", "rtl"), ("rtl", "cl"))
    ),
    *(("scaled-low-4", level, unit) for level in CYCLES for unit in UNITS),
]


def check(design: Design, level: str) -> None:
    """The cases through the exponentiator: pow's values, and the formula's cycles."""
    model = design.at(8)
    cases = edge_cases(8) + random_cases(8, 40, seed=11)
    cases = fitted(cases, design.moduli.only(8)) if design.moduli.only else cases
    cases = within(cases, model, CYCLES[level])
    with StreamRunner(model.component(level), level, name=design.name) as runner:
        check_exponentiator(runner, model, cases, max_cycles=LIMIT)
        for stalls in list(STALLS.values())[1:]:
            check_exponentiator(runner, model, cases[:3], stalls, LIMIT)


@pytest.mark.parametrize(("name", "level", "unit"), PAIRS)
def test_pairs_of_levels(name, level, unit):
    mix = mixed(name, 8, (f"unit={unit}",)).entry
    if not unit.startswith("fl"):  # whose time is its own
        for operands in [(7, 200, 251), (255, 3, 129), (0, 0, 1), (9, 77, 250)]:
            assert mix.at(8).latency(*operands) == mixed(name, 8, ()).entry.at(8).latency(*operands)
    check(mix, level)


@pytest.mark.quick
@pytest.mark.parametrize("level", ["cl", "rtl"])
def test_another_designs_unit(level):
    """mont-small has one step per cycle, mont-best eight; R is the same at 8 bits."""
    mix, own = (mixed("mont-best", 8, parts).entry for parts in (("unit=mont-small",), ()))
    assert mix.at(8).latency(7, 255, 251) > own.at(8).latency(7, 255, 251)
    check(mix, level)


@pytest.mark.quick
@pytest.mark.parametrize(
    ("name", "part", "said"),
    [
        ("array-4", "unit=cl", "not put together from parts"),
        ("mont-best", "unit=mul-rem", "R = 2^0 and 0 guard bits"),
        ("mont-best", "unit=scaled-low-4", "a constant or a reduction of its own"),
        ("mont-best", "unit=fl:0", "0 is not from 1"),
        ("mont-best", "unit=nobody", "no design named 'nobody'"),
        ("mont-best", "loop=cl", "is not unit=LEVEL"),
        ("mont-best", "unit", "is not unit=LEVEL"),
    ],
)
def test_what_cannot_be(name, part, said):
    with pytest.raises(UserError, match=re.escape(said)):
        mixed(name, 8, (part,))


FAULTS = {
    "an answer stays": ("self.top.send.rdy @= taken", "self.top.send.rdy @= 0"),
    "requests are lost": ("self.top.recv.val @= operands is not None", "self.top.recv.val @= 0"),
    "another modulus' constant": (
        "constant_of(self.unit, operands[2])",
        "constant_of(self.unit, 255)",
    ),
    "it has room at any time": ("return bool(self.top.recv.rdy)", "return True"),
}


@pytest.mark.quick
@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen(tmp_path, monkeypatch, fault):
    broken = plant(tmp_path, sim.unit_hardware, *FAULTS[fault])
    monkeypatch.setattr(sim.at_level, "UnitHardware", broken.UnitHardware)
    name = "naive(forward=yes)" if "room" in fault else "scaled-low-4"
    with pytest.raises((*CAUGHT, IndexError)):
        check(mixed(name, 8, ("unit=rtl",)).entry, "cl")


@pytest.mark.quick
def test_an_answer_is_for_who_asked(tmp_path, monkeypatch):
    broken = plant(tmp_path, sim.unit_behind_ports, "s.taken = True", "s.taken = False")
    monkeypatch.setattr(sim.at_level, "UnitBehindPorts", broken.UnitBehindPorts)
    with pytest.raises((*CAUGHT, IndexError)):
        check(mixed("scaled-low-4", 8, ("unit=rtl",)).entry, "cl")
