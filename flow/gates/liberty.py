"""Read what the flow needs of a Liberty file: functions, capacitances, delays, power and leakage.

Units are ns, fF, V and nW, and so fJ for energies, whatever the file counts in. Cells are read when
they are asked for: parsing all of a kit takes longer than most designs take to simulate.
"""

import re
from functools import cached_property
from pathlib import Path

import numpy as np

from flow.gates.cells import ZERO, Arc, Cell, Energy, Pin, Table, WireLoad
from flow.gates.clock_gate import GateError, enable_pin
from flow.gates.groups import Group, parse
from flow.gates.logic import Logic
from flow.technologies.technology import Technology, beside
from sim.errors import RunError

CELL = re.compile(r"^[ \t]*cell[ \t]*\([ \t]*\"?(\w+)\"?[ \t]*\)", re.MULTILINE)
# The exponent of ten of each unit that we count in, and of a prefix.
UNITS = {
    "time_unit": ("s", -9),
    "voltage_unit": ("V", 0),
    "leakage_power_unit": ("W", -9),
    "capacitive_load_unit": ("f", -15),
}
PREFIXES = {"": 0, "m": -3, "u": -6, "n": -9, "p": -12, "f": -15}
UNIT = re.compile(r"([\d.]+) ?([munpf]?)([a-z])", re.IGNORECASE)
SLEW, LOAD = "input_net_transition", "total_output_net_capacitance"
CHECKS = ("setup", "hold", "recovery", "removal", "min_pulse", "non_seq")


class LibertyError(RunError):
    """The file lacks something, or says something that the flow cannot use."""


