"""What the flow needs of a Liberty file: functions, capacitances, delay, power and leakage tables.

Units are those of the kit: ns, fF, V, nW, and so fJ for energies. Cells are read when they are
asked for: parsing all of a kit takes longer than most designs take to simulate.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np

from flow.gates.logic import Logic

TOKEN = re.compile(r'"[^"]*"|[{}():;,]|[^\s{}():;,"\\]+')
COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
CELL = re.compile(r"^[ \t]*cell[ \t]*\([ \t]*\"?(\w+)\"?[ \t]*\)", re.MULTILINE)
UNITS = {
    "time_unit": "1ns",
    "voltage_unit": "1V",
    "leakage_power_unit": "1nW",
    "capacitive_load_unit": "1 ff",
}
SLEW, LOAD = "input_net_transition", "total_output_net_capacitance"
EDGES = ("rise", "fall")
CHECKS = ("setup", "hold", "recovery", "removal", "min_pulse", "non_seq")


class LibertyError(Exception):
    """The file lacks something, or says something that the flow cannot use."""


@dataclass
class Group:
    """A group of the file: `kind (name) { attributes; groups }`."""

    kind: str
    name: str
    attributes: dict[str, str] = field(default_factory=dict)
    complex: list[tuple[str, list[str]]] = field(default_factory=list)
    groups: list["Group"] = field(default_factory=list)

    def all(self, *kinds: str) -> Iterator["Group"]:
        """The groups directly inside of these kinds."""
        return (group for group in self.groups if group.kind in kinds)

    def values(self, name: str) -> list[str] | None:
        """The arguments of a complex attribute such as `index_1 ("...")`; None if absent."""
        return next((arguments for key, arguments in self.complex if key == name), None)


def parse(text: str) -> Group:
    """The first group of the text with all that is inside."""
    root = Group("", "")
    stack, words = [root], []
    tokens = iter(TOKEN.findall(COMMENT.sub(" ", text)))
    for token in tokens:
        if token == "(":
            arguments = []
            for inner in tokens:
                if inner == ")":
                    break
                if inner != ",":
                    arguments.append(inner.strip('"'))
            following = next(tokens, ";")
            if following == "{":
                group = Group(words[-1], " ".join(arguments))
                stack[-1].groups.append(group)
                stack.append(group)
            else:
                stack[-1].complex.append((words[-1], arguments))
                if following == "}":
                    stack.pop()
            words = [] if following in "{};" else [following]
        elif token == "}":
            stack.pop()
            words = []
            if len(stack) == 1:
                break
        elif token == ";":
            words = []
        elif token == ":":
            name, value = words[-1], []
            for inner in tokens:
                if inner == ";":
                    break
                value.append(inner.strip('"'))
            stack[-1].attributes[name] = " ".join(value)
            words = []
        else:
            words.append(token)
    return root.groups[0]


@dataclass(frozen=True)
class Table:
    """Values over input slew (rows, ns) and load (columns, fF)."""

    slews: np.ndarray
    loads: np.ndarray
    values: np.ndarray


ZERO = Table(np.zeros(1), np.zeros(1), np.zeros((1, 1)))


@dataclass(frozen=True)
class Arc:
    """A timing arc to an output: delay and slew of either edge; None where it has none."""

    related: str
    clocked: bool  # from a clock edge to the register's output
    sense: str
    delay: tuple[Table | None, Table | None]
    slew: tuple[Table | None, Table | None]


@dataclass(frozen=True)
class Energy:
    """What a cell takes inside for an edge at a pin, in fJ, under a condition."""

    related: str | None
    when: Logic | None
    tables: tuple[Table, Table]


@dataclass(frozen=True)
class Pin:
    """A pin of a cell."""

    name: str
    output: bool
    clock: bool
    capacitance: float
    function: str | None
    arcs: tuple[Arc, ...]
    energies: tuple[Energy, ...]


@dataclass(frozen=True)
class Cell:
    """A cell: pins, leakage in nW by state, and what it stores if it is a register."""

    name: str
    area: float
    pins: dict[str, Pin]
    leakage: tuple[tuple[Logic, float], ...]
    mean_leakage: float
    next_state: str | None = None  # of a register, with the names of its two states
    states: tuple[str, ...] = ()

    @property
    def inputs(self) -> list[str]:
        """The input pins, in the order of the file."""
        return [name for name, pin in self.pins.items() if not pin.output]

    @property
    def outputs(self) -> list[str]:
        """The output pins, in the order of the file."""
        return [name for name, pin in self.pins.items() if pin.output]


class Library:
    """A Liberty file."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text()
        starts = [(match[1], match.start()) for match in CELL.finditer(self.text)]
        ends = [*(start for _, start in starts[1:]), len(self.text)]
        self._places = {name: slice(at, end) for (name, at), end in zip(starts, ends, strict=True)}
        self._cells: dict[str, Cell] = {}
        first = starts[0][1] if starts else len(self.text)
        self.head = parse(self.text[:first] + "}")
        self._check_units()

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> Cell:
        if name not in self._cells:
            if name not in self._places:
                raise LibertyError(f"cell {name} is not in the library")
            self._cells[name] = self._cell(parse(self.text[self._places[name]]))
        return self._cells[name]

    @cached_property
    def voltage(self) -> float:
        """The supply in V."""
        return float(self.head.attributes["nom_voltage"])

    @cached_property
    def wire_load(self) -> "WireLoad":
        """The wires of the library's default."""
        # What follows the cells may set it.
        name = re.search(r'default_wire_load\s*:\s*"?(\w+)', self.text)
        group = next((g for g in self.head.all("wire_load") if name and g.name == name[1]), None)
        if group is None:
            return WireLoad("none", 0.0, 0.0, ((1, 0.0),))
        lengths = [args for key, args in group.complex if key == "fanout_length"]
        return WireLoad(
            group.name,
            float(group.attributes["capacitance"]),
            float(group.attributes["slope"]),
            tuple((int(fanout), float(length)) for fanout, length, *_ in lengths),
        )

    def _check_units(self) -> None:
        found = self.head.attributes | {key: " ".join(args) for key, args in self.head.complex}
        for name, unit in UNITS.items():
            if found.get(name) != unit:
                raise LibertyError(f"{name} is {found.get(name)}, expected {unit}")

    @cached_property
    def _templates(self) -> dict[str, list[str]]:
        return {
            g.name: [g.attributes[k] for k in ("variable_1", "variable_2") if k in g.attributes]
            for g in self.head.all("lu_table_template", "power_lut_template")
        }

    def _table(self, group: Group | None) -> Table | None:
        if group is None:
            return None
        rows = [np.array(row.split(","), float) for row in group.values("values") or []]
        axes = {}
        for number, variable in enumerate(self._templates.get(group.name, []), 1):
            if index := group.values(f"index_{number}"):
                name = SLEW if variable in (SLEW, "input_transition_time") else variable
                axes[name] = np.array(index[0].split(","), float)
        values = np.array(rows) if len(rows) > 1 else rows[0].reshape(1, -1)
        slews, loads = axes.get(SLEW, np.zeros(1)), axes.get(LOAD, np.zeros(1))
        if list(axes)[:1] == [LOAD] and len(axes) == 2:
            values = values.T
        return Table(slews, loads, values.reshape(len(slews), len(loads)))

    def _tables(self, group: Group, *kinds: str) -> tuple[Table | None, ...]:
        found = {g.kind: g for g in group.groups}
        return tuple(self._table(found.get(kind)) for kind in kinds)

    def _arc(self, group: Group) -> Arc:
        get = group.attributes.get
        return Arc(
            get("related_pin", ""),
            get("timing_type", "").endswith("_edge"),
            get("timing_sense", "non_unate"),
            self._tables(group, "cell_rise", "cell_fall"),
            self._tables(group, "rise_transition", "fall_transition"),
        )

    def _energy(self, group: Group) -> Energy:
        when = group.attributes.get("when")
        rise, fall = self._tables(group, "rise_power", "fall_power")
        related = group.attributes.get("related_pin")
        return Energy(related, Logic(when) if when else None, (rise or ZERO, fall or ZERO))

    def _pin(self, group: Group) -> Pin:
        get = group.attributes.get
        timings = [
            g for g in group.all("timing") if not get_type(g).startswith(CHECKS) and g.groups
        ]
        return Pin(
            group.name,
            get("direction") == "output",
            get("clock") == "true",
            float(get("capacitance", 0)),
            get("function"),
            tuple(self._arc(g) for g in timings),
            tuple(self._energy(g) for g in group.all("internal_power")),
        )

    def _cell(self, group: Group) -> Cell:
        registers = list(group.all("ff"))
        for what in ("latch", "statetable"):
            if any(group.all(what)):
                raise LibertyError(f"cell {group.name}: a {what} is not simulated")
        next_state, states = None, ()
        if registers:
            [register] = registers
            if {"clear", "preset"} & register.attributes.keys():
                raise LibertyError(f"cell {group.name}: set and reset are not simulated")
            next_state = register.attributes["next_state"]
            states = tuple(register.name.split())
        return Cell(
            group.name,
            float(group.attributes["area"]),
            {g.name: self._pin(g) for g in group.all("pin")},
            tuple(
                (Logic(g.attributes["when"]), float(g.attributes["value"]))
                for g in group.all("leakage_power")
                if "when" in g.attributes
            ),
            float(group.attributes.get("cell_leakage_power", 0)),
            next_state,
            states,
        )


def get_type(timing: Group) -> str:
    """The timing_type of a timing group."""
    return timing.attributes.get("timing_type", "combinational")


@dataclass(frozen=True)
class WireLoad:
    """The length of a net by its fanout, and so its capacitance in fF."""

    name: str
    capacitance: float
    slope: float
    lengths: tuple[tuple[int, float], ...]

    def capacitances(self, fanouts: np.ndarray) -> np.ndarray:
        """The wire's capacitance of nets of these fanouts; 0 for one without loads."""
        points, lengths = (np.array(column, float) for column in zip(*self.lengths, strict=True))
        found = np.interp(fanouts, points, lengths)
        found += self.slope * np.maximum(fanouts - points[-1], 0)
        return np.where(fanouts > 0, self.capacitance * found, 0.0)
