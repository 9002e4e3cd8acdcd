"""Whether the router is run again where Coriolis ends itself, and only there."""

from pathlib import Path

import pytest

from flow.layout import router
from sim.errors import RunError

# Fails without margins, or always, by an error inside Coriolis or by another.
SCRIPT = """
import sys
placed, out, margins = sys.argv[1:]
with open(placed, "a") as file:
    file.write(margins)
if int(margins) < {fails}:
    raise type("{error}", (Exception,), {{}})("[ERROR] no track for n" + margins)
with open(out, "w") as file:
    file.write("routes " + margins)
"""


def run(folder: Path, patch: pytest.MonkeyPatch, fails: int, error: str) -> float:
    """Run a router that fails with fewer margins, by such an error."""
    patch.chdir(folder)
    script = folder / "script.py"
    script.write_text(SCRIPT.format(fails=fails, error=error))
    patch.setattr(router, "SCRIPT", script)
    return router.run_katana(folder / "placed", folder / "out")


@pytest.mark.parametrize("fails", [0, 1])
def test_an_error_inside_coriolis_is_tried_again_with_a_margin(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture, fails: int
) -> None:
    assert run(tmp_path, monkeypatch, fails, "HurricaneError") >= 0
    assert (tmp_path / "out").read_text() == f"routes {fails}"
    assert (tmp_path / "placed").read_text() == "01"[: fails + 1]
    said = capsys.readouterr().out.splitlines()
    assert len(said) == fails
    for line in said:
        assert line.startswith("Katana, with 0 margins of the core: ")
        assert "[ERROR] no track for n0" in line


@pytest.mark.parametrize(
    ("fails", "error", "tried"), [(9, "HurricaneError", "01"), (1, "MemoryError", "0")]
)
def test_what_remains_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: int, error: str, tried: str
) -> None:
    last = rf"^Katana: .*{error}: \[ERROR\] no track for n{tried[-1]} \(exit code 1\)$"
    with pytest.raises(RunError, match=last):
        run(tmp_path, monkeypatch, fails, error)
    assert (tmp_path / "placed").read_text() == tried


def test_a_router_that_writes_nothing_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Though it ends well; the end of what it said is told."""
    monkeypatch.chdir(tmp_path)
    script = tmp_path / "script.py"
    script.write_text("print('one'); print('two')")
    monkeypatch.setattr(router, "SCRIPT", script)
    with pytest.raises(RunError, match=r"^Katana: one; two;  \(exit code 0\)$"):
        router.run_katana(tmp_path / "placed", tmp_path / "out")
