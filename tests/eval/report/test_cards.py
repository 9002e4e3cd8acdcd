"""Cards: what they say of a point, and the drawing of its blocks."""

import re
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import to_builtins

import eval.report.blocks
from eval.catalog.point import Point
from eval.report.blocks import LEAST_SHARE, Block, svg, tree
from eval.report.cards import cards
from eval.study.results import StudyResult
from eval.study.study import Study
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.noise import Noise
from flow.results.netlist import Module
from tests.eval.made_up import energy_of, flow_row, found_of, metrics_of, path, simulated
from tests.eval.made_up import row as row_of
from tests.eval.report.test_headline import rows
from tests.faults import faults, plant

pytestmark = pytest.mark.quick
POINT = Point("mul-rem", 32)
Nested = dict[str, tuple[int, float, "Nested"]]  # by class: how many, um2 of their own, inside


def modules(nested: Nested) -> list[Module]:
    """The flow's rows of nested modules, the top first; each name stands in one place."""
    rows: list[Module] = []

    def add(name: str, times: int, own: float, inside: Nested) -> float:
        place = len(rows)
        rows.append(None)
        parts = {part: add(part, times * n, um2, more) for part, (n, um2, more) in inside.items()}
        whole = own + sum(n * parts[part] for part, (n, *_) in inside.items())
        rows[place] = Module(
            module=f"{name}__nbits_32",
            instances=times,
            submodules={f"{part}__nbits_32": n for part, (n, *_) in inside.items()},
            cells_each=1,
            area_each_um2=own,
            area_each_with_submodules_um2=whole,
            area_um2=own * times,
            sequential_area_um2=0.0,
            recipe="area",
        )
        return whole

    [(top, (times, own, inside))] = nested.items()
    add(top, times, own, inside)
    return rows


DEEP: Nested = {
    "Top": (
        1,
        10.0,
        {"Loop": (1, 20.0, {"Mul": (2, 30.0, {"Step": (4, 2.0, {})})}), "Wire": (1, 0.1, {})},
    )
}


def test_the_blocks_are_the_modules_with_their_shares() -> None:
    top = tree(modules(DEEP))
    assert (top.title, top.area_um2) == ("Top", pytest.approx(106.1))
    [loop] = top.inside  # the wire is too small
    [mul] = loop.inside
    assert (mul.title, mul.area_um2) == ("2 x Mul", pytest.approx(76.0))
    [step] = mul.inside
    assert (step.title, step.area_um2) == ("8 x Step", pytest.approx(16.0))
    drawing = svg(modules(DEEP), "blocks of <it>")
    assert re.findall(r">([\w ]+) <tspan>(\d+%)", drawing) == [
        *(("Top", "100%"), ("Loop", "90%"), ("2 x Mul", "72%"), ("8 x Step", "15%"))
    ]
    assert 'aria-label="blocks of &lt;it&gt;"' in drawing


def test_leaves_of_one_class_are_one_block() -> None:
    inside: Nested = {"Leaf__digit_4": (1, 5.0, {}), "Leaf__digit_8": (2, 7.0, {})}
    [leaf] = tree(modules({"Top": (1, 1.0, inside)})).inside
    assert (leaf.title, leaf.area_um2) == ("3 x Leaf", 19.0)


def test_without_modules_there_is_no_drawing() -> None:
    assert svg([], "nothing") == ""
    assert svg(modules({"Top": (1, 0.0, {})}), "no cells") == ""


nested = st.recursive(
    st.just({}),
    lambda inside: st.dictionaries(
        st.text("ABCDEFGH", min_size=1, max_size=9),
        st.tuples(st.integers(1, 5), st.floats(1, 100), inside),
        max_size=4,
    ),
    max_leaves=12,
)


def unique(inside: Nested, before: str = "") -> Nested:
    """The same with a name for each place; z ends a name, so that H in which is B is not HB."""
    return {
        f"{before}{name}z": (n, um2, unique(more, f"{before}{name}z"))
        for name, (n, um2, more) in inside.items()
    }


