"""Reads and writes the atlas: what identifies each result, its values, and how it was made."""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import msgspec

from eval.atlas.compare import Difference, differences, without
from eval.tasks.store import Key, Values, as_text
from sim.errors import RunError

if TYPE_CHECKING:
    from eval.tasks.task import Result

FOLDER = Path(__file__).parent
CANARIES = "canaries"  # a study that no report shows
QUOTED = "quoted"  # the outputs of commands that pages quote: another format
BESIDE_KEY = ("request", "command", "values", "made")
JSON_PARTS = ("parameters", "tools", "stages")  # of a key
MOST_EXACT = 1 << 53  # other readers take integers for doubles
WIDE = re.compile(r"-?0x[0-9a-f]{14,}")


@dataclass(frozen=True)
class Entry:
    """A stored result: its identity, the request as the fields of its task, the command that
    measures it, its compared values, and how it was made."""

    key: Key
    request: Values
    command: str
    values: Values
    made: Values

    @property
    def line(self) -> str:
        """The entry as a line of a file."""
        key = {name: value for name, value in asdict(self.key).items() if name != "code"}
        key |= {name: json.loads(key[name]) for name in JSON_PARTS}
        key |= {name: getattr(self, name) for name in BESIDE_KEY}
        return json.dumps(_written(key), sort_keys=True)

    @classmethod
    def of(cls, line: str) -> "Entry":
        """Read a line."""
        read = _read(json.loads(line))
        others = [read.pop(name) for name in BESIDE_KEY]
        key = Key(**read | {name: as_text(read[name]) for name in JSON_PARTS}, code="")
        return cls(key, *others)

    @property
    def name(self) -> str:
        """What was asked for, in a few words."""
        key = self.key
        parameters = ", ".join(f"{k} {v}" for k, v in json.loads(key.parameters).items())
        parts = (key.kind, f"{key.design}-{key.nbits}", key.workload, parameters)
        return " ".join(filter(None, parts))

    def moved(self, values: Values) -> list[Difference]:
        """List what differs in other values."""
        return list(differences(self.values, values))

    def confirmed(self, commit: str, date: str) -> "Entry":
        """Note that the result was measured again, and is the same."""
        return replace(self, made=self.made | {"confirmed": {"commit": commit, "date": date}})


def compared(result: "type[Result]", values: Values) -> Values:
    """Return the values of a result, as the store has them, that the atlas stores and compares."""
    return without(values, result.beside)


def values_of(result: "Result") -> Values:
    """Return the same of a result that was just computed: as JSON gives them back, with integers
    of any size."""
    return compared(type(result), json.loads(json.dumps(msgspec.to_builtins(result))))


def file_of(study: str, folder: Path = FOLDER) -> Path:
    """Return the file of a study."""
    return folder / f"{study}.jsonl"


def studies(folder: Path = FOLDER) -> list[str]:
    """List the studies of the atlas, without canaries and quoted outputs."""
    names = {path.stem for path in folder.glob("*.jsonl")}
    return sorted(names - {CANARIES, QUOTED})


def read(study: str, folder: Path = FOLDER) -> list[Entry]:
    """Read the results of a study; none if the atlas does not have it."""
    file = file_of(study, folder)
    if not file.exists():
        return []
    entries: dict[Key, Entry] = {}
    for number, line in enumerate(file.read_text().splitlines(), 1):
        try:
            entry = Entry.of(line)
        except (ValueError, TypeError, KeyError) as error:
            raise RunError(f"{file}, line {number}: is no result of the atlas ({error})") from None
        # A merge may have both sides' lines of one result: the newer measurement counts.
        other = entries.setdefault(entry.key, entry)
        if entry.made.get("date", "") > other.made.get("date", ""):
            entries[entry.key] = entry
    return list(entries.values())


def write(study: str, entries: Iterable[Entry], folder: Path = FOLDER) -> None:
    """Write a study, sorted, one result for each identity: the last given."""
    newest = {entry.key: entry for entry in entries}
    lines = sorted(entry.line for entry in newest.values())
    file = file_of(study, folder)
    part = file.with_suffix(".part")
    part.write_text("".join(f"{line}\n" for line in lines))
    part.replace(file)


@cache
def shipped() -> Mapping[Key, Entry]:
    """Return all results of the atlas by their identities."""
    return {entry.key: entry for study in studies() for entry in read(study)}


def _written(value: Any) -> Any:
    """Write integers that doubles cannot hold as hexadecimal text."""
    if isinstance(value, dict):
        return {name: _written(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_written(one) for one in value]
    if isinstance(value, int) and abs(value) > MOST_EXACT:
        return f"{value:#x}"
    return value


def _read(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _read(one) for name, one in value.items()}
    if isinstance(value, list):
        return [_read(one) for one in value]
    if isinstance(value, str) and WIDE.fullmatch(value):
        return int(value, 16)
    return value
