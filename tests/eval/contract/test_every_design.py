"""The contract over the whole catalog: entries, variants, and drawn configurations of families."""

from collections.abc import Iterator
from datetime import date
from random import Random

import pytest

import rtl.exp.organised
import rtl.exp.windows
from cl.exponentiator import ExponentiatorOfParts
from eval.catalog import DESIGNS, VARIANTS, find
from eval.catalog.design import Design
from eval.contract.campaign import any_design
from eval.contract.design import Check, tried_parts
from eval.contract.exponentiator import (
    ExpCase,
    check_exponentiator,
    edge_cases,
    fitted,
    random_cases,
    window_exponents,
    within,
)
from sim.stream import StreamRunner
from tests.faults import CAUGHT, plant

CYCLES = 500  # of each half of a check in PyMTL3's own simulator
DRAWN, MANY = 2, 40  # configurations of families, in the default and in the long tests
NBITS = 8


def kind_of(design: Design) -> tuple[object, ...]:
    """What tells the control of a design from that of others: its class, order, ways in and out."""
    model = design.at(NBITS)
    inner = getattr(model, "inner", model)
    if not isinstance(inner, ExponentiatorOfParts):
        return type(model), model.schedule
    order = inner.parts.organisation
    return type(model), order.schedule.name, order.entry, order.units, order.forward, order.converts


def other_kinds() -> list[str]:
    """The first variant of each kind that DESIGNS has not; test_crt.py has those by CRT."""
    found = {kind_of(design): "" for design in DESIGNS.values()}
    for name in VARIANTS:
        if not find(name).at(NBITS).by_crt:
            found.setdefault(kind_of(find(name)), name)
    return [name for name in found.values() if name]


def cases_of(design: Design) -> list[ExpCase]:
    """Windows of ones and zeros of every size, then edges and random requests: what fits."""
    model, seed = design.at(NBITS), date.today().toordinal()
    mod = design.moduli.only(NBITS) if design.moduli.only else 251
    exponents = {"ones": (1 << NBITS) - 1} | window_exponents(NBITS)
    cases = [ExpCase(f"23^{e}", NBITS, 23, exp, mod) for e, exp in exponents.items()]
    cycles = sum(model.latency(*case.operands) for case in cases) // len(cases)
    others = edge_cases(NBITS) + random_cases(NBITS, 40, seed)
    if design.moduli.only:
        others = fitted(others, mod)
    return cases[: 1 + CYCLES // cycles] + within(others, model, CYCLES)


def check(design: Design, component=None) -> None:
    model = design.at(NBITS)
    component = component or design.component("rtl", NBITS)
    with StreamRunner(component, "rtl", name=f"{design.name}-{NBITS}") as runner:
        check_exponentiator(runner, model, cases_of(design), max_cycles=100 * CYCLES)


def drawn(count: int) -> Iterator[Design]:
    """Configurations of families that eight bits have; others every day."""
    rng = Random(date.today().toordinal())
    while count:
        design = any_design(rng)
        new = design.spelled and design.name not in (*DESIGNS, *VARIANTS)
        if new and design.widths[0] <= NBITS <= design.tested_to:
            count -= 1
            yield design


# To simulate at 8 bits in Python; tests/rtl/exp/test_array_blinded.py has smaller ones of these.
SLOW = ("array-4-blinded", "array-4-masked")


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.long] * (n in SLOW)) for n in other_kinds()]
)
def test_a_variant_of_each_other_kind(name):
    check(find(name))


@pytest.mark.parametrize("place", range(DRAWN))
def test_a_drawn_configuration(place):
    design = [*drawn(DRAWN)][place]
    print(design.name)
    check(design)


@pytest.mark.long
@pytest.mark.parametrize("level", ["fl", "cl", "rtl", "batch"])
@pytest.mark.parametrize("name", VARIANTS)
def test_every_variant(name, level):
    """Values, time, streams, late pops and resets of all parts, as `check` has them."""
    for part in tried_parts(find(name)):
        cases, stalled = Check(part, NBITS, level).run(find(name))
        assert cases
        assert stalled


@pytest.mark.long
@pytest.mark.parametrize("place", range(MANY))
def test_many_drawn_configurations(place):
    design = [*drawn(MANY)][place]
    print(design.name)
    for part in tried_parts(design):
        Check(part, NBITS, "batch").run(design)


def test_a_window_of_ones_after_the_last_power(tmp_path, monkeypatch):
    """The last power of the table is an operand in the cycle in which it comes."""
    sound = """            elif s.multiplies & s.ahead & s.filled & (s.order.entry == last):
                s.mul.req.msg.b @= s.mul.resp.msg.r
"""
    broken = plant(tmp_path, rtl.exp.windows, sound, "")
    monkeypatch.setattr(rtl.exp.organised, "Windows", broken.Windows)
    find.cache_clear()
    design = find("mont-window-4")
    model = design.make(NBITS)
    with pytest.raises(CAUGHT):
        check(design, model.component("rtl"))