def area(inside: Nested) -> float:
    """The area of nested modules."""
    return sum(n * (um2 + area(more)) for n, um2, more in inside.values())


def check_places(block: Block) -> None:
    """Each box is inside the one around it, beside the others, and has what is in it."""
    assert sum(part.area_um2 for part in block.inside) <= block.area_um2 * (1 + 1e-9)
    assert block.inside == sorted(block.inside, key=lambda part: -part.area_um2)
    for number, part in enumerate(block.inside):
        assert part.x >= 0
        assert part.x + part.width <= block.width
        assert part.y + part.height <= block.height
        for other in block.inside[:number]:
            beside = part.x >= other.x + other.width or other.x >= part.x + part.width
            below = part.y >= other.y + other.height or other.y >= part.y + part.height
            assert beside or below
        check_places(part)


def check_drawing(module: ModuleType, inside: Nested) -> None:
    """Check the places of the blocks that a module of ours makes of nested modules."""
    top = module.tree(modules({"Top": (1, 1.0, unique(inside))}))
    module._place(top, module.ROOM)
    check_places(top)
    areas = {name: area({name: part}) for name, part in unique(inside).items()}
    shown = {name: um2 for name, um2 in areas.items() if um2 >= LEAST_SHARE * top.area_um2}
    assert {part.name: pytest.approx(part.area_um2) for part in top.inside} == shown


@given(nested)
@pytest.mark.seconds
def test_boxes_stand_in_each_other_and_beside_the_others(inside: Nested) -> None:
    check_drawing(eval.report.blocks, inside)


@faults(
    {
        "boxes over each other": (
            "across, line = across + part.width + PAD, ",
            "across, line = across + 0 * part.width, ",
        ),
        "lines over each other": ("0.0, down + line + PAD, 0.0", "0.0, down, 0.0"),
        "a box too narrow": ("widest = max(widest, across + PAD)", "pass"),
        "the smallest first": ("key=lambda block: -block", "key=lambda block: block"),
        "the small, too": ("if part.area_um2 >= LEAST_SHARE * whole", ""),
        "areas of one for those of all": ("count * row.area_each_with", "row.area_each_with"),
    }
)
def test_a_wrong_drawing_is_seen(tmp_path: Path, sound: str, faulty: str) -> None:
    wrong = plant(tmp_path, eval.report.blocks, sound, faulty)
    many = {f"Block{'x' * n}": (3, 10.0 + n, {"Inside": (2, 4.0, {})}) for n in range(12)}
    with pytest.raises(AssertionError):
        check_drawing(wrong, many | {"Small": (1, 0.5, {})})


