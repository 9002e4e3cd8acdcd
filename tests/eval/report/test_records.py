"""Points as rows: which conditions they meet, in which order they stand, what is shown of them."""

import pytest

from eval.catalog.point import Point
from eval.cli.explore import command
from eval.frames import units
from eval.report.records import NAMES, RECORDS, records, sorted_by, where_all
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.unit import ACCELERATOR
from sim.errors import UserError
from tests.eval.made_up import flow_row, found_of, simulated

pytestmark = pytest.mark.quick

FIGURES = {"mul-rem": (1000, 15000.0, 2.5), "mont-best": (400, 11000.0, 2.0)}


def found_at(clock_ns, slack=None):
    """A study of two designs, of which array-4 is not mapped; with a slack, both have that."""
    rows = [simulated(Point("array-4", 32), "d", {"cycles_d": 500, "xcel_cycles_d": 520})]
    for design, (cycles, area, period) in FIGURES.items():
        point = Point(design, 32)
        metrics = {
            **{"area_um2": area, "cells": 10, "period_ns": period},
            "setup_slack_ns": clock_ns - period if slack is None else slack,
        }
        rows += [
            simulated(point, "e", {"cycles_e": 90, "xcel_cycles_e": 100}),
            simulated(point, "d", {"cycles_d": cycles - 20, "xcel_cycles_d": cycles}),
            flow_row(FlowRun(point, ACCELERATOR, clock_ns), metrics),
        ]
    return found_of(*rows, clock_ns=clock_ns)


def shown(found):
    """The rows in short."""
    return [(r.value("design"), r.value("clock"), r.value("workload")) for r in found]


def test_a_row_is_a_workload_on_a_point_at_a_clock():
    found = records([found_at(3.0), found_at(2.2)])
    assert len(found) == 2 * 5
    by_name = {key: record.as_dict() for key, record in zip(shown(found), found, strict=True)}
    assert len(by_name) == len(found)
    assert tuple(by_name["mul-rem", 3.0, "d"]) == NAMES
    at_3, at_2 = by_name["mul-rem", 3.0, "d"], by_name["mul-rem", 2.2, "d"]
    assert (at_3["cycles"], at_3["area"], at_3["nbits"]) == (1000, 15000.0, 32)
    assert at_3["time"] == pytest.approx(1000 * 3.0 / 1000)
    assert at_2["slack"] == pytest.approx(-0.3)
    assert at_2["time"] == pytest.approx(1000 * 2.5 / 1000)  # at what it reaches
    assert by_name["array-4", 3.0, "d"]["area"] is None


@pytest.mark.parametrize(
    ("conditions", "designs"),
    [
        (["area<12000"], ["mont-best"]),
        (["area >= 11000", "workload=d"], ["mul-rem", "mont-best"]),
        (["design!=mul-rem", "workload=d"], ["array-4", "mont-best"]),
        (["cycles = 520"], ["array-4"]),
        (["time<1e9", "workload=e"], ["mul-rem", "mont-best"]),
        (["energy>0"], []),
        (["constant=yes"], []),
        (["constant=no", "family=Montgomery", "workload=d"], ["array-4", "mont-best"]),
        (["moduli=any"], ["mul-rem"]),
        (["moduli != any", "family != Montgomery"], []),
        ([], ["array-4", "mul-rem", "mont-best"]),
    ],
)
def test_conditions_choose_rows(conditions, designs):
    meets = where_all(conditions)
    chosen = [record.value("design") for record in records([found_at(3.0)]) if meets(record)]
    assert list(dict.fromkeys(chosen)) == designs


@pytest.mark.parametrize(
    ("condition", "said"),
    [
        ("area", "is no condition"),
        ("", "is no condition"),
        ("area<", "is no condition"),
        ("size<3", "no 'size' here; choose from design"),
        ("area<small", "'small' is not a number"),
        ("area<nan", "'nan' is not a number"),
        ("area<1e400", "'1e400' is not a number"),
        ("design<mul-rem", "design is a word"),
        ("constant=maybe", "'maybe' is none of constant; choose from yes, no"),
        ("workload=f", "'f' is none of workload; choose from e, d"),
    ],
)
def test_a_bad_condition_is_refused(condition, said):
    with pytest.raises(UserError) as caught:
        where_all([condition])
    assert str(caught.value).startswith("--where: ")
    assert said in str(caught.value)


def test_the_least_stands_first_and_what_was_not_measured_last():
    found = [record for record in records([found_at(3.0)]) if record.workload == "d"]
    assert [r.value("design") for r in sorted_by(found, "time")] == [
        *("mont-best", "mul-rem", "array-4")
    ]
    assert [r.value("cycles") for r in sorted_by(found, "cycles")] == [400, 520, 1000]
    with pytest.raises(UserError, match="--sort: no 'size' here"):
        sorted_by(found, "size")


def test_of_those_that_are_equal_the_next_name_decides():
    found = records([found_at(3.0)])
    in_order = sorted_by(found, "workload,cycles")
    assert [(r.workload, r.value("cycles")) for r in in_order] == [
        *(("d", 400), ("d", 520), ("d", 1000), ("e", 100), ("e", 100))
    ]
    assert [r.value("design") for r in sorted_by(found, "workload, time")][2:3] == ["array-4"]
    with pytest.raises(UserError, match="--sort: no '' here"):
        sorted_by(found, "cycles,")


def test_the_help_names_every_value_and_its_unit():
    said = next(p.help for p in command.params if p.name == "where")
    for name in NAMES:
        assert name in said
    for name, unit in units().items():
        assert name == unit or f"{name} ({unit})" in said


def test_the_table_marks_a_missed_clock_and_names_commands():
    grid = RECORDS.of([r for r in records([found_at(2.2)]) if r.workload == "d"])
    cells = {line.cells[0].rstrip("*+!~"): line for line in grid.lines}
    assert cells["mont-best"].cells[0] == "mont-best"
    assert cells["mul-rem"].cells[0] != "mul-rem"
    assert "timing not met" in grid.note
    commands = cells["mul-rem"].commands
    assert commands[0] == "modexplorer flow mul-rem --nbits 32 --clock 2.2"
    assert commands[1].endswith("simulate mul-rem --nbits 32 --workload d --level batch --xcel")
    assert cells["array-4"].cells[3] == "-"
    assert len(cells["array-4"].commands) == 1
    assert RECORDS.of([]) is None
