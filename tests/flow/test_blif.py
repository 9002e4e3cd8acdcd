"""Circuits as BLIF text: evaluated as it stands, they compute what the netlist does."""

from itertools import product

import pytest

from flow.gates.blif import Circuit, common_registers, of_bits, of_netlist, twins_of
from flow.gates.mapped import MappedNetlist
from flow.netlist import HIGH, LOW
from tests.flow.netlists import netlist_of

pytestmark = pytest.mark.quick


def evaluated(text: str, inputs: tuple[int, ...]) -> tuple[int, ...]:
    """What the outputs of BLIF text are: each table holds for the rows that it lists."""
    values = {f"i{number}": value for number, value in enumerate(inputs)}
    tables, outputs = {}, []
    for line in text.splitlines():
        word, *names = line.split()
        if word == ".names":
            *sources, target = names
            assert target not in tables
            rows: list[list[str]] = []
            tables[target] = sources, rows
        elif word == ".outputs":
            outputs = names
        elif not word.startswith("."):
            rows.append(line.split())

    def value(net: str) -> int:
        if net not in values:
            sources, rows = tables[net]
            bits = [str(value(source)) for source in sources]
            values[net] = int(any(matches(row, bits) for row in rows))
        return values[net]

    return tuple(map(value, outputs))


def matches(row: list[str], bits: list[str]) -> bool:
    *pattern, one = row
    assert one == "1"
    return all(p in ("-", bit) for p, bit in zip("".join(pattern), bits, strict=True))


def truth(circuit: Circuit, cut: set[str], **how) -> dict[tuple[int, ...], tuple[int, ...]]:
    """The outputs for all inputs, both in the order of their sorted names."""
    text = circuit.text(cut, how.pop("still", []), how.pop("twins", {}), **how)
    count = len(next(line for line in text.splitlines() if line.startswith(".inputs")).split()) - 1
    return {bits: evaluated(text, bits) for bits in product((0, 1), repeat=count)}


def mapped(library, *words: str) -> Circuit:
    return of_netlist(MappedNetlist(netlist_of(*words), library))


def test_gates_are_their_functions(library) -> None:
    circuit = mapped(
        library,
        *("Gates", "a b c -> y z", "OAI21_X1 one B1=a B2=b A=c ZN=y", "AND2_X1 two A1=y A2=a ZN=z"),
    )
    assert circuit.interface(set()) == (["a[0]", "b[0]", "c[0]"], ["y[0]", "z[0]"])
    for (a, b, c), found in truth(circuit, set()).items():
        y = 1 - ((a | b) & c)
        assert found == (y, y & a)


def test_an_output_that_goes_nowhere_is_left_out(library) -> None:
    circuit = mapped(library, "Half", "a b -> y", "HA_X1 one A=a B=b S=y")
    assert all(found == (a ^ b,) for (a, b), found in truth(circuit, set()).items())
    assert len(circuit.tables) == 2 + 1  # the constants and the sum


def test_constants_have_their_values(library) -> None:
    given = netlist_of(
        "Tied", "a -> y z", "AND2_X1 one A1=a A2=b ZN=y", "OR2_X1 two A1=a A2=c ZN=z"
    )
    for instance, net in zip(given.instances, (HIGH, LOW), strict=True):
        instance.pins["A2"] = net
    circuit = of_netlist(MappedNetlist(given, library))
    assert truth(circuit, set()) == {(0,): (0, 0), (1,): (1, 1)}


REGISTERS = (
    *("Held", "clk d -> y z", "DFF_X1 p_reg CK=clk D=d Q=p QN=y", "DFF_X1 q_reg CK=clk D=n QN=z"),
    "NAND2_X1 gate A1=p A2=d ZN=n",
)


def test_a_register_that_is_cut_is_an_input_and_an_output(library) -> None:
    """Inputs clk, d and what p and q hold; outputs what they hold next, and y and z."""
    circuit, cut = mapped(library, *REGISTERS), {"p", "q"}
    inputs, outputs = circuit.interface(cut)
    assert inputs == ["clk[0]", "d[0]", "now.p", "now.q"]
    assert outputs == ["next.p", "next.q", "y[0]", "z[0]"]
    for (_, d, p, q), found in truth(circuit, cut).items():
        assert found == (d, 1 - (p & d), 1 - p, 1 - q)


