"""Calls functions of eval/frames.py in a process of its own: the caller's modules may have the
names of ours."""

import os
import pickle
import signal
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from modexplorer.errors import RunError, UserError

CHILD = Path(__file__).with_name("child.py")
FAILURES = {failure.__name__: failure for failure in (UserError, RunError)}


def call(name: str, arguments: Mapping[str, Any] | None = None) -> Any:
    """Call a function by its name, and return what it returns, or raise what it raises."""
    with tempfile.TemporaryFile() as answer:
        child = subprocess.Popen(
            [sys.executable, "-P", CHILD, str(answer.fileno())],
            stdin=subprocess.PIPE,
            pass_fds=(answer.fileno(),),
            env=os.environ | {"PYTHONPATH": os.pathsep.join(_path())},
        )
        try:
            child.communicate(pickle.dumps((name, dict(arguments or {}))))
        except BaseException:
            child.send_signal(signal.SIGINT)
            child.wait()
            raise
        answer.seek(0, os.SEEK_SET)
        found = answer.read()
    if not found:
        raise RunError(f"{name}: its process ended with exit code {child.returncode}")
    failure, value = pickle.loads(found)
    if failure:
        raise FAILURES[failure](value)
    return value


def _path() -> list[str]:
    """List where the child finds this package, and what the caller's environment names."""
    named = os.environ.get("PYTHONPATH", "").split(os.pathsep)
    return [str(CHILD.parents[1]), *filter(None, named)]
