"""mypy checks the packages that mypy.ini names, where ruff checks files, and no line is exempt."""

import re
from configparser import ConfigParser

import pytest

from sim.closure import PACKAGES, files_in
from tests.places import ROOT

pytestmark = pytest.mark.quick
CONFIG = ConfigParser()
CONFIG.read(ROOT / "mypy.ini")


def test_packages_of_ours_are_checked_strictly() -> None:
    named = {name.strip() for name in CONFIG["mypy"]["files"].split(",")}
    assert {"modexplorer", "sim"} <= named
    assert all((ROOT / name).is_dir() for name in named)
    assert {name.partition("/")[0] for name in named} <= set(PACKAGES)
    assert CONFIG["mypy"].getboolean("strict")


def test_what_asks_ruff_asks_mypy() -> None:
    lint = re.search(r"^lint:.*\n((?:\t.*\n)+)", (ROOT / "Makefile").read_text(), re.M)
    assert lint is not None
    assert lint[1].splitlines()[-1] == "\t$(BIN)/mypy"
    hooks = (ROOT / ".pre-commit-config.yaml").read_text()
    assert re.search(r"^ +entry: \.venv/bin/mypy$", hooks, re.M)


@pytest.mark.parametrize("package", PACKAGES)
def test_no_line_is_exempt(package) -> None:
    files = [file for file in files_in(ROOT / package) if file.suffix == ".py"]
    assert not [file for file in files if re.search(r"#\s*(type|mypy):", file.read_text())]
