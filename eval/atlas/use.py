"""Which results of the atlas stand for a measurement here."""

import json
import os

from eval.atlas.canaries import confirmed
from eval.atlas.rows import Entry, shipped
from eval.tasks.kinds import result_class
from eval.tasks.store import Key, Values
from eval.tasks.task import Result

FRESH = "MODEXPLORER_FRESH"  # set: no result of the atlas is used
SOURCE = "atlas"


def usable(key: Key) -> Entry | None:
    """Return the result of the atlas for a key, if it has one that may be used: canaries of its
    stages passed, and it is whole without what only a measurement leaves, such as pictures."""
    if os.environ.get(FRESH) or not (entry := shipped().get(key.identity)):
        return None
    if result_class(key.kind).beside != Result.beside:
        return None
    return entry if confirmed(frozenset(json.loads(key.stages))) else None


def values(entry: Entry) -> Values:
    """Return the values as the store has them."""
    return entry.values | {"tools": json.loads(entry.key.tools)}


def made(entry: Entry) -> Values:
    """Return how it was made as the store has it."""
    return {"seconds": 0.0, "steps": {}, "commit": "", "date": "", "machine": SOURCE} | {
        name: entry.made[name] for name in ("seconds", "commit", "date") if name in entry.made
    }
