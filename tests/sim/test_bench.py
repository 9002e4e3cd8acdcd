"""The simulation benchmark runs, as a command, at a small width."""

import json

import pytest

from tests.bench import bench_simulation

SMALL = ["--widths", "8", "--seconds", "0.02"]


def test_json(capsys: pytest.CaptureFixture[str]) -> None:
    bench_simulation.main([*SMALL, "--json"])
    rows = json.loads(capsys.readouterr().out)
    assert [(r["nbits"], r["level"]) for r in rows] == [(8, "rtl"), (8, "verilog"), (8, "batch")]
    assert all(r["cycles"] > 0 and r["cycles_per_s"] > 0 for r in rows)
    assert [r["ratio"] for r in rows] == [r["cycles_per_s"] / rows[0]["cycles_per_s"] for r in rows]
    assert rows[2]["ratio"] > 10


def test_table(capsys: pytest.CaptureFixture[str]) -> None:
    bench_simulation.main(SMALL)
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == "mul-rem: cycles per second of CPU time, best of 3 rounds"
    assert [line.split()[:2] for line in lines[2:]] == [
        ["8", "Python"],
        ["8", "import"],
        ["8", "batch"],
    ]
