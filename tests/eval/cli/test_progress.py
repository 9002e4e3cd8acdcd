"""Progress on a terminal: what gives way where the line is short."""

import io
import re

import pytest

from eval.cli import progress
from eval.cli.progress import Reporter, fitted

pytestmark = pytest.mark.quick


class Terminal(io.StringIO):
    """A stderr that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("columns", "bar"), [(40, False), (60, False), (100, True)])
def test_the_step_gives_way_not_the_count(
    columns: int, bar: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr", stderr := Terminal())
    monkeypatch.setattr(progress, "QUIET_SECONDS", 0.0)
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("TERM", "xterm")
    with Reporter("study own", 12) as reporter:
        reporter.now("first of many steps " * 8, 3)
    lines = [line for line in re.split(r"[\r\n]|\x1b\[\??\d*\w", stderr.getvalue()) if line.strip()]
    assert lines
    assert not re.search(r"\x1b\[[\d;]*m", stderr.getvalue())  # no colour was asked for
    assert "first of" in lines[-1]
    assert lines[-1].rstrip().endswith("..")
    assert re.search(r"^study own .*\b3/12 0:00:0\d ", lines[-1])
    assert (columns - 3 <= len(lines[-1].rstrip()) <= columns, "━" in lines[-1]) == (True, bar)


def test_a_text_that_fits_is_left_as_it_is() -> None:
    assert [fitted("abcdef", room) for room in (7, 6, 5, 2, 1, 0, -3)] == [
        *("abcdef", "abcdef", "abc..", "..", "", "", "")
    ]
