"""Progress on stderr for what takes over two seconds, so that stdout stays clean."""

import sys
import threading
import time
from typing import TYPE_CHECKING, Any

from eval.signals import start_without_requests

if TYPE_CHECKING:
    from rich.progress import Progress

QUIET_SECONDS = 2.0
BEAT_SECONDS = 20.0
BAR, CLOCK = 20, len("0:00:00")
LEAST_STEP = 40  # characters of a step that are worth more than a bar


class Reporter:
    """Says what a task is doing, once it has been running for two seconds.

    On a terminal: one live line. Else: a line for every step, and one now and then between.
    """

    def __init__(self, title: str, total: int | None = None, quiet: bool = False) -> None:
        self.quiet = quiet
        self.title = title
        self.total = total
        self.done = 0
        self.step = ""
        self._ends: float | None = None
        self._started = time.monotonic()
        self._live: Progress | None = None
        self._task: Any = None
        self._has_bar = False
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._watch = threading.Thread(target=self._keep_showing, daemon=True)

    def now(self, step: str, done: int | None = None, left: float | None = None) -> None:
        """Say what is being done, how many of the total are done, and how many seconds are left."""
        with self._lock:
            self.step = step
            self._ends = None if left is None else time.monotonic() + left
            self.done = self.done if done is None else done
            self._show()

    def __enter__(self) -> "Reporter":
        start_without_requests(self._watch)
        return self

    def __exit__(self, *_: object) -> None:
        self._closed.set()
        self._watch.join()
        if self._live:
            self._live.stop()

    def _keep_showing(self) -> None:
        wait = QUIET_SECONDS
        while not self._closed.wait(wait):
            wait = BEAT_SECONDS
            with self._lock:
                self._show()

    def _show(self) -> None:
        seconds = time.monotonic() - self._started
        if self.quiet or self._closed.is_set() or seconds < QUIET_SECONDS:
            return
        if sys.stderr.isatty():
            self._show_live()
        else:
            count = "" if self.total is None else f"{self.done}/{self.total}, "
            line = f"{self.title} [{count}{seconds:.0f} s] {self._shown()}".rstrip()
            print(line, file=sys.stderr, flush=True)

    def _shown(self) -> str:
        """The step, after what is left where that is known and not yet over."""
        left = 0.0 if self._ends is None else self._ends - time.monotonic()
        return f"{about(left)} left: {self.step}" if self.step and left > 0 else self.step

    def _show_live(self) -> None:
        from rich import progress
        from rich.console import Console

        if self._live is None:
            console = Console(file=sys.stderr, highlight=False, markup=False)
            self._has_bar = self.total is not None and self._room(console.width) > BAR + LEAST_STEP
            self._live = progress.Progress(
                progress.TextColumn("{task.description}"),
                *([progress.BarColumn(BAR)] if self._has_bar else []),
                *([progress.MofNCompleteColumn()] if self.total is not None else []),
                progress.TimeElapsedColumn(),
                progress.TextColumn("{task.fields[step]}"),
                console=console,
                transient=True,
            )
            self._task = self._live.add_task(self.title, total=self.total, step="")
            self._live.start()
        room = self._room(self._live.console.width) - (BAR + 1 if self._has_bar else 0)
        self._live.update(self._task, completed=self.done, step=fitted(self._shown(), room))

    def _room(self, width: int) -> int:
        """Count the characters of a line that are left of the title, the count and the clock."""
        count = 0 if self.total is None else 2 * len(str(self.total)) + 2
        return width - len(self.title) - 1 - count - CLOCK - 1


def fitted(text: str, room: int) -> str:
    """Cut a text that is longer than the room for it: a step gives way, not the count."""
    return text if len(text) <= room else text[: max(room - 2, 0)] + ".." * (room > 1)


def about(seconds: float) -> str:
    """Write a time as one that is not known better: in seconds, minutes or hours."""
    if seconds < 100:
        return f"about {seconds:.0f} s"
    minutes = seconds / 60
    return f"about {minutes:.0f} min" if minutes < 100 else f"about {minutes / 60:.1f} h"
