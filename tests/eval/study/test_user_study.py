"""Studies of one's own: what options and files choose, and what is said of what cannot be."""

from dataclasses import replace

import pytest

from eval.catalog import DESIGNS
from eval.catalog.point import Point
from eval.study.studies import find_studies
from eval.study.user_study import chosen, from_file, matching, pair
from eval.tasks.flow_run.task import FlowRun
from eval.tasks.layout.task import LaidOut
from eval.tasks.simulation import ByFormula, Simulation
from eval.tasks.unit import ACCELERATOR
from sim.errors import UserError
from tests.command_line import assert_refused, run, run_json
from tests.eval.made_up import flow_row, found_of, row, simulated
from tests.eval.tasks.test_layout import RESULT

pytestmark = pytest.mark.quick


def texts(**lists):
    """Lists of texts by option."""
    return {option: text.split(",") for option, text in lists.items()}


def test_all_that_is_named_is_measured_at_every_clock():
    study = chosen(
        texts(designs="mont-best,ssmm-*", nbits="8,0x10", clock="2,2.5", workloads="d"), "power"
    )
    first, second = study.studies()
    assert (first.clock_ns, second.clock_ns) == (2.0, 2.5)
    designs = ["mont-best", *matching("ssmm-*")]
    assert len(designs) > 3
    for each in (first, second):
        simulations = [task for task in each.tasks if isinstance(task, Simulation)]
        runs = [task for task in each.tasks if isinstance(task, FlowRun)]
        expected = {(design, nbits) for design in designs for nbits in (8, 16)}
        assert {(task.point.design, task.point.nbits) for task in simulations} == expected
        assert {task.workload for task in simulations} == {"d"}
        assert {(task.point.design, task.point.nbits) for task in runs} == expected
        assert {(task.clock_ns, task.to) for task in runs} == {(each.clock_ns, "power")}
        assert len(each.tasks) == 2 * len(expected)


def test_what_is_not_given_is_as_elsewhere():
    (study,) = chosen(texts(designs="mul-rem")).studies()
    assert study.clock_ns == 3.0
    assert study.own
    assert [str(task) for task in study.tasks] == [
        *("mul-rem-32 workload e", "mul-rem-32 workload d", "mul-rem-32 accelerator flow")
    ]
    (study,) = chosen(texts(designs="mul-rem,mul-rem,mul-re?", nbits="8,8"), "none").studies()
    assert [str(task) for task in study.tasks] == ["mul-rem-8 workload e", "mul-rem-8 workload d"]


def test_step_layout_lays_out_what_has_energies_before(bare: str) -> None:
    (study,) = chosen(texts(designs="mul-rem", nbits="8", workloads="d"), "layout").studies()
    simulation, mapped, laid_out = study.tasks
    assert isinstance(simulation, Simulation)
    assert mapped == FlowRun(Point("mul-rem", 8), ACCELERATOR, 3.0, "power")
    assert laid_out == LaidOut(Point("mul-rem", 8), ACCELERATOR, 3.0)
    assert_refused(f"explore --designs mul-rem --to layout --tech {bare}", "bare has no layout")


def test_explore_shows_layouts_beside_the_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    point = Point("mul-rem", 8)
    found = found_of(
        simulated(point, "d", {"cycles_d": 5, "xcel_cycles_d": 9}),
        flow_row(FlowRun(point, ACCELERATOR, 3.0, "power"), {"area_um2": 5.0, "cells": 5}),
        row(LaidOut(point, ACCELERATOR, 3.0), **RESULT),
    )
    found = replace(found, study=replace(found.study, own=True))
    monkeypatch.setattr("eval.cli.studying.run_studies", lambda *_: [found])
    line = "explore --designs mul-rem --nbits 8 --to layout"
    assert "Layouts, beside what synthesis said" in run(line).stdout
    (laid,) = run_json(line)["layouts"].items()
    assert laid[0] == "modexplorer flow mul-rem --nbits 8 --clock 3 --to layout"
    assert laid[1]["metrics"]["wire_um"] == RESULT["metrics"]["wire_um"]
    assert "layers" not in laid[1]


def test_a_sweep_names_the_points_of_a_family():
    assert matching("mont(steps=7..9,units=1)") == [
        *("mont(steps=7,units=1)", "mont(units=1)", "mont(steps=9,units=1)")
    ]
    assert matching("mont(steps=8..8)") == ["mont-best"]  # the catalog's name of it
    # R^2 as a product goes with one step per cycle only.
    assert len(matching("mont(steps=1..3,entry=product)")) == 1
    assert len(matching("mont(steps=*)")) == 64
    with pytest.raises(
        UserError, match=r"steps=65\.\.70 has no choice of steps; choose from 1 to 64"
    ):
        matching("mont(steps=65..70)")
    with pytest.raises(UserError, match="has no parameter 'size'"):
        matching("mont(size=1..2)")
    with pytest.raises(UserError, match="no family named 'mount'"):
        matching("mount(steps=*)")
    with pytest.raises(UserError, match="entry product finds"):
        matching("mont(steps=2..3,entry=product)")


def test_all_are_those_for_any_key_that_have_the_width():
    every = matching("all")
    assert "mul-rem" in every
    assert not any(DESIGNS[name].moduli.only for name in every)
    (study,) = chosen(texts(designs="all", nbits="4096"), "none").studies()
    points = {task.point.design for task in study.tasks}
    assert points == {name for name in every if DESIGNS[name].widths[1] == 4096}


