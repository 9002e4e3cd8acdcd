"""The results store: an SQLite file of finished rows, each keyed by all that determines it.

A row is computed by `once`, under a lock that only this row has: a second process that wants
it waits, then reads it, and the lock of a process that died is free. So no row is computed
twice, and an interrupted sweep goes on where it stopped.
"""

import fcntl
import hashlib
import json
import os
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any

from sim.errors import RunError
from sim.paths import build_dir

BUSY_SECONDS = 60
TABLE = "results_2"  # another number when results change their shape: the old rows are not read
MADE = "made_2"  # how each row was made: nothing that decides it
Values = dict[str, Any]
# By SQLite's error: what helps, if that is not a new file.
REMEDIES = {
    sqlite3.SQLITE_BUSY: "another process is writing to it; try again",
    sqlite3.SQLITE_FULL: "free space on its disk",
}


@dataclass(frozen=True)
class Key:
    """What determines a row; parameters and tools are JSON objects with sorted names."""

    kind: str  # "simulate" or "flow"
    design: str
    nbits: int
    parameters: str
    workload: str  # "" for the flow
    verilog: str  # hash of the translated accelerator, and of the entry where formulas compute
    tools: str
    stages: str  # a JSON object: the version of each stage that computed it
    code: str  # a digest of these stages' files: of local results alone

    @property
    def asked(self) -> str:
        """What is asked for, whatever Verilog and tools answer it: of old rows and new ones."""
        return as_text([self.kind, self.design, self.nbits, self.parameters, self.workload])

    @property
    def digest(self) -> str:
        """A short name of the key."""
        return hashlib.blake2b(repr(astuple(self)).encode(), digest_size=12).hexdigest()

    @property
    def identity(self) -> "Key":
        """What identifies the result wherever it is computed: all but the digest of the code."""
        return replace(self, code="")


COLUMNS = tuple(field.name for field in fields(Key))


def as_text(values: Any) -> str:
    """Write a part of a key as JSON: equal for equal contents."""
    return json.dumps(values, sort_keys=True)


