"""What each study measures is what contents.txt lists: no design falls out of one unnoticed."""

from tests.eval.study.contents import FILE, contents


def test_every_study_measures_what_is_listed() -> None:
    assert contents().splitlines() == FILE.read_text().splitlines()
