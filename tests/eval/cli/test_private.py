"""`modexplorer simulate --workload private`: a private operation by CRT, and what is refused."""

import pytest

import eval.tasks.private
from fl.xcel import words
from tests.command_line import assert_refused, run, run_json

pytestmark = pytest.mark.quick

ASKED = "simulate array-crt-16 --nbits 32 --workload private --xcel"


@pytest.mark.parametrize("level", ["cl", "fl", "formula"])
def test_message_and_cycles(level):
    shown = run_json(f"{ASKED} --level {level}")
    key = eval.tasks.private.private_key(32)
    assert shown["status"] == "ok"
    assert pow(shown["result"], key.e, key.n) == pow(
        eval.tasks.private.message_for(key), key.e, key.n
    )
    if level == "fl":
        assert (shown["cycles"], shown["from_go"]) == (None, None)
    else:  # a push, and the go; the result is popped at once
        assert shown["cycles"] == shown["from_go"] + 2 * words(32)
        assert shown["from_go"] > 500


def test_what_is_printed():
    lines = run(f"{ASKED} --level cl").stdout.splitlines()
    assert [line.split()[0] for line in lines[:3]] == ["result", "status", "cycles"]
    assert lines[3].endswith(" of them from go to the result")


def test_a_wrong_time_is_told(monkeypatch):
    """The port is asked, not the formula alone."""
    monkeypatch.setattr(eval.tasks.private, "xcel_cycles", lambda nbits, latency: latency)
    result = run(f"{ASKED} --level cl")
    assert result.exit_code == 1
    assert "right is" in result.stderr


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (ASKED.replace("crt-16", "16"), "array-16 makes no private operation by CRT; give"),
        (ASKED.replace("--xcel", ""), "--workload private: is asked through the port; give --xcel"),
        (f"{ASKED} --base 3", "--base: --workload private has its own; leave it out"),
        (ASKED.replace("32", "8"), "--nbits: there is no key of 8 bits; give 16 or more"),
        (f"{ASKED} --level formula --trace", "--level formula: runs nothing"),
    ],
)
def test_what_is_refused(line, says):
    assert_refused(line, says)
