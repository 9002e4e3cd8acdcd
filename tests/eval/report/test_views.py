"""The views of a report are found by the kinds of row that they say they take."""

import re
import subprocess
import sys

import pytest

from eval.report.views import VIEWS, View, sections
from eval.study.results import StudyResult
from eval.tasks.kinds import KINDS
from eval.tasks.rsa import Rsa
from eval.tasks.section import Section
from tests.eval.made_up import found_of, row
from tests.eval.report.test_chart import made_up
from tests.eval.report.test_countermeasures import BARE, power, timed
from tests.places import ROOT

REPORT = ROOT / "eval/report"
SIGNED = row(Rsa(1024, "d"), cycles=30_000_000, outside=30_000_000)
ROWS = (*made_up("default").rows, timed(BARE, "length"), power(BARE, 5), SIGNED)
WITH_KINDS = [pytest.param(view, id=view.module) for view in VIEWS if view.kinds]


def without(kinds: tuple[str, ...]) -> StudyResult:
    """The study without rows of these kinds."""
    return found_of(*(row for row in ROWS if row.task.kind not in kinds))


def shown(view: View, found: StudyResult) -> list:
    """What a view shows in all its places."""
    return [item for place in view.places for item in getattr(view.section, place)(found) if item]


@pytest.mark.parametrize("view", WITH_KINDS)
def test_a_view_shows_nothing_without_its_kinds(view: View) -> None:
    assert set(view.kinds) <= set(KINDS)
    assert shown(view, without(view.kinds)) == []


@pytest.mark.parametrize("view", WITH_KINDS)
def test_a_view_says_the_places_in_which_it_shows_something(view: View) -> None:
    others = set(vars(Section())) - {*view.places, "alone"}
    found = found_of(*ROWS)
    assert not [item for place in others for item in getattr(view.section, place)(found)]


def test_views_are_found_by_kind() -> None:
    found = {view.module for view in VIEWS if shown(view, found_of(*ROWS))}
    assert found >= {
        "headline",
        "overview",
        "chart",
        "signatures",
        "countermeasures",
        "comparison",
        "making",
    }
    of_none = [view for view in VIEWS if not view.kinds]
    assert len(list(sections("making", ["noise"]))) == sum("making" in v.places for v in of_none)
    countermeasures = next(v for v in VIEWS if v.module == "countermeasures").section
    assert countermeasures in sections("results", ["leakage"])
    assert countermeasures not in sections("results", ["flow"])


def test_every_module_with_a_section_is_a_view() -> None:
    modules = {
        file.stem
        for file in REPORT.glob("*.py")
        if re.search(r"^SECTION = ", file.read_text(), re.MULTILINE)
    }
    assert modules == {view.module for view in VIEWS}
    assert len(modules) == len(VIEWS)


def test_no_view_is_loaded_that_is_not_asked_for() -> None:
    code = """
import sys
from eval.report.report import Report
from tests.eval.made_up import found_of, row
from tests.eval.report.test_countermeasures import timed
from eval.catalog.point import Point
for name in [name for name in sys.modules if name.startswith("eval.report.")]:
    if name.rpartition(".")[2] not in ("report", "views"):
        del sys.modules[name]
report = Report(found_of(timed(Point("mont-best", 32), "length")))
print([item.title for item in report["results"]])
print(sorted(name for name in sys.modules if name.startswith("eval.report.")))
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout.splitlines() == [
        "['Timing leakage']",
        "['eval.report.of_documents', 'eval.report.report', 'eval.report.views']",
    ], done.stderr
