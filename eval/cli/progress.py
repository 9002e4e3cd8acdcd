"""Progress on stderr for what takes over two seconds, so that stdout stays clean."""

import sys
import threading
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

QUIET_SECONDS = 2.0
BEAT_SECONDS = 20.0


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
        self._started = time.monotonic()
        self._live: Progress | None = None
        self._task = None
        self._closed = threading.Event()
        self._lock = threading.Lock()
        self._watch = threading.Thread(target=self._keep_showing, daemon=True)

    def now(self, step: str, done: int | None = None) -> None:
        """Say what is being done, and how many of the total are done."""
        with self._lock:
            self.step = step
            self.done = self.done if done is None else done
            self._show()

    def __enter__(self) -> "Reporter":
        self._watch.start()
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
            line = f"{self.title} [{count}{seconds:.0f} s] {self.step}".rstrip()
            print(line, file=sys.stderr, flush=True)

    def _show_live(self) -> None:
        from rich import progress
        from rich.console import Console

        if self._live is None:
            count = [progress.BarColumn(20), progress.MofNCompleteColumn()]
            self._live = progress.Progress(
                progress.TextColumn("{task.description}"),
                *(count if self.total is not None else []),
                progress.TimeElapsedColumn(),
                progress.TextColumn("{task.fields[step]}"),
                console=Console(file=sys.stderr, highlight=False, markup=False),
                transient=True,
            )
            self._task = self._live.add_task(self.title, total=self.total, step=self.step)
            self._live.start()
        self._live.update(self._task, completed=self.done, step=self.step)
