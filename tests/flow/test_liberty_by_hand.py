"""What is read of a Liberty file: units, wires, tables either way round, pins and their arcs."""

from pathlib import Path

import numpy as np
import pytest

from flow.gates.liberty import LibertyError, Library
from tests.flow import made_up_library as made

pytestmark = pytest.mark.quick


@pytest.fixture
def read(tmp_path: Path):
    """Reads the library of planes, with parts of its text changed."""

    def library(changes: dict[str, str] | None = None) -> Library:
        return Library(made.changed(tmp_path / "made.lib", changes or {}))

    return library


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('time_unit : "1ns"', 'time_unit : "1nV"', "time_unit is 1nV, which is no unit of s"),
        ('unit : "1nW"', 'unit : "some"', "leakage_power_unit is some, which is no unit of W"),
        ("(1, ff)", "(1, pW)", "capacitive_load_unit is 1 pW, which is no unit of f"),
        ('time_unit : "1ns";', "", "time_unit is None"),
    ],
)
def test_what_is_no_unit_is_refused(read, old: str, new: str, said: str) -> None:
    with pytest.raises(LibertyError, match=said):
        read({old: new})


def test_figures_are_brought_to_our_units(read) -> None:
    """A ns is 1000 ps, and a pF 1000 fF; energies are counted in capacitance x voltage^2."""
    usual, cell = read(), read()["INV_X2"]
    changes = {'time_unit : "1ns"': 'time_unit : "100ps"', "(1, ff)": "(10, pf)"}
    other = read(changes | {'voltage_unit : "1V"': 'voltage_unit : "100mV"'})
    assert other.voltage == pytest.approx(usual.voltage / 10)
    assert other.wire_load.capacitance == usual.wire_load.capacitance * 10_000
    pin, same = other["INV_X2"].pins["A"], cell.pins["A"]
    assert pin.capacitance == same.capacitance * 10_000
    [arc], [usual_arc] = other["INV_X2"].pins["ZN"].arcs, cell.pins["ZN"].arcs
    delay, usual_delay = arc.delay[0], usual_arc.delay[0]
    assert delay.values == pytest.approx(usual_delay.values / 10)
    assert delay.slews == pytest.approx(usual_delay.slews / 10)
    assert delay.loads == pytest.approx(usual_delay.loads * 10_000)
    [energy], [usual_energy] = other["INV_X2"].pins["ZN"].energies, cell.pins["ZN"].energies
    assert energy.tables[1].values == pytest.approx(usual_energy.tables[1].values * 100)
    leaks = read({'unit : "1nW"': 'unit : "2uW"'})["INV_X2"].leakage
    assert [value for _, value in leaks] == [2000 * value for _, value in cell.leakage]


def test_the_supply_and_the_default_wires_are_read(read) -> None:
    assert read().voltage == 3.0
    wires = read().wire_load
    assert (wires.name, wires.capacitance, wires.slope) == ("made", 0.5, 2.0)
    assert wires.lengths == ((1, 4.0), (3, 10.0))
    other = read({'default_wire_load : "made"': 'default_wire_load : "other"'}).wire_load
    assert (other.name, other.capacitance, other.lengths) == ("other", 9.0, ((1, 9.0),))


def test_without_a_wire_load_wires_weigh_nothing(read) -> None:
    for changes in (
        {'default_wire_load : "made";': ""},
        {'default_wire_load : "made"': 'default_wire_load : "gone"'},
    ):
        wires = read(changes).wire_load
        assert wires.capacitances(np.array([0, 1, 5, 99])).tolist() == [0, 0, 0, 0]


BY_SLEW = "variable_1 : input_net_transition; variable_2 : total_output_net_capacitance;"
BY_LOAD = "variable_1 : total_output_net_capacitance; variable_2 : input_net_transition;"
GIVEN = """  cell (GIVEN) {
    area : 1; cell_leakage_power : 3;
    leakage_power () { value : 77; }
    leakage_power () { when : "A"; value : 5; }
    pin (A) { direction : input; capacitance : 2; }
    pin (Z) { direction : output; function : "A";
      timing () { related_pin : "A"; timing_type : setup_rising; cell_rise (both) {
        index_1 ("1, 2"); index_2 ("3, 4"); values ("9, 9", "9, 9"); } }
      timing () { related_pin : "A"; timing_sense : positive_unate; cell_rise (both) {
        index_1 ("1, 2"); index_2 ("3, 4, 5"); values ("10, 11, 12", "20, 21, 22"); } }
      timing () { related_pin : "A"; }
      internal_power () { rise_power (both) { index_1 ("1, 2"); values ("6, 7"); }
        fall_power (scalar) { values ("4.5"); } }
    }
  }
"""