def test_a_card_says_all_of_its_point() -> None:
    run = FlowRun(POINT, "accelerator", 3.0)
    energy = energy_of()
    parts = [
        {"module": name, "internal": 0.0, "switching": 0.0, "clock": 0.0, "leakage": 0.0}
        | {"total": total}
        for name, total in (("Loop__nbits_32", 3.0), ("Top__nbits_32", 1.0))
    ]
    energy["windows"]["d"]["modules"] = parts
    metrics = {"area_um2": 90.0, "setup_slack_ns": -0.5, "period_ns": 3.5}
    row = flow_row(
        run,
        metrics | metrics_of(energy),
        modules=[to_builtins(module) for module in modules(DEEP)],
        energy=energy,
        critical_path=path(("Mul__nbits_32", 2.5)),
    )
    cycles = simulated(POINT, "d", {"cycles_d": 95, "xcel_cycles_d": 100})
    own = {"area_um2": 100.0, "setup_slack_ns": 0.0, "period_ns": 3.0}
    noise = row_of(
        Noise(POINT, 3.0),
        **{"own": own, "runs": [own | {"area_um2": 97.0}], "recipes": ["area"]},
        **{"hurried_own": own, "hurried_runs": [own]},
    )
    [card] = cards(found_of(row, cycles, noise))
    assert (card.anchor, card.name, card.nbits) == ("mul-rem-32-bits", "mul-rem!", 32)
    assert card.title == POINT.entry.title
    assert card.facts["multiplier"] == POINT.entry.multiplier.title
    assert card.headline == "350 ns, 90.0 um2, 3.75 nJ at 3.50 ns"
    figures = {line.cells[0]: line.cells[1:] for line in card.figures.lines}
    assert figures["area"] == ("90.0", "um2", "3.0")
    assert figures["slack"] == ("-0.500", "ns", "")
    assert [line.cells for line in card.modules.lines][:2] == [
        ("Mul", "2", "60.0", "56.6", "-", "-"),
        ("Loop", "1", "20.0", "18.9", "3.000", "75.0"),
    ]
    assert card.modules_title == "Area and power by module"
    assert card.facts["time"].startswith("depends on the base, the exponent's length, ")
    assert card.path == "Mul 2.50"
    assert card.commands[0] == "modexplorer flow mul-rem --nbits 32 --clock 3"
    assert card.commands[-1].endswith("--to power")
    assert card.logs == "build/flow/mul_rem_32-3ns/logs"


def test_a_card_begins_with_the_netlist_of_least_area_x_time() -> None:
    """0.3 mm2 x 180 us and 0.2 mm2 x 400 us at 2 ns are 54 and 80; at 3 ns the latter's are 600 us.
    Narrow: the same, unless the netlist for 3 ns is much smaller."""
    wide = rows("array-8", 200_000, (3.0, 2e5, 2.0, 1e5), (1.0, 3e5, 0.9, 2e5))
    narrow = rows("array-8", 2_000, (3.0, 2e5, 2.0, 1e5), (1.0, 3e5, 0.9, 2e5), nbits=32)
    mapped = flow_row(
        FlowRun(Point("array-8", 32), "accelerator", 3.0),
        {"area_um2": 90.0, "setup_slack_ns": 0.5, "period_ns": 2.5},
    )
    shown = {card.nbits: card.headline for card in cards(found_of(*wide, *narrow, mapped))}
    assert shown == {
        1024: "180 us, 0.300 mm2, 200 uJ at 0.900 ns",
        32: "5.00 us, 90.0 um2 at 2.50 ns",
    }


def test_modules_of_another_netlist_are_said_to_be_so() -> None:
    """AddRedLoop's area is no part of the 90 um2 that the card has."""
    flat = {"recipe": "flat", "area_um2": 90.0, "cells": 10, "setup_slack_ns": 0.5}
    flat |= {"period_ns": 2.5, "clock_met": True, "seconds": 1.0}
    energy = energy_of()
    row = flow_row(
        FlowRun(POINT, "accelerator", 3.0),
        {"area_um2": 90.0, "setup_slack_ns": 0.5, "period_ns": 2.5},
        modules=[to_builtins(module) for module in modules(DEEP)],
        **{"recipe": "flat", "flat": flat, "energy": energy},
    )
    [card] = cards(found_of(row))
    assert card.modules_title == ("Area by module in the best netlist with hierarchy, of 106 um2")
    assert [len(line.cells) for line in card.modules.lines][0] == 4  # no power, which is another's
    assert card.modules.lines[0].cells == ("Mul", "2", "60.0", "56.6")
    assert "mapped as one module" in card.modules.note


def test_a_card_of_what_was_not_measured_says_what_it_is() -> None:
    study = Study("empty", "nothing", lambda plan: plan.designs(plan.points(["mul-rem"], 8)))
    [card] = cards(StudyResult(study, []))
    assert card.facts["from"].startswith("document 001")
    assert (card.figures, card.modules, card.blocks, card.headline) == (None, None, "", "")
