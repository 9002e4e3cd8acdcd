"""The report of a study as it stands: of the rows that are in the store now."""

import base64
import json
import threading
import time
from collections.abc import Callable
from typing import NamedTuple

from eval.report.page import html
from eval.report.report import Report
from eval.study.results import StudyResult
from eval.study.study import Study
from eval.tasks.store import Key, Store
from eval.tasks.task import Row, Task, row_of

FILES = "files"
Answer = tuple[str, bytes]  # its type, and what it says


class Page(NamedTuple):
    """The page of so many rows, and when it was made."""

    rows: int
    report: Report
    text: str
    at: float


class Live:
    """Answers a browser: with the page, made again when there are more rows and the last is some
    `seconds` old, with its pictures, and with how many rows there are. Rows are known once
    `look_up` has found their keys, which takes a minute where designs must be translated first."""

    def __init__(self, study: Study, seconds: float = 20.0) -> None:
        self.study = study
        self.seconds = seconds
        self._keys: dict[Task, Key] = {}
        self._page: Page | None = None
        self._lock = threading.Lock()

    def look_up(self, on_step: Callable[[str, int], None] = lambda step, done: None) -> None:
        """Find the keys of all tasks; `on_step` is called with each, and how many were before."""
        for task in self.study.tasks:
            if task not in self._keys:
                on_step(str(task), len(self._keys))
                self._keys[task] = task.key

    def answer(self, path: str) -> Answer | None:
        """Answer a request; None if there is no such place."""
        if path == "/":
            return "text/html; charset=utf-8", self._newest().text.encode()
        if path == "/favicon.ico":  # which browsers ask for
            return "image/x-icon", b""
        if path == "/rows":
            rows = len(self._rows())
            page = self._page
            on_page = rows if page is None or self._is_due(rows) else page.rows
            found = {"rows": rows, "of": len(self.study.tasks), "on page": on_page}
            return "application/json", json.dumps(found).encode()
        for picture in self._newest().report["pictures"] if path.startswith(f"/{FILES}/") else ():
            if path == f"/{FILES}/{picture.file}":
                return "image/png", base64.b64decode(picture.png)
        return None

    def _rows(self) -> list[Row]:
        """Take what is there from the store."""
        rows = self._stored()
        if self.study.then and len(rows) == len(self.study.tasks):
            self.study = self.study.after(StudyResult(self.study, rows))
            self.look_up()
            rows = self._stored()
        return rows

    def _stored(self) -> list[Row]:
        with Store() as store:
            return [
                row_of(task, values, store.made(key))
                for task in self.study.tasks
                if (key := self._keys.get(task)) and (values := store.get(key)) is not None
            ]

    def _is_due(self, rows: int) -> bool:
        """Say whether a page that is asked for now is to be made."""
        page = self._page
        return page is None or (page.rows != rows and time.monotonic() > page.at + self.seconds)

    def _newest(self) -> Page:
        """Return the page, made again if it is due."""
        with self._lock:
            rows = self._rows()
            if self._is_due(len(rows)):
                report = Report(StudyResult(self.study, rows))
                text = html(report, FILES, live=(len(rows), len(self.study.tasks)))
                self._page = Page(len(rows), report, text, time.monotonic())
            assert self._page, "no page was due"
            return self._page
