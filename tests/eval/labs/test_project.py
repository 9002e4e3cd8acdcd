"""The project: a design that beats another earns the points, what is wrong with a claim is told."""

import json
import os
from pathlib import Path

import pytest

from eval.labs import design_code
from eval.labs.design_code import MADE, Claim, Figures, compared
from eval.labs.folder import mark_code
from eval.labs.lab import TEACHER, find_lab
from eval.labs.project import RIVALS
from sim.errors import RunError
from tests.eval.labs.right import PROJECT_ENTRY
from tests.eval.user_designs import edit

PROJECT = find_lab("project")
CLAIM = Claim("project", "mont-small", 3.0)
RIVAL = Figures(1438.0, 0.168)  # um2, us
# Worked out by hand: 1438 * 0.98 / 1.02 = 1381.6 um2, and 0.168 * 0.96 / 1.04 = 0.15508 us.
COMPARED = {
    (1381.0, 0.155): "",
    (1382.0, 0.155): "area: 1382 um2, mont-small has 1438 um2: within the noise of 2 % of each",
    (1381.0, 0.1552): "time: 0.1552 us, mont-small has 0.168 us: within the noise of 4 % of each",
    (1500.0, 0.1): "no less; below 1382 um2 is beyond it",
}


@pytest.fixture
def place(begin, monkeypatch) -> Path:
    """A right design with a claim; its contract is tried by integers alone."""
    monkeypatch.setattr(design_code, "LEVELS", ("fl",))
    place = begin("project")
    (place / "entry.py").write_text(PROJECT_ENTRY)
    edit(place / "claim.toml", 'beats = "?" ', 'beats = "mont-small"')
    return place


def said(place: Path) -> dict[str, str]:
    marks = mark_code(PROJECT, place, "") + PROJECT.measure(place)
    return {mark.item: mark.said for mark in marks}


@pytest.mark.quick
@pytest.mark.parametrize("figures", COMPARED)
def test_what_is_within_the_noise_is_no_claim(figures) -> None:
    found = compared(Figures(*figures), RIVAL, CLAIM)
    assert COMPARED[figures] in found
    assert bool(found) == bool(COMPARED[figures])


@pytest.mark.parametrize(("rival", "points"), [("mont-small", 16), ("ssmm-small", 24)])
def test_points_are_those_of_the_rival(place, monkeypatch, rival, points) -> None:
    edit(place / "claim.toml", "mont-small", rival)
    monkeypatch.setattr(design_code, "rival_figures", lambda claim: RIVAL)
    monkeypatch.setattr(design_code, "own_figures", lambda made, claim: Figures(1000.0, 0.1))
    assert [mark.said for mark in mark_code(PROJECT, place, "")] == ["", ""]
    [mark] = PROJECT.measure(place)
    assert (mark.item, mark.got, mark.points) == ("beats", points, 24)
    assert bool(mark.said) == (points < 24)


def test_what_the_flow_is_handed_is_the_design(place) -> None:
    mark_code(PROJECT, place, "")
    made = json.loads((place / MADE).read_text())
    assert made["cycles"] == 96
    assert f"module {made['top']}" in made["text"]
    assert "SsmmRTL" in made["text"]


WRONG = {
    "no rival": ({"claim.toml": ("mont-small", "array-4")}, "claim", "name one of mont-small"),
    "no design": ({"claim.toml": ('design = "project"', 'design = "mine"')}, "claim", "no design"),
    "no clock": ({"claim.toml": ("clock = 3.0", 'clock = "fast"')}, "claim", "give 0.5 to 5"),
    "no TOML": ({"claim.toml": ("clock =", "clock")}, "claim", "mend it"),
    "no Python": ({"entry.py": ("DESIGNS = (", "DESIGNS == (")}, "claim", "entry.py, line"),
    "copied": (
        {"entry.py": ("make=lambda nbits: organised(UNIT.at(nbits), ONE)", "make=find")},
        "claim",
        "is ssmm-small of the catalog",
    ),
    "wrong": (
        {"entry.py": ("LEFT_TO_RIGHT, units=1", "LEFT_TO_RIGHT, units=5")},
        "claim",
        "one unit",
    ),
    "one form": (
        {"entry.py": ("make=lambda", "moduli=FORM, make=lambda")},
        "claim",
        "takes of the form 2^n - k moduli; it must take all odd ones",
    ),
    "small ones": (
        {"entry.py": ("make=lambda", 'moduli=Moduli("prime >= 3"), make=lambda')},
        "claim",
        "takes prime >= 3 moduli",
    ),
    "too late": (
        {"entry.py": ('"a step per cycle", Ssmm)', '"a step per cycle", Late)')},
        "contract",
        "is not a * b",
    ),
}
MORE = '''
from eval.catalog import DESIGNS as THEIRS
from eval.catalog.design import Moduli
from eval.catalog.workloads import key_for
FORM = Moduli("of the form 2^n - k", key=key_for)
find = THEIRS["ssmm-small"].make


class Late(Ssmm):
    """Another value than it should have."""

    def value(self, a, b, m):
        return super().value(a, b, m) ^ (a == 2)

'''


