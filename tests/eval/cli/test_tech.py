"""`modexplorer tech`, and what commands say to technologies that there are not."""

import pytest

from tests.command_line import assert_refused, run, run_json

pytestmark = pytest.mark.quick


def test_technologies_are_listed_with_what_they_lack() -> None:
    result = run("tech")
    assert result.exit_code == 0
    assert max(map(len, result.stdout.splitlines())) <= 100
    for said in ("nangate45", "sky130", "osu018", "ss, tt, ff", "a clock gate"):
        assert said in result.stdout
    one = run("tech sky130").stdout
    assert max(map(len, one.splitlines())) <= 100
    for said in ("dlclkp_1", "Apache-2.0", "met5", "1.95"):
        assert said in one
    assert "osu018" not in one
    [found] = run_json("tech osu018")["technologies"]
    assert (found["name"], found["node_nm"], found["clock_ns"]) == ("osu018", 180, 13.5)
    assert found["cells"]["full_adder"]["inputs"] == ["A", "B", "C"]


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("tech sky", "tech: no technology 'sky'; choose from nangate45, osu018, sky130"),
        ("flow mul-rem --nbits 8 --tech sky", "tech: no technology 'sky'"),
        ("flow mul-rem --nbits 8 --tech sky130 --corner hot", "sky130 has no corner 'hot'"),
        ("clocks mul-rem --nbits 8 --corner ss", "nangate45 has no corner 'ss'"),
        ("explore --designs mul-rem --nbits 8 --tech sky", "tech: no technology 'sky'"),
        (
            "explore --designs mul-rem --nbits 8 --tech sky130 --to none",
            "--tech: nothing is mapped",
        ),
        ("corners mul-rem --nbits 8 --tech sky130 --corner ss", "corner: ss is one"),
        ("flow mul-rem --nbits 8 --tech osu018 --gated", "gated: osu018 has no clock gate"),
    ],
)
def test_what_cannot_be_is_refused_before_anything_runs(line: str, says: str) -> None:
    assert_refused(line, says)


def test_a_layout_is_refused_where_there_are_no_rules(bare: str) -> None:
    assert_refused(f"flow mul-rem --nbits 8 --tech {bare} --to layout", "tech: bare has no layout")
