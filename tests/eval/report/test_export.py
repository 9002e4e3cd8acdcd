"""Tables as files: every format holds the values, or the cells that the report shows."""

import csv
import json

import pandas
import pytest

from eval.report.export import FORMATS, tables_of, write_tables
from eval.report.report import Report
from eval.table import Table, numbers, words
from eval.table.values import columns_of, frame_of
from eval.tasks.section import Chart
from tests.command_line import assert_refused
from tests.eval.report.test_records import found_at

TABLE = Table(
    "Areas & 50 % of time",
    words({"design": 0, "with\nnote": 1})
    + numbers(1, {"area\num2": 2, "work-\nload": 3})
    + numbers(1, {"area\num2": 4}),
    "A note.",
).of([("mul-rem!", "a|b", 1234.5678, 3, None), ("a_b", "x", 0.25, 4, 1.5)])


@pytest.mark.quick
def test_columns_have_one_name_each():
    assert columns_of(TABLE) == ["design", "with note", "area um2", "workload", "area um2 (2)"]


@pytest.mark.quick
def test_every_format_holds_the_table(tmp_path):
    paths = write_tables({"areas": TABLE}, tmp_path, FORMATS)
    assert [path.name for path in paths] == [
        *("areas.csv", "areas.parquet", "areas.tex", "areas.md", "areas.json")
    ]
    with paths[0].open() as file:
        rows = list(csv.reader(file))
    assert rows[1:] == [["mul-rem", "a|b", "1234.5678", "3", ""], ["a_b", "x", "0.25", "4", "1.5"]]
    frame = pandas.read_parquet(paths[1])
    assert frame["area um2"].tolist() == [1234.5678, 0.25]
    assert frame["area um2 (2)"].isna().tolist() == [True, False]
    assert frame["workload"].dtype == "int64"
    latex = paths[2].read_text()
    assert r"\begin{tabular}{llrrr}" in latex
    assert r"mul-rem! & a|b & 1234.6 & 3.0 & - \\" in latex
    assert r"a\_b & x" in latex
    assert r"\caption{Areas \& 50 \% of time. A note. ! timing not met" in latex
    markdown = paths[3].read_text()
    assert r"| mul-rem! | a\|b | 1234.6 | 3.0 | - |" in markdown
    first, second = json.loads(paths[4].read_text())["rows"]
    assert first["design"] == "mul-rem"
    assert (first["area um2"], second["area um2 (2)"]) == (1234.5678, 1.5)
    assert markdown.startswith("## Areas & 50 % of time\n\n| design |")


def test_all_tables_of_a_report_are_written(tmp_path):
    report = Report(found_at(3.0))
    found = tables_of(report)
    grids = [
        item for place in ("overview", "fronts", "designs", "results") for item in report[place]
    ]
    assert {table.title for table in found.values()} >= {
        item.title for item in grids if not isinstance(item, Chart)
    }
    rows = frame_of(found["points-clocks-and-workloads"])
    assert len(rows) == 5
    assert set(rows["design"]) == {"mul-rem", "mont-best", "array-4"}
    assert len(write_tables(found, tmp_path, ["csv", "parquet"])) == 2 * len(found)
    for name, table in found.items():
        assert len(pandas.read_parquet(tmp_path / f"{name}.parquet")) == len(table.lines)


@pytest.mark.quick
def test_bad_input_is_refused(tmp_path):
    (file := tmp_path / "file").write_text("")
    assert_refused(f"export quick --out {file}", f"--out: {file} is a file; give a folder")
    assert_refused(
        f"export quick --out {file}/below", "below (Not a directory); give another folder"
    )
    assert_refused("export quick --format xls", "--format: 'xls' is none; choose from csv")
    assert_refused("export nothing", "no study named 'nothing'")