@pytest.mark.parametrize("name", WRONG)
def test_what_is_wrong_is_told(place, name) -> None:
    changes, item, says = WRONG[name]
    edit(place / "entry.py", "\nUNIT = ", f"{MORE}\nUNIT = ")
    for file, change in changes.items():
        edit(place / file, *change)
    found = said(place)
    assert says in found[item]
    assert found["beats"].startswith(("claim.toml", "not tried: claim and contract first"))


def test_the_teachers_cases_are_of_another_width(place) -> None:
    """A value that is wrong beyond 8 bits is seen by them alone."""
    text = MORE.replace("(a == 2)", "(a == 2 and self.nbits > 8)")
    edit(place / "entry.py", "\nUNIT = ", f"{text}\nUNIT = ")
    edit(place / "entry.py", '"a step per cycle", Ssmm)', '"a step per cycle", Late)')
    marks = {mark.item: mark.said for mark in mark_code(PROJECT, place, "a teacher's")}
    assert (marks["claim"], marks["contract"]) == ("", "")
    assert "is not a * b" in marks[TEACHER]


@pytest.mark.quick
@pytest.mark.parametrize(
    "made",
    [
        "[",
        "[]",
        '{"top": "a; rm", "text": "", "flattened": [], "carry_save": false, "cycles": 1}',
        '{"top": "a", "text": "", "flattened": [7], "carry_save": false, "cycles": 1}',
        '{"top": "a", "text": "", "flattened": [], "carry_save": false, "cycles": -1}',
    ],
)
def test_what_hostile_code_leaves_is_refused(tmp_path, made) -> None:
    (tmp_path / "claim.toml").write_text('design = "x"\nbeats = "mul-rem"\nclock = 3\n')
    (tmp_path / MADE).write_text(made)
    [mark] = PROJECT.measure(tmp_path)
    assert (mark.got, mark.said.startswith(f"{MADE}: ")) == (0, True)


def test_what_is_handed_over_is_simulated(place) -> None:
    """Verilog of another function, or of another time than it says, is not measured, whatever is
    said of the contract; nor is one for which the teacher's cases alone fail."""
    items, widths = PROJECT.items("x"), [9]
    handed = design_code.hand_over(place, items, widths, RIVALS)
    assert handed["said"] == {"claim": "", "contract": "", TEACHER: ""}
    text = handed["made"]["text"]
    result = "result__value = exponentiator__send__msg.result;"
    assert text.count(result) == 1
    wrong = {"text": text.replace(result, result.replace("= ", "= 1 | "))}
    none = {"wide": handed["made"]["wide"] | {"text": "module x; endmodule"}}
    for changes, contract, teachers in (
        ({}, "", ""),
        (wrong, "answers", "not tried: contract first"),
        ({"cycles": 95}, "takes 96 cycles, and the design says 95", "not tried: contract first"),
        (none, "", "failed"),
    ):
        (place / MADE).unlink(missing_ok=True)
        given = handed | {"made": handed["made"] | changes}
        marks = {m.item: m for m in design_code.check_handed(place, items, widths, RIVALS, given)}
        assert marks["claim"].got == 2
        for item, said in (("contract", contract), (TEACHER, teachers)):
            assert said in marks[item].said
            assert bool(said) == bool(marks[item].said)
            assert (marks[item].got == 0) == bool(said)
        assert (place / MADE).exists() == (not contract and not teachers)


@pytest.mark.quick
def test_pipes_and_links_are_not_read(tmp_path) -> None:
    (tmp_path / "claim.toml").write_text('design = "x"\nbeats = "mul-rem"\nclock = 3\n')
    os.mkfifo(tmp_path / MADE)
    [mark] = PROJECT.measure(tmp_path)
    assert mark.said == f"{MADE}: is no plain file, or too long"
    (tmp_path / "claim.toml").unlink()
    (tmp_path / "claim.toml").symlink_to("/etc/passwd")
    [mark] = PROJECT.measure(tmp_path)
    assert mark.said == "claim.toml: is no plain file, or too long"


@pytest.mark.quick
def test_a_failed_flow_is_told(tmp_path, monkeypatch) -> None:
    def fails(made, claim) -> Figures:
        raise RunError("step synthesis failed\nlog")

    monkeypatch.setattr(design_code, "own_figures", fails)
    (tmp_path / "claim.toml").write_text('design = "x"\nbeats = "mul-rem"\nclock = 3\n')
    made = {"top": "a", "text": "module", "flattened": [], "carry_save": False, "cycles": 9}
    (tmp_path / MADE).write_text(json.dumps(made))
    [mark] = PROJECT.measure(tmp_path)
    assert mark.said == "step synthesis failed log"


@pytest.mark.long
def test_a_design_beats_another_by_the_flow(begin) -> None:
    place = begin("project")
    (place / "entry.py").write_text(PROJECT_ENTRY)
    edit(place / "claim.toml", 'beats = "?" ', 'beats = "mont-small"')
    marks = mark_code(PROJECT, place, "a teacher's")
    assert [mark.said for mark in marks] == ["", "", ""]
    [mark] = PROJECT.measure(place)
    assert mark.got == 16
