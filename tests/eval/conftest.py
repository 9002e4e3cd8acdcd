"""What tests of designs from files share."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from eval import catalog
from eval.catalog.user_designs import VARIABLE
from eval.skeleton.copying import write_skeleton
from tests.eval.user_designs import forget


@pytest.fixture
def mine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The entries of a new design `mine`, in a folder that is the current one."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    before = {kind: dict(getattr(catalog, kind)) for kind in catalog.KINDS}
    yield write_skeleton(tmp_path / "mine")
    for kind, entries in before.items():
        getattr(catalog, kind).clear()
        getattr(catalog, kind).update(entries)
    forget()
