"""A technology of five cells in one folder: what somebody writes who brings a library."""

from pathlib import Path

from tests.places import ROOT

ENTRY = (ROOT / "docs/examples/five.toml").read_text()  # as the manual has it
AREAS = {"NOT": 2.0, "NAND": 4.0, "NOR": 4.0, "REG": 16.0, "ADD": 20.0}
PIN_PF = 0.001
SLEWS_NS, LOADS_PF = (0.01, 0.1, 0.5, 1.0), (0.001, 0.005, 0.02, 0.1)  # abc takes some points
AXES = " ".join(
    f'index_{i} ("{", ".join(map(str, axis))}");' for i, axis in enumerate((SLEWS_NS, LOADS_PF), 1)
)
THRESHOLDS = " ".join(
    f"{name}_pct_{edge} : {value};"
    for name, value in (
        *(("input_threshold", 50), ("output_threshold", 50)),
        *(("slew_lower_threshold", 20), ("slew_upper_threshold", 80)),
    )
    for edge in ("rise", "fall")
)
HEAD = f"""library (five) {{
  time_unit : "1ns"; voltage_unit : "1V"; current_unit : "1mA"; leakage_power_unit : "1nW";
  capacitive_load_unit (1, pf); pulling_resistance_unit : "1kohm";
  delay_model : table_lookup;
  nom_voltage : 1.0; nom_temperature : 25; nom_process : 1; default_max_transition : 10;
  {THRESHOLDS}
  lu_table_template (delay) {{
    variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;
    {AXES}
  }}
  lu_table_template (check) {{
    variable_1 : related_pin_transition; variable_2 : constrained_pin_transition;
    index_1 ("0, 1"); index_2 ("0, 1");
  }}
"""


def _table(kind: str, ns: float, per_pf: float) -> str:
    """A delay or slew that depends on the load, and hardly on the slew before."""
    rows = [
        ", ".join(f"{ns + 0.1 * slew + load * per_pf:.4f}" for load in LOADS_PF)
        for slew in SLEWS_NS
    ]
    values = ", ".join(f'"{row}"' for row in rows)
    return f"{kind} (delay) {{ {AXES} values ({values}); }}"


def _arc(pin: str, sense: str, ns: float, kind: str = "combinational") -> str:
    tables = [_table(f"cell_{edge}", ns, 20) for edge in ("rise", "fall")]
    tables += [_table(f"{edge}_transition", 0.05, 20) for edge in ("rise", "fall")]
    said = f'related_pin : "{pin}"; timing_sense : {sense}; timing_type : {kind};'
    return f"timing () {{ {said} {' '.join(tables)} }}"


def _check(kind: str, ns: float) -> str:
    values = f'values ("{ns}, {ns}", "{ns}, {ns}");'
    axes = 'index_1 ("0, 1"); index_2 ("0, 1");'
    tables = " ".join(
        f"{edge}_constraint (check) {{ {axes} {values} }}" for edge in ("rise", "fall")
    )
    return f'timing () {{ related_pin : "C"; timing_type : {kind}_rising; {tables} }}'


def _input(name: str, *said: str) -> str:
    return f"pin ({name}) {{ direction : input; capacitance : {PIN_PF}; {' '.join(said)} }}"


def _output(name: str, function: str, *arcs: str) -> str:
    return f'pin ({name}) {{ direction : output; function : "{function}"; {" ".join(arcs)} }}'


def _gate(name: str, inputs: str, function: str, ns: float) -> str:
    arcs = [_arc(pin, "negative_unate", ns) for pin in inputs]
    pins = [*map(_input, inputs), _output("Y", function, *arcs)]
    return _cell(name, *pins)


def _cell(name: str, *said: str) -> str:
    lines = [f"  cell ({name}) {{", f"area : {AREAS[name]};", "cell_leakage_power : 1;", *said]
    return "\n    ".join(lines) + "\n  }"


def liberty() -> str:
    """The text of the library."""
    inputs = ("A", "B", "CI")
    carry = [_arc(pin, "positive_unate", 0.3) for pin in inputs]
    total = [_arc(pin, sense, 0.4) for pin in inputs for sense in SENSES]
    cells = [
        _gate("NOT", "A", "!A", 0.05),
        _gate("NAND", "AB", "!(A B)", 0.08),
        _gate("NOR", "AB", "!(A+B)", 0.1),
        _cell(
            "REG",
            'ff (IQ, IQN) { next_state : "D"; clocked_on : "C"; }',
            _input("D", _check("setup", 0.1), _check("hold", 0.02)),
            _input("C", "clock : true;"),
            _output("Q", "IQ", _arc("C", "non_unate", 0.2, "rising_edge")),
        ),
        _cell(
            "ADD",
            *map(_input, inputs),
            _output("CO", "(A B) + (A CI) + (B CI)", *carry),
            _output("S", "A ^ B ^ CI", *total),
        ),
    ]
    return "\n".join([HEAD, *cells, "}", ""])


SENSES = ("positive_unate", "negative_unate")


def write(place: Path) -> None:
    """Write the folder of the technology into a folder of such."""
    folder = place / "five"
    folder.mkdir()
    (folder / "technology.toml").write_text(ENTRY)
    (folder / "five.lib").write_text(liberty())
