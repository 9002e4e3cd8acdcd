"""Index shapes by place, to find quickly those of different nets that touch or are too close."""

import ctypes
import weakref
from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType

import numpy as np

from flow.layout.lef import units
from flow.layout.notches import drawn
from flow.layout.technology import Stack
from flow.layout.wires import Shape, Wires
from flow.layout.wiring import address, column, layer_numbers, library, rows

FIXED = -1  # disputes of a net that is never pushed away, as in wiring.cpp
NOTHING: Mapping[str, Iterable[Shape]] = MappingProxyType({})
BUCKET = units(1.4)  # about as high as a row
_i64, _Numbers = ctypes.c_int64, ctypes.POINTER(ctypes.c_int64)


class Conflicts:
    """All shapes by place; a net's can be added and taken away. What has no spacing lies below the
    via of a pin, within the pin, and is in nobody's way."""

    def __init__(self, spacing: Mapping[str, int]) -> None:
        self.layers = layer_numbers(spacing)
        self.names: list[str] = []
        self.numbers: dict[str, int] = {}
        self.disputes: Counter[str] = Counter()
        self._library, spaces = library(), column(spacing.values())
        make = self._library.index_new
        self.handle = ctypes.c_void_p(make(_i64(BUCKET), _i64(len(spacing)), address(spaces)))
        weakref.finalize(self, self._library.index_free, self.handle)

    def number(self, net: str) -> int:
        """Tell the number by which the compiled code knows a net."""
        if (known := self.numbers.get(net)) is None:
            known = self.numbers[net] = len(self.names)
            self.names.append(net)
            self._library.index_nets(self.handle, _i64(len(self.names)))
        return known

    def _boxes(self, boxes: Iterable[Shape]) -> np.ndarray:
        layers = self.layers
        return rows(((layers[layer], *at) for layer, *at in boxes if layer in layers), 5)

    def add(self, net: str, boxes: Iterable[Shape]) -> None:
        """Add boxes of a net."""
        found = self._boxes(boxes)
        number = _i64(self.number(net))
        self._library.index_add(self.handle, number, _i64(len(found)), address(found))

    def remove(self, net: str) -> None:
        """Take away all boxes of a net."""
        self._library.index_remove(self.handle, _i64(self.number(net)))

    def fix(self, supply: str, boxes: Iterable[Shape]) -> None:
        """Add boxes of a supply, which no net may push away."""
        net = f"supply {supply}"  # no net of a design has a space in its name
        self.add(net, boxes)
        self._library.index_dispute(self.handle, _i64(self.number(net)), _i64(FIXED))

    def dispute(self, net: str) -> None:
        """Note that a net is in dispute once more: it becomes dearer to push away."""
        self.disputes[net] += 1
        number = _i64(self.number(net))
        self._library.index_dispute(self.handle, number, _i64(self.disputes[net]))

    def heat(self, one: str, other: str) -> None:
        """Note where two nets are too close: these places become dearer for those that push."""
        numbers = (_i64(self.number(net)) for net in (one, other))
        self._library.index_heat(self.handle, *numbers)

    def of(self, net: str, boxes: Iterable[Shape]) -> set[str]:
        """Find the other nets that any of the boxes would touch or be too close to."""
        asked, found = self._boxes(boxes), _Numbers()
        where = (_i64(len(asked)), address(asked), ctypes.byref(found))
        count = self._library.index_hits(self.handle, _i64(self.number(net)), *where)
        return {self.names[number] for number in found[:count]}

    def near(self, net: str) -> set[str]:
        """Find the other nets that a net touches or is too close to."""
        found = _Numbers()
        number = _i64(self.number(net))
        count = self._library.index_near(self.handle, number, ctypes.byref(found))
        return {self.names[number] for number in found[:count]}

    def pairs(self, nets: Iterable[str]) -> set[tuple[str, str]]:
        """Find the pairs of nets that are too close somewhere, one of them among these."""
        return {(min(net, other), max(net, other)) for net in nets for other in self.near(net)}


def index(
    stack: Stack,
    nets: Mapping[str, Wires],
    spacing: Mapping[str, int] | None = None,
    fixed: Mapping[str, Iterable[Shape]] = NOTHING,
) -> Conflicts:
    """Index the shapes of all nets, and those that are fixed, which are too close below this
    spacing, or the stack's."""
    found = Conflicts(spacing or stack.spacing)
    for supply, boxes in fixed.items():
        found.fix(supply, boxes)
    for net, wires in nets.items():
        found.add(net, drawn(stack, wires))
    return found
