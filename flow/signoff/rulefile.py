"""The design rules of a technology, as its folder's `rules.toml` says them.

Lengths are in um. A layer is drawn, which is a number in the GDS file, or number and datatype, or
derived of two others.
"""

import tomllib
from pathlib import Path
from typing import Literal

import msgspec

from flow.results.record import Record
from flow.technologies.asked import split
from flow.technologies.technology import folders
from sim.errors import UserError

RULES = "rules.toml"
Drawn = int | tuple[int, int]
Source = Literal["FreePDK45", "SKY130", "LEF", "inferred"]
Kind = Literal[
    "width",
    "square",
    "space",
    "area",
    "hole",
    "grid",
    "enclosure",
    "ends",
    "extension",
    "inside",
    "apart",
    "beside",
]
# The kinds that say how two layers lie to each other, and those that need no length.
OF_TWO = ("enclosure", "ends", "extension", "inside", "apart", "beside")
WITHOUT_LENGTH = ("inside", "apart")


class Derived(Record, frozen=True, forbid_unknown_fields=True):
    """A layer made of two others."""

    how: Literal["and", "or", "not"]
    of: tuple[str, str]


class Rule(Record, frozen=True, forbid_unknown_fields=True):
    """A rule: its name, what it asks of a layer, and where the figure is from.

    width, space: no less. square: each shape is a square of this size. area: no less, um2. hole:
    what a shape encloses has no less area, um2. grid: corners are on multiples. To layer `to`,
    enclosure: `layer` lies in it by that much on all sides; ends: on two sides that are opposite;
    extension: `layer`, where it leaves `to`, goes on for that much; inside: all of it lies in it;
    apart: no less far from it, or, without a length, not over it; beside: as apart, but it may
    touch. A space with `wider` and `longer` is that to shapes that are wider, where two run beside
    each other for longer.
    """

    name: str
    kind: Kind
    layer: str
    source: Source
    um: float = 0.0
    to: str = ""
    wider: float = 0.0
    longer: float = 0.0


class Limit(Record, frozen=True, forbid_unknown_fields=True):
    """The share of a window that a layer may cover, from least to most."""

    source: Source
    least: float = 0.0
    most: float = 1.0


class Density(Record, frozen=True, forbid_unknown_fields=True):
    """The size of windows, which overlap by half, the layers that are told, and limits of some."""

    window_um: float
    layers: tuple[str, ...]
    limits: dict[str, Limit] = {}


class Connectivity(Record, frozen=True, forbid_unknown_fields=True):
    """What connects: metals with the cuts between them, and the supplies. In cells texts name
    pins, of metals on the layers that `pins` says; on top they name ports, on those of `ports`.
    Pins of `wells` are below the metals, and not looked at."""

    metals: tuple[str, ...]
    cuts: tuple[str, ...]
    supplies: tuple[str, ...]
    pins: dict[str, Drawn]
    ports: dict[str, Drawn]
    wells: tuple[str, ...] = ()


class RuleFile(Record, frozen=True, forbid_unknown_fields=True):
    """All that is checked of a layout in a technology. `outline` is the layer of cells' outlines
    and of the core's."""

    outline: Drawn
    layers: dict[str, Drawn]
    derived: dict[str, Derived]
    connectivity: Connectivity
    density: Density
    rules: tuple[Rule, ...]


def in_gds(drawn: Drawn) -> tuple[int, int]:
    """Return the number and datatype of a layer."""
    return (drawn, 0) if isinstance(drawn, int) else drawn


def rules_path(tech: str) -> Path:
    """Find the rule file of a technology; UserError if it has none."""
    name, _ = split(tech)
    path = folders()[name] / RULES
    if not path.is_file():
        have = [other for other, folder in folders().items() if (folder / RULES).is_file()]
        raise UserError(
            f"tech: {name} has no design rules ({RULES}); sign off in {', '.join(have)}"
        )
    return path


def read_rules(path: Path) -> RuleFile:
    """Read a rule file; UserError if it says what cannot be."""
    try:
        found = msgspec.convert(tomllib.loads(path.read_text()), RuleFile)
    except (tomllib.TOMLDecodeError, msgspec.ValidationError) as error:
        raise UserError(f"{path.name}: {error}; mend the rule file") from None
    for wrong in _wrong(found):
        raise UserError(f"{path.name}: {wrong}; mend the rule file")
    return found


def _wrong(found: RuleFile) -> list[str]:
    """List what is wrong with a rule file."""
    known = set(found.layers)
    wrong = []
    for name, derived in found.derived.items():
        wrong += [f"layer {name} is of {of!r}, unknown" for of in derived.of if of not in known]
        known.add(name)
    names = [rule.name for rule in found.rules]
    wrong += [f"two rules are called {name}" for name in set(names) if names.count(name) > 1]
    for rule in found.rules:
        wrong += [
            f"rule {rule.name} is of layer {layer!r}, unknown"
            for layer in (rule.layer, *([rule.to] if rule.to else []))
            if layer not in known
        ]
        if (rule.kind in OF_TWO) != bool(rule.to):
            wrong.append(f"rule {rule.name} has the wrong number of layers")
        if rule.um <= 0 and rule.kind not in WITHOUT_LENGTH:
            wrong.append(f"rule {rule.name} has no length")
        if bool(rule.wider) != bool(rule.longer):
            wrong.append(f"rule {rule.name} needs both wider and longer")
    connected, density = found.connectivity, found.density
    for layer in (*connected.metals, *connected.cuts, *connected.pins, *connected.ports):
        if layer not in known:
            wrong.append(f"{layer!r} connects, but is no layer")
    if len(connected.cuts) != len(connected.metals) - 1:
        wrong.append("there is not one layer of cuts between two metals")
    for layer in (*density.layers, *density.limits):
        if layer not in known:
            wrong.append(f"density of layer {layer!r}, unknown")
    if density.window_um <= 0:
        wrong.append("the window of densities has no size")
    return wrong
