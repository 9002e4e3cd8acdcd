"""Designs from files, in the tests' own process, which forgets them afterwards."""

import sys
from pathlib import Path

from eval import catalog
from eval.tasks.unit import simulated


def forget() -> None:
    """Forget what was brought: another process would not know it."""
    for name in [name for name in sys.modules if name.startswith("brought_")]:
        del sys.modules[name]
    catalog.find.cache_clear()
    simulated.cache_clear()


def edit(path: Path, old: str, new: str) -> None:
    """Change the one place of a file that has a text."""
    text = path.read_text()
    assert text.count(old) == 1
    path.write_text(text.replace(old, new))
