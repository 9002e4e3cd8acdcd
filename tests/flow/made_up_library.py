"""A Liberty library of round numbers, in which every table is a plane: what its cells take can be
worked out by hand, at any slew and load."""

from pathlib import Path
from typing import NamedTuple

from msgspec import json, structs

from flow.gates.liberty import Library
from flow.technologies.files import SAYS
from flow.technologies.technology import Outside, technology

SLEWS, LOADS = (0.1, 0.3), (2.0, 6.0)  # of the tables: most of what is asked for lies beyond
PORT_LOAD = 7.0
VOLTAGE = 3.0  # so 1/2 C V^2 is 4.5 fJ for each fF
WIRES = ((1, 4.0), (3, 10.0))  # length by fanout, 2 more for each load more, 0.5 fF each


class Plane(NamedTuple):
    """A table's value at slew 0 and load 0, and what each ns of slew and each fF of load adds."""

    base: float
    slew: float = 0.0
    load: float = 0.0

    def at(self, slew: float, load: float = 0.0) -> float:
        """What the table says there."""
        return self.base + self.slew * slew + self.load * load

    def text(self, kind: str) -> str:
        """The table in a Liberty file: of slew alone, if no load is in it."""
        slews = ", ".join(map(str, SLEWS))
        if not self.load:
            values = ", ".join(repr(self.at(slew)) for slew in SLEWS)
            return f'{kind} (hidden) {{ index_1 ("{slews}"); values ("{values}"); }}'
        loads = ", ".join(map(str, LOADS))
        rows = [", ".join(repr(self.at(slew, load)) for load in LOADS) for slew in SLEWS]
        values = ", ".join(f'"{row}"' for row in rows)
        return f'{kind} (both) {{ index_1 ("{slews}"); index_2 ("{loads}"); values ({values}); }}'


class Edges(NamedTuple):
    """A plane for either edge."""

    rise: Plane
    fall: Plane


INV_DELAY = Edges(Plane(0.10, 0.5, 0.02), Plane(0.05, 0.25, 0.01))
INV_SLEW = Edges(Plane(0.03, 0.1, 0.004), Plane(0.02, 0.2, 0.003))
INV_ENERGY = Edges(Plane(3.0, 2.0, 0.1), Plane(1.0, 4.0, 0.2))
INV_PIN, INV_LEAKAGE = 1.5, {0: 10.0, 1: 30.0}

AND_DELAY = {"A1": Edges(Plane(0.20, 0.3, 0.05), Plane(0.12, 0.2, 0.03))}
AND_DELAY["A2"] = Edges(Plane(0.26, 0.3, 0.05), Plane(0.11, 0.2, 0.03))
AND_SLEW = {"A1": Edges(Plane(0.04, 0.1, 0.01), Plane(0.06, 0.1, 0.02))}
AND_SLEW["A2"] = Edges(Plane(0.05, 0.1, 0.01), Plane(0.02, 0.1, 0.02))
AND_ENERGY = {"A1": Edges(Plane(5.0, 1.0, 0.3), Plane(2.0, 3.0, 0.4))}
AND_ENERGY["A2"] = Edges(Plane(8.0, 1.0, 0.3), Plane(4.0, 3.0, 0.4))
AND_HIDDEN = {"A1": Edges(Plane(0.7, 2.0), Plane(0.3, 6.0))}
AND_HIDDEN["A2"] = Edges(Plane(0.9, 2.0), Plane(0.2, 6.0))
AND_PINS = {"A1": 1.0, "A2": 1.25}
AND_LEAKAGE = {(0, 0): 4.0, (0, 1): 6.0, (1, 0): 9.0, (1, 1): 21.0}

XOR_DELAY = {
    "positive_unate": Edges(Plane(0.30, 0.1, 0.02), Plane(0.25, 0.2, 0.02)),
    "negative_unate": Edges(Plane(0.20, 0.4, 0.02), Plane(0.35, 0.1, 0.02)),
}

# Of a half adder: the sum's edges by A, with B at 0 and at 1, and by B; the carry's by A.
HALF_SUM = {0: Edges(Plane(2.0), Plane(4.0)), 1: Edges(Plane(12.0), Plane(14.0))}
HALF_SUM_BY_B = Edges(Plane(20.0), Plane(30.0))
HALF_CARRY = Edges(Plane(100.0), Plane(140.0))

