"""Families: points are read and spelled, named lines are found by them, others are right."""

import re
import shlex
from itertools import product
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eval.catalog import DESIGNS, FAMILIES, VARIANTS, find
from eval.catalog.family import Decimals, spelled
from eval.catalog.loops import LOOPS
from eval.catalog.point import Point
from eval.catalog.processor import Processor
from eval.cli.options import Listed
from eval.contract.exponentiator import check_exponentiator, edge_cases, random_cases, within
from eval.study.user_study import chosen
from eval.tasks.flow_run.task import FlowRun
from sim.errors import UserError
from sim.stream import StreamRunner
from tests.command_line import run, run_json

NAMED = {design.spelled: design for design in (DESIGNS | VARIANTS).values() if design.spelled}
# Of every kind of unit and loop some, beside those with names.
POINTS = (
    *("mont(steps=4,units=1)", "mont(steps=3,unit=open,loop=always)", "mont(units=5)"),
    *("mont(steps=5,unit=full-product,units=1,loop=windows-3,forward=no)", "naive(units=1)"),
    *("ssmm(steps=3)", "near-power(digit=3)", "scaled-low(digit=9,units=1)"),
    *("scaled-high(digit=2)", "mont-digit(digit=2,units=1,loop=left-to-right-always)"),
    *("array-rows(digit=2,units=1,loop=always)", "systolic(digit=4,kind=twin)"),
)


def some(choices):
    """What may be chosen; of numbers that are too many to list the least and the most."""
    return [choices.least, choices.most] if isinstance(choices, Decimals) else list(choices)


@st.composite
def points(draw):
    """A family with values, in any order."""
    family = draw(st.sampled_from(list(FAMILIES.values())))
    values = {p.name: draw(st.sampled_from(some(p.choices))) for p in family.parameters}
    return family, dict(draw(st.permutations(list(values.items()))))


@settings(max_examples=200)
@given(points())
def test_a_point_is_read_as_it_is_written(point):
    family, values = point
    text = ", ".join(f"{name} = {spelled(value)}" for name, value in values.items())
    assert family.read(text) == values
    short = family.spell(values)
    again = family.usual | family.read(short.removeprefix(f"{family.name}(").removesuffix(")"))
    assert again == values
    assert family.spell(again) == short
    try:
        design = find(f"{family.name}({text})")
    except UserError:
        with pytest.raises(UserError, match=re.escape(f"design: {short}: ")):
            find(short)
    else:
        assert design is find(short)
        assert design.name == (NAMED[short].name if short in NAMED else short)


@pytest.mark.quick
def ends() -> list[str]:
    """The points with the first or last choice of one parameter, where it goes with the others."""
    points = {
        family.spell({parameter.name: choice})
        for family in FAMILIES.values()
        for parameter in family.parameters
        for choice in (some(parameter.choices)[0], some(parameter.choices)[-1])
    }
    return [point for point in sorted(points) if not said_not_to_go(point)]


def said_not_to_go(point):
    """Whether the family says that its values do not go together."""
    try:
        find(point)
    except UserError:
        return True
    return False


@pytest.mark.quick
@pytest.mark.parametrize("name", [family.name for family in FAMILIES.values() if family.hardware])
def test_constraints_say_all_that_does_not_go_together(name):
    """Of points drawn, those that break none are made, and those that break one are not."""
    family, draw = FAMILIES[name], Random(name)
    for _ in range(200):
        values = {p.name: draw.choice(some(p.choices)) for p in family.parameters}
        if text := family.broken(values):
            with pytest.raises(ValueError, match=re.escape(text)):
                family.line(**values)
        else:
            family.make(**values).at(8)


@pytest.mark.parametrize("point", ends())
def test_the_ends_of_every_parameter_make_hardware(point):
    nbits = 16 if point.startswith(("near-power", "scaled-high")) else 8
    find(point).component("rtl", nbits).elaborate()


def test_a_point_with_a_name_is_the_line_of_the_catalog():
    assert len(NAMED) > 50
    for spelling, design in NAMED.items():
        assert find(spelling) is find(design.name) is design
    assert Point("mont( units = 2 )", 8) == Point("mont-best", 8)
    assert Processor("mont()") == Processor("mont-best")


