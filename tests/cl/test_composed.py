"""Exponentiators composed of parts at cycle level: their cycles emerge, and are the formula's and
the hardware's, request by request; the contract's tests hold them at all widths, too."""

from dataclasses import replace
from functools import partial
from importlib import import_module
from types import ModuleType

import pytest

import cl.exp.enter
import cl.exp.exponentiator
import cl.exp.leave
import cl.exp.leave_reduced
import cl.exp.loop
import cl.exp.shared_unit
import cl.exp.stands
from cl.exp.exponentiator import ExponentiatorCL
from cl.exponentiator import ExponentiatorOfParts, Parts
from eval.catalog import DESIGNS, VARIANTS, find
from eval.contract.exponentiator import (
    check_exponentiator,
    edge_cases,
    fitted,
    random_cases,
    within,
)
from fl.mont_mul import add_red, mm_mul_open
from sim.stream import STALLS, StreamRunner
from tests.faults import CAUGHT, plant
from tests.harness import design_runner

ORGANISED = [
    name
    for name, design in sorted((DESIGNS | VARIANTS).items())
    if isinstance(design.at(design.widths[0]), ExponentiatorOfParts)
]
OTHERS = (  # organisations that no entry of the catalog has
    "mont(units=1,loop=ladder)",
    "mont(unit=pipelined,units=1,loop=windows-3,forward=no)",
    "mont(steps=1,units=5)",
    "mont(units=1,loop=left-to-right,forward=no)",
    "naive(units=1)",
    "naive(forward=yes)",
    "naive(units=1,loop=left-to-right)",
    "mont-digit(units=1,loop=left-to-right-always)",
)


def requests(name: str, nbits: int, cycles: int):
    """Edges and random requests that take so many cycles."""
    design = find(name)
    cases = edge_cases(nbits) + random_cases(nbits, 40, seed=3)
    cases = fitted(cases, design.moduli.only(nbits)) if design.moduli.only else cases
    return within(cases, design.at(nbits), cycles)


def check(name: str, model: ExponentiatorOfParts, cycles: int = 6000) -> None:
    """The cases through the composed exponentiator: pow's values in the formula's cycles."""
    component = model.cl()
    assert isinstance(component, ExponentiatorCL)
    with StreamRunner(component, "cl", name=name) as runner:
        check_exponentiator(
            runner, model, requests(name, model.nbits, cycles), max_cycles=20 * cycles
        )


@pytest.mark.parametrize("name", [*ORGANISED, *OTHERS])
def test_cycles_emerge_as_the_formula_has_them(name):
    check(name, find(name).at(8))


@pytest.mark.parametrize("name", ["mont-best", "mont-001", "mul-rem-one", "scaled-high-4"])
@pytest.mark.parametrize("nbits", [9, 33, 64])
def test_at_other_widths(name, nbits):
    check(name, find(name).at(nbits), 9000)


@pytest.mark.parametrize("name", [name for name in ORGANISED if name in DESIGNS])
def test_each_request_as_in_hardware_under_stalls(name):
    """Requests are taken and answered in the very cycles of the translated Verilog."""
    packed = [(case.base << 8 | case.exp) << 8 | case.mod for case in requests(name, 8, 2500)]
    hardware = design_runner(name, 8, "batch")
    with StreamRunner(find(name).at(8).cl(), "cl") as runner:
        for stalls in STALLS.values():
            assert runner.run(packed, stalls) == hardware.run(packed, stalls)


@pytest.mark.quick
@pytest.mark.parametrize("m", [1, 3, 13, 31])
def test_values_are_those_of_add_red_steps(m):
    for a in range(32):
        for b in range(2 * m):
            s = 0
            for i in range(5):
                s = add_red(s, a >> i & 1, b, m)
            assert mm_mul_open(a, b, m, 5) == s


@pytest.mark.quick
@pytest.mark.parametrize("mod", [251, 101])
@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("mont-best", "r_squared"),
        ("mont-001", "r_squared"),
        ("scaled-high-4", "constant"),
        ("scaled-low-4", "leave"),
        ("mont-small", "leave"),
    ],
)
def test_what_comes_later_ends_as_much_later(name, field, mod):
    model = find(name).at(8)
    part = replace(getattr(model.parts, field), later=5)
    late = replace(model, parts=replace(model.parts, **{field: part}))
    Request, _ = model.messages
    with StreamRunner(late.cl(), "cl") as runner:
        [transfer] = runner.run([Request(77, 0b1101, mod)])
    assert transfer.cycles == model.latency(77, 0b1101, mod) + 5


