"""What tests of labs share."""

import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from eval import catalog
from eval.catalog.user_designs import VARIABLE
from eval.labs.folder import starting_files
from eval.labs.lab import find_lab
from tests.command_line import run
from tests.eval.user_designs import forget

Begin = Callable[..., Path]


@pytest.fixture
def begin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Begin]:
    """Begins a lab in a new folder, by the command; what it brings is forgotten."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    before = {kind: dict(getattr(catalog, kind)) for kind in catalog.KINDS}

    def made(number: str, folder: str = "mine", name: str = "ada") -> Path:
        done = run(f"lab start {number} {folder} --name {name}")
        assert done.exit_code == 0, done.output
        place = tmp_path / folder
        names = {file.name for file in starting_files(find_lab(number))}
        names |= find_lab(number).made_files(name, "").keys()
        assert {file.name for file in place.iterdir()} == names | {"answers.toml", "questions.md"}
        assert tomllib.loads((place / "answers.toml").read_text())["name"] == name
        return place

    yield made
    for kind, entries in before.items():
        getattr(catalog, kind).clear()
        getattr(catalog, kind).update(entries)
    forget()


def answer(place: Path, **answers: object) -> None:
    """Write answers in a folder's answers.toml."""
    file = place / "answers.toml"
    text = file.read_text()
    for name, value in answers.items():
        assert f'\n{name} = "?"' in text, name
        text = text.replace(f'\n{name} = "?"', f'\n{name} = "{value}"')
    file.write_text(text)