def test_a_register_that_is_not_cut_is_0_and_so_it_must_be_next(library) -> None:
    circuit = mapped(library, *REGISTERS)
    assert circuit.unpaired({"p"}) == ["q"]
    for (_, d, p), found in truth(circuit, {"p"}).items():
        n = 1 - (p & d)
        assert found == (n, d, 1 - p, 1)  # alone.q, next.p, y, z: the inverse of q
    only = truth(circuit, {"p"}, unpaired_only=True)
    assert all(found == (1 - (p & d),) for (_, d, p), found in only.items())


def test_a_still_register_of_the_other_circuit_is_0_next(library) -> None:
    circuit = mapped(library, "Held", "clk d -> y", "DFF_X1 p_reg CK=clk D=d Q=y")
    for (_, d, p), found in truth(circuit, {"p"}, still=["other"]).items():
        assert found == (0, d, p)  # alone.other, next.p, y


def test_a_twin_holds_what_the_cut_register_does(library) -> None:
    circuit = mapped(library, *REGISTERS)
    for (_, d, p), found in truth(circuit, {"p"}, twins={"q": "p"}).items():
        assert found == (1 - (p & d), d, 1 - p, 1 - p)  # z is the inverse of p
    for (_, d, p), found in truth(circuit, {"p"}, twins={"q": "p", "r": "p"}).items():
        assert found == (1 - (p & d), d, d, 1 - p, 1 - p)  # alone.r is what p is to hold


def test_a_register_behind_a_clock_gate_keeps_its_state(library) -> None:
    circuit = mapped(
        library,
        *("Gated", "clk e d -> q", "CLKGATE_X1 gate CK=clk E=e GCK=g"),
        "DFF_X1 q_reg CK=g D=d Q=q",
    )
    for (_, d, e, q), found in truth(circuit, {"q"}).items():
        assert found == (d if e else q, q)


def bits(*cells: str):
    return netlist_of("Bits", "clk a b -> y", *cells)


def test_rtl_of_and_gates_inverters_and_registers() -> None:
    netlist = bits("$_AND_ one A=a B=b Y=n", "$_NOT_ two A=n Y=d", "$_DFF_P_ three D=d Q=q C=clk")
    netlist.names["y2"] = netlist.ports["y"].nets[0]
    netlist.instances[2].pins["Q"] = netlist.names["y"]
    circuit = of_bits(netlist)
    [(names, _, _)] = circuit.registers
    assert names == {"y", "y[0]", "y2", "y2[0]"}  # synthesis may have called it any of these
    for (a, b, _, y), found in truth(circuit, {"y"}).items():
        assert found == (1 - (a & b), y)
    with pytest.raises(ValueError, match=r"a cell \$_OR_ is not an and"):
        of_bits(bits("$_OR_ one A=a B=b Y=y"))


def test_names_of_what_is_always_0_are_known() -> None:
    netlist = bits("$_NOT_ one A=a Y=y")
    netlist.names |= {"zero": LOW, "one": HIGH}
    assert of_bits(netlist).constant == {"zero"}


def circuit_of(*registers: set[str]) -> Circuit:
    return Circuit(registers=[(names, f"d{i}", f"q{i}") for i, names in enumerate(registers)])


def test_registers_are_paired_one_to_one() -> None:
    left = circuit_of({"a", "b"}, {"c"}, {"d"}, set())
    assert common_registers(left, circuit_of({"b"}, {"c", "x"}, {"e"})) == {"b", "c"}
    assert common_registers(left, circuit_of({"a", "b"})) == {"a"}
    # Two of the left's names are those of one: only the first is paired with it.
    assert common_registers(circuit_of({"a"}, {"b"}), circuit_of({"a", "b"})) == {"a"}
    assert common_registers(circuit_of({"a"}, {"b"}), circuit_of({"b", "a"}, {"c"})) == {"a"}


def test_twins_are_found_by_the_names_of_the_register_that_stands_for_them() -> None:
    few, many = circuit_of({"a", "copy"}, {"z"}), circuit_of({"a"}, {"copy"}, {"other"})
    assert many.unpaired({"a"}) == ["copy", "other"]
    assert twins_of({"a"}, few, many) == {"copy": "a"}
    assert twins_of({"copy"}, few, circuit_of({"a"}, {"copy"})) == {"a": "copy"}
