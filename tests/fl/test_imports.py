"""Integers need no PyMTL3: whoever reads or uses them need not have it."""

import subprocess
import sys

import pytest

from sim.closure import files_in
from tests.places import ROOT

pytestmark = pytest.mark.quick

# Components, their messages, and how wide bits may be.
OF_PYMTL3 = ("fl.component", "fl.messages", "fl.widebits")


def modules() -> list[str]:
    """The modules of fl."""
    files = [file for file in files_in(ROOT / "fl") if file.suffix == ".py"]
    names = (file.relative_to(ROOT).with_suffix("").parts for file in files)
    return sorted(".".join(parts).removesuffix(".__init__") for parts in names)


def imported(names: list[str]) -> subprocess.CompletedProcess[str]:
    """Import modules where PyMTL3 cannot be imported."""
    lines = ["import sys", "sys.modules['pymtl3'] = None", *(f"import {name}" for name in names)]
    command = [sys.executable, "-c", "\n".join(lines)]
    return subprocess.run(command, cwd=ROOT, capture_output=True, text=True)


def test_integers_are_imported_without_pymtl3() -> None:
    names = [name for name in modules() if not name.startswith(OF_PYMTL3)]
    assert {"fl.ssmm", "fl.xcel", "fl.axi_lite"} <= set(names)
    result = imported(names)
    assert result.returncode == 0, result.stderr


def test_components_need_it() -> None:
    for name in ("fl.component.stream", "fl.messages", "fl.widebits"):
        assert "pymtl3" in imported([name]).stderr, name
