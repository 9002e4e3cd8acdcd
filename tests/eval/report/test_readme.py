"""The README's tables are written anew from what is measured, and nothing else of it changes."""

import pytest

from eval.report.readme import (
    MARKDOWN,
    PRINTED,
    STATE,
    TABLES,
    cells,
    files,
    is_stale,
    metrics_of,
    with_metrics,
    with_printed,
    with_state,
)
from tests.places import ROOT

README = (ROOT / "README.md").read_text()
ALL = "\n".join(file.read_text() for file in files(ROOT))
AREAS = """| design | what it is | cycles e / d | area um2 | slack ns |
|---|---|---|---|---|
| `mul-rem` | naive | 550 / 953 | 15630 | +0.36 |
| `other` | not measured | 1 / 2 | 3 | -0.01 |
"""
FRONTS = """```
Fronts
+---+----+
| a | 12 |
+---+----+
Of what was measured, before.
```
"""
FLOW = """```
$ modexplorer flow mul-rem --nbits 32
Result
+------+---+
| area | 1 |
+------+---+
$ modexplorer keygen
n  77
```
"""


def printed(args: str) -> str:
    """What commands print now: the study's report, or that of one design."""
    if args == "flow mul-rem --nbits 32":
        return "Result\n+------+---+\n| area | 2 |\n+------+---+\nlogs in build\n"
    assert args == ""
    return (
        "Others\n+---+\n| b |\n+---+\n\n"
        "Fronts\n+---+----+\n| a | 13 |\n+---+----+\nNow.\nReproduce with:\n  this\n"
    )


def test_metrics_of_a_design_replace_those_of_its_row():
    metrics = {"xcel_cycles_e": 551, "xcel_cycles_d": 953, "area_um2": 9.6, "setup_slack_ns": -0.2}
    report = {"points": [{"design": "mul-rem", "nbits": 32, "metrics": metrics}]}
    now = AREAS.replace("550 / 953 | 15630 | +0.36", "551 / 953 | 10 | -0.20")
    assert with_metrics(AREAS, metrics_of(report)) == now


def test_a_row_that_some_metric_is_missing_of_stays():
    assert with_metrics(AREAS, {("mul-rem", 32): {"area_um2": 1.0}}) == AREAS


def test_a_study_s_table_replaces_that_of_its_title_with_its_note():
    now = FRONTS.replace("12", "13").replace("Of what was measured, before.", "Now.")
    assert with_printed(FRONTS, printed) == now


def test_a_table_below_a_command_is_that_command_s():
    assert with_printed(FLOW, printed) == FLOW.replace("1 |", "2 |")


def test_blocks_of_code_in_a_language_stay():
    """And what stands between two blocks is none."""
    source = "```c\nint main(void);\n```\n"
    now = FRONTS.replace("12", "13").replace("Of what was measured, before.", "Now.")
    assert with_printed(source + FRONTS, printed) == source + now
    assert with_printed(source + FLOW, printed) == source + FLOW.replace("1 |", "2 |")


def test_nothing_changes_where_nothing_else_is_measured():
    def as_it_is(args: str) -> str:
        start = ALL.index(f"$ modexplorer {args}\n") if args else 0
        return ALL[start:]

    assert with_metrics(with_printed(ALL, as_it_is), {}) == ALL


@pytest.mark.parametrize("title", ["Pareto fronts at 32 bits", "Area and timing of the processor"])
def test_the_readme_s_own_tables_are_found(title):
    assert any(found["title"].startswith(title) for found in PRINTED.finditer(ALL))


def test_the_readme_s_tables_of_designs_are_found():
    heads = [tuple(cells(found["head"])) for found in MARKDOWN.finditer(ALL)]
    assert {*heads} >= {*TABLES}


def test_tables_of_other_code_are_stale():
    assert STATE.search(README)
    assert not is_stale(with_state(README))
    assert is_stale(STATE.sub(lambda found: f"{found['head']}none{found['tail']}", README))
