"""What a shell is offered: designs, studies, levels, documents, by the words typed so far."""

import pytest

from eval.catalog import DESIGNS
from eval.study.studies import STUDIES
from eval.tasks.leakage import levels as power
from sim.stream import LEVELS
from tests.command_line import run

pytestmark = pytest.mark.quick


def offered(monkeypatch: pytest.MonkeyPatch, words: str) -> list[str]:
    """What bash is offered for the last of the words."""
    monkeypatch.setenv("_MODEXPLORER_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", f"modexplorer {words}")
    monkeypatch.setenv("COMP_CWORD", str(len(words.split(" "))))
    return [line.partition(",")[2] for line in run("").stdout.splitlines() if line]


@pytest.mark.parametrize("command", ["check", "simulate", "flow", "clocks", "compare mul-rem"])
def test_designs_are_offered(monkeypatch, command) -> None:
    found = offered(monkeypatch, f"{command} ssmm-")
    assert {*found} >= {name for name in DESIGNS if name.startswith("ssmm-")}
    assert all(name.startswith("ssmm-") for name in found)


def test_studies_levels_and_documents_are_offered(monkeypatch) -> None:
    assert offered(monkeypatch, "report cl") == ["clocks"]
    assert {*offered(monkeypatch, "explore ")} == {*STUDIES}
    assert {*offered(monkeypatch, "simulate mul-rem --level ")} == {*LEVELS}
    assert offered(monkeypatch, "lab start ") == [*"12345678", "project"]
    assert offered(monkeypatch, "lab check p") == ["project"]
    assert offered(monkeypatch, "documents 00") == ["000", "001", "002", "003", "004"]
    assert {"mul-rem", "quick"} < {*offered(monkeypatch, "list ")}
    assert offered(monkeypatch, "simulate mul-rem --unit m") == ["multiplier"]


@pytest.mark.parametrize("command", ["leakage", "attack", "assess"])
def test_all_levels_of_power_are_offered(monkeypatch, command) -> None:
    assert {*offered(monkeypatch, f"{command} mont-ct --level ")} == {*power.LEVELS}


def test_the_last_of_a_list_is_offered(monkeypatch) -> None:
    assert "mont-best,array-4" in offered(monkeypatch, "explore --designs mont-best,arr")
    assert offered(monkeypatch, "check nothing-like-it") == []
    assert "mont,array" in offered(monkeypatch, "find --families mont,arr")
    assert offered(monkeypatch, "find --least area,t") == ["area,time"]
    assert offered(monkeypatch, "conform --suite SigVer15,SigGenP") == ["SigVer15,SigGenPSS"]