REGISTER_DELAY = {"Q": Edges(Plane(0.40, 1.0, 0.03), Plane(0.44, 1.0, 0.02))}
REGISTER_DELAY["QN"] = Edges(Plane(0.50, 1.0, 0.04), Plane(0.47, 1.0, 0.05))
REGISTER_SLEW = Edges(Plane(0.01, 1.0, 0.002), Plane(0.012, 1.0, 0.001))
REGISTER_ENERGY = {"Q": Edges(Plane(6.0, 1.0, 0.1), Plane(7.0, 1.0, 0.2))}
REGISTER_ENERGY["QN"] = Edges(Plane(2.0, 1.0, 0.3), Plane(1.0, 1.0, 0.1))
# By (D, state): what the clock's two edges take; by (clock, state): what those of D do.
CLOCK_ENERGY = {
    (0, 0): Edges(Plane(1.0, 1.0), Plane(3.0, 1.0)),
    (0, 1): Edges(Plane(5.0, 1.0), Plane(0.0, 1.0)),
    (1, 0): Edges(Plane(7.0, 1.0), Plane(12.0, 1.0)),
    (1, 1): Edges(Plane(4.0, 1.0), Plane(6.0, 1.0)),
}
DATA_ENERGY = {
    (0, 0): Edges(Plane(0.5, 1.0), Plane(0.7, 2.0)),
    (0, 1): Edges(Plane(1.1, 1.0), Plane(1.3, 2.0)),
    (1, 0): Edges(Plane(1.7, 1.0), Plane(1.9, 2.0)),
    (1, 1): Edges(Plane(2.3, 1.0), Plane(2.9, 2.0)),
}
DATA_PIN, CLOCK_PIN, REGISTER_LEAKAGE = 1.75, 0.75, 50.0

GATE_CLOCK_PIN, GATE_ENABLE_PIN = 1.5, 0.5
# By enable, with the output at 0: what the clock's edges take; by (clock, output): what those of
# enable do; and the output's own.
GATE_CLOCK = {0: Edges(Plane(1.5), Plane(2.0)), 1: Edges(Plane(100.0), Plane(5.0))}
GATE_ENABLE = {
    (0, 0): Edges(Plane(0.1), Plane(0.2)),
    (1, 0): Edges(Plane(0.4), Plane(0.8)),
    (1, 1): Edges(Plane(1.6), Plane(3.2)),
}
GATE_OUTPUT = {0: Edges(Plane(200.0), Plane(11.0)), 1: Edges(Plane(7.0), Plane(13.0))}
GATE_LEAKAGE = {(0, 0, 0): 1.0, (0, 1, 0): 2.0, (1, 0, 0): 4.0, (1, 0, 1): 8.0}
GATE_LEAKAGE |= {(1, 1, 0): 16.0, (1, 1, 1): 32.0}  # by clock, enable, output

ENDS = """  time_unit : "1ns"; voltage_unit : "1V"; leakage_power_unit : "1nW";
  capacitive_load_unit (1, ff);
  nom_voltage : 3.0;
  lu_table_template (both) {
    variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
  }
  power_lut_template (hidden) { variable_1 : input_transition_time; }
  wire_load ("other") { capacitance : 9; slope : 9; fanout_length (1, 9); }
  wire_load ("made") { capacitance : 0.5; slope : 2; WIRES }
"""


def _edges(kinds: tuple[str, str], planes: Edges) -> str:
    return " ".join(plane.text(kind) for kind, plane in zip(kinds, planes, strict=True))


def _delays(related: str, sense: str, delay: Edges, slew: Edges, kind: str = "") -> str:
    return (
        f"timing () {{ related_pin : {related}; timing_sense : {sense};"
        + f" timing_type : {kind};" * bool(kind)
        + _edges(("cell_rise", "cell_fall"), delay)
        + _edges(("rise_transition", "fall_transition"), slew)
        + "}"
    )


def _energy(energy: Edges, related: str = "", when: str = "") -> str:
    return (
        "internal_power () {"
        + f" related_pin : {related};" * bool(related)
        + f' when : "{when}";' * bool(when)
        + _edges(("rise_power", "fall_power"), energy)
        + "}"
    )


def _pin(name: str, *said: str, capacitance: float | None = None, function: str = "") -> str:
    direction = "input" if capacitance is not None else "output"
    return (
        f"pin ({name}) {{ direction : {direction};"
        + (f" capacitance : {capacitance};" if capacitance is not None else "")
        + (f' function : "{function}";' if function else "")
        + " ".join(said)
        + "}"
    )


def _cell(name: str, area: float, leakage: float, *said: str) -> str:
    lines = [f"  cell ({name}) {{", f"area : {area};", f"cell_leakage_power : {leakage};", *said]
    return "\n    ".join(lines) + "\n  }"


def _leakage(when: str, value: float) -> str:
    return f'leakage_power () {{ when : "{when}"; value : {value}; }}'


def _all(**pins: int) -> str:
    """The condition that pins have these values."""
    return " & ".join(name if value else f"!{name}" for name, value in pins.items())


def _inverter(name: str, pin: float) -> str:
    output = (
        _delays("A", "negative_unate", INV_DELAY, INV_SLEW),
        _energy(INV_ENERGY, "A"),
    )
    states = [_leakage(_all(A=a), value) for a, value in INV_LEAKAGE.items()]
    pins = _pin("A", capacitance=pin), _pin("ZN", *output, function="!A")
    return _cell(name, 1.0, 99.0, *states, *pins)


