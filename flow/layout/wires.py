"""Make the wires of one net of a router's pieces: spans on tracks, vias and pins.

A router's answer is a heap of pieces, some twice, some apart by less than a wire may be. `tidy`
makes spans of them: pieces of the same net that are too close on a track become one, and of two
cuts that are too close one is left, with wire between the places on both metals.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from flow.layout.design import Access
from flow.layout.spans import Span, merged
from flow.layout.technology import Stack

Node = tuple[str, int, int]  # metal, x, y
Cut = tuple[str, int, int]
Segment = tuple[str, int, int, int, int]  # metal, x0, y0, x1, y1
Shape = tuple[str, int, int, int, int]  # layer, left, bottom, right, top
Tracks = dict[tuple[str, int], list[Span]]  # by metal and track


class PinAt(NamedTuple):
    """A pin of a net: the cell's index, the pin's name, and its strip."""

    cell: int
    pin: str
    access: Access
    is_port: bool


@dataclass
class Wires:
    """Spans by (metal, track): `h` along x at a y, `v` along y at an x; cuts; pins."""

    pins: list[PinAt]
    h: Tracks = field(default_factory=dict)
    v: Tracks = field(default_factory=dict)
    cuts: set[Cut] = field(default_factory=set)

    def segments(self) -> Iterator[Segment]:
        """List the spans as segments."""
        for (metal, y), spans in self.h.items():
            for a, b in spans:
                yield metal, a, y, b, y
        for (metal, x), spans in self.v.items():
            for a, b in spans:
                yield metal, x, a, x, b

    def length(self, metal: str) -> int:
        """Sum up the length of the net's wire on a metal."""
        spans = (*self.h.items(), *self.v.items())
        return sum(b - a for (layer, _), part in spans if layer == metal for a, b in part)


def segment_shape(stack: Stack, segment: Segment) -> Shape:
    """Draw the box of metal of a segment: half its width beyond its ends."""
    metal, x0, y0, x1, y1 = segment
    half = stack.half_width[metal]
    return metal, min(x0, x1) - half, min(y0, y1) - half, max(x0, x1) + half, max(y0, y1) + half


def cut_shapes(stack: Stack, cut: Cut) -> Iterator[Shape]:
    """Draw the three boxes of a via; on the cells' metal it lies within the pin."""
    name, x, y = cut
    for layer, half_x, half_y in stack.vias[name].shapes:
        yield layer, x - half_x, y - half_y, x + half_x, y + half_y


def shapes(stack: Stack, wires: Wires) -> Iterator[Shape]:
    """Draw all boxes of a net."""
    for segment in wires.segments():
        yield segment_shape(stack, segment)
    for cut in wires.cuts:
        yield from cut_shapes(stack, cut)


def _closest(metal: str, stack: Stack) -> int:
    """Tell the distance of centres below which two ends on a track are too close."""
    layer = stack.layers[metal]
    pads = [size for cut in stack.cuts for name, *size in stack.vias[cut].shapes if name == metal]
    along = 0 if stack.rail(metal) == "h" else 1
    return layer.spacing + 2 * max(size[along] for size in pads)


class Tidier:
    """Maker of Wires from a router's pieces, by the rules of a stack."""

    def __init__(self, stack: Stack) -> None:
        self.stack = stack
        self.gap = {metal: _closest(metal, stack) for metal in stack.metals[1:]}
        self.cut_pitch = {cut: stack.layers[cut].width + stack.spacing[cut] for cut in stack.vias}

    def tidy(self, segments: Iterable[Segment], cuts: Iterable[Cut], pins: list[PinAt]) -> Wires:
        """Make a net's wires from segments above the strips and cuts above pins; pins are added."""
        stack = self.stack
        h: Tracks = defaultdict(list)
        v: Tracks = defaultdict(list)
        for metal, x0, y0, x1, y1 in segments:
            if metal == stack.pin_metal or (x0, y0) == (x1, y1):
                continue
            if y0 == y1:
                h[metal, y0].append((min(x0, x1), max(x0, x1)))
            else:
                v[metal, x0].append((min(y0, y1), max(y0, y1)))
        wires = Wires(pins, cuts={(c, x, y) for c, x, y in cuts if c != stack.pin_cut})
        for cut in stack.vias:
            self._thin(cut, wires.cuts, h, v)
        self._fill(h, v)
        self._reach_pins(wires, v)
        for cut, x, y in wires.cuts:
            for metal in (stack.vias[cut].below, stack.vias[cut].above):
                if metal in self.gap:
                    track, at = (h[metal, y], x) if stack.rail(metal) == "h" else (v[metal, x], y)
                    track.append((at, at))
        wires.h = self._joined(h)
        wires.v = self._joined(v)
        return wires

    def _joined(self, tracks: Tracks) -> Tracks:
        joined = {key: merged(spans, self.gap[key[0]]) for key, spans in tracks.items()}
        return {key: spans for key, spans in joined.items() if spans}

    def _thin(self, cut: str, cuts: set[Cut], h: Tracks, v: Tracks) -> None:
        """Keep one of cuts in a row that are too close, and wire between them on both metals."""
        stack = self.stack
        metals = [m for m in (stack.vias[cut].below, stack.vias[cut].above) if m in stack.routed]
        for across, tracks in ((0, h), (1, v)):
            lines: dict[int, list[int]] = defaultdict(list)
            for name, *at in cuts:
                if name == cut:
                    lines[at[1 - across]].append(at[across])
            for line, places in lines.items():
                last = None
                for place in sorted(places):
                    if last is None or place - last >= self.cut_pitch[cut]:
                        last = place
                        continue
                    cuts.discard((cut, place, line) if across == 0 else (cut, line, place))
                    for metal in metals:
                        tracks[metal, line].append((last, place))

    def _fill(self, h: Tracks, v: Tracks) -> None:
        """Fill gaps between wires across the first of the wires' metals that are too close; higher
        up they are on tracks."""
        first = self.stack.routed[0]
        layer = self.stack.layers[first]
        across = sorted(
            (x, low, high)
            for (metal, x), spans in v.items()
            if metal == first
            for low, high in spans
        )
        for (x, low, high), (other, bottom, top) in zip(across, across[1:], strict=False):
            if 0 < other - x < layer.width + layer.spacing:
                begin = max(low, bottom) + layer.width
                for y in range(begin, min(high, top), layer.width):
                    h[first, y].append((x, other))

    def _reach_pins(self, wires: Wires, v: Tracks) -> None:
        """Add to each pin its via, and of its strip what is from there to the vias on it."""
        stack = self.stack
        columns: dict[int, list[int]] = defaultdict(list)
        for cut, x, y in wires.cuts:
            if cut == stack.first_cut:
                columns[x].append(y)
        for pin in wires.pins:
            at = pin.access
            reached = [y for y in columns.get(at.x, ()) if at.bottom <= y <= at.top]
            if not pin.is_port:
                wires.cuts.add((stack.pin_cut, at.x, at.via))
            if reached:
                low, high = min(*reached, at.via), max(*reached, at.via)
                v[stack.pin_metal, at.x].append((low, high))