def given(read, layout: str = BY_SLEW, text: str = GIVEN):
    return read({BY_SLEW: layout, "  default_wire_load": text + "  default_wire_load"})["GIVEN"]


def test_a_table_is_read_by_slew_and_load_whichever_comes_first(read) -> None:
    [arc] = given(read).pins["Z"].arcs
    rise, fall = arc.delay
    assert fall is None
    assert (rise.slews.tolist(), rise.loads.tolist()) == ([1, 2], [3, 4, 5])
    assert rise.values.tolist() == [[10, 11, 12], [20, 21, 22]]
    [arc] = given(read, BY_LOAD).pins["Z"].arcs
    rise, _ = arc.delay
    assert (rise.slews.tolist(), rise.loads.tolist()) == ([3, 4, 5], [1, 2])
    assert rise.values.tolist() == [[10, 20], [11, 21], [12, 22]]


def test_a_table_of_one_axis_and_one_of_none(read) -> None:
    for layout, axes in ((BY_SLEW, ([1, 2], [0])), (BY_LOAD, ([0], [1, 2]))):
        [energy] = given(read, layout).pins["Z"].energies
        rise, fall = energy.tables
        assert (rise.slews.tolist(), rise.loads.tolist()) == axes
        assert rise.values.ravel().tolist() == [6, 7]
        assert fall.values.tolist() == [[4.5]]
        assert energy.related is None


def test_checks_and_groups_without_tables_are_no_arcs(read) -> None:
    arcs = given(read).pins["Z"].arcs
    assert [(arc.related, arc.clocked, arc.sense) for arc in arcs] == [
        ("A", False, "positive_unate")
    ]


def test_leakage_by_state_is_that_with_a_condition(read) -> None:
    cell = given(read)
    assert [(state.text, value) for state, value in cell.leakage] == [("A", 5.0)]
    assert cell.mean_leakage == 3.0
    assert (cell.pins["A"].capacitance, cell.pins["Z"].capacitance) == (2.0, 0.0)
    plain = given(read, text=GIVEN.replace("cell_leakage_power : 3;", ""))
    assert plain.mean_leakage == 0.0


def test_a_register_and_a_clock_gate_are_told_by_their_pins(read) -> None:
    library = read()
    register, gate = library["DFF"], library["GATE"]
    assert (register.next_state, register.states, register.clock_pin) == ("D", ("IQ", "IQN"), "CK")
    assert (register.inputs, register.outputs) == (["D", "CK"], ["Q", "QN"])
    assert [arc.clocked for arc in register.pins["Q"].arcs] == [True]
    assert (gate.enable, gate.clock_pin, gate.outputs) == ("E", "CK", ["GCK"])
    assert "IQ" not in gate.pins
    assert "DFF" in library
    assert "NONE" not in library
    with pytest.raises(LibertyError, match="cell NONE is not in the library"):
        library["NONE"]


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('clocked_on : "CK";', 'clocked_on : "CK"; clear : "D";', "set and reset are not"),
        ('ff ("IQ", "IQN")', 'latch ("IQ", "IQN")', "a latch is not simulated"),
    ],
)
def test_registers_that_are_not_simulated_are_refused(read, old: str, new: str, said: str) -> None:
    with pytest.raises(LibertyError, match=said):
        read({old: new})["DFF"]


TABLE_OF_GATE = 'statetable ("CK E", "IQ") { table : "L L : - : L, L H : - : H, H - : - : N"; }'


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (TABLE_OF_GATE, "", "a clock gate of other pins"),
        ("clock_gate_enable_pin : true;", "", "a clock gate of other pins"),
        ('state_function : "(CK & IQ)"; ', "", "does not rise with the clock"),
        ('"CK E", "IQ"', '"CK SE", "IQ"', "depends on other pins than clock and enable"),
    ],
)
def test_clock_gates_that_are_not_simulated_are_refused(
    read, old: str, new: str, said: str
) -> None:
    with pytest.raises(LibertyError, match=f"cell GATE: .*{said}"):
        read({old: new})["GATE"]


@pytest.mark.parametrize("pin", ["clear", "preset"])
def test_a_register_that_is_set_or_reset_besides_is_refused(tmp_path: Path, pin: str) -> None:
    old = 'clocked_on : "CK";'
    path = made.changed(tmp_path / "made.lib", {old: f'{old} {pin} : "!D";'})
    with pytest.raises(LibertyError, match="cell DFF: set and reset are not simulated"):
        made.around(path)["DFF"]