def _and() -> str:
    pins, other = [], {"A1": "A2", "A2": "A1"}
    for name, value in AND_PINS.items():
        pins.append(
            _pin(name, _energy(AND_HIDDEN[name], when=f"!{other[name]}"), capacitance=value)
        )
    output = [_delays(pin, "positive_unate", AND_DELAY[pin], AND_SLEW[pin]) for pin in AND_PINS]
    output += [_energy(AND_ENERGY[pin], pin) for pin in AND_PINS]
    states = [_leakage(_all(A1=a, A2=b), value) for (a, b), value in AND_LEAKAGE.items()]
    return _cell("AND2", 2.0, 99.0, *states, *pins, _pin("Z", *output, function="A1 & A2"))


def _xor() -> str:
    """Nothing inside; its leakage is the same in all states."""
    delays = [
        _delays(pin, sense, XOR_DELAY[sense], INV_SLEW) for pin in "AB" for sense in XOR_DELAY
    ]
    pins = [_pin(pin, capacitance=1.0) for pin in "AB"]
    return _cell("XOR2", 3.0, 12.0, *pins, _pin("Z", *delays, function="A ^ B"))


def _half_adder() -> str:
    """A cell of two outputs."""
    by_a = [_energy(energy, "A", _all(B=b)) for b, energy in HALF_SUM.items()]
    outputs = (
        _pin("S", *by_a, _energy(HALF_SUM_BY_B, "B"), function="A ^ B"),
        _pin("CO", _energy(HALF_CARRY, "A"), function="A & B"),
    )
    return _cell("HALF", 3.0, 12.0, *(_pin(pin, capacitance=1.0) for pin in "AB"), *outputs)


def _register(name: str = "DFF") -> str:
    clock = [_energy(e, when=_all(D=d, Q=q, QN=1 - q)) for (d, q), e in CLOCK_ENERGY.items()]
    data = [_energy(e, when=_all(CK=c, Q=q, QN=1 - q)) for (c, q), e in DATA_ENERGY.items()]
    outputs = [
        _pin(
            name,
            _delays("CK", "non_unate", REGISTER_DELAY[name], REGISTER_SLEW, "rising_edge"),
            _energy(REGISTER_ENERGY[name], "CK"),
            function=state,
        )
        for name, state in (("Q", "IQ"), ("QN", "IQN"))
    ]
    return _cell(
        *(name, 5.0, REGISTER_LEAKAGE),
        'ff ("IQ", "IQN") { next_state : "D"; clocked_on : "CK"; }',
        _pin("D", *data, capacitance=DATA_PIN),
        _pin("CK", "clock : true;", *clock, capacitance=CLOCK_PIN),
        *outputs,
    )


def _clock_gate() -> str:
    clock = [_energy(e, when=_all(E=enable, GCK=0)) for enable, e in GATE_CLOCK.items()]
    enable = [_energy(e, when=_all(CK=c, GCK=o)) for (c, o), e in GATE_ENABLE.items()]
    output = [_energy(e, "CK", _all(E=enabled)) for enabled, e in GATE_OUTPUT.items()]
    states = [_leakage(_all(CK=c, E=e, GCK=o), v) for (c, e, o), v in GATE_LEAKAGE.items()]
    table = '"L L : - : L, L H : - : H, H - : - : N"'
    return _cell(
        *("GATE", 4.0, 99.0, *states),
        f'statetable ("CK E", "IQ") {{ table : {table}; }}',
        "clock_gating_integrated_cell : latch_posedge;",
        "pin (IQ) { direction : internal; internal_node : IQ; }",
        _pin("CK", "clock_gate_clock_pin : true;", *clock, capacitance=GATE_CLOCK_PIN),
        _pin("E", "clock_gate_enable_pin : true;", *enable, capacitance=GATE_ENABLE_PIN),
        _pin("GCK", 'state_function : "(CK & IQ)"; clock_gate_out_pin : true;', *output),
    )


def library(folder: Path) -> Library:
    """Write it, and beside it what the flow knows of its cells, and read it."""
    path = folder / "made.lib"
    path.write_text(liberty())
    return around(path)


def changed(path: Path, changes: dict[str, str]) -> Path:
    """The file of the library, with parts of its text changed."""
    text = liberty()
    for old, new in changes.items():
        assert old in text
        text = text.replace(old, new)
    path.write_text(text)
    return path


def around(path: Path) -> Library:
    """Write beside a library what the flow knows of cells, and read it."""
    known = structs.replace(technology(), outside=Outside("INV_X2", PORT_LOAD))
    path.with_name(SAYS).write_bytes(json.encode(known))
    return Library(path)


def liberty() -> str:
    """The text of the library."""
    lengths = " ".join(f"fanout_length ({fanout}, {length});" for fanout, length in WIRES)
    cells = (
        _inverter("INV_X2", 3.0),
        _inverter("INV", INV_PIN),
        _and(),
        _xor(),
        _register(),
        _register("DFF2"),
    )
    cells = "\n".join([*cells, _half_adder(), _clock_gate()])
    head = ENDS.replace("WIRES", lengths)
    return f'library (made) {{\n{head}\n{cells}\n  default_wire_load : "made";\n}}\n'
