"""The contract's cases over pairs of levels: an exponentiator at one, its parts at another."""

import re
from datetime import date
from random import Random

import pytest

import sim.at_level
import sim.part_at_level
import sim.part_behind_ports
import sim.unit_behind_ports
import sim.unit_hardware
from cl.exponentiator import ExponentiatorOfParts
from eval.catalog import DESIGNS, VARIANTS, find
from eval.catalog.design import Design
from eval.catalog.mixed import mixed, with_parts
from eval.contract.exponentiator import (
    check_exponentiator,
    edge_cases,
    fitted,
    random_cases,
    within,
)
from sim.errors import UserError
from sim.part_at_level import BEHIND_PORTS
from sim.paths import ROOT
from sim.stream import STALLS, SimulationTimeout, StreamRunner
from tests.command_line import run, run_json
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


def check(design: Design, level: str, cycles: int = 0) -> None:
    """The cases through the exponentiator: pow's values, and the formula's cycles."""
    model = design.at(8)
    cases = edge_cases(8) + random_cases(8, 40, seed=11)
    cases = fitted(cases, design.moduli.only(8)) if design.moduli.only else cases
    cases = within(cases, model, cycles or CYCLES[level])
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
        (
            "mont-best",
            "one=cl",
            "is not PART=LEVEL; give a part of unit, judge, constant, r-squared",
        ),
        ("mont-best", "unit", "is not PART=LEVEL"),
        ("mont-best", "loop=fl", "'fl' is no level of loop; choose from cl, rtl, verilog"),
        ("array-4", "loop=rtl", "not put together from parts"),
    ],
)
def test_what_cannot_be(name, part, said):
    with pytest.raises(UserError, match=re.escape(said)):
        mixed(name, 8, (part,))


EVERY = ("judge", "constant", "r-squared", "enter", "loop", "leave")


MIXES = [
    *((f"unit={level}", "cl") for level in ("fl", "cl", "rtl", "verilog")),
    *((f"{part}={level}", "cl") for part in EVERY for level in ("rtl", "verilog")),
    *((f"unit={level}", "rtl") for level in ("fl", "cl", "verilog")),
    ("judge=cl", "rtl"),
]
OF_PARTS = [
    name
    for name in (*DESIGNS, *VARIANTS)
    if isinstance(find(name).at(8), ExponentiatorOfParts) and find(name).widths[0] <= 8
]
IN_PYTHON = [mix for mix in MIXES if "verilog" not in mix[0]]
DRAWN = 6  # of these in the default tests, others every day


@pytest.mark.parametrize("name", OF_PARTS)
def test_the_unit_by_itself_in_every_design(name):
    """At cycle level, where other parts of that level ask it."""
    check(mixed(name, 8, ("unit=cl",), "cl").entry, "cl", 200)


@pytest.mark.parametrize("place", range(DRAWN))
def test_a_drawn_part_at_a_drawn_level(place):
    rng = Random(f"mix {date.today().toordinal()} {place}")
    name, (part, level) = rng.choice(OF_PARTS), rng.choice(IN_PYTHON)
    print(f"{name} --part {part} --level {level}")
    check(mixed(name, 8, (part,), level).entry, level, 200)


@pytest.mark.long
@pytest.mark.parametrize(("part", "level"), MIXES)
@pytest.mark.parametrize("name", OF_PARTS)
def test_each_part_of_every_design_at_each_other_level(name, part, level):
    check(mixed(name, 8, (part,), level).entry, level)


@pytest.mark.quick
def test_parts_that_do_not_stand_in_hardware():
    for parts in (("loop=cl",), ("judge=verilog",)):
        with pytest.raises(UserError, match="does not stand in hardware; give --level cl"):
            mixed("mont-best", 8, parts, "rtl")
    with pytest.raises(UserError, match="loop is given twice"):
        mixed("mont-best", 8, ("loop=cl", "loop=rtl"), "cl")


@pytest.mark.parametrize(
    "name",
    [
        *("mont-best", "mont-small", "mul-rem", "scaled-low-4", "systolic-16", "mont-001"),
        *("mont(units=1,loop=windows-3)", "mont(loop=ladder)", "mont(units=1,loop=right-to-left)"),
    ],
)
def test_hardware_of_all_parts_at_cycle_level(name):
    """Each by itself, handing on to the next at the cycle level: in the formula's cycles."""
    check(mixed(name, 8, tuple(f"{part}=rtl" for part in EVERY), "cl").entry, "cl")


