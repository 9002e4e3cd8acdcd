"""The stages: which files they have, what they import, and what changes their digests."""

from pathlib import Path

import pytest

from sim.closure import Code
from sim.paths import ROOT
from sim.stages import APART, ENTRIES, HARDWARE, Stages, stages

# Code that every stage may import: it computes no stored value, or digests stand for it.
FREE = {APART, HARDWARE, ENTRIES}


def imported(code: Code, path: Path) -> set[Path]:
    """The files of ours that a file imports."""
    return code.imported(path)


@pytest.mark.parametrize("name", sorted(set(stages().named) - {APART}))
def test_a_stage_imports_what_it_declares(name):
    found = stages()
    stage = found.named[name]
    allowed = {name, *found.with_used(stage.uses), *stage.optional, *FREE}
    wrong = {
        f"{path.relative_to(ROOT)} ({name}) imports {other.relative_to(ROOT)} ({owner})"
        for path in found.files[name]
        for other in imported(found.code, path)
        if (owner := found.owner(other)) not in allowed
    }
    assert not wrong


def test_every_stage_is_used_and_has_files_and_none_uses_itself():
    found = stages()
    for name, stage in found.named.items():
        assert found.files[name], name
        assert name not in found.with_used(stage.uses), name


def test_every_file_of_a_level_belongs_to_a_stage():
    apart = {str(path.relative_to(ROOT)) for path in stages().files[APART]}
    listed = set(stages().named[APART].files)
    assert {name for name in apart if not name.startswith(("eval/", "modexplorer/"))} <= listed


def test_a_digest_is_of_what_counts_and_of_no_name_or_place(tmp_path):
    table = '[one]\nversion = 1\nfiles = ["sim"]\nuses = []\n'
    table += '[two]\nversion = 1\nfiles = ["sim/deep"]\nuses = ["one"]\n'
    (tmp_path / "sim/deep").mkdir(parents=True)
    texts = {"sim/a.py": "A = 1\n", "sim/b.v": "wire b;\n", "sim/deep/c.py": "C = 1\n"}
    for name, text in texts.items():
        (tmp_path / name).write_text(text)

    def digests() -> list[str]:
        return [Stages(Code(tmp_path), table).digest([name]) for name in ("one", "two")]

    before = digests()
    (tmp_path / "sim/a.py").rename(tmp_path / "sim/other.py")
    (tmp_path / "sim/b.v").write_text("// said\nwire b;\n")
    (tmp_path / "sim/other.py").write_text('"""Said."""\nA = 1  # said\n')
    assert digests() == before
    (tmp_path / "sim/deep/c.py").write_text("C = 2\n")
    assert digests()[0] == before[0]
    assert digests()[1] != before[1]
    (tmp_path / "sim/b.v").write_text("wire c;\n")
    assert digests()[0] != before[0]
