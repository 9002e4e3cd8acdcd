"""What all records of results are."""

from typing import Any, dataclass_transform

import msgspec

Metrics = dict[str, Any]  # a number of each, or None where a step knows none


@dataclass_transform(frozen_default=True)
class Record(msgspec.Struct, frozen=True, omit_defaults=True):
    """A part of a result. A field that is None unless given is left out in JSON, too."""


class Kit(Record):
    """The cells' library."""

    name: str
    liberty_sha256: str
