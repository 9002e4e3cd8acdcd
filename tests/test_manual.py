"""The manual: all pages are in it, each link leads somewhere, the commands' help is theirs."""

import json
import shutil
import subprocess
import sys

import pytest
import yaml

from eval.cli import HELP, cli
from eval.quoting.pages import pages
from tests.places import ROOT

CONFIG = ROOT / "mkdocs.yml"


def build(config, folder):
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file", str(config)]
    return subprocess.run([*command, "--site-dir", str(folder)], capture_output=True, text=True)


def test_it_is_built_with_all_pages_and_a_search(tmp_path):
    done = build(CONFIG, tmp_path)
    assert done.returncode == 0, done.stderr
    index = json.loads((tmp_path / "search" / "search_index.json").read_text())["docs"]
    found = {entry["location"]: entry for entry in index}
    for page in pages():
        place = str(page.relative_to(ROOT)).replace("README", "index")
        assert place.replace(".md", ".html") in found
    for name in HELP:
        assert f"docs/commands.html#{name}" in found
    help_of_keygen = found["docs/commands.html#keygen"]["text"]
    assert "Usage: modexplorer keygen [OPTIONS]" in help_of_keygen
    assert "-h, --help" in help_of_keygen
    assert cli.commands.keys() == HELP.keys()


@pytest.mark.parametrize("link", ["missing.md", "README.md#no-such-heading"])
def test_a_dead_link_is_an_error(tmp_path, link):
    (tmp_path / "docs").mkdir()
    shutil.copytree(ROOT / "docs" / "site", tmp_path / "docs" / "site")
    (tmp_path / "README.md").write_text(f"# A page\n\n[to nowhere]({link})\n")
    text = CONFIG.read_text()
    nav = yaml.safe_dump({"nav": [{"Start": "README.md"}, {"Commands": "docs/commands.md"}]})
    (tmp_path / "mkdocs.yml").write_text(text[: text.index("nav:")] + nav)
    done = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    assert done.returncode == 1
    assert link.split("#")[-1] in done.stderr