# fault: the design that shows it, what is faulty in it, the text and its replacement
FAULTS = {
    "a unit answers a cycle late": (
        "mont-best",
        (cl.exp.shared_unit, "TimedUnit"),
        "s.clock.now + s.unit.latency(a, b, m)",
        "s.clock.now + 1 + s.unit.latency(a, b, m)",
    ),
    "a unit is busy for a cycle more": (
        "mont-best",
        (cl.exp.shared_unit, "TimedUnit"),
        "s.next_accept = s.clock.now + ",
        "s.next_accept = s.clock.now + 1 + ",
    ),
    "an answer is slept through": (
        "mul-rem",
        (cl.exp.shared_unit, "TimedUnit"),
        "s.clock.wake(s.inside[-1][0])",
        "pass",
    ),
    "answers go to the last who asked": (
        "mont(steps=2,unit=pipelined,units=1)",
        (cl.exp.shared_unit, "TimedUnit"),
        "s.owners[0] == asker",
        "s.owners[-1] == asker",
    ),
    "the base enters early": (
        "mont-best",
        (cl.exp.exponentiator, "Control"),
        "clock.now + parts.waits",
        "clock.now",
    ),
    "the next round waits": ("mont-best", "loop", "s.clock.now + s.pause", "s.clock.now + 1"),
    "the next round does not wait": ("mont-001", "loop", "s.clock.now + s.pause", "s.clock.now"),
    "leading zeros leave at once": (
        "naive(units=1,loop=left-to-right)",
        "loop",
        "s.parts.unit.nbits - exp.bit_length()",
        "0",
    ),
    "R^2 stands early": ("mont-best", "r_squared", "now + 1 + doubles", "now + doubles"),
    "all doublings": ("mont-best", "r_squared", "0 if s.constant else", "0 if True else"),
    "the base does not wait for R^2": (
        "mmm-004",
        "enter",
        "return s.r_squared.rdy() and",
        "return",
    ),
    "the product out is asked for late": (
        "mont-small",
        "leave",
        "s.clock.now + 1 + s.part.later",
        "s.clock.now + 2 + s.part.later",
    ),
    "a reduction takes no time": ("scaled-low-4", "leave", " + 1 + s.part.time(mod)", " + 1"),
    "a product's reduction takes no time": (
        "scaled-low(loop=ladder)",
        "leave_reduced",
        "s.reduction.time(s.mod)",
        "0",
    ),
}
MODULES = {
    "loop": cl.exp.loop,
    "r_squared": cl.exp.stands,
    "enter": cl.exp.enter,
    "leave": cl.exp.leave,
    "leave_reduced": cl.exp.leave_reduced,
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen(tmp_path, monkeypatch, fault):
    name, faulty_part, sound, faulty = FAULTS[fault]
    model = find(name).at(64 if faulty_part == "r_squared" else 8)  # of several squarings
    if isinstance(faulty_part, tuple):
        user, kind = faulty_part
        origin = import_module(getattr(user, kind).__module__)
        monkeypatch.setattr(user, kind, getattr(plant(tmp_path, origin, sound, faulty), kind))
    else:
        broken = plant(tmp_path, MODULES[faulty_part], sound, faulty)
        part = faulty_part.removesuffix("_reduced")
        model = replace(model, parts=with_part(model.parts, part, broken))
    with pytest.raises((*CAUGHT, IndexError)):
        check(name, model)


def with_part(parts: Parts, name: str, broken: ModuleType) -> Parts:
    """The parts, one of them of a broken module."""
    part = getattr(parts, name)
    make = part.cl or cl.exp.leave.Leaves
    kind, arguments = (make.func, make.args) if isinstance(make, partial) else (make, ())
    made = partial(getattr(broken, kind.__name__), *arguments)
    return replace(parts, **{name: replace(part, cl=made)})
