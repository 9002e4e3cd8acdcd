"""What the cells of a library may drive, and which nets of a design load their drivers more."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from math import inf
from pathlib import Path

from flow.gates.groups import parse
from flow.gates.liberty import CELL, Library
from flow.layout.design import Cell, Design
from flow.layout.parasitics import NetRC
from flow.opensta import FF
from flow.technologies.technology import beside

MARGIN = 0.9  # of the greatest load, before wires are routed: they will have detours
UNIT = "capacitive_load_unit"


class Limits:
    """The greatest load of each output of a library's cells, and the load that each input is, in
    fF. Inputs of a design are driven by the technology's cell for that."""

    def __init__(self, liberty: Path) -> None:
        self.library, self.outside = Library(liberty), beside(liberty).outside
        count, unit = dict(self.library.head.complex)[UNIT]
        self._ff = float(count) * FF[unit.lower()]
        found = [(match[1], match.start()) for match in CELL.finditer(self.library.text)]
        ends = [*(start for _, start in found[1:]), len(self.library.text)]
        self._places = {name: slice(at, end) for (name, at), end in zip(found, ends, strict=True)}
        self.most = cache(self._most)

    def _most(self, master: str) -> dict[str, float]:
        """Tell for each output of a cell the greatest load, if it has one."""
        found = parse(self.library.text[self._places[master]])
        pins = {pin.name: pin.attributes.get("max_capacitance") for pin in found.all("pin")}
        return {name: float(said) * self._ff for name, said in pins.items() if said}

    def most_of(self, cell: Cell, pin: str) -> float:
        """Tell the greatest load of what drives a net."""
        master = self.outside.driving_cell if cell.is_port else cell.master
        most = self.most(master)
        return max(most.values(), default=inf) if cell.is_port else most.get(pin, inf)

    def enough(self, masters: Iterable[str], pin: str, ff: float) -> str | None:
        """Find the first of these cells that may drive so much."""
        return next((one for one in masters if self.most(one).get(pin, inf) >= ff), None)

    def input_ff(self, cell: Cell, pin: str) -> float:
        """Tell the load that a pin of a cell is, or what is outside an output."""
        if cell.is_port:
            return self.outside.load_ff
        return self.library[cell.master].pins[pin].capacitance


def driver_of(design: Design, pins: list[tuple[int, str]]) -> tuple[int, str] | None:
    """Find what drives a net."""
    for cell, pin in pins:
        if design.shape(design.cells[cell]).directions[pin] == "output":
            return cell, pin
    return None


def loads(
    design: Design, limits: Limits, wires: Mapping[str, NetRC]
) -> Iterator[tuple[str, Cell, str, float]]:
    """Tell of each net that is driven the cell and the pin that drive it, and what its other pins
    and its wires load these with, fF."""
    for name, pins in design.routable():
        if driver := driver_of(design, pins):
            of_pins = (limits.input_ff(design.cells[at[0]], at[1]) for at in pins if at != driver)
            cell, pin = driver
            yield name, design.cells[cell], pin, wires[name].total + sum(of_pins)


def overloaded(design: Design, limits: Limits, wires: Mapping[str, NetRC]) -> dict[str, float]:
    """Find the nets that load their drivers more than these may drive: how many times as much."""
    found = {
        net: ff / limits.most_of(cell, pin) for net, cell, pin, ff in loads(design, limits, wires)
    }
    return {net: times for net, times in found.items() if times > 1}
