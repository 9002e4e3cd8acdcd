"""What a step leaves for the others: a record, with its metrics and the tools that made it."""

import hashlib
import json

import msgspec
import pytest

from flow.results.netlist import Gating, Rtl
from flow.step import given_file, leave, run, taken
from sim.errors import RunError

pytestmark = pytest.mark.quick
FOUND = Gating(least_registers=3, clock_gates=1, gated_registers=8, registers=9)


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of a step, which takes what it leaves."""
    (tmp_path / "outputs").mkdir()
    (tmp_path / "inputs").symlink_to("outputs")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_record_is_left_with_metrics_and_tools_and_taken(folder):
    leave("gating", FOUND, {"area_um2": 1.5, "slack_ns": None}, {"yosys": "1"})
    assert json.loads((folder / "outputs/gating.json").read_text()) == {
        "metrics": {"area_um2": 1.5, "slack_ns": None},
        **{"least_registers": 3, "clock_gates": 1, "gated_registers": 8, "registers": 9},
        "tools": {"yosys": "1"},
    }
    assert taken("gating", Gating) == FOUND
    leave("gating", FOUND)
    assert json.loads((folder / "outputs/gating.json").read_text()).keys() == {
        "metrics",
        *Gating.__struct_fields__,
    }


def test_what_is_no_such_record_is_not_taken():
    leave("gating", FOUND)
    with pytest.raises(msgspec.ValidationError, match="verilog_sha256"):
        taken("gating", Rtl)


def test_what_is_wrong_is_said_line_by_line(capsys, monkeypatch):
    monkeypatch.setattr("gc.disable", lambda: None)

    def fail():
        raise RunError("one\nanother")

    with pytest.raises(SystemExit, match="ERROR: one\nERROR: another"):
        run(fail)


def test_a_file_that_changed_since_is_not_taken(folder, monkeypatch):
    file = folder / "recording.json"
    file.write_text("one")
    monkeypatch.setenv("recording", str(file))
    monkeypatch.setenv("recording_sha256", hashlib.sha256(b"one").hexdigest())
    assert given_file("recording") == file
    file.write_text("two")
    with pytest.raises(RunError, match="recording.json changed since the graph was made"):
        given_file("recording")
