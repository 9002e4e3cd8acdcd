"""Find the cells of a library that differ in their strength only: the same pins and functions.

Each library names strengths in its own way, so it is the Liberty file that says which cells are
alike.
"""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from fnmatch import fnmatch

import numpy as np

from flow.gates.cells import EDGES, Cell, Table
from flow.gates.groups import Group, parse
from flow.gates.liberty import CELL, Library
from flow.gates.liberty_tables import TableBank
from flow.gates.timing import INPUT_EDGES

# What says of a cell what it does; of what a register, latch or clock gate has, the braces are cut.
SAYS_WHAT = re.compile(
    r"\b(pin|ff|latch|statetable)\s*\(([^)]*)\)"
    r"|\b(direction|function|next_state|clocked_on|clear|preset|enable|data_in|three_state"
    r"|clock_gating_integrated_cell)\s*:\s*([^;]*);"
)
CLOCK_SLEW, DATA_SLEW = "related_pin_transition", "constrained_pin_transition"
ONLY_RISE, BOTH = ((0,), (0,)), ((0, 1), (0, 1))


@dataclass(frozen=True)
class Variant:
    """A cell of one strength: its arcs as (input pin, output pin, cause, edge) with tables."""

    cell: Cell
    arcs: tuple[tuple[str, str, int, int], ...]
    delays: np.ndarray  # table numbers
    slews: np.ndarray
    loads: np.ndarray  # of the input pin, in fF
    capacitance: Mapping[str, float]  # of each input pin, between that of its two edges
    setups: Mapping[tuple[str, int], int]  # of a register: tables by pin and edge, over its slew


class Cells:
    """The cells of a library by strength."""

    def __init__(self, library: Library) -> None:
        self.library, self.bank = library, TableBank()
        self._known: dict[str, list[Variant]] = {}
        self._kinds: dict[tuple[str, ...], list[str]] = defaultdict(list)
        self._kind_of: dict[str, tuple[str, ...]] = {}
        self._places: dict[str, slice] = {}
        text = library.text
        starts = [(match[1], match.start()) for match in CELL.finditer(text)]
        ends = [*(start for _, start in starts[1:]), len(text)]
        for (name, start), end in zip(starts, ends, strict=True):
            kind = tuple(
                "".join(part.split()).replace('"', "")
                for match in SAYS_WHAT.finditer(text, start, end)
                for part in match.groups("")
            )
            self._kind_of[name] = kind
            self._places[name] = slice(start, end)
            self._kinds[kind].append(name)

    def alike(self, name: str) -> list[str]:
        """List the cells with the same pins and functions, in the order of the file; of those that
        no logic is mapped to only that one."""
        unused = self.library.technology.cells.unused

        def is_used(one: str) -> bool:
            return not any(fnmatch(one, pattern) for pattern in unused)

        return [n for n in self._kinds[self._kind_of[name]] if n == name or is_used(n)]

    def variants(self, name: str) -> list[Variant]:
        """List the strengths of a cell from the smallest on; those with the same arcs."""
        if name not in self._known:
            own = self._variant(self.library[name])
            found = [self._variant(self.library[n]) for n in self.alike(name) if n != name]
            found = [own, *(variant for variant in found if variant.arcs == own.arcs)]
            found.sort(key=lambda variant: variant.cell.area)
            self._known |= dict.fromkeys((variant.cell.name for variant in found), found)
        return self._known[name]

    def _variant(self, cell: Cell) -> Variant:
        rows = []
        for pin in cell.outputs if not cell.enable else ():
            for arc in cell.pins[pin].arcs:
                causes = ONLY_RISE if arc.clocked else INPUT_EDGES.get(arc.sense, BOTH)
                for edge, delay, slew in arc.edges():
                    tables = self.bank.add(delay), self.bank.add(slew)
                    rows += [((arc.related, pin, cause, edge), *tables) for cause in causes[edge]]
        rows.sort(key=lambda row: row[0])
        arcs, delays, slews = zip(*rows, strict=True) if rows else ((), (), ())
        columns = np.array(delays, np.int64), np.array(slews, np.int64)
        text = parse(self.library.text[self._places[cell.name]])
        pins = {pin.name: pin for pin in text.all("pin") if pin.name in cell.inputs}
        capacitance = {
            name: cell.pins[name].capacitance * _of_mean_edge(pin) for name, pin in pins.items()
        }
        loads = np.array([capacitance[arc[0]] for arc in arcs])
        setups = {
            (name, edge): self.bank.add(table)
            for name, pin in pins.items()
            for edge, table in self._setups(pin)
        }
        return Variant(cell, tuple(arcs), *columns, loads, capacitance, setups)

    def _setups(self, pin: Group) -> Iterator[tuple[int, Table]]:
        """List the setup times of a pin by its edge, over its slew; the clock is as steep as can
        be."""
        for group in pin.all("timing"):
            if group.attributes.get("timing_type", "").startswith("setup"):
                for edge, name in enumerate(EDGES):
                    for table in group.all(f"{name}_constraint"):
                        yield edge, self._over_slew(table)

    def _over_slew(self, table: Group) -> Table:
        ns = self.library.ns
        template = self.library.templates.get(table.name, [])
        rows = [[float(x) * ns for x in row.split(",")] for row in table.values("values") or []]
        values = np.array(rows)
        if template[:1] == [CLOCK_SLEW]:
            values = values.T
        axis = table.values(f"index_{1 + template.index(DATA_SLEW)}") if values.size > 1 else None
        slews = [float(x) * ns for x in axis[0].split(",")] if axis else [0.0]
        return Table(np.array(slews), np.zeros(1), values.reshape(len(slews), -1)[:, :1])


def _of_mean_edge(pin: Group) -> float:
    """Tell the mean of a pin's capacitances at either edge, as a part of what is said of both."""
    both = float(pin.attributes.get("capacitance", 0))
    edges = [float(pin.attributes.get(f"{edge}_capacitance", both)) for edge in EDGES]
    return sum(edges) / 2 / both if both else 1.0