@pytest.mark.quick
def test_points_go_through_shells_and_verilog():
    point = Point("mont(loop=always, steps=4)", 8)
    assert shlex.split(point.arguments) == ["mont(steps=4,loop=always)", "--nbits", "8"]
    assert point.top == "mont_steps_4_loop_always_8"
    processor = Processor("mont(steps=4)", 8)
    assert shlex.split(processor.arguments)[0] == "processor+mont(steps=4)"
    assert processor.top_of("system").isidentifier()
    assert Listed().read("--designs", "a,mont(steps=4, units=1),b") == [
        *("a", "mont(steps=4, units=1)", "b")
    ]


@pytest.mark.quick
@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("mont(step=4)", "mont has no parameter 'step'; choose from steps, unit, units, loop"),
        ("mont(steps=0)", "steps=0 is no choice of steps; choose from 1 to 64"),
        ("mont(loop=up)", "choose from right-to-left, always, left-to-right"),
        ("mont(forward=1)", "choose from no, yes"),
        ("mont(steps)", "'steps' gives no parameter of mont a value; write one such as steps=8"),
        ("mont(steps=1,steps=2)", "steps is given twice"),
        ("mont(loop=left-to-right)", "a left-to-right loop has one unit"),
        ("mont(entry=product)", "entry product finds R^2 for R = 2^n"),
        ("mont(steps=4", "'mont(steps=4' is no point of a family"),
        ("mount(steps=4)", "no family named 'mount'; choose from naive, ssmm, interleaved"),
        ("mont", "mont is a family of designs; choose one, such as 'mont(steps=64)'"),
    ],
)
def test_what_is_no_point_is_said_with_the_choices(text, says):
    with pytest.raises(UserError) as caught:
        find(text)
    assert says in str(caught.value)


@pytest.mark.parametrize("name", POINTS)
def test_values_and_cycles_of_points(name):
    assert name not in NAMED
    unit = find(name).at(9)
    cases = within(edge_cases(9) + random_cases(9, 20, seed=1, odd=True), unit, 500)
    with StreamRunner(unit.component("rtl"), "rtl", name=name) as runner:
        check_exponentiator(runner, unit, cases)


@pytest.mark.quick
def test_points_are_listed_and_explored():
    [family] = run_json("list array")["families"]
    assert [parameter["name"] for parameter in family["parameters"]] == [
        "digit",
        "loop",
        "keeps",
        "stages",
    ]
    assert "mont-best" in run("list mont").stdout
    (study,) = chosen({"designs": ["ssmm(steps=3)", "ssmm( steps=2 )"], "nbits": ["8"]}).studies()
    flows = [task for task in study.tasks if isinstance(task, FlowRun)]
    assert [task.point.design for task in flows] == ["ssmm(steps=3)", "ssmm-best"]
    assert shlex.split(flows[0].command)[2] == "ssmm(steps=3)"
    assert run_json("simulate 'ssmm( steps=3)' --nbits 8 --workload e")["design"] == "ssmm(steps=3)"


@pytest.mark.quick
@pytest.mark.parametrize(
    "name", [name for name, family in FAMILIES.items() if {"loop", "entry"} <= family.usual.keys()]
)
def test_a_loop_of_constant_time_takes_as_long_for_every_modulus(name):
    """With each way into the domain that the family gives it, for a modulus of 0, too."""
    family, made = FAMILIES[name], 0
    ways = next(p.choices for p in family.parameters if p.name == "entry")
    for loop, entry, units in product(LOOPS, ways, (1, 2)):
        asked = {"loop": loop, "entry": entry, "units": units}
        values = family.usual | ({"steps": 1} if "steps" in family.usual else {}) | asked
        if not LOOPS[loop].constant or family.broken(values):
            continue
        try:
            core, made = family.make(**values).at(8), made + 1
        except ValueError:  # what it says of its numbers, not by constraints
            continue
        assert core.constant_time
        times = {core.latency(77, exp, mod) for mod in (0, 1, 3, 127, 129, 255) for exp in (1, 200)}
        assert len(times) == 1, values
    assert made > 3
