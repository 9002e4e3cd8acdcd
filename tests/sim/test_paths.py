"""What a path may be made of, and how tools that take no spaces get one with a space."""

import os
from pathlib import Path

import pytest

from sim.errors import RunError
from sim.paths import ROOT, build_dir, unspaced

pytestmark = pytest.mark.quick


def test_a_path_with_a_space_is_given_by_way_of_a_link(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "links"))
    (tmp_path / "links").mkdir()
    file = tmp_path / "two words" / "in" / "file"
    file.parent.mkdir(parents=True)
    file.write_text("here")
    assert unspaced(tmp_path / "one") == tmp_path / "one"
    by_link = unspaced(file)
    assert by_link.read_text() == "here"
    assert by_link.parent.parent.parent == tmp_path / "links"
    assert unspaced(file) == by_link
    assert unspaced(file.parent / "other") == by_link.parent / "other"
    link = by_link.parent.parent
    link.unlink()
    link.symlink_to(tmp_path)
    with pytest.raises(RunError, match=r"links/modexplorer-.* is to be a link to .*two words"):
        unspaced(file)


def test_a_temporary_folder_with_a_space_is_no_help(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path / "a b"))
    with pytest.raises(RunError, match="neither this path nor TMPDIR"):
        unspaced(tmp_path / "two words")


@pytest.mark.parametrize("odd", ["it's", 'a"b', "$HOME", "a\\b", "a\nb", "a`b"])
def test_what_tools_cannot_take_is_refused(
    odd: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / odd))
    with pytest.raises(RunError, match="has a quote, a .*; move it") as caught:
        build_dir("batch")
    assert "\n" not in str(caught.value)
    assert os.listdir(tmp_path) == []


def test_a_build_folder_that_cannot_be_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("MODEXPLORER_BUILD", str(tmp_path / "file"))
    with pytest.raises(RunError, match=r"file/batch: cannot be made \(.*\); set MODEXPLORER_BUILD"):
        build_dir("batch")


def test_the_working_directory_decides_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for none in ("", None):
        if none is None:
            monkeypatch.delenv("MODEXPLORER_BUILD", raising=False)
        else:
            monkeypatch.setenv("MODEXPLORER_BUILD", none)
        assert build_dir() == ROOT / "build"
    monkeypatch.setenv("MODEXPLORER_BUILD", "here")
    assert build_dir("batch") == tmp_path / "here" / "batch"
    monkeypatch.delenv("MODEXPLORER_BUILD")
    monkeypatch.setattr("sim.paths.ROOT", tmp_path)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    assert build_dir() == tmp_path / "cache" / "modexplorer"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert build_dir() == tmp_path / ".cache" / "modexplorer"
