"""Which rows answer a command: each is told to a log, or asked for without being measured."""

import json
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import msgspec

if TYPE_CHECKING:
    from eval.tasks.store import Key, Values
    from eval.tasks.task import Task

LOG = "MODEXPLORER_ROWS"  # the file to which rows are told, by worker processes, too
_within: ContextVar[bool] = ContextVar("within", default=False)
_only_asked: ContextVar[bool] = ContextVar("only_asked", default=False)


class Asked(BaseException):
    """Ends a command where it would measure its rows; no handler of errors takes it for one."""

    def __init__(self, tasks: "list[Task]") -> None:
        super().__init__()
        self.tasks = tasks


@contextmanager
def only_asked() -> Iterator[None]:
    """Let nothing be measured: what would be raises Asked with its tasks."""
    token = _only_asked.set(True)
    try:
        yield
    finally:
        _only_asked.reset(token)


def ask(tasks: "list[Task]") -> None:
    """Raise Asked if nothing is to be measured."""
    if _only_asked.get():
        raise Asked(tasks)


@contextmanager
def answering() -> Iterator["Callable[[Key, Values | None, Task], None]"]:
    """Give what tells the log of a row and how it was made; rows that another row needs are not
    told."""
    file = None if _within.get() else os.environ.get(LOG)
    token = _within.set(True)

    def tell(key: "Key", made: "Values | None", task: "Task") -> None:
        if file:
            with open(file, "a") as log:  # a line is written at once: workers write, too
                told = _told(key, made) | {"command": task.command}
                log.write(json.dumps(told | {"request": msgspec.to_builtins(task)}) + "\n")

    try:
        yield tell
    finally:
        _within.reset(token)


def _told(key: "Key", made: "Values | None") -> dict[str, Any]:
    return {"digest": key.digest, "key": asdict(key), "made": made}
