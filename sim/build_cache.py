"""Files that are built once and cached.

One that is not as it was built is built anew: a library that an interrupted copy or a full disk has
cut in half ends the process that loads it, without a word.
"""

import fcntl
import hashlib
import os
import tempfile
from collections.abc import Callable
from pathlib import Path


def kept(target: Path, build: Callable[[Path], Path]) -> Path:
    """Return the file, which build(scratch folder) makes if it is missing or damaged.

    Whoever else wants it meanwhile waits.
    """
    if not is_whole(target):
        with _seal(target).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not is_whole(target):
                with tempfile.TemporaryDirectory(dir=target.parent, prefix=".building-") as scratch:
                    keep(build(Path(scratch)), target)
    return target


def keep(made: Path, target: Path) -> None:
    """Put a file that is complete into its place, and note its digest beside it."""
    digest = _digest(made)
    os.replace(made, target)
    _seal(target).write_text(digest)


def is_whole(target: Path) -> bool:
    """Tell whether the file is there as it was built."""
    try:
        return _seal(target).read_text() == _digest(target)
    except OSError:
        return False


def _seal(target: Path) -> Path:
    return target.with_name(f".{target.name}.digest")


def _digest(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "blake2b").hexdigest()