@pytest.mark.parametrize(
    ("lists", "to", "said"),
    [
        ({"nbits": "8"}, "timing", "--designs: none is named"),
        ({"designs": "nothing"}, "timing", "no design named 'nothing'"),
        ({"designs": "nothing-*"}, "timing", "--designs: no design is named like 'nothing-*'"),
        ({"designs": "mul-rem", "nbits": "4097"}, "timing", "--nbits: 4097 is not a width of mul"),
        ({"designs": "mul-rem", "nbits": "eight"}, "timing", "--nbits: 'eight' is not a whole"),
        ({"designs": "mul-rem", "clock": "0"}, "timing", "--clock: 0 ns is not from 0.1"),
        ({"designs": "mul-rem", "clock": "2"}, "none", "--clock: nothing is mapped"),
        ({"designs": "mul-rem", "workloads": "d,f"}, "timing", "--workloads: 'f' is none"),
        ({"designs": "mul-rem"}, "layouts", "--to: 'layouts' is none; choose from none, timing"),
    ],
)
def test_what_is_wrong_is_said_with_its_option(lists, to, said):
    with pytest.raises(UserError) as caught:
        chosen(texts(**lists), to)
    assert said in str(caught.value)


def test_a_file_is_as_good_as_options(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text(
        'designs = ["array-4", "mont-best"]\nnbits = [8, 16]\nclock = 2.5\nworkloads = "d"\n'
        'to = "power"\n'
    )
    (study,) = find_studies(str(path))
    by_options = chosen(
        texts(designs="array-4,mont-best", nbits="8,16", clock="2.5", workloads="d"), "power"
    )
    assert study.tasks == by_options.studies()[0].tasks
    assert study.name == "mine"
    assert [found.name for found in find_studies("quick")] == ["quick"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("designs = [", "is not TOML"),
        ('designs = "all"\nbits = 8\n', "has bits; it may have designs, nbits"),
        ('designs = "all"\nnbits = "x"\n', "mine.toml: nbits: 'x'"),
        ('designs = "all"\nto = 3\n', "mine.toml: to: '3' is none"),
        ('designs = "mul-rme"\n', "mine.toml: design: no design named 'mul-rme'; did you mean"),
        ('designs = "all"\ntech = "sky13"\n', "mine.toml: tech: no technology 'sky13'"),
        ('designs = "all"\nnbits = true\n', "mine.toml: nbits has 'true', which is neither"),
        ('designs = "all"\nnbits = [8, [16]]\n', "mine.toml: nbits has '[16]', which is neither"),
        ('designs = "all"\nclock = 2026-01-01\n', "mine.toml: clock has '2026-01-01', which is"),
        ('designs = "mul-rem"\nclock = 2\nto = "none"\n', "mine.toml: clock: nothing is mapped"),
        ("designs = {a = 1}\n", "mine.toml: designs has"),
        ('designs = "all"\nto = ["power"]\n', "mine.toml: to has"),
        ("", "mine.toml: designs: none is named"),
        (None, "cannot read"),
    ],
)
def test_a_bad_file_is_refused(text, said, tmp_path):
    path = tmp_path / "mine.toml"
    if text is not None:
        path.write_text(text)
    with pytest.raises(UserError) as caught:
        from_file(str(path))
    assert said in str(caught.value)
    assert "--" not in str(caught.value)  # nobody has typed an option


def test_a_file_may_have_what_a_search_has_looked_at(tmp_path):
    file = tmp_path / "found.toml"
    head = 'designs = ["ssmm-small"]\nnbits = 8\nworkloads = ["d"]\n'
    file.write_text(head + 'looked = [["ssmm( steps=2 )", 1200, 0.3], ["mont(steps=3)", 2e3, 0.1]]')
    (study,) = from_file(str(file)).studies()
    assert [(one.design, one.area_um2) for one in study.looked] == [
        *(("ssmm-best", 1200), ("mont(steps=3)", 2000))
    ]
    assert {(one.nbits, one.workload) for one in study.looked} == {(8, "d")}
    assert {task.point.design for task in study.tasks} == {"ssmm-small"}
    for wrong in ("3", '["ssmm-small"]', '[["ssmm-small", 1, "fast"]]', '[["nothing", 1, 1]]'):
        file.write_text(f"{head}looked = {wrong}")
        with pytest.raises(UserError):
            from_file(str(file))


@pytest.mark.parametrize(
    ("given", "found"),
    [
        ({}, [("mul-rem", 32, 3.0), ("ssmm-small", 32, 3.0)]),
        ({"nbits": "8"}, [("mul-rem", 8, 3.0), ("ssmm-small", 8, 3.0)]),
        (
            {"nbits": "8,16", "clock": "2,2.5"},
            [("mul-rem", 8, 2.0), ("ssmm-small", 16, 2.5)],
        ),
        ({"nbits": "16", "clock": "2,2.5"}, [("mul-rem", 16, 2.0), ("ssmm-small", 16, 2.5)]),
    ],
    ids=str,
)
def test_of_two_designs_each_has_its_own_width_and_clock(given, found):
    """Or both have the one that is given."""
    studies = pair(["mul-rem", "ssmm-small"], texts(**given))
    runs = [task for study in studies for task in study.tasks if isinstance(task, FlowRun)]
    assert [(r.point.design, r.point.nbits, r.clock_ns) for r in runs] == found
    with pytest.raises(UserError, match="--nbits: 3 are given; give one, or one of each"):
        pair(["mul-rem", "ssmm-small"], texts(nbits="8,9,10"))


def test_where_nothing_is_mapped_nothing_is_translated():
    """Cycles are told by formulas, which are tested; of other steps they are simulated."""
    for to, kind in (("none", ByFormula), ("timing", Simulation)):
        [study] = chosen(texts(designs="mul-rem", workloads="e,d"), to).studies()
        cycles = [task for task in study.tasks if not isinstance(task, FlowRun)]
        assert [(type(task), task.workload) for task in cycles] == [(kind, "e"), (kind, "d")]
