"""Models of cells word by word, cells that are refused, and what a file leaves out: of a library of
planes, whose text is changed."""

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from flow.gates.levels import read_gates
from flow.gates.liberty import LibertyError, Library
from flow.gates.mapped import MappedNetlist, NetlistError
from flow.gates.models import expression, models_of
from flow.gates.simulator import TICKS, _ticks
from tests.flow import made_up_library as made
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick

Read = Callable[..., Library]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    """Reads the library, with parts of its text changed."""

    def library(changes: dict[str, str] | None = None) -> Library:
        return made.around(made.changed(tmp_path / "made.lib", changes or {}))

    return library


def bodies(library: Library) -> dict[str, list[str]]:
    """What each model says between its ports and its end."""
    found = re.findall(r"^module (\w+)\(.*?\);\n(.*?)^endmodule", models_of(library), re.M | re.S)
    return {name: [line.strip() for line in body.splitlines()] for name, body in found}


def test_models_word_by_word(read: Read) -> None:
    """A register takes data as the clock rises; a gate's enable is held while the clock is high."""
    found = {
        name: [line for line in lines if not line.startswith(("input", "output"))]
        for name, lines in bodies(read()).items()
    }
    register = ["reg IQ;", "wire IQN = ~IQ;", "always @(posedge CK) IQ <= D;"]
    register += ["assign Q = IQ;", "assign QN = IQN;"]
    gate = ["reg open;", "always @* if (!CK) open = E;", "assign GCK = CK & open;"]
    assert found == {
        "INV_X2": ["assign ZN = ~A;"],
        "INV": ["assign ZN = ~A;"],
        "AND2": ["assign Z = A1 & A2;"],
        "XOR2": ["assign Z = A ^ B;"],
        "HALF": ["assign S = A ^ B;", "assign CO = A & B;"],
        "DFF": register,
        "DFF2": register,
        "GATE": gate,
    }
    text = models_of(read())
    assert "module HALF(A, B, S, CO);\n  input A;\n  input B;\n  output S;\n  output CO;\n" in text


def test_constants_in_functions() -> None:
    assert expression("1") == "1'b1"
    assert expression("A1 & 0") == "A1 & 1'b0"


@pytest.mark.parametrize("said", ["clear", "preset"])
def test_a_register_that_is_set_or_reset_has_no_model(read: Read, said: str) -> None:
    library = read({'clocked_on : "CK";': f'clocked_on : "CK"; {said} : "D";'})
    with pytest.raises(LibertyError, match="set and reset are not simulated"):
        library["DFF"]
    assert "DFF" not in bodies(library)
    assert "AND2" in bodies(library)


@pytest.mark.parametrize(("missing", "edge"), [("rise_power", 0), ("fall_power", 1)])
def test_an_edge_of_which_a_file_says_nothing_takes_nothing(
    read: Read, missing: str, edge: int
) -> None:
    plane = made.INV_ENERGY[edge].text(missing)
    [energy] = read({plane: ""})["INV"].pins["ZN"].energies
    assert not energy.tables[edge].values.any()
    other = made.INV_ENERGY[1 - edge]
    corners = [[other.at(slew, load) for load in made.LOADS] for slew in made.SLEWS]
    assert np.allclose(energy.tables[1 - edge].values, corners)


@pytest.mark.parametrize("count", [6, 7])
def test_a_gate_has_six_inputs_at_the_most(read: Read, count: int) -> None:
    text = made.liberty()
    [gate] = re.findall(r"  cell \(XOR2\) \{.*?\n  \}", text, re.DOTALL)
    pins = [f"pin (I{i}) {{ direction : input; capacitance : 1; }}" for i in range(count)]
    function = " & ".join(f"I{i}" for i in range(count))
    output = f'pin (Z) {{ direction : output; function : "{function}"; }}'
    wide = f"  cell (WIDE) {{ area : 1;\n    {' '.join(pins)} {output}\n  }}"
    library = read({gate: f"{gate}\n{wide}"})
    nets = " ".join(f"i{i}" for i in range(count))
    joined = " ".join(f"I{i}=i{i}" for i in range(count))
    mapped = MappedNetlist(netlist_of("Wide", f"{nets} -> z", f"WIDE one {joined} Z=z"), library)
    if count == 7:
        with pytest.raises(NetlistError, match="cell WIDE has more than 6 inputs"):
            read_gates(mapped)
        return
    gates = read_gates(mapped)
    assert gates.tables.tolist() == [1 << 63]
    assert (gates.inputs >= 0).all()


def test_delays_are_rounded_to_the_nearest_tick_and_last_one_at_least() -> None:
    ticks = np.array([0, 0.2, 0.9, 1.4, 1.6, 7.49, 7.51, 1000.0])
    assert _ticks(ticks / TICKS).tolist() == [1, 1, 1, 1, 2, 7, 8, 1000]
    assert TICKS == 10_000