class Library:
    """A Liberty file, whose cells are found by name."""

    def __init__(self, path: Path) -> None:
        self.text = path.read_text()
        starts = [(match[1], match.start()) for match in CELL.finditer(self.text)]
        ends = [*(start for _, start in starts[1:]), len(self.text)]
        self._places = {name: slice(at, end) for (name, at), end in zip(starts, ends, strict=True)}
        self._cells: dict[str, Cell] = {}
        first = starts[0][1] if starts else len(self.text)
        self.head = parse(self.text[:first] + "}")
        # how many of our units are in one of the file
        scales = [self._scale(name, *unit) for name, unit in UNITS.items()]
        self.ns, self._volt, self._nw, self._ff = scales
        self._path = path

    @property
    def names(self) -> list[str]:
        """The cells, in the order of the file."""
        return [*self._places]

    def __contains__(self, name: str) -> bool:
        return name in self._places

    def __getitem__(self, name: str) -> Cell:
        if name not in self._cells:
            if name not in self._places:
                raise LibertyError(f"cell {name} is not in the library")
            self._cells[name] = self._cell(parse(self.text[self._places[name]]))
        return self._cells[name]

    @cached_property
    def technology(self) -> Technology:
        """What is known of the technology besides: it lies beside the file."""
        return beside(self._path)

    @cached_property
    def voltage(self) -> float:
        """The supply, in V."""
        return float(self.head.attributes["nom_voltage"]) * self._volt

    @cached_property
    def wire_load(self) -> WireLoad:
        """The library's default model of wires."""
        # What follows the cells may set it.
        name = re.search(r'default_wire_load\s*:\s*"?(\w+)', self.text)
        group = next((g for g in self.head.all("wire_load") if name and g.name == name[1]), None)
        if group is None:
            return WireLoad("none", 0.0, 0.0, ((1, 0.0),))
        lengths = [args for key, args in group.complex if key == "fanout_length"]
        return WireLoad(
            group.name,
            float(group.attributes["capacitance"]) * self._ff,
            float(group.attributes["slope"]),
            tuple((int(fanout), float(length)) for fanout, length, *_ in lengths),
        )

    def _scale(self, name: str, kind: str, exponent: int) -> float:
        """Tell how many of our units are in one of the file."""
        found = self.head.attributes | {key: " ".join(args) for key, args in self.head.complex}
        said = UNIT.fullmatch(found.get(name, ""))
        if not said or said[3].lower() != kind.lower():
            raise LibertyError(f"{name} is {found.get(name)}, which is no unit of {kind}")
        return float(said[1]) * 10.0 ** (PREFIXES[said[2].lower()] - exponent)

    @cached_property
    def templates(self) -> dict[str, list[str]]:
        """The variables of tables, by the name of their template."""
        return {
            g.name: [g.attributes[k] for k in ("variable_1", "variable_2") if k in g.attributes]
            for g in self.head.all("lu_table_template", "power_lut_template")
        }

    def _table(self, group: Group | None, scale: float) -> Table | None:
        if group is None:
            return None
        rows = [np.array(row.split(","), float) * scale for row in group.values("values") or []]
        axes = {}
        for number, variable in enumerate(self.templates.get(group.name, []), 1):
            if index := group.values(f"index_{number}"):
                name = SLEW if variable in (SLEW, "input_transition_time") else variable
                unit = self._ff if name == LOAD else self.ns
                axes[name] = np.array(index[0].split(","), float) * unit
        values = np.array(rows) if len(rows) > 1 else rows[0].reshape(1, -1)
        slews, loads = axes.get(SLEW, np.zeros(1)), axes.get(LOAD, np.zeros(1))
        if list(axes)[:1] == [LOAD] and len(axes) == 2:
            values = values.T
        return Table(slews, loads, values.reshape(len(slews), len(loads)))

    def _tables(
        self, group: Group, rise: str, fall: str, scale: float
    ) -> tuple[Table | None, Table | None]:
        found = {g.kind: g for g in group.groups}
        return self._table(found.get(rise), scale), self._table(found.get(fall), scale)

    def _arc(self, group: Group) -> Arc:
        get = group.attributes.get
        return Arc(
            get("related_pin", ""),
            get("timing_type", "").endswith("_edge"),
            get("timing_sense", "non_unate"),
            self._tables(group, "cell_rise", "cell_fall", self.ns),
            self._tables(group, "rise_transition", "fall_transition", self.ns),
        )

    def _energy(self, group: Group) -> Energy:
        when = group.attributes.get("when")
        fj = self._ff * self._volt**2
        rise, fall = self._tables(group, "rise_power", "fall_power", fj)
        related = group.attributes.get("related_pin")
        return Energy(related, Logic(when) if when else None, (rise or ZERO, fall or ZERO))

    def _pin(self, group: Group) -> Pin:
        get = group.attributes.get
        timings = (
            g
            for g in group.all("timing")
            if g.groups and not g.attributes.get("timing_type", "").startswith(CHECKS)
        )
        return Pin(
            group.name,
            get("direction") == "output",
            "true" in (get("clock"), get("clock_gate_clock_pin")),
            float(get("capacitance", 0)) * self._ff,
            get("function", ""),
            tuple(self._arc(g) for g in timings),
            tuple(self._energy(g) for g in group.all("internal_power")),
        )

    def _cell(self, group: Group) -> Cell:
        registers = list(group.all("ff"))
        enable = self._enable(group)
        for what in ("latch", "statetable"):
            if any(group.all(what)) and not enable:
                raise LibertyError(f"cell {group.name}: a {what} is not simulated")
        next_state = ""
        states: tuple[str, ...] = ()
        if registers:
            [register] = registers
            if {"clear", "preset"} & register.attributes.keys():
                raise LibertyError(f"cell {group.name}: set and reset are not simulated")
            next_state = register.attributes["next_state"]
            states = tuple(register.name.split())
        return Cell(
            group.name,
            float(group.attributes["area"]),
            {
                g.name: self._pin(g)
                for g in group.all("pin")
                if g.attributes.get("direction") != "internal"
            },
            tuple(
                (Logic(g.attributes["when"]), float(g.attributes["value"]) * self._nw)
                for g in group.all("leakage_power")
                if "when" in g.attributes
            ),
            float(group.attributes.get("cell_leakage_power", 0)) * self._nw,
            next_state,
            states,
            enable,
        )

    def _enable(self, group: Group) -> str:
        """Find the enable pin of a clock gate, once it is proved to be one."""
        if "clock_gating_integrated_cell" not in group.attributes:
            return ""
        try:
            return enable_pin(group)
        except GateError as error:
            raise LibertyError(f"cell {group.name}: {error}") from None
