"""The files of the atlas: what they hold, how they are read, merged and compared."""

import json
import subprocess

import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from eval.atlas import use
from eval.atlas.compare import differences, without
from eval.atlas.rows import CANARIES, FOLDER, Entry, file_of, read, studies, values_of, write
from eval.tasks.simulation import SimulationResult
from eval.tasks.store import Key, as_text
from sim.errors import RunError
from sim.paths import ROOT

pytestmark = pytest.mark.quick


def entry(
    design: str = "mul-rem", nbits: int = 8, date: str = "2026-01-01", **values: object
) -> Entry:
    """Make a result."""
    parts = as_text({"clock_ns": 3.0}), "", "abc", as_text({"yosys": "1"}), as_text({"map": 1}), ""
    made = {"commit": "123", "date": date, "seconds": 1.5}
    request = {"point": {"design": design, "nbits": nbits}}
    key = Key("flow", design, nbits, *parts)
    return Entry(key, request, f"modexplorer flow {design}", values, made)


JSON = st.recursive(
    st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text() | st.none(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), JSON))
def test_an_entry_is_read_as_it_was_written(values):
    one = entry(**{"found": values})
    assert Entry.of(one.line) == one


def test_pandas_reads_it_with_numbers_of_4096_bits(tmp_path):
    wide = (1 << 4096) - 3
    write("some", [entry(nbits=8, result=5), entry(nbits=4096, result=wide)], tmp_path)
    frame = pd.read_json(file_of("some", tmp_path), lines=True)
    assert set(frame["nbits"]) == {8, 4096}
    assert {"kind", "design", "parameters", "verilog", "tools", "stages", "values"} <= set(frame)
    assert [one.values["result"] for one in read("some", tmp_path)] == [wide, 5]


def test_values_of_a_result_have_integers_of_any_size():
    wide = (1 << 4096) - 3
    found = values_of(SimulationResult({"verilator": "5"}, {"cycles": 7}, {"mod": wide}, wide))
    assert found == {"metrics": {"cycles": 7}, "request": {"mod": wide}, "result": wide}
    assert Entry.of(entry(**found).line).values == found


def test_it_is_sorted_and_has_each_result_once(tmp_path):
    entries = [entry(nbits=n, area=1.0) for n in (16, 8, 32)]
    write("some", [*entries, entry(nbits=8, area=2.0)], tmp_path)
    lines = file_of("some", tmp_path).read_text().splitlines()
    assert lines == sorted(lines)
    assert {one.key.nbits: one.values["area"] for one in read("some", tmp_path)} == {
        16: 1,
        8: 2,
        32: 1,
    }


def test_two_branches_that_add_results_merge(tmp_path):
    def git(*words: str) -> None:
        named = ["-c", "user.name=a", "-c", "user.email=a@example.org"]
        subprocess.run(["git", *named, *words], cwd=tmp_path, check=True, capture_output=True)

    folder = tmp_path / FOLDER.relative_to(ROOT)
    folder.mkdir(parents=True)
    (tmp_path / ".gitattributes").write_text((ROOT / ".gitattributes").read_text())
    git("init", "-b", "main")
    write("some", [entry("b")], folder)
    git("add", ".")
    git("commit", "-m", "first")
    git("checkout", "-b", "other")
    write("some", [entry("b"), entry("c"), entry("e", date="2026-02-02", area=2.0)], folder)
    git("commit", "-am", "other")
    git("checkout", "main")
    write("some", [entry("a"), entry("b"), entry("d"), entry("e", area=1.0)], folder)
    git("commit", "-am", "own")
    git("merge", "other")
    merged = {one.key.design: one for one in read("some", folder)}
    assert sorted(merged) == ["a", "b", "c", "d", "e"]
    assert merged["e"].values == {"area": 2.0}  # the newer measurement
    write("some", merged.values(), folder)
    assert len(file_of("some", folder).read_text().splitlines()) == 5


def test_a_damaged_line_is_named(tmp_path):
    write("some", [entry()], tmp_path)
    with file_of("some", tmp_path).open("a") as file:
        file.write("{]\n")
    with pytest.raises(RunError, match="some.jsonl, line 2"):
        read("some", tmp_path)


def test_integers_are_compared_exactly_and_other_numbers_nearly():
    before = {"cells": 10, "area": 100.0, "modules": [{"name": "A", "area": 1.0}], "none": None}

    def paths(**changed: object) -> list[str]:
        return [one.path for one in differences(before, before | changed)]

    assert paths() == []
    assert paths(area=100.0 * (1 + 1e-10)) == []
    assert paths(area=100.0 * (1 + 1e-8)) == ["area"]
    assert paths(cells=11) == ["cells"]
    assert paths(modules=[{"name": "B", "area": 2.0}]) == ["modules[0].area", "modules[0].name"]
    assert paths(modules=[]) == ["modules"]
    assert paths(none=0) == ["none"]
    assert paths(more=1) == ["more"]
    assert str(next(differences({"a": 2.0}, {"a": 3.0}))) == "a: 2.0 -> 3.0 (+50 %)"


def test_what_is_not_compared_is_left_out_however_deep_it_is():
    values = {"seconds": 1, "runs": [{"seconds": 2, "area": 3}], "tools": {"yosys": "1"}}
    assert without(values, frozenset({"seconds", "tools"})) == {"runs": [{"area": 3}]}


def test_a_result_is_used_only_where_canaries_passed_and_by_its_whole_identity(monkeypatch):
    one = entry(metrics={"area_um2": 5.0})
    monkeypatch.delenv(use.FRESH, raising=False)
    monkeypatch.setattr(use, "shipped", lambda: {one.key: one})
    asked = []
    monkeypatch.setattr(use, "confirmed", lambda stages: asked.append(stages) or not asked[1:])
    from dataclasses import replace

    assert use.usable(replace(one.key, code="of this checkout")) == one
    assert asked == [frozenset({"map"})]
    assert use.usable(one.key) is None  # canaries failed
    for part in ("design", "verilog", "tools", "stages", "parameters", "workload"):
        monkeypatch.setattr(use, "confirmed", lambda stages: True)
        assert use.usable(replace(one.key, **{part: "other"})) is None
    assert json.loads(one.key.tools) == use.values(one)["tools"]
    monkeypatch.setenv(use.FRESH, "1")
    assert use.usable(one.key) is None


def test_the_files_of_the_repository_are_whole():
    for path in (file_of(one) for one in (CANARIES, *studies())):
        lines = path.read_text().splitlines()
        assert lines == sorted(lines), path