@pytest.mark.parametrize(
    ("name", "parts", "level"),
    [
        ("mont-best", ("loop=rtl", "unit=verilog"), "cl"),
        ("mont-best", ("loop=verilog", "leave=verilog"), "cl"),
        ("near-power-4", ("judge=cl", "unit=cl"), "rtl"),
    ],
)
def test_several_parts(name, parts, level):
    check(mixed(name, 8, parts, level).entry, level)


@pytest.mark.parametrize("part", EVERY)
@pytest.mark.parametrize("name", ["mont-best", "mont-001", "scaled-low-4", "mul-rem"])
def test_one_part_by_itself(name, part):
    """In hardware, among parts that are not; also after a reset in any of its first cycles."""
    mix = mixed(name, 8, (f"{part}=rtl",), "cl").entry
    model = mix.at(8)
    cases = within(edge_cases(8) + random_cases(8, 40, seed=11), model, 200)[::9]
    Request, _ = model.messages
    with StreamRunner(model.cl(), "cl", name=mix.name) as runner:
        check_exponentiator(runner, model, cases, max_cycles=LIMIT)
        for cycle in range(1, 30, 3):
            with pytest.raises(SimulationTimeout):
                runner.run([Request(201, 0xB5, 251)], max_cycles=cycle)
            check_exponentiator(runner, model, cases[-1:], max_cycles=LIMIT)


def test_a_core_of_others_is_the_unit(mine):
    core = ROOT / "docs/examples/modmul.v"
    assert run(f"new theirs --verilog {core} --top modmul").exit_code == 0
    asked = "simulate mul-rem --nbits 8 --workload e --part unit=theirs --with theirs/entry.py"
    at_cl, in_hardware = (run_json(f"{asked} --level {level}") for level in ("cl", "rtl"))
    own = run_json("simulate mul-rem --nbits 8 --workload e --level cl")
    assert at_cl["result"] == in_hardware["result"] == own["result"]
    assert at_cl["cycles"] == in_hardware["cycles"] != own["cycles"]


PARTS_FAULTS = {
    "a loop that ends late": (
        "s.is_over = bool(hardware.done)\n        s.clock_edge()",
        "s.clock_edge()\n        s.settle()\n        s.is_over = bool(hardware.done)",
    ),
    "an answer that stays": ("port.resp.val @= 0", "pass"),
    "a request that is not granted": ("req.rdy @= wanted", "req.rdy @= 0"),
    "the squaring first": ("if s.wants(1):", "if s.wants(0) or s.wants(1):"),
    "a modulus that is judged anyway": ("return bool(self.hardware.takes)", "return True"),
}


@pytest.mark.parametrize("fault", PARTS_FAULTS)
def test_a_fault_around_a_part_is_seen(tmp_path, monkeypatch, fault):
    sound, faulty = PARTS_FAULTS[fault]
    broken = plant(tmp_path, sim.part_behind_ports, sound, faulty)
    kinds = {name: getattr(broken, kind.__name__) for name, kind in BEHIND_PORTS.items()}
    monkeypatch.setattr(sim.part_at_level, "BEHIND_PORTS", kinds)
    monkeypatch.setattr(sim.part_at_level, "JudgeInHardware", broken.JudgeInHardware)
    with_parts.cache_clear()
    mix = mixed("mont-best", 8, tuple(f"{part}=rtl" for part in EVERY), "cl")
    with_parts.cache_clear()
    with pytest.raises((*CAUGHT, IndexError, ZeroDivisionError)):
        check(mix.entry, "cl")
    with_parts.cache_clear()


FAULTS = {
    "an answer stays": ("self.top.send.rdy @= taken", "self.top.send.rdy @= 0"),
    "requests are lost": ("self.top.recv.val @= operands is not None", "self.top.recv.val @= 0"),
    "another modulus' constant": (
        "constant_of(self.unit, operands[2])",
        "constant_of(self.unit, 255)",
    ),
    "it has room at any time": ("return bool(self.top.recv.rdy)", "return True"),
}


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
