"""Vectors as their files have them, and how many of them are taken."""

from pathlib import Path

import pytest

from eval.conform import files
from eval.conform.files import FILES, cavp_records, commented_records, load
from eval.conform.vector import SUITES, VERIFY15, Vector, spread
from sim.errors import UserError

pytestmark = pytest.mark.quick

CUT = Path(__file__).with_name("vectors")


def outcome(vector: Vector) -> bool:
    """Whether what comes of Python's own power is what the vector says."""
    assert vector.power
    return vector.found(pow(vector.power.base, vector.power.exp, vector.power.mod)) == vector.right


def test_every_suite_has_vectors_that_hold() -> None:
    found = load(CUT, 1024, SUITES)
    assert {one.suite for one in found} == set(SUITES)
    assert all(map(outcome, found))
    refused = [one for one in found if one.must_fail]
    assert {one.suite for one in refused} == {"SigVer15", "SigVerPSS"}


@pytest.mark.parametrize("suite", SUITES)
def test_another_power_is_not_what_the_vector_says(suite: str) -> None:
    first = next(one for one in load(CUT, 1024, (suite,)) if not one.must_fail)
    assert first.power
    assert first.found(first.power.result ^ 1) != first.right


@pytest.mark.parametrize("above", [0, 1, None])
def test_a_signature_that_is_not_below_the_modulus_makes_no_power(above: int | None) -> None:
    """The modulus itself, the next number, and the largest of as many bytes."""
    text = (CUT / "asymmetric/RSA/FIPS_186-2/SigVer15_186-3.rsp").read_text()
    [file] = [file for file in FILES if file.path.endswith("SigVer15_186-3.rsp")]
    fields = next(cavp_records(text, "Result"))
    number = "ff" * 128 if above is None else f"{int(fields['n'], 16) + above:0256x}"
    vector = file.make("too long", fields | {"S": number, "Result": "F (3)"})
    assert vector.power is None
    assert vector.found(None) is vector.right is False


def test_records() -> None:
    text = "# CAVS\n[mod = 8]\nn = 05\nS = 01\nd = 7\nS = 02\n[mod = 16]\nS = 03\n"
    assert list(cavp_records(text, "S")) == [
        {"n": "05", "S": "01"},
        {"n": "05", "S": "02", "d": "7"},
        {"S": "03"},
    ]
    text = "prose\nab\n# Salt:\n0a 0B \n0c\n\n# Seed:\n\n# Salt: \nff\n"
    found = [fields["salt"] for fields in commented_records(text, "salt")]
    assert found == ["0a0B0c", "ff"]


def test_a_width_without_vectors_names_those_that_have_some() -> None:
    with pytest.raises(UserError, match="no vectors of 1000 bits; choose from 1024$"):
        load(CUT, 1000, SUITES)


def test_files_that_are_none_of_the_packages(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="--vectors: .* has none of the package's files"):
        load(tmp_path, 1024, SUITES)
    place = tmp_path / "asymmetric/RSA/SigVer15EMTest.txt"
    place.parent.mkdir(parents=True)
    place.write_text("n = 7\nResult = P\n")
    with pytest.raises(
        UserError, match="--vectors: .*SigVer15EMTest.txt.*give the package's files"
    ):
        load(tmp_path, 3, SUITES)


def test_a_few_of_each_suite() -> None:
    valid, refused = (
        [Vector(VERIFY15, f"{right} {i}", 7, None, bool, right) for i in range(count)]
        for right, count in ((True, 4), (False, 20))
    )
    names = [one.name for one in spread([*refused, *valid], 6)]
    assert names == ["True 0", "True 1", "True 2", "False 0", "False 6", "False 13"]
    assert len(spread([*refused, *valid], 20)) == 20
    assert len(spread([*refused, *valid], None)) == 24
    assert len(spread(valid, 3)) == 3


def test_a_package_that_is_not_there_is_told_with_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(files, "find_spec", lambda name: None)
    wanted = r"-m pip install cryptography-vectors==50.0.2`"
    monkeypatch.setattr(
        files, "requires", lambda name: ['cryptography-vectors==50.0.2; extra == "v"']
    )
    with pytest.raises(UserError, match=f"--vectors: the package .* is not there; .*{wanted}"):
        load(None, 1024, SUITES)