class Store:
    """Finished rows in one file; any number of processes may have it open. One that may not be
    written is only read."""

    def __init__(self, path: Path | None = None) -> None:
        self.path = path or build_dir() / "results.sqlite"
        self.locks = self.path.parent / "locks"
        needed = (self.path, self.path.parent)
        self.read_only = self.path.exists() and not all(os.access(p, os.W_OK) for p in needed)
        try:
            with self._readable():
                self._open_as_it_is() if self.read_only else self._open()
        except OSError as error:
            raise RunError(
                f"{error.filename}: cannot be written ({error.strerror}); "
                "set MODEXPLORER_BUILD to another folder"
            ) from None

    def _open(self) -> None:
        self.locks.mkdir(parents=True, exist_ok=True)
        self.connection = sqlite3.connect(self.path, timeout=BUSY_SECONDS, isolation_level=None)
        with self._lock("open"):  # the change to WAL does not wait by itself
            self.connection.execute("PRAGMA journal_mode = WAL")
            self.connection.execute(
                f"CREATE TABLE IF NOT EXISTS {TABLE} ({', '.join(COLUMNS)}, result, "
                f"PRIMARY KEY ({', '.join(COLUMNS)})) WITHOUT ROWID"
            )
            self.connection.execute(
                f"CREATE TABLE IF NOT EXISTS {MADE} (digest PRIMARY KEY, asked, seconds, made)"
            )

    def _open_as_it_is(self) -> None:
        # Else SQLite makes files beside it, even to read.
        self.connection = sqlite3.connect(f"{self.path.absolute().as_uri()}?immutable=1", uri=True)
        self.connection.execute(f"SELECT * FROM {TABLE} LIMIT 1")

    @contextmanager
    def _readable(self) -> Iterator[None]:
        """Raise RunError, which names the file and the remedy, where it cannot be used."""
        try:
            yield
        except (sqlite3.Error, ValueError, TypeError) as error:  # the latter two: a row is no JSON
            code: int = getattr(error, "sqlite_errorcode", 0)
            remedy = REMEDIES.get(code, "move it away, and the rows are computed again")
            raise RunError(
                f"{self.path}: cannot be used as the results store ({error}); {remedy}"
            ) from error

    def _all(self, query: str, *values: object) -> list[tuple]:
        """Run a statement, and return all that it finds."""
        with self._readable():
            return self.connection.execute(query, values).fetchall()

    def _loaded(self, text: str) -> Any:
        """Read JSON that was stored."""
        with self._readable():
            return json.loads(text)

    def get(self, key: Key) -> Values | None:
        """Return the row of that key, if it is finished, or the atlas has it."""
        where = " AND ".join(f"{column} = ?" for column in COLUMNS)
        found = self._all(f"SELECT result FROM {TABLE} WHERE {where}", *astuple(key))
        if found:
            return self._loaded(found[0][0])
        from eval.atlas import use  # which imports this

        return use.values(entry) if (entry := use.usable(key)) else None

    def put(self, key: Key, result: Values) -> None:
        """Store a finished row; one that is there stays as it is."""
        marks = ", ".join("?" * (len(COLUMNS) + 1))
        self._all(
            f"INSERT OR IGNORE INTO {TABLE} VALUES ({marks})", *astuple(key), json.dumps(result)
        )

    def once(
        self, key: Key, compute: Callable[[], Values], note: Callable[[], None] = lambda: None
    ) -> tuple[Values, bool]:
        """Return the row, computed and stored if it is missing, and whether it was there before.
        `note` is called of one that was computed, before anybody can see it."""
        found = self.get(key)
        if found is not None:
            return found, True
        if self.read_only:
            raise RunError(f"{self.path}: may not be written, and this row is not in it")
        with self._lock(key.digest):
            found = self.get(key)
            if found is not None:
                return found, True
            # As JSON gives it back, so that a fresh row equals a stored one.
            result = json.loads(json.dumps(compute()))
            note()
            self.put(key, result)
            return result, False

    def note(self, key: Key, seconds: float, made: Values) -> None:
        """Store how a row was made, and how long that took."""
        self._all(
            f"INSERT OR REPLACE INTO {MADE} VALUES (?, ?, ?, ?)",
            *(key.digest, key.asked, seconds, json.dumps(made)),
        )

    def made(self, key: Key) -> Values | None:
        """Return how a row was made, if that was stored."""
        found = self._of_made("SELECT made FROM {} WHERE digest = ?", key.digest)
        if found:
            return self._loaded(found[0][0])
        from eval.atlas import use

        return use.made(entry) if (entry := use.usable(key)) else None

    def seconds(self) -> dict[str, float]:
        """Return how long rows took when they were last made, by what was asked for."""
        return dict(self._of_made("SELECT asked, seconds FROM {} ORDER BY rowid"))

    def _of_made(self, query: str, *values: str) -> list[tuple]:
        if not self._all("SELECT 1 FROM sqlite_master WHERE name = ?", MADE):
            return []  # an older store
        return self._all(query.format(MADE), *values)

    def rows(self) -> Iterator[tuple[Key, Values]]:
        """Go through all finished rows, in the order of their keys."""
        return self._rows("result", "")

    def parts(self, kind: str, part: str) -> Iterator[tuple[Key, Any]]:
        """Go through a part of the finished rows of a kind, such as $.metrics; $ is the whole."""
        return self._rows("json_extract(result, ?)", "WHERE kind = ?", part, kind)

    def _rows(self, what: str, where: str, *values: str) -> Iterator[tuple[Key, Any]]:
        query = f"SELECT {', '.join(COLUMNS)}, {what} FROM {TABLE} {where}"
        with self._readable():
            found = self.connection.execute(query, values)
        while True:
            with self._readable():
                if (row := found.fetchone()) is None:
                    return
                key, result = Key(*row[:-1]), json.loads(row[-1])
                json.loads(key.parameters)  # which callers read
            yield key, result

    def close(self) -> None:
        """Close the file."""
        self.connection.close()

    def __enter__(self) -> "Store":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @contextmanager
    def _lock(self, name: str) -> Iterator[None]:
        with open(self.locks / name, "w") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield


def metrics_of(store: Store) -> tuple[dict[str, dict[str, float]], int]:
    """Return the metrics of rows, by what is measured, and how many things are left out: those
    that several codes or tools have measured."""
    found: dict[str, list[dict[str, float]]] = {}
    for key, result in store.rows():
        parameters = ", ".join(f"{k} {v}" for k, v in json.loads(key.parameters).items())
        parts = (f"{key.design}-{key.nbits}", key.kind, key.workload, parameters)
        found.setdefault(" ".join(filter(None, parts)), []).append(result.get("metrics", {}))
    single = {name: one for name, (one, *others) in found.items() if not others}
    return single, len(found) - len(single)
