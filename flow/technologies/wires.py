"""What a um of wire has of capacitance: tables by what is below, above and beside it.

`python -m flow.layout.calibrate NAME` writes them into the folder of a technology, from the heights
of its metals. Only layouts read them: what designs are mapped by is in technology.toml.
"""

import tomllib

import msgspec

from flow.results.record import Record
from flow.technologies.asked import DEFAULT
from flow.technologies.rules import TABLES
from flow.technologies.technology import folders
from sim.errors import UserError


class Between(Record, frozen=True, forbid_unknown_fields=True):
    """A wire between two metals that are planes; "" above is nothing. fF/um to both planes, and to
    a wire on either side, by the spacing to the two beside it; `alone` is without these. What is no
    wire, such as the pads of vias, has `area` fF/um2 and `edge` fF/um of its outline."""

    below: str
    above: str
    ground: tuple[float, ...]
    coupling: tuple[float, ...]
    alone: float
    area: float = 0.0
    edge: float = 0.0


class Metal(Record, frozen=True, forbid_unknown_fields=True):
    """The wires of a metal: the spacings of the tables, um, beyond whose last they are alone.

    `seen` tells of other metals how much of a plane their wires are: where they cover a share d, it
    is 1 - (1 - d) ** seen.
    """

    spacing_um: tuple[float, ...]
    seen: dict[str, float]
    between: tuple[Between, ...]


class WireTables(Record, frozen=True, forbid_unknown_fields=True):
    """The insulator between the metals, which of them is the plane below all, and the tables."""

    permittivity: float
    plane: str
    metals: dict[str, Metal]


def read_tables(tech: str = DEFAULT) -> WireTables:
    """Read the tables of a technology; UserError says how they are made, or what is wrong."""
    path = folders()[tech] / TABLES
    if not path.is_file():
        raise UserError(f"tech: no {path}; make it with: python -m flow.layout.calibrate {tech}")
    try:
        return msgspec.convert(tomllib.loads(path.read_text()), WireTables, strict=False)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UserError(f"tech: {path}: {error}; mend it") from None
